//! Runs programs, and ends those that hang.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any of them takes on a machine that others keep busy.
const LIMIT: Duration = Duration::from_secs(300);

/// What a command prints, which must succeed.
#[track_caller]
pub fn said(command: &mut Command) -> String {
    let shown = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{shown}: {error}"));
    let out = reader(child.stdout.take().expect("piped"));
    let complaints = reader(child.stderr.take().expect("piped"));
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            break status;
        }
        if begin.elapsed() > LIMIT {
            child.kill().expect("a child of ours");
            child.wait().expect("a child of ours");
            panic!("{shown} hangs");
        }
        thread::sleep(Duration::from_millis(5));
    };
    let [out, complaints] = [out, complaints].map(|it| it.join().expect("it reads a pipe"));
    assert!(status.success(), "{shown}: {status}\n{out}\n{complaints}");
    out
}

fn reader(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        from.read_to_end(&mut text).expect("a pipe");
        String::from_utf8_lossy(&text).into_owned()
    })
}

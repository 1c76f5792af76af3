//! A program of several processes, `attach` on them, and a control group for them.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::watched::{LOCKTOLL, built, source, text};

/// As long as anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How many waits there are in each process (`family_waits.c`).
pub const ROUNDS: u64 = 5;

pub fn program(folder: &tempfile::TempDir) -> Option<PathBuf> {
    let mut compiler = Command::new("cc");
    compiler
        .args(["-g", "-O1", "-pthread"])
        .arg(source("family_waits.c"));
    built(&compiler, &folder.path().join("family_waits"))
}

/// A running `family_waits`; killed with this value.
pub struct Family {
    pub child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Family {
    pub fn start(program: &Path) -> Self {
        Self::start_by(&mut Command::new(program)).expect("it starts")
    }

    /// Starts it by another command; `None` if that ends without it.
    pub fn start_by(command: &mut Command) -> Option<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let Some(line) = output.next() else {
            let _ = child.wait();
            return None;
        };
        assert_eq!(line.unwrap(), "ready");
        Some(Self {
            child,
            input,
            output,
        })
    }

    /// Lets it work; what its processes waited, nanoseconds: the first and the one it forked, and the stranger.
    pub fn work(&mut self) -> (u64, u64) {
        self.input.write_all(b"\n").unwrap();
        let mut sums = (0, 0);
        for line in &mut self.output {
            let line = line.unwrap();
            let Some((name, ns)) = line.split_once(' ') else {
                assert_eq!(line, "done");
                return sums;
            };
            let ns: u64 = ns.parse().unwrap();
            match name {
                "family" => sums.0 += ns,
                _ => sums.1 += ns,
            }
        }
        panic!("it ended before it was done");
    }

    pub fn end(mut self) {
        self.input.write_all(b"\n").unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running `locktoll attach`.
pub struct Attached {
    child: Child,
    errors: BufReader<ChildStderr>,
}

impl Attached {
    /// Begins; `None`, and the test is skipped, if it is not possible here.
    pub fn begin(words: &[&str]) -> Option<Self> {
        let mut child = Command::new(LOCKTOLL)
            .args(["attach", "--json"])
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("Ctrl-C prints the results so far") {
            if errors.read_line(&mut said).unwrap() == 0 {
                assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
                locktoll_needs::refused(&said);
                return None;
            }
        }
        Some(Self { child, errors })
    }

    /// Waits until it has opened `file`, which it does with the code of each process that it takes in.
    pub fn has_opened(&self, file: &Path) {
        let folder = format!("/proc/{}/fd", self.child.id());
        let end = Instant::now() + PATIENCE;
        let is_open = || {
            let links = fs::read_dir(&folder).unwrap().flatten();
            let mut links = links.filter_map(|it| fs::read_link(it.path()).ok());
            links.any(|link| link == file)
        };
        while !is_open() {
            assert!(Instant::now() < end, "{} is not opened", file.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it, as Ctrl-C does, which shells have their background jobs ignore.
    pub fn interrupt(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    /// The profile, and what else was said, once it has ended.
    pub fn profile(self) -> (Value, String) {
        let Self { child, mut errors } = self;
        // Both at once: it waits while a pipe is full.
        let errors = std::thread::spawn(move || {
            let mut said = String::new();
            errors.read_to_string(&mut said).unwrap();
            said
        });
        let output = child.wait_with_output().unwrap();
        let errors = errors.join().unwrap();
        assert!(output.status.success(), "{errors}");
        let profile = serde_json::from_str(&text(&output.stdout)).unwrap();
        (profile, errors)
    }
}

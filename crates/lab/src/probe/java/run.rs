//! Runs the Java program in a separate process, for a limited time.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::output::excerpt;

/// The most output that is read; the program prints a few kilobytes.
const MOST_BYTES: u64 = 1 << 20;
/// Time between two checks of a running program.
const LOOK: Duration = Duration::from_millis(5);
/// Time for the remaining output to arrive here after a program has ended or been killed.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Runs `java` with the `arguments` and returns its standard output. Each line that it prints is shown to `answers`; if that returns
/// `true`, the program is sent an empty line.
///
/// # Errors
/// A sentence that says why there is none: the program did not start, failed or took longer than `limit`, or `give_up` said so.
pub(super) fn run(
    java: &Path,
    arguments: &[&OsStr],
    limit: Duration,
    give_up: impl Fn() -> bool,
    answers: impl Fn(&str) -> bool + Send + 'static,
) -> Result<String, String> {
    let name = java.display();
    let mut child = Command::new(java)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A process group of its own, which is killed as a whole: `java` may be a script that starts another process.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("{name} does not start: {error}"))?;
    let mut input = child.stdin.take();
    let printed = collect(child.stdout.take(), move |line| {
        if answers(line)
            && let Some(input) = &mut input
        {
            // It may have ended meanwhile.
            let _ = input.write_all(b"\n");
        }
    });
    let complaints = collect(child.stderr.take(), |_| {});
    let ended = wait(&mut child, limit, give_up);
    let status = ended.map_err(|reason| format!("{name} {reason}"))?;
    let printed = printed.recv_timeout(LAST_WORDS).unwrap_or_default();
    if status.success() {
        return Ok(printed);
    }
    let complaints = complaints.recv_timeout(LAST_WORDS).unwrap_or_default();
    let first = complaints
        .lines()
        // The launcher's own remark about an environment variable.
        .find(|line| !line.trim().is_empty() && !line.starts_with("Picked up "));
    Err(match first {
        Some(line) => format!("{name} failed ({status}): {}", excerpt(line)),
        None => format!("{name} failed ({status})"),
    })
}

/// Returns everything that can be read from `pipe`, once it has come to an end. Meanwhile, `see` is given each line.
fn collect(
    pipe: Option<impl Read + Send + 'static>,
    mut see: impl FnMut(&str) + Send + 'static,
) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(pipe) = pipe {
        std::thread::spawn(move || {
            let mut reader = BufReader::new(pipe.take(MOST_BYTES));
            let (mut all, mut line) = (String::new(), Vec::new());
            // Output read before an error is worth keeping.
            while reader
                .read_until(b'\n', &mut line)
                .is_ok_and(|read| read > 0)
            {
                let text = String::from_utf8_lossy(&line);
                see(text.trim_end());
                all.push_str(&text);
                line.clear();
            }
            // The receiver may already be gone.
            let _ = sender.send(all);
        });
    }
    receiver
}

fn wait(
    child: &mut Child,
    limit: Duration,
    give_up: impl Fn() -> bool,
) -> Result<ExitStatus, String> {
    let started = Instant::now();
    loop {
        let reason = match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Err(error) => format!("cannot be awaited: {error}"),
            Ok(None) if started.elapsed() > limit => {
                format!("was ended: it took more than {limit:?}")
            }
            Ok(None) if give_up() => "was ended: stopped".into(),
            Ok(None) => {
                std::thread::sleep(LOOK);
                continue;
            }
        };
        // SAFETY: a plain system call. The child leads its group and has not been reaped, so the number is still its own.
        unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
        let _ = child.wait();
        return Err(reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// The shell plays the part of a `java` that runs a source file.
    fn shell(script: &str, limit: Duration, give_up: bool) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Ping.java");
        std::fs::write(&file, script).unwrap();
        let answers = |line: &str| line == "question";
        let arguments = [file.as_os_str()];
        run(Path::new("/bin/sh"), &arguments, limit, || give_up, answers)
    }

    #[test]
    fn what_it_prints_is_what_counts() {
        assert_eq!(
            shell("echo one; echo two; echo three >&2", LONG, false).unwrap(),
            "one\ntwo\n"
        );
    }

    #[test]
    fn a_question_is_answered() {
        let script = "echo question; read answer; echo \"<$answer>\"";
        assert_eq!(shell(script, LONG, false).unwrap(), "question\n<>\n");
    }

    #[test]
    fn a_failure_comes_with_its_first_words() {
        let reason = shell(
            "echo Picked up JAVA_X >&2; echo it is broken >&2; exit 3",
            LONG,
            false,
        )
        .unwrap_err();
        assert!(
            reason.contains("exit status: 3") && reason.ends_with("it is broken"),
            "{reason}"
        );
    }

    #[test]
    fn what_hangs_is_ended_with_all_that_it_started() {
        let began = Instant::now();
        let reason = shell("sleep 100 & sleep 100", Duration::from_millis(50), false).unwrap_err();
        assert!(reason.contains("more than 50ms"), "{reason}");
        assert!(began.elapsed() < LONG);
    }

    #[test]
    fn it_can_be_given_up() {
        let reason = shell("sleep 100", LONG, true).unwrap_err();
        assert!(reason.contains("stopped"), "{reason}");
    }

    #[test]
    fn what_does_not_start_is_told() {
        let reason = run(
            Path::new("/nonexistent/java"),
            &[],
            LONG,
            || false,
            |_| false,
        )
        .unwrap_err();
        assert!(reason.contains("does not start"), "{reason}");
    }

    #[test]
    fn a_flood_is_cut() {
        let text = shell("head -c 3000000 /dev/zero | tr '\\0' x", LONG, false);
        // The writer may get a signal because nobody reads any more.
        assert!(text.is_err() || text.unwrap().len() as u64 == MOST_BYTES);
    }
}

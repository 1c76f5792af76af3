//! The emulator's process, and the conversation with the guest in it.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use locktoll_terminal::system::files::{open_regular, private_folder, text_of_process};
use tempfile::TempDir;

use super::image::Image;
use super::message::{Answer, Request, line, read};
use crate::inner::GUEST;

/// How often the user's wish to stop is noticed.
const LOOK: Duration = Duration::from_millis(50);
/// How long a guest may take to switch itself off.
const SWITCH_OFF: Duration = Duration::from_secs(5);
/// The guest's memory: the file system of a debug build, twice, and the kernel.
const MEMORY: &str = "768M";
/// How many of the kernel's last lines are shown if the guest fails.
const LAST_LINES: usize = 2;

/// A running guest. It is killed when this value is dropped, and its files are removed.
pub struct Emulator {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    folder: TempDir,
}

/// Why there is no answer.
pub enum NoAnswer {
    /// The user wants to stop.
    Stopped,
    /// The guest failed.
    Failed(String),
}

impl Emulator {
    /// Boots `kernel` with this file system, on `cpus` virtual CPUs.
    ///
    /// # Errors
    /// If the emulator cannot be started.
    pub fn start(
        emulator: &Path,
        kernel: &Path,
        image: &Image,
        cpus: u32,
        counter_khz: u64,
    ) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("the guest cannot be started: {error}");
        let folder = private_folder("locktoll-guest-").map_err(failed)?;
        let initial = folder.path().join("initial");
        std::fs::write(&initial, &image.archive).map_err(failed)?;
        let mut command = Command::new(emulator);
        command
            .args(["-accel", "tcg,thread=multi", "-cpu", "max", "-m", MEMORY])
            .args(["-smp", &cpus.to_string()])
            .args([
                "-nodefaults",
                "-no-user-config",
                "-no-reboot",
                "-display",
                "none",
            ])
            // The first line is for the conversation, the second for the kernel's messages.
            .args(["-serial", "stdio", "-serial"])
            .arg(format!("file:{}", folder.path().join("console").display()))
            .arg("-kernel")
            .arg(kernel)
            .arg("-initrd")
            .arg(&initial)
            .arg("-append")
            .arg(kernel_arguments(&image.library_path, counter_khz))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(
                std::fs::File::create(folder.path().join("errors")).map_err(failed)?,
            ));
        tie(&mut command);
        let mut child = command.spawn().map_err(failed)?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both are pipes");
        };
        Ok(Self {
            child,
            requests,
            answers: lines(answers),
            folder,
        })
    }

    /// Waits for the guest's next answer, up to `limit`, as long as `keep_going` says so.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn answer(
        &mut self,
        limit: Duration,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Answer, NoAnswer> {
        let deadline = Instant::now() + limit;
        loop {
            match self.answers.recv_timeout(LOOK) {
                Ok(text) => {
                    if let Some(answer) = read(&text) {
                        return Ok(answer);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.failed("the guest ended early"));
                }
            }
            if !keep_going() {
                return Err(NoAnswer::Stopped);
            }
            if Instant::now() > deadline {
                let seconds = limit.as_secs();
                return Err(self.failed(&format!("the guest did not answer within {seconds} s")));
            }
        }
    }

    /// Asks the guest for something.
    ///
    /// # Errors
    /// If the guest has ended.
    pub fn ask(&mut self, request: &Request) -> Result<(), NoAnswer> {
        let sent = self.requests.write_all(line(request).as_bytes());
        sent.map_err(|_| self.failed("the guest ended early"))
    }

    /// Returns the CPU time of the emulator so far; `None` if it cannot be read.
    pub fn cpu(&self) -> Option<Duration> {
        let stat = text_of_process(self.child.id(), "stat").ok()?;
        let per_second = rustix::param::clock_ticks_per_second();
        Some(Duration::from_millis(ticks_in(&stat)? * 1000 / per_second))
    }

    /// Has the guest switch itself off.
    pub fn switch_off(mut self) {
        let deadline = Instant::now() + SWITCH_OFF;
        if self.ask(&Request::End).is_ok() {
            while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    fn failed(&self, what: &str) -> NoAnswer {
        // Our own files; what the emulator itself says explains more than the guest's kernel.
        let said = ["errors", "console"].iter().find_map(|name| {
            let mut text = Vec::new();
            let mut file = open_regular(&self.folder.path().join(name)).ok()?;
            file.read_to_end(&mut text).ok()?;
            let lines = last_lines(&String::from_utf8_lossy(&text));
            (!lines.is_empty()).then_some(lines)
        });
        NoAnswer::Failed(match said {
            Some(lines) => format!("{what}; its last words: {lines}"),
            None => what.to_owned(),
        })
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // It may have ended by itself; it is waited for in any case, which also adds its CPU time to that of our children.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the kernel's command line. What the kernel does not know, it passes to the first process: NAME=VALUE in the environment,
/// words after `--` as arguments.
///
/// The counters of virtual CPUs are one counter of the host, but the kernel does not trust those of an unknown processor without
/// being asked to.
fn kernel_arguments(library_path: &str, counter_khz: u64) -> String {
    format!(
        "console=ttyS1 quiet panic=-1 tsc=reliable PATH=/bin LD_LIBRARY_PATH={library_path} rdinit=/init -- {GUEST} {counter_khz}"
    )
}

/// Keeps a terminal's Ctrl-C from the process, and has it killed if we are.
fn tie(command: &mut Command) {
    command.process_group(0);
    // SAFETY: between fork and exec only this async-signal-safe call is made, with plain numbers.
    unsafe {
        command.pre_exec(|| {
            match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong) {
                0.. => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
}

/// Passes on the lines of an output, from a thread of its own: reading would block.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut bytes = Vec::new();
            match output.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            // Nobody listens any more once the guest is dropped.
            if send
                .send(String::from_utf8_lossy(&bytes).into_owned())
                .is_err()
            {
                return;
            }
        }
    });
    lines
}

/// Returns the CPU time, user and system, in a process's `stat` (proc(5)).
fn ticks_in(stat: &str) -> Option<u64> {
    // The name of the program, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let mut time = || times.next()?.parse::<u64>().ok();
    Some(time()? + time()?)
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let panic = lines.iter().find(|line| line.contains("Kernel panic"));
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    match panic {
        // Behind it comes only what the processors were doing.
        Some(panic) => (*panic).to_owned(),
        None => last.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_are_the_panic_or_the_last_lines() {
        assert_eq!(last_lines("a\nb\n\n c \n"), "b; c");
        let panic = "[1.0] Kernel panic - not syncing: No working init found.";
        assert_eq!(last_lines(&format!("a\n{panic}\nCPU: 0\nend\n")), panic);
        assert_eq!(last_lines(""), "");
    }

    #[test]
    fn the_cpu_time_is_that_of_the_user_and_the_system() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 120 0 0 0 35 12 0 0 20 0 1 0";
        assert_eq!(ticks_in(stat), Some(47));
        assert_eq!(ticks_in("7 (a"), None);
        let own = std::fs::read_to_string("/proc/self/stat").unwrap();
        assert!(ticks_in(&own).is_some(), "{own}");
    }

    #[test]
    fn a_kernel_passes_the_word_on() {
        let line = kernel_arguments("/lib:/lib64", 2_600_000);
        assert!(line.ends_with(" -- __guest 2600000"), "{line}");
        assert!(line.contains(" LD_LIBRARY_PATH=/lib:/lib64 "), "{line}");
    }
}

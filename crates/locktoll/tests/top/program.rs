//! The program that is watched: `tests/programs/uneven_locks.c`.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use crate::bench::Bench;

/// The user that has no privileges, and its group: `nobody`.
pub const NOBODY: u32 = 65534;

/// It runs until this value goes.
pub struct Running {
    child: Child,
    /// The program's own process id.
    pub pid: u32,
}

impl Running {
    /// Under `locktoll record`.
    pub fn recorded(bench: &Bench) -> Self {
        let program = bench.c("uneven_locks", &[]);
        let mut command = bench.locktoll();
        command.args(["record", "--quiet", "-o", "out.locktoll", "--"]);
        Self::start(command.arg(program))
    }

    /// By itself.
    pub fn alone(bench: &Bench) -> Self {
        Self::start(&mut Command::new(bench.c("uneven_locks", &[])))
    }

    /// By this command, once its threads run.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        // What it says later has to go somewhere.
        std::thread::spawn(move || out.read_to_end(&mut Vec::new()));
        let pid = line.strip_prefix("ready ").expect("it runs").trim();
        Self {
            child,
            pid: pid.parse().unwrap(),
        }
    }

    /// The process that was started: the recorder, or the program itself.
    pub fn started(&self) -> u32 {
        self.child.id()
    }

    /// Has it end.
    pub fn end(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether programs can be loaded into the kernel, asked of the binary itself.
pub fn is_privileged() -> bool {
    let out = Command::new(crate::bench::LOCKTOLL)
        .args(["top", "--json", "--count", "1", "--interval", "100ms"])
        .output()
        .unwrap();
    let line: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let causes = line["machine"]["causes"].as_array().unwrap();
    causes
        .iter()
        .any(|cause| cause["known_by"] == "counted" && cause["cause"] == "lock")
}

/// Has the command run without privileges; `false` if we have none ourselves.
pub fn unprivileged(command: &mut Command) -> &mut Command {
    // SAFETY: geteuid(2) has no preconditions.
    if unsafe { libc::geteuid() } == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

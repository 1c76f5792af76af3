//! Processes of the run that have not ended when the program has.

use std::collections::BTreeSet;
use std::path::Path;

use super::environment::PARTS;
use super::parts::Parts;
use locktoll_sources::recording::is_running;
use locktoll_terminal::system::files::{of_process, text_of_process};

/// Processes that go on after the program's end.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct StillRunning {
    /// Processes that are recorded, up to now.
    pub recorded: usize,
    /// Processes that had orders to record and do not: their loader ignored the library.
    pub unrecorded: usize,
}

/// Looks for processes other than `program` that belong to the run.
pub fn still_running(parts: &Parts, program: u32) -> StillRunning {
    let files = parts.files().unwrap_or_default();
    // A process has one part for each program that it became.
    let recorded: BTreeSet<u32> = files
        .iter()
        .filter(|file| file.process.pid != program && file.process.end_monotonic_ns.is_none())
        .map(|file| file.process.pid)
        .filter(|&pid| is_running(pid))
        .collect();
    let unrecorded = processes()
        .filter(|pid| !recorded.contains(pid) && *pid != program)
        .filter(|&pid| was_told(pid, parts.folder()) && !has_loaded_us(pid) && is_running(pid))
        .count();
    StillRunning {
        recorded: recorded.len(),
        unrecorded,
    }
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Whether the process started with our folder in its environment: proc_pid_environ(5).
fn was_told(pid: u32, folder: &Path) -> bool {
    let mut ours = format!("{PARTS}=").into_bytes();
    ours.extend_from_slice(folder.as_os_str().as_encoded_bytes());
    // The environment of another user's process cannot be read; such a process was not started by ours, or is privileged.
    let environment = of_process(pid, "environ").unwrap_or_default();
    environment
        .split(|&byte| byte == 0)
        .any(|variable| variable == ours)
}

/// Whether the library is mapped: such a process has no part only because it has not taken a lock yet.
fn has_loaded_us(pid: u32) -> bool {
    text_of_process(pid, "maps").is_ok_and(|maps| maps.contains("liblocktoll_preload"))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_that_ended_and_was_not_waited_for_does_not_run() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        assert!(is_running(child.id()));
        drop(child.stdin.take());
        let id = rustix::process::Pid::from_child(&child);
        let ended = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
        rustix::process::waitid(rustix::process::WaitId::Pid(id), ended).unwrap();
        assert!(!is_running(child.id()));
        child.wait().unwrap();
        assert!(!is_running(child.id()));
    }

    #[test]
    fn a_process_that_was_told_to_record_and_does_not_is_counted() {
        let beside = tempfile::tempdir().unwrap();
        let parts = Parts::prepare(&beside.path().join("out")).unwrap();
        assert_eq!(still_running(&parts, 0), StillRunning::default());
        // With the folder but without the library, as a statically linked program would run.
        let mut child = Command::new("cat")
            .env(PARTS, parts.folder())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Once it answers, it has become cat, with cat's environment.
        use std::io::{Read, Write};
        child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let found = still_running(&parts, 0);
        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!((found.recorded, found.unrecorded), (0, 1));
        assert_eq!(still_running(&parts, 0), StillRunning::default());
        parts.discard();
    }
}

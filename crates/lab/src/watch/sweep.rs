//! One reading of all visible threads, or of one process's threads.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::Subject;
use super::process::ProcessTotals;
use super::system::SystemReading;
use super::thread::{Depth, ThreadReading};
use crate::platform::linux::Tree;

/// All counters at about one moment.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    /// When the machine's counters were read.
    pub(super) at: Instant,
    pub(super) system: SystemReading,
    /// By process id.
    pub(super) processes: BTreeMap<u32, ProcessReading>,
    /// Time that the reading took.
    pub(super) took: Duration,
    /// Processes that exist but whose threads may not be read.
    pub(super) unreadable: usize,
}

/// The threads of a process, by thread id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProcessReading {
    /// When the threads were read: on a loaded machine, well after the machine's counters.
    pub(super) at: Instant,
    pub(super) threads: BTreeMap<u32, ThreadReading>,
    /// Read only where one process is watched.
    pub(super) totals: Option<ProcessTotals>,
}

impl ProcessReading {
    /// Returns the name of the process: that of its first thread, while that exists.
    pub(super) fn name(&self, pid: u32) -> &str {
        let first = self.threads.get(&pid).or(self.threads.values().next());
        first.map_or("", |thread| &thread.name)
    }
}

impl Sweep {
    /// Reads all counters. Threads that have not run since `last` are copied from it.
    pub(super) fn take(tree: &Tree, subject: Subject, last: Option<&Sweep>) -> Self {
        let at = Instant::now();
        let system = SystemReading::take(tree);
        let (pids, depth) = match subject {
            Subject::Process(pid) => (vec![pid], Depth::Migrations),
            Subject::Machine => (numbers(tree, "/proc"), Depth::Counts),
        };
        let mut processes = BTreeMap::new();
        let mut unreadable = 0;
        for pid in pids {
            let last = last.and_then(|last| last.processes.get(&pid));
            let process = ProcessReading::take(tree, pid, depth, last);
            if !process.threads.is_empty() {
                processes.insert(pid, process);
            } else if tree.exists(&format!("/proc/{pid}")) {
                unreadable += 1;
            }
        }
        Self {
            at,
            system,
            processes,
            took: at.elapsed(),
            unreadable,
        }
    }

    /// Returns the number of threads seen.
    pub(super) fn threads(&self) -> usize {
        self.processes
            .values()
            .map(|process| process.threads.len())
            .sum()
    }
}

impl ProcessReading {
    fn take(tree: &Tree, pid: u32, depth: Depth, last: Option<&ProcessReading>) -> Self {
        let at = Instant::now();
        let threads = numbers(tree, &format!("/proc/{pid}/task"))
            .into_iter()
            .filter_map(|tid| {
                let last = last.and_then(|last| last.threads.get(&tid));
                let read = ThreadReading::read(tree, &task_folder(pid, tid), depth, last)?;
                Some((tid, read))
            })
            .collect();
        let totals = match depth {
            Depth::Counts => None,
            Depth::Migrations => ProcessTotals::read(tree, pid),
        };
        Self {
            at,
            threads,
            totals,
        }
    }
}

/// Returns the folder with the files of a thread.
pub(super) fn task_folder(pid: u32, tid: u32) -> String {
    format!("/proc/{pid}/task/{tid}")
}

fn numbers(tree: &Tree, folder: &str) -> Vec<u32> {
    let names = tree.names(folder);
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::made_up::status;
    use super::*;
    use crate::platform::linux::fake;

    #[test]
    fn processes_and_threads_are_found_among_other_names() {
        let (_folder, tree) = fake::tree(&[
            ("/proc/stat", "cpu  1 2 3 4 5 6 7 8\nctxt 99\n"),
            ("/proc/sys/kernel/x", "1"),
            ("/proc/7/task/7/status", &status("main", 'S', 1, 2)),
            ("/proc/7/task/8/status", &status("worker", 'R', 3, 4)),
            ("/proc/9/task/9/status", &status("other", 'S', 5, 6)),
            // Visible but closed, as with hidepid=1.
            ("/proc/10/cmdline", "x"),
        ]);
        let sweep = Sweep::take(&tree, Subject::Machine, None);
        assert_eq!(sweep.processes.keys().collect::<Vec<_>>(), [&7, &9]);
        assert_eq!(sweep.processes[&7].name(7), "main");
        assert_eq!((sweep.threads(), sweep.unreadable), (3, 1));
        assert_eq!(sweep.system.stat.unwrap().switches, Some(99));

        let one = Sweep::take(&tree, Subject::Process(9), Some(&sweep));
        assert_eq!(one.processes.keys().collect::<Vec<_>>(), [&9]);
    }

    #[test]
    fn a_process_whose_first_thread_is_gone_still_has_a_name() {
        let (_folder, tree) =
            fake::tree(&[("/proc/7/task/8/status", &status("worker", 'R', 3, 4))]);
        let sweep = Sweep::take(&tree, Subject::Process(7), None);
        assert_eq!(sweep.processes[&7].name(7), "worker");
    }

    #[test]
    fn an_empty_proc_is_an_empty_sweep() {
        let (_folder, tree) = fake::tree(&[]);
        let sweep = Sweep::take(&tree, Subject::Machine, None);
        assert!(sweep.processes.is_empty());
        assert_eq!(sweep.unreadable, 0);
    }
}

//! The watch itself: it reads, compares with its previous reading, and remembers.

use std::collections::HashSet;

use super::difference::between;
use super::found::Looks;
use super::interval::{Interval, OwnCost};
use super::sweep::{Sweep, task_folder};
use super::system::default_slice_ns;
use super::thread::process_of;
use super::wait::{Look, look};
use super::{Limits, Subject, targets};
use crate::platform::linux::Tree;
use crate::platform::of_this_process;

/// Watches the switches of the machine or of a process. The caller decides the length of an interval:
/// [`next_interval`](Watcher::next_interval) ends one, and [`look`](Watcher::look) is to be called several times within each.
#[derive(Debug)]
pub struct Watcher {
    tree: Tree,
    subject: Subject,
    last: Sweep,
    looks: Looks,
    targets: Vec<(u32, u32)>,
    closed: HashSet<u32>,
    slice_ns: Option<u64>,
    /// This process's CPU time in nanoseconds, and its switches.
    own: (u64, u64),
}

/// Why a process cannot be watched, or can no longer be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwatchable {
    /// No process has that number, or it is hidden from this user.
    #[error("no process has the id {0}, or it is hidden from this user")]
    Missing(u32),
    /// The number is that of a thread.
    #[error("{tid} is a thread of process {pid}; watch {pid}")]
    ThreadOf {
        /// The number given.
        tid: u32,
        /// The process it belongs to.
        pid: u32,
    },
    /// The process exists, but its threads may not be read.
    #[error("process {0} is there, but its threads may not be read by this user")]
    Closed(u32),
    /// The process has ended.
    #[error("process {0} has ended")]
    Ended(u32),
}

impl Watcher {
    /// Takes the first reading.
    ///
    /// # Errors
    /// [`Unwatchable`] if the process does not exist, has ended, or is closed to this user.
    pub fn start(subject: Subject) -> Result<Self, Unwatchable> {
        Self::start_in(Tree::system(), subject)
    }

    fn start_in(tree: Tree, subject: Subject) -> Result<Self, Unwatchable> {
        let own = own_use();
        let last = Sweep::take(&tree, subject, None);
        if let Subject::Process(pid) = subject {
            // Threads can be addressed like processes, although they are not listed.
            match process_of(&tree, pid) {
                Some(process) if process != pid => {
                    return Err(Unwatchable::ThreadOf {
                        tid: pid,
                        pid: process,
                    });
                }
                _ => living(&tree, &last, pid)?,
            }
        }
        let closed = HashSet::from([std::process::id()]);
        Ok(Self {
            targets: targets::choose(None, &last, &closed),
            slice_ns: default_slice_ns(&tree),
            looks: Looks::default(),
            closed,
            tree,
            subject,
            last,
            own,
        })
    }

    /// Looks at the current waits of the threads that wait most, which reads some tens of files in `/proc`.
    pub fn look(&mut self) {
        for (pid, tid) in &self.targets {
            let folder = task_folder(*pid, *tid);
            let seen = look(&self.tree, &folder);
            if seen == Look::Unreadable && self.tree.exists(&folder) {
                // Asking again each time would cost time and show nothing.
                self.closed.insert(*pid);
            }
            self.looks.note(*pid, *tid, seen);
        }
        self.targets.retain(|(pid, _)| !self.closed.contains(pid));
    }

    /// Ends an interval and begins the next one.
    ///
    /// # Errors
    /// [`Unwatchable`] once the watched process has ended.
    pub fn next_interval(&mut self) -> Result<Interval, Unwatchable> {
        let sweep = Sweep::take(&self.tree, self.subject, Some(&self.last));
        if let Subject::Process(pid) = self.subject {
            living(&self.tree, &sweep, pid)?;
        }
        for (&pid, process) in &sweep.processes {
            if self.closed.contains(&pid) && pid != std::process::id() {
                let closed = process.threads.keys();
                closed.for_each(|&tid| self.looks.note(pid, tid, Look::Unreadable));
            }
        }
        let elapsed = sweep.at.saturating_duration_since(self.last.at);
        let now = own_use();
        let own = OwnCost {
            cpu_ns: now.0.saturating_sub(self.own.0),
            cpu_share: now.0.saturating_sub(self.own.0) as f64 / elapsed.as_nanos().max(1) as f64,
            switches: now.1.saturating_sub(self.own.1),
            reading_ns: u64::try_from(sweep.took.as_nanos()).unwrap_or(u64::MAX),
        };
        let interval = between(
            &self.last,
            &sweep,
            self.subject,
            &self.looks,
            self.slice_ns,
            own,
        );
        self.targets = targets::choose(Some(&self.last), &sweep, &self.closed);
        self.looks = Looks::default();
        self.last = sweep;
        self.own = now;
        Ok(interval)
    }

    /// Returns what the system does not report here, and why.
    pub fn limits(&self) -> Limits {
        let threads = self
            .last
            .processes
            .values()
            .flat_map(|p| p.threads.values());
        let load = self.last.system.load;
        Limits {
            slice_ns: self.slice_ns,
            run_times: threads.clone().any(|thread| thread.run.is_some()),
            pressure: self.last.system.cpu_pressure_us.is_some(),
            idle_switches: self.last.system.taken_up.is_some(),
            switches: self
                .last
                .system
                .stat
                .is_some_and(|stat| stat.switches.is_some()),
            threads_hidden: load
                .filter(|_| self.subject == Subject::Machine)
                .map(|load| load.threads.saturating_sub(self.last.threads() as u64)),
            processes_unreadable: self.last.unreadable as u64,
        }
    }
}

/// Checks that a process is alive: it lives while one of its threads does, even if its first has ended.
fn living(tree: &Tree, sweep: &Sweep, pid: u32) -> Result<(), Unwatchable> {
    let known = sweep.processes.get(&pid);
    match known {
        Some(process) if process.threads.values().all(|thread| thread.ended()) => {
            Err(Unwatchable::Ended(pid))
        }
        Some(_) => Ok(()),
        None if tree.exists(&format!("/proc/{pid}")) => Err(Unwatchable::Closed(pid)),
        None => Err(Unwatchable::Missing(pid)),
    }
}

/// Returns this process's CPU time in nanoseconds and its switches so far.
fn own_use() -> (u64, u64) {
    let used = of_this_process();
    (used.cpu_ns().unwrap_or(0), used.switches().unwrap_or(0))
}

#[cfg(test)]
#[path = "watcher_tests.rs"]
mod tests;

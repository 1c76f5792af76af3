//! Waits that had not ended when recording did: of a deadlock they are all there is.

use std::collections::HashMap;

use locktoll_recording::reader::Thread;

use super::rows::PartView;
use super::sites::{SiteId, Sites};
use super::{Lock, Profile, StillWaiting, Use};

/// The waits of one row.
#[derive(Default)]
pub struct Unended {
    /// Threads that waited.
    pub threads: u64,
    /// How long, added up.
    pub wait_ns: u64,
    longest: Option<Wait>,
}

/// One wait.
#[derive(Clone, Copy)]
struct Wait {
    pid: u32,
    tid: u32,
    site: SiteId,
    wait_ns: u64,
}

impl Unended {
    /// Takes in the wait that a thread was in.
    pub fn add(&mut self, view: &PartView<'_>, thread: &Thread, site: SiteId) {
        let wait = Wait {
            pid: view.part.process.pid,
            tid: thread.tid,
            site,
            wait_ns: length_ns(view, thread),
        };
        self.threads = self.threads.saturating_add(1);
        self.wait_ns = self.wait_ns.saturating_add(wait.wait_ns);
        if self.longest.is_none_or(|it| it.wait_ns < wait.wait_ns) {
            self.longest = Some(wait);
        }
    }

    /// The longest of them.
    pub fn longest(&self, sites: &Sites) -> Option<StillWaiting> {
        self.longest.map(|wait| StillWaiting {
            pid: wait.pid,
            tid: wait.tid,
            frames: sites.frames(wait.site).to_vec(),
            wait_ns: wait.wait_ns,
        })
    }
}

/// How long a thread had been in the wait that it was in at the end; no longer than it lived, whatever a damaged
/// recording says.
fn length_ns(view: &PartView<'_>, thread: &Thread) -> u64 {
    let end_ns = thread.end_ns.unwrap_or(view.end_ns);
    thread.waiting.map_or(0, |waiting| {
        end_ns.saturating_sub(waiting.since_ns.max(thread.start_ns))
    })
}

/// Which row each thread was waiting for at the end, by part and position among the part's threads.
#[derive(Default)]
pub struct WaitedFor(HashMap<(usize, usize), usize>);

impl WaitedFor {
    /// A thread waits for a row.
    pub fn add(&mut self, view: &PartView<'_>, thread: usize, row: usize) {
        self.0.insert((view.position, thread), row);
    }

    /// What a thread waited for, and how long.
    pub fn of_thread(
        &self,
        view: &PartView<'_>,
        thread: usize,
        uses: &[Use],
    ) -> Option<(Use, u64)> {
        let row = *self.0.get(&(view.position, thread))?;
        Some((uses[row], length_ns(view, &view.part.threads[thread])))
    }
}

impl Lock {
    /// How long it was waited for, waits that had not ended included, nanoseconds. Zero of what is used as a signal.
    pub fn waited_ns(&self) -> u64 {
        match self.used_as {
            Use::Lock => self.wait_ns.total.saturating_add(self.still_waiting_ns),
            Use::Signal => 0,
        }
    }
}

impl Profile {
    /// Threads that were still waiting for locks, or for signals, and how long they had waited, nanoseconds.
    pub fn still_waiting(&self, used_as: Use) -> (u64, u64) {
        let locks = self.locks.iter().filter(|lock| lock.used_as == used_as);
        locks.fold((0, 0), |(threads, ns), lock| {
            (
                threads.saturating_add(lock.still_waiting),
                ns.saturating_add(lock.still_waiting_ns),
            )
        })
    }
}

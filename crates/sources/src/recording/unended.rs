//! Waits that had not ended when recording did: a deadlock consists of them.

use std::collections::HashMap;

use locktoll_recording::reader::Thread;

use super::part_view::PartView;
use super::sites::{SiteId, Sites};
use super::uses::Calls;
use crate::joiner;
use locktoll_results::profile::{HolderThread, StillWaiting, Use};

/// The waits of one row.
#[derive(Default)]
pub struct Unended {
    /// Threads that waited.
    pub threads: u64,
    /// Their total time.
    pub wait_ns: u64,
    waits: Vec<Wait>,
    /// The functions in which they wait.
    pub calls: Calls,
}

/// One wait.
#[derive(Clone)]
struct Wait {
    pid: u32,
    tid: u32,
    site: SiteId,
    wait_ns: u64,
    holder: Option<Holder>,
}

/// The holder of the lock when the wait began.
#[derive(Clone)]
struct Holder {
    thread: HolderThread,
    site: Option<SiteId>,
}

impl Unended {
    /// Adds the wait in which a thread was.
    pub fn add(&mut self, view: &PartView<'_>, thread: &Thread, site: SiteId) {
        let wait = Wait {
            pid: view.part.process.pid,
            tid: thread.tid,
            site,
            wait_ns: length_ns(view, thread),
            holder: thread
                .waiting
                .and_then(|it| it.holder)
                .map(|(tid, at)| Holder {
                    thread: HolderThread {
                        tid,
                        name: name_of(view, tid),
                    },
                    site: at.map(|at| view.site(Some(at))),
                }),
        };
        self.threads = self.threads.saturating_add(1);
        self.wait_ns = self.wait_ns.saturating_add(wait.wait_ns);
        self.waits.push(wait);
        if let Some(entry) = thread.waiting.and_then(|it| it.entry) {
            self.calls.add(entry, 1);
        }
    }

    /// Returns the places where they wait.
    pub fn sites(&self) -> impl Iterator<Item = SiteId> + '_ {
        self.waits.iter().map(|wait| wait.site)
    }

    /// Returns the facts for the joiner.
    pub fn facts(&self, sites: &Sites) -> joiner::Unended {
        joiner::Unended {
            threads: self.threads,
            wait_ns: self.wait_ns,
            waits: self
                .waits
                .iter()
                .map(|wait| StillWaiting {
                    // The recorder follows holders itself.
                    owner_field: None,
                    pid: wait.pid,
                    tid: wait.tid,
                    frames: sites.frames(wait.site).to_vec(),
                    wait_ns: wait.wait_ns,
                    holder_thread: wait.holder.as_ref().map(|it| it.thread.clone()),
                    holder: wait
                        .holder
                        .as_ref()
                        .and_then(|it| it.site)
                        .map(|site| sites.frames(site).to_vec())
                        .unwrap_or_default(),
                })
                .collect(),
        }
    }
}

/// Returns the name of a thread of the part; if several had the number, the name of the last.
fn name_of(view: &PartView<'_>, tid: u32) -> String {
    let mut threads = view.part.threads.iter().rev();
    let found = threads.find(|thread| thread.tid == tid);
    found.map_or_else(String::new, |thread| thread.name.clone())
}

/// Returns how long a thread had been in its last wait; not longer than it lived, even in a damaged recording.
fn length_ns(view: &PartView<'_>, thread: &Thread) -> u64 {
    let end_ns = thread.end_ns.unwrap_or(view.end_ns);
    thread.waiting.map_or(0, |waiting| {
        end_ns.saturating_sub(waiting.since_ns.max(thread.start_ns))
    })
}

/// The row that each thread was waiting for at the end, by part and position among the part's threads.
#[derive(Default)]
pub struct WaitedFor(HashMap<(usize, usize), usize>);

impl WaitedFor {
    /// Notes that a thread waits for a row.
    pub fn add(&mut self, view: &PartView<'_>, thread: usize, row: usize) {
        self.0.insert((view.position, thread), row);
    }

    /// Returns what a thread waited for, and how long.
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

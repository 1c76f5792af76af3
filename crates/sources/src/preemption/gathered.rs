//! The collected data, by the part of the recording to which it belongs.

use std::collections::HashMap;

use locktoll_recording::appendix::{
    NewKey, NewPreemptedWait, NewPreemption, NewPreemptions, NewWatch,
};
use locktoll_recording::layout::{OffCpu, WatchedBy};

use super::raw;

/// The data about all processes of a run.
#[derive(Debug, Default)]
pub struct Gathered {
    parts: HashMap<raw::Process, NewPreemptions>,
    /// The data that was missed, for the whole run.
    pub escaped: Escaped,
}

/// The data that was missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Escaped {
    /// Times that a holder did not run for which there was no room.
    pub unkept: u64,
    /// Waiting meanwhile for which there was no room.
    pub waits_unkept: u64,
    /// Times that a thread's list could not be read.
    pub unread: u64,
    /// Locks beyond the first few that a thread held at once.
    pub too_many_held: u64,
    /// Threads that could not register.
    pub unregistered: u64,
    /// Times that a thread came back to a processor without being seen.
    pub unseen: u64,
    /// Times without a CPU for which the kernel's ring had no room.
    pub times_unkept: u64,
}

impl Gathered {
    /// Returns the data for the part of process `pid`, `sequence`. `first` says whether it is the first part of the run, which
    /// also gets the figures about missed data.
    ///
    /// Every part gets something: the fact that it was watched.
    pub fn of_part(&self, pid: u32, sequence: u32, first: bool) -> NewPreemptions {
        let process = raw::Process { pid, sequence };
        let mut part = self.parts.get(&process).cloned().unwrap_or_default();
        let threads = part.watch.map_or(0, |watch| watch.threads);
        let escaped = if first {
            self.escaped
        } else {
            Escaped::default()
        };
        part.watch = Some(NewWatch {
            by: WatchedBy::Switches,
            threads,
            unkept: escaped.unkept,
            waits_unkept: escaped.waits_unkept,
            unread: escaped.unread,
            too_many_held: escaped.too_many_held,
            unregistered: escaped.unregistered,
            unseen: escaped.unseen,
        });
        part
    }

    /// Notes that this many threads of `process` have registered.
    pub(super) fn registered(&mut self, process: raw::Process, threads: u64) {
        let part = self.parts.entry(process).or_default();
        part.watch = Some(NewWatch {
            by: WatchedBy::Switches,
            threads,
            unkept: 0,
            waits_unkept: 0,
            unread: 0,
            too_many_held: 0,
            unregistered: 0,
            unseen: 0,
        });
    }

    /// Adds a row of holders that did not run.
    pub(super) fn switched(&mut self, key: raw::SwitchedKey, switched: &raw::Switched) {
        let Some(why) = OffCpu::from_number(key.why) else {
            return;
        };
        let part = self.parts.entry(key.process).or_default();
        part.preemptions.push(NewPreemption {
            key: NewKey {
                lock: key.lock,
                site: key.site,
                generation: key.generation,
                birth: key.birth,
                kind: key.kind,
                entry: key.entry,
            },
            why,
            count: switched.count,
            total_ns: switched.total_ns,
            max_ns: switched.max_ns,
            histogram: switched.log2,
        });
    }

    /// Adds a row of waiting meanwhile.
    pub(super) fn waited(&mut self, key: raw::WaitedKey, waited: &raw::Waited) {
        let part = self.parts.entry(key.process).or_default();
        part.waits.push(NewPreemptedWait {
            key: NewKey {
                lock: key.lock,
                site: key.site,
                generation: key.generation,
                birth: key.birth,
                kind: key.kind,
                entry: key.entry,
            },
            tid: key.tid,
            count: waited.count,
            wait_ns: waited.total_ns,
            max_ns: waited.max_ns,
        });
    }
}

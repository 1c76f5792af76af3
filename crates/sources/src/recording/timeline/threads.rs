//! The threads of a timeline.

use std::collections::HashMap;

use locktoll_recording::reader::Part;
use locktoll_results::profile::timeline::{Index, TimelineThread};

/// The threads of one part, by slot and by id.
pub struct PartThreads {
    /// For each slot, the threads that used it one after another: when each began, and its index in the timeline.
    by_slot: HashMap<u32, Vec<(u64, u32)>>,
    /// For each id, the same.
    by_tid: HashMap<u32, Vec<(u64, u32)>>,
}

impl PartThreads {
    /// Adds the threads of a part to those of the timeline. Times are relative to `start_ns`.
    pub fn of(part: &Part, start_ns: u64, threads: &mut Vec<TimelineThread>) -> Self {
        let (mut by_slot, mut by_tid) = (HashMap::new(), HashMap::new());
        for thread in &part.threads {
            let index = threads.len() as u32;
            let entry = (thread.start_ns, index);
            let of_slot: &mut Vec<_> = by_slot.entry(thread.slot).or_default();
            of_slot.push(entry);
            let of_tid: &mut Vec<_> = by_tid.entry(thread.tid).or_default();
            of_tid.push(entry);
            threads.push(TimelineThread {
                pid: part.process.pid,
                tid: thread.tid,
                name: thread.name.clone(),
                begin_ns: thread.start_ns.saturating_sub(start_ns),
                end_ns: thread.end_ns.map(|end| end.saturating_sub(start_ns)),
                overwritten: 0,
                complete_from_ns: thread.start_ns.saturating_sub(start_ns),
            });
        }
        for list in by_slot.values_mut().chain(by_tid.values_mut()) {
            list.sort_unstable();
        }
        Self { by_slot, by_tid }
    }

    /// Returns the thread that had `slot` at `at_ns`, `CLOCK_MONOTONIC`.
    pub fn in_slot(&self, slot: u32, at_ns: u64) -> Option<u32> {
        at(self.by_slot.get(&slot)?, at_ns)
    }

    /// Returns the threads that had `slot`, with the time at which each began.
    pub fn all_in_slot(&self, slot: u32) -> &[(u64, u32)] {
        self.by_slot.get(&slot).map_or(&[], Vec::as_slice)
    }

    /// Returns the thread with this id at `at_ns`; none for id zero.
    pub fn with_tid(&self, tid: u32, at_ns: u64) -> Index {
        let found = self.by_tid.get(&tid).and_then(|list| at(list, at_ns));
        found.map_or(Index::NONE, |thread| Index::new(thread as usize))
    }
}

fn at(list: &[(u64, u32)], at_ns: u64) -> Option<u32> {
    let after = list.partition_point(|&(begin, _)| begin <= at_ns);
    // A thread's first event may have begun before its record was made.
    list.get(after.saturating_sub(1)).map(|&(_, thread)| thread)
}

//! Waits and holds that had not ended when the recording did.

use std::collections::HashMap;

use locktoll_recording::layout::LockKind;
use locktoll_results::profile::timeline::{Hold, HoldFlags, Index, Wait, WaitEnd};

use super::super::part_view::PartView;
use super::decoded::{Decoded, PartDecoder};

/// Adds the waits in which threads of a part were at its end.
pub fn add_waits(
    decoded: &mut Decoded,
    view: &PartView<'_>,
    with: &mut PartDecoder<'_, '_, '_, '_>,
) {
    for thread in &view.part.threads {
        let Some(waiting) = thread.waiting else {
            continue;
        };
        let (Some(index), Some(lock)) = (
            with.threads.in_slot(thread.slot, thread.start_ns),
            with.locks.at(waiting.lock_address),
        ) else {
            continue;
        };
        let id = |site: Option<usize>| site.and_then(|site| view.part.sites.get(site));
        let mut place = |site| with.places.site(id(site).map_or(0, |site| site.id));
        let begin_ns = waiting.since_ns.saturating_sub(with.start_ns);
        decoded.waits.push(Wait {
            thread: index,
            lock,
            begin_ns,
            end_ns: view.end_ns.saturating_sub(with.start_ns).max(begin_ns),
            end: WaitEnd::Unfinished,
            stack: place(waiting.site),
            holder_place: waiting.holder.map_or(Index::NONE, |(_, site)| place(site)),
            holder: waiting.holder.map_or(Index::NONE, |(tid, _)| {
                with.threads.with_tid(tid, waiting.since_ns)
            }),
            released_by: Index::NONE,
            released_ns: 0,
        });
    }
}

/// Ends the holds that lasted until the end of their thread, or of the recording.
///
/// If all holds were kept, they are known. Otherwise, each hold that began with a wait has an event when it ends, so a wait
/// without that event began a hold that did not end.
pub fn end_holds(
    decoded: &mut Decoded,
    lock_kind: impl Fn(u32) -> Option<LockKind>,
    end_of_thread: impl Fn(u32) -> u64,
    keeps_all: bool,
) {
    if !keeps_all {
        let mut last: HashMap<(u32, u32), Wait> = HashMap::new();
        for wait in decoded.waits.iter().filter(|it| it.end == WaitEnd::Done) {
            let entry = last.entry((wait.thread, wait.lock)).or_insert(*wait);
            if wait.end_ns > entry.end_ns {
                *entry = *wait;
            }
        }
        for hold in &decoded.holds {
            let key = (hold.thread, hold.lock);
            if last
                .get(&key)
                .is_some_and(|wait| hold.end_ns >= wait.end_ns)
            {
                last.remove(&key);
            }
        }
        let mut open: Vec<Wait> = last.into_values().collect();
        open.sort_unstable_by_key(|wait| (wait.end_ns, wait.thread));
        for wait in open {
            // Units of semaphores need not be returned, and nobody holds a condition.
            if matches!(lock_kind(wait.lock), Some(LockKind::Mutex | LockKind::Spin)) {
                decoded.holds.push(Hold {
                    thread: wait.thread,
                    lock: wait.lock,
                    begin_ns: wait.end_ns,
                    end_ns: wait.end_ns,
                    place: wait.stack,
                    flags: HoldFlags::UNFINISHED,
                });
            }
        }
    }
    for hold in &mut decoded.holds {
        if hold.flags.has(HoldFlags::UNFINISHED) {
            hold.end_ns = end_of_thread(hold.thread).max(hold.begin_ns);
        }
    }
}

//! Waits and holds that had not ended when the recording did, and holds whose end was overwritten.

use std::collections::HashMap;

use locktoll_recording::layout::LockKind;
use locktoll_results::profile::timeline::{Hold, HoldFlags, Index, Wait, WaitEnd};

use super::super::part_view::PartView;
use super::chosen::Gap;
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

/// Ends the holds that lasted until the end of their thread, or of the recording. If events of the thread are missing after the
/// beginning of such a hold, its end may be one of them: the hold is known to have lasted until the last event before them.
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
    decoded
        .gaps
        .sort_unstable_by_key(|it| (it.thread, it.to_ns));
    for hold in &mut decoded.holds {
        if hold.flags.has(HoldFlags::UNFINISHED) {
            let gap = first_gap(&decoded.gaps, hold.thread, hold.begin_ns);
            let end_ns = gap.map_or_else(|| end_of_thread(hold.thread), |gap| gap.from_ns);
            hold.end_ns = end_ns.max(hold.begin_ns);
        }
    }
}

/// Returns the first of sorted gaps in the events of a thread that ends after a time.
fn first_gap(gaps: &[Gap], thread: u32, after_ns: u64) -> Option<&Gap> {
    let at = gaps.partition_point(|it| (it.thread, it.to_ns) <= (thread, after_ns));
    gaps.get(at).filter(|it| it.thread == thread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_whose_end_was_overwritten_ends_at_the_first_gap() {
        let gap = |thread, from_ns, to_ns| Gap {
            thread,
            events: 1,
            from_ns,
            to_ns,
        };
        let hold = |thread, begin_ns, flags| Hold {
            thread,
            lock: 0,
            begin_ns,
            end_ns: begin_ns,
            place: Index::NONE,
            flags,
        };
        let unfinished = HoldFlags::UNFINISHED;
        let mut decoded = Decoded {
            holds: vec![
                hold(1, 100, unfinished),
                hold(1, 150, HoldFlags::default()),
                hold(1, 500, unfinished),
                hold(1, 950, unfinished),
                hold(2, 100, unfinished),
            ],
            gaps: vec![gap(1, 520, 900), gap(1, 0, 100), gap(1, 160, 400)],
            ..Decoded::default()
        };
        end_holds(&mut decoded, |_| None, |_| 1_000, true);
        let ends: Vec<u64> = decoded.holds.iter().map(|it| it.end_ns).collect();
        assert_eq!(ends, [160, 150, 520, 1_000, 1_000]);
    }

    #[test]
    fn a_wait_whose_hold_was_overwritten_began_a_hold_until_the_gap() {
        let wait = |thread| Wait {
            thread,
            lock: 0,
            begin_ns: 10,
            end_ns: 20,
            end: WaitEnd::Done,
            stack: Index::NONE,
            holder: Index::NONE,
            holder_place: Index::NONE,
            released_by: Index::NONE,
            released_ns: 0,
        };
        let mut decoded = Decoded {
            waits: vec![wait(1), wait(2)],
            gaps: vec![Gap {
                thread: 1,
                events: 5,
                from_ns: 15,
                to_ns: 70,
            }],
            ..Decoded::default()
        };
        end_holds(&mut decoded, |_| Some(LockKind::Mutex), |_| 99, false);
        let holds = decoded.holds.iter();
        let holds: Vec<_> = holds
            .map(|it| (it.thread, it.begin_ns, it.end_ns))
            .collect();
        assert_eq!(holds, [(1, 20, 20), (2, 20, 99)]);
    }
}

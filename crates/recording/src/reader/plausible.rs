//! Impossible figures in records that are each valid by themselves.

use std::collections::HashMap;

use super::{Part, Problem};

/// How many times as long as its process something may seem to have lasted: threads run on while exit handlers do, and a wait for
/// a condition is counted a second time for the wait for its mutex.
const TOLERANCE: u64 = 3;

/// Returns the contradictions in a part's figures: a wait or a hold longer than the process lived, and waits of one thread slot
/// that are longer than that together, since a slot serves one thread at a time. Only if the end of the process is known.
pub(super) fn problems(part: &Part) -> impl Iterator<Item = Problem> + use<> {
    let process = &part.process;
    let longest_ns = process
        .end_monotonic_ns
        .and_then(|end| end.checked_sub(process.start_monotonic_ns))
        .map_or(u64::MAX, |lived| {
            lived
                .saturating_mul(TOLERANCE)
                .saturating_add(1_000_000_000)
        });
    let too_long = |ns: u64| ns > longest_ns;

    let mut by_slot: HashMap<u32, u64> = HashMap::new();
    let mut waits = 0;
    for count in &part.counts {
        let Some(waited) = &count.contention else {
            continue;
        };
        // A part of several processes has the waits of all of them in each slot.
        // Slot 0 belongs to all threads that do not have their own at the time, and many may wait in it at once.
        if count.thread_slot != 0 && process.added_up.is_none() {
            let slot = by_slot.entry(count.thread_slot).or_default();
            *slot = slot.saturating_add(waited.wait_total_ns);
        }
        waits += u64::from(too_long(waited.wait_max_ns));
    }
    let slots = by_slot.into_values().filter(|&ns| too_long(ns)).count() as u64;
    let holds = part
        .holds
        .iter()
        .filter(|hold| too_long(hold.max_ns))
        .count() as u64;
    [
        (waits, "locks were waited for longer than the process lived"),
        (
            slots,
            "threads waited longer altogether than the process lived",
        ),
        (holds, "locks were held longer than the process lived"),
    ]
    .into_iter()
    .filter(|&(count, _)| count > 0)
    .map(|(count, what)| Problem::Implausible { count, what })
}

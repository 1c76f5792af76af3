//! Calls of functions that may block, in a record of holds: a number, a count and a time in each of a few places.
//!
//! A function's place may differ from record to record, so it is found by its number.

use core::mem::offset_of;

use super::raw::put;
use crate::layout::{CALL_COUNT_BITS, CALLS_KEPT, HoldRecord};
use crate::reader::bytes::Fields;

/// The bits of a word of calls that are a count.
const COUNT: u64 = (1 << CALL_COUNT_BITS) - 1;

fn places() -> impl Iterator<Item = (usize, usize)> {
    let (calls, call_ns) = (
        offset_of!(HoldRecord, calls),
        offset_of!(HoldRecord, call_ns),
    );
    (0..CALLS_KEPT).map(move |place| (calls + 8 * place, call_ns + 8 * place))
}

/// Takes the calls of `before` away from those of `record`.
pub fn subtract(record: &mut [u8], before: Fields<'_>) {
    for (call, call_ns) in places() {
        let (word, total_ns) = (Fields(record).u64(call), Fields(record).u64(call_ns));
        let number = word >> CALL_COUNT_BITS;
        let earlier = places().find(|&(it, _)| before.u64(it) >> CALL_COUNT_BITS == number);
        let Some((call_then, ns_then)) = earlier.filter(|_| number != 0) else {
            continue;
        };
        let count = (word & COUNT).saturating_sub(before.u64(call_then) & COUNT);
        put(
            record,
            call,
            &(number << CALL_COUNT_BITS | count).to_le_bytes(),
        );
        let left_ns = total_ns.saturating_sub(before.u64(ns_then));
        put(record, call_ns, &left_ns.to_le_bytes());
    }
}

/// Adds the calls of `more` to those of `record`, as the recorder does. Functions for which there is no place are lost.
pub fn add(record: &mut [u8], more: Fields<'_>) {
    for (call, call_ns) in places() {
        let (number, count) = (more.u64(call) >> CALL_COUNT_BITS, more.u64(call) & COUNT);
        let is_free = |word: u64| [0, number].contains(&(word >> CALL_COUNT_BITS));
        let Some((to, to_ns)) = places()
            .find(|&(it, _)| is_free(Fields(record).u64(it)))
            .filter(|_| number != 0)
        else {
            continue;
        };
        let sum = (Fields(record).u64(to) & COUNT).saturating_add(count) & COUNT;
        put(record, to, &(number << CALL_COUNT_BITS | sum).to_le_bytes());
        let total_ns = Fields(record).u64(to_ns).saturating_add(more.u64(call_ns));
        put(record, to_ns, &total_ns.to_le_bytes());
    }
}

/// Removes all calls.
pub fn clear(record: &mut [u8]) {
    for (call, call_ns) in places() {
        put(record, call, &[0; 8]);
        put(record, call_ns, &[0; 8]);
    }
}

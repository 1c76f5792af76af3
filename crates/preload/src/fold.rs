//! The counts of a lock that no longer exists, taken over by a record that represents all locks of its birth.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{
    BlameRecord, CALL_COUNT_BITS, ContentionRecord, CountRecord, HoldRecord, StackWaitRecord,
};

use crate::index::Keyed;
use crate::tally::{add, raise};

/// A record whose figures another record can take over.
pub trait Fold: Keyed {
    /// Adds all figures to the figures of `pool`, and starts again from zero.
    fn fold_into(&self, pool: &Self);
}

/// Adds `from` to `to`, and sets `from` to zero. A process that is killed in between loses the figure, and never counts it
/// twice.
fn take(from: &AtomicU64, to: &AtomicU64) {
    let figure = from.load(Relaxed);
    from.store(0, Relaxed);
    add(to, figure);
}

/// Does the same as [`take`] for a maximum.
fn take_longest(from: &AtomicU64, to: &AtomicU64) {
    let longest = from.load(Relaxed);
    from.store(0, Relaxed);
    raise(to, longest);
}

fn take_all(from: &[AtomicU64], to: &[AtomicU64]) {
    for (from, to) in from.iter().zip(to) {
        take(from, to);
    }
}

/// Adds the calls in holds of `from` to those of `to`. Functions for which `to` has no place left are lost.
fn take_calls(from: &HoldRecord, to: &HoldRecord) {
    for (call, call_ns) in from.calls.iter().zip(&from.call_ns) {
        let (counted, total_ns) = (call.load(Relaxed), call_ns.load(Relaxed));
        call.store(0, Relaxed);
        call_ns.store(0, Relaxed);
        let number = (counted >> CALL_COUNT_BITS) as u8;
        let count = counted & ((1 << CALL_COUNT_BITS) - 1);
        add_calls(to, number, count, total_ns);
    }
}

/// Adds calls of one function to a record, if it has a place for that function.
pub fn add_calls(hold: &HoldRecord, number: u8, count: u64, total_ns: u64) {
    if count == 0 {
        return;
    }
    for (call, call_ns) in hold.calls.iter().zip(&hold.call_ns) {
        let counted = call.load(Relaxed);
        let own = (counted >> CALL_COUNT_BITS) as u8;
        if own != number && own != 0 {
            continue;
        }
        let others = counted & ((1 << CALL_COUNT_BITS) - 1);
        // The time first: a reader in between sees no call without its time.
        add(call_ns, total_ns);
        call.store(
            (u64::from(number) << CALL_COUNT_BITS) | (others + count),
            Relaxed,
        );
        return;
    }
}

macro_rules! sums {
    ($self:ident, $pool:ident: $($field:ident)*) => {
        $(take(&$self.$field, &$pool.$field);)*
    };
}

impl Fold for CountRecord {
    fn fold_into(&self, pool: &Self) {
        sums!(self, pool: acquisitions);
        self.until_timed.store(0, Relaxed);
    }
}

impl Fold for ContentionRecord {
    fn fold_into(&self, pool: &Self) {
        sums!(self, pool: contended wait_total_ns try_failed timed_out runnable_ns relock_ns examined examined_ns
            examined_cpu_ns voluntary_switches involuntary_switches);
        take_longest(&self.wait_max_ns, &pool.wait_max_ns);
        take_all(&self.wait_histogram, &pool.wait_histogram);
    }
}

impl Fold for HoldRecord {
    fn fold_into(&self, pool: &Self) {
        sums!(self, pool: timed timed_total_ns estimated_total_ns examined blocked voluntary_switches
            involuntary_switches system_calls off_cpu_ns gaps gap_ns);
        take_longest(&self.max_ns, &pool.max_ns);
        take_all(&self.hold_histogram, &pool.hold_histogram);
        take_calls(self, pool);
        // The sampling period belongs to the writer; the pool's own period goes on unchanged.
        self.period.store(0, Relaxed);
    }
}

impl Fold for BlameRecord {
    fn fold_into(&self, pool: &Self) {
        sums!(self, pool: waits wait_ns);
    }
}

impl Fold for StackWaitRecord {
    fn fold_into(&self, pool: &Self) {
        sums!(self, pool: waits wait_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_goes_over_and_nothing_stays() {
        // SAFETY: zeros are valid records.
        let (gone, pool): (ContentionRecord, ContentionRecord) =
            unsafe { (core::mem::zeroed(), core::mem::zeroed()) };
        for (record, figure) in [(&gone, 3), (&pool, 4)] {
            let words = words(record);
            // All words after the key are figures, except those reserved for later.
            for word in [1].into_iter().chain(4..15).chain(16..words.len()) {
                words[word].store(figure, Relaxed);
            }
        }
        gone.fold_into(&pool);
        for (place, (gone, pool)) in words(&gone).iter().zip(words(&pool)).enumerate() {
            let is_key = matches!(place, 0 | 2 | 3 | 15);
            let is_longest = place == 5;
            let expected = match (is_key, is_longest) {
                (true, _) => 0,
                (_, true) => 4,
                _ => 7,
            };
            assert_eq!(
                (gone.load(Relaxed), pool.load(Relaxed)),
                (0, expected),
                "{place}"
            );
        }
    }

    #[test]
    fn every_figure_of_holds_goes_over() {
        // SAFETY: zeros are valid records.
        let (gone, pool): (HoldRecord, HoldRecord) =
            unsafe { (core::mem::zeroed(), core::mem::zeroed()) };
        const PERIOD: usize = core::mem::offset_of!(HoldRecord, period) / 8;
        const MAX: usize = core::mem::offset_of!(HoldRecord, max_ns) / 8;
        const CALLS: usize = core::mem::offset_of!(HoldRecord, calls) / 8;
        for place in [1].into_iter().chain(4..CALLS) {
            words(&gone)[place].store(3, Relaxed);
            words(&pool)[place].store(4, Relaxed);
        }
        gone.fold_into(&pool);
        for place in [1].into_iter().chain(4..CALLS) {
            let expected = match place {
                MAX | PERIOD => 4,
                _ => 7,
            };
            assert_eq!(words(&pool)[place].load(Relaxed), expected, "{place}");
            assert_eq!(words(&gone)[place].load(Relaxed), 0, "{place}");
        }
    }

    /// Returns the record as words, whatever their names are.
    fn words<R: Fold>(record: &R) -> &[AtomicU64] {
        let count = size_of::<R>() / 8;
        // SAFETY: the record is made of atomic integers without padding, aligned to 8.
        unsafe { core::slice::from_raw_parts(core::ptr::from_ref(record).cast(), count) }
    }
}

//! The end of a hold.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::histogram;
use locktoll_recording::layout::{CountRecord, HoldRecord};

use super::kept;
use super::period::{FIRST_HOLDS, gap, period_after};
use super::record::record;
use crate::held::Released;
use crate::recorder::Recorder;
use crate::tally::{add, raise};
use crate::thread::Thread;
use crate::ticks;
use crate::usage::Usage;

/// A hold that lasted this long, and this many times the mean of those before it, was interrupted: no time slice and no sleep
/// is much shorter.
const GAP_FROM_NS: u64 = 500_000;
const GAP_TIMES_MEAN: u64 = 50;

/// A hold that has just ended. It is entered once the lock is free.
#[derive(Clone, Copy)]
pub struct Ended {
    count: &'static CountRecord,
    held_ns: u64,
    switches: Option<Usage>,
}

impl Ended {
    /// Ends the hold of `released`, which is timed, now.
    #[inline(always)]
    pub fn now(released: Released, thread: &Thread, recorder: &Recorder) -> Self {
        let until = ticks::now();
        let (lock, before) = thread.examined.get();
        let switches = if lock as u64 == released.count.lock.load(Relaxed) {
            thread.examined.set((0, Usage::default()));
            // The process may have given up system calls while the lock was held.
            let now = recorder.is_on().then(Usage::of_thread_exactly).flatten();
            now.map(|now| now.since(before))
        } else {
            None
        };
        Self {
            count: released.count,
            held_ns: recorder.ticks.ns_between(released.since, until),
            switches,
        }
    }

    pub fn held_ns(&self) -> u64 {
        self.held_ns
    }

    /// Enters the hold.
    pub fn enter(&self, thread: &Thread, recorder: &'static Recorder) {
        let Some(hold) = record(thread, self.count, recorder) else {
            return;
        };
        self.add_to(hold);
        let next = next_period(hold, recorder.is_exact());
        hold.period.store(next, Relaxed);
        let gap = match next {
            1 => 0,
            _ => gap(next, thread.random()),
        };
        kept::pass(thread, self.count, gap);
    }

    /// Adds the hold to the figures of `hold`, weighted by its period.
    #[inline]
    fn add_to(&self, hold: &HoldRecord) {
        // In a record without a period, all holds so far have been timed.
        let period = hold.period.load(Relaxed).max(1);
        if self.switches.is_none() && self.is_gap(hold) {
            add(&hold.gaps, period);
            add(&hold.gap_ns, self.held_ns.saturating_mul(period));
        }
        add(&hold.timed, 1);
        add(&hold.timed_total_ns, self.held_ns);
        add(
            &hold.estimated_total_ns,
            self.held_ns.saturating_mul(period),
        );
        raise(&hold.max_ns, self.held_ns);
        add(&hold.hold_histogram[histogram::bucket_of(self.held_ns)], 1);
        if let Some(switches) = self.switches {
            add(&hold.examined, 1);
            add(&hold.blocked, u64::from(switches.voluntary_switches > 0));
            add(&hold.voluntary_switches, switches.voluntary_switches);
            add(&hold.involuntary_switches, switches.involuntary_switches);
            if switches.voluntary_switches == 0 && switches.involuntary_switches > 0 {
                let off_cpu_ns = self.held_ns.saturating_sub(switches.cpu_ns());
                add(&hold.off_cpu_ns, off_cpu_ns);
            }
        }
    }

    /// Whether the hold was interrupted, judged by its length alone. If system calls are made during holds, a long hold may
    /// have waited in one.
    fn is_gap(&self, hold: &HoldRecord) -> bool {
        let timed = hold.timed.load(Relaxed);
        timed >= FIRST_HOLDS
            && self.held_ns >= GAP_FROM_NS
            && hold.system_calls.load(Relaxed) == 0
            && self.held_ns / GAP_TIMES_MEAN >= hold.timed_total_ns.load(Relaxed) / timed
    }
}

/// Returns how many holds the next timed hold represents.
fn next_period(hold: &HoldRecord, is_exact: bool) -> u64 {
    if is_exact {
        return 1;
    }
    period_after(hold.timed.load(Relaxed), hold.timed_total_ns.load(Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(held_ns: u64, switches: Option<Usage>) -> Ended {
        // SAFETY: zeros are a valid record.
        let count = Box::leak(Box::new(unsafe { core::mem::zeroed::<CountRecord>() }));
        Ended {
            count,
            held_ns,
            switches,
        }
    }

    #[test]
    fn a_timed_hold_counts_for_as_many_as_its_period_says() {
        // SAFETY: zeros are a valid record.
        let hold: HoldRecord = unsafe { core::mem::zeroed() };
        ended(100, None).add_to(&hold);
        assert_eq!(hold.estimated_total_ns.load(Relaxed), 100, "no period yet");
        hold.period.store(8, Relaxed);
        ended(30, None).add_to(&hold);
        ended(50, None).add_to(&hold);
        assert_eq!(hold.timed.load(Relaxed), 3);
        assert_eq!(hold.timed_total_ns.load(Relaxed), 180);
        assert_eq!(hold.estimated_total_ns.load(Relaxed), 100 + 8 * 80);
        assert_eq!(hold.max_ns.load(Relaxed), 100);
        assert_eq!(hold.gaps.load(Relaxed), 0);
    }

    #[test]
    fn the_period_follows_from_the_holds_that_were_timed() {
        // SAFETY: zeros are a valid record.
        let hold: HoldRecord = unsafe { core::mem::zeroed() };
        hold.timed.store(1_000, Relaxed);
        hold.timed_total_ns.store(1_000 * 1_000, Relaxed);
        hold.estimated_total_ns.store(1_000 * 20, Relaxed);
        assert_eq!(next_period(&hold, false), 4);
        assert_eq!(next_period(&hold, true), 1);
    }

    #[test]
    fn a_hold_that_was_interrupted_is_a_gap_for_as_many() {
        // SAFETY: zeros are a valid record.
        let hold: HoldRecord = unsafe { core::mem::zeroed() };
        for _ in 0..FIRST_HOLDS {
            ended(1_000, None).add_to(&hold);
        }
        hold.period.store(4, Relaxed);
        ended(GAP_FROM_NS - 1, None).add_to(&hold);
        assert_eq!(hold.gaps.load(Relaxed), 0, "too short");
        ended(10 * GAP_FROM_NS, None).add_to(&hold);
        assert_eq!(hold.gaps.load(Relaxed), 4);
        assert_eq!(hold.gap_ns.load(Relaxed), 40 * GAP_FROM_NS);
        hold.system_calls.store(1, Relaxed);
        ended(100 * GAP_FROM_NS, None).add_to(&hold);
        assert_eq!(hold.gaps.load(Relaxed), 4, "it may have waited in a call");
    }

    #[test]
    fn an_examined_hold_is_blocked_or_was_without_a_processor() {
        // SAFETY: zeros are a valid record.
        let hold: HoldRecord = unsafe { core::mem::zeroed() };
        let used = |voluntary_switches, involuntary_switches| Usage {
            user_ns: 1_000,
            system_ns: 500,
            voluntary_switches,
            involuntary_switches,
        };
        ended(10_000, Some(used(2, 1))).add_to(&hold);
        ended(10_000, Some(used(0, 3))).add_to(&hold);
        ended(10_000, Some(used(0, 0))).add_to(&hold);
        assert_eq!(hold.examined.load(Relaxed), 3);
        assert_eq!(hold.blocked.load(Relaxed), 1);
        assert_eq!(hold.voluntary_switches.load(Relaxed), 2);
        assert_eq!(hold.involuntary_switches.load(Relaxed), 4);
        assert_eq!(hold.off_cpu_ns.load(Relaxed), 8_500);
    }
}

//! How long locks are held: which holds are timed, and what they count for.
//!
//! Reading the clock twice costs more than an uncontended lock, so not every hold is timed. Each timed one stands for as
//! many as its *period* says. The period of a record follows from its earlier holds: it is such that timing costs about a
//! fiftieth of the time held, or a nanosecond, so that long holds are all timed. The gaps between timed holds are geometric, as if a coin
//! were thrown at each: whatever rhythm the program has, the estimate follows it (Horvitz and Thompson, 1952).
//!
//! After so many records of holds, a thread times further locks in records that all locks of one birth share.

use core::ptr::from_ref;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::histogram;
use locktoll_recording::layout::{CountRecord, EntryPoint, HoldRecord, LockKind, POOLED};

use crate::held::Released;
use crate::identity;
use crate::index::Key;
use crate::recorder::Recorder;
use crate::tally::{add, raise};
use crate::thread::Thread;
use crate::ticks;
use crate::usage::Usage;

/// Records of holds that a thread makes for single locks.
const SINGLE_RECORDS: u32 = 512;
/// How many records of holds a thread has at hand, by the counts they go with.
pub const RECENT: usize = 16;
/// Holds of a record that are all timed at first.
const FIRST_HOLDS: u64 = 16;
/// What timing one hold costs, about.
const TIMING_NS: u64 = 80;
/// Holds this long are examined for context switches: asking the kernel costs a small part of them.
const EXAMINED_FROM_NS: u64 = 20_000;
/// A hold that lasted so long, and so many times the mean of those before it, was interrupted: no time slice and no sleep is
/// shorter by much.
const GAP_FROM_NS: u64 = 500_000;
const GAP_TIMES_MEAN: u64 = 50;
/// Gaps in thousandths of their mean, all equally likely: -ln(1 - (i + 1/2) / 32), the quantiles of the exponential
/// distribution, which the geometric one is close to, scaled to a mean of 1000.
const GAPS: [u16; 32] = [
    16, 49, 82, 117, 153, 191, 230, 270, 312, 356, 402, 450, 501, 554, 610, 670, 733, 800, 872,
    950, 1035, 1127, 1228, 1340, 1467, 1611, 1780, 1983, 2237, 2577, 3094, 4204,
];

/// Begins to time the hold of the lock that `thread` pushed last, in its turn.
#[cold]
#[inline(never)]
pub fn begin(thread: &Thread, count: &'static CountRecord) {
    let Some(recorder) = Recorder::get() else {
        return;
    };
    if !recorder.is_on() {
        count.until_timed.store(u16::MAX, Relaxed);
        return;
    }
    if count.acquisitions.load(Relaxed) > 1 || recorder.is_exact() {
        time(thread, count, recorder);
        return;
    }
    // The first time at this place. A thread that goes through very many locks times as many of them as it would hold one
    // lock.
    let period = match record(thread, count, recorder) {
        Some(hold) if hold.lock.load(Relaxed) == POOLED => hold.period.load(Relaxed).max(1),
        _ => 1,
    };
    if thread.random().is_multiple_of(period) {
        time(thread, count, recorder);
    } else {
        count
            .until_timed
            .store(gap(period, thread.random()), Relaxed);
    }
}

fn time(thread: &Thread, count: &'static CountRecord, recorder: &'static Recorder) {
    let lock = count.lock.load(Relaxed) as usize;
    while thread.held.times_held(lock) > 1 {
        // SAFETY: the thread holds the lock, and is inside the call by which it acquired it.
        if unsafe { may_be_held_again(count) } {
            // Acquired again by its holder: the hold goes on.
            return;
        }
        // Another thread has released it since this one acquired it before.
        thread
            .held
            .drop_stale(|other| other.lock.load(Relaxed) == lock as u64);
    }
    // Looked up now, so that the end of the hold need not.
    let hold = record(thread, count, recorder);
    if hold.is_some_and(is_examined)
        && let Some(usage) = Usage::of_thread_exactly()
    {
        thread.examined.set((lock, usage));
    }
    thread.held.time_last(ticks::now());
}

/// Whether the thread that has just acquired the lock of `count` may have held it already.
///
/// # Safety
/// N1 of `identity`.
unsafe fn may_be_held_again(count: &CountRecord) -> bool {
    let number = (count.kind.load(Relaxed), count.entry.load(Relaxed));
    match (
        LockKind::from_number(number.0),
        EntryPoint::from_number(number.1),
    ) {
        // SAFETY: the caller's promise.
        (Some(LockKind::Mutex), _) => unsafe {
            identity::is_mutex_held_again(count.lock.load(Relaxed) as usize)
        },
        (Some(LockKind::Spin), _) => false,
        // Who writes does so alone.
        (Some(LockKind::RwLock), Some(entry)) => !matches!(
            entry,
            EntryPoint::Lock | EntryPoint::TryLock | EntryPoint::TimedLock
        ),
        _ => true,
    }
}

/// A hold that has just ended, to be entered once the lock is free.
#[derive(Clone, Copy)]
pub struct Ended {
    count: &'static CountRecord,
    held_ns: u64,
    switches: Option<Usage>,
}

impl Ended {
    /// The hold of `released`, which is timed, ends now.
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

    /// How long it was.
    pub fn held_ns(&self) -> u64 {
        self.held_ns
    }

    /// Enters it.
    pub fn enter(&self, thread: &Thread, recorder: &'static Recorder) {
        let Some(hold) = record(thread, self.count, recorder) else {
            return;
        };
        // A record without a period has only timed all holds so far.
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
        let next = if recorder.is_exact() {
            1
        } else {
            period_after(hold.timed.load(Relaxed), hold.timed_total_ns.load(Relaxed))
        };
        hold.period.store(next, Relaxed);
        let gap = match next {
            1 => 0,
            _ => gap(next, thread.random()),
        };
        self.count.until_timed.store(gap, Relaxed);
    }

    /// Whether it was interrupted, by its length alone. Where system calls are made in holds, a long one may have waited in one.
    fn is_gap(&self, hold: &HoldRecord) -> bool {
        let timed = hold.timed.load(Relaxed);
        timed >= FIRST_HOLDS
            && self.held_ns >= GAP_FROM_NS
            && hold.system_calls.load(Relaxed) == 0
            && self.held_ns / GAP_TIMES_MEAN >= hold.timed_total_ns.load(Relaxed) / timed
    }
}

/// How many holds the next timed one stands for.
fn period_after(timed: u64, total_ns: u64) -> u64 {
    if timed < FIRST_HOLDS {
        return 1;
    }
    let mean_ns = total_ns / timed;
    TIMING_NS.div_ceil(mean_ns / 50 + 1)
}

/// How many holds go by before the next timed one.
fn gap(period: u64, random: u64) -> u16 {
    let quantile = u64::from(GAPS[(random >> 59) as usize]);
    // The gap after which one in `period` is timed has a mean of one less. Rounded by chance, so that the mean is kept.
    let thousandths = (period - 1) * quantile + random % 1000;
    u16::try_from(thousandths / 1000).unwrap_or(u16::MAX)
}

/// The record that a hold of `count` is entered into.
fn record(
    thread: &Thread,
    count: &'static CountRecord,
    recorder: &'static Recorder,
) -> Option<&'static HoldRecord> {
    let recent = &thread.recent_holds[from_ref(count).addr() / size_of::<CountRecord>() % RECENT];
    let (recent_count, recent_hold) = recent.get();
    if core::ptr::eq(recent_count, count) {
        // SAFETY: set below, to a record that stays mapped.
        let hold = unsafe { recent_hold.as_ref() };
        // Either record may have gone over to another lock since.
        if hold.is_some_and(|hold| is_of(hold, count)) {
            return hold;
        }
    }
    let hold = look_up(thread, count, recorder)?;
    recent.set((count, hold));
    Some(hold)
}

/// Whether `hold` is the record that holds of `count` are entered into.
fn is_of(hold: &HoldRecord, count: &CountRecord) -> bool {
    let (lock, generation) = (hold.lock.load(Relaxed), hold.generation.load(Relaxed));
    let wanted = if lock == POOLED {
        (POOLED, count.birth.load(Relaxed))
    } else {
        (count.lock.load(Relaxed), count.generation.load(Relaxed))
    };
    (lock, generation) == wanted
}

#[cold]
fn look_up(
    thread: &Thread,
    count: &CountRecord,
    recorder: &'static Recorder,
) -> Option<&'static HoldRecord> {
    let birth = count.birth.load(Relaxed);
    let mut key = Key {
        lock: count.lock.load(Relaxed) as usize,
        generation: count.generation.load(Relaxed),
        site: recorder.addresses.get(count.site.load(Relaxed)),
        entry: EntryPoint::from_number(count.entry.load(Relaxed))?,
        kind: LockKind::from_number(count.kind.load(Relaxed))?,
        birth,
        other: 0,
    };
    if thread.hold_records() >= SINGLE_RECORDS {
        if let Some(single) = thread.hold(key, &recorder.addresses) {
            return Some(single);
        }
        key.lock = POOLED as usize;
        key.generation = birth;
    }
    thread.make_hold(key, recorder)
}

/// Whether holds at this place are so long that they are examined for context switches.
fn is_examined(hold: &HoldRecord) -> bool {
    let timed = hold.timed.load(Relaxed);
    timed > 0 && hold.timed_total_ns.load(Relaxed) >= timed.saturating_mul(EXAMINED_FROM_NS)
}

/// A system call is made by a thread that holds locks.
pub fn note_system_call(thread: &Thread, recorder: &'static Recorder) {
    if !recorder.is_on() {
        // A record that has to be made would take system calls of our own.
        return;
    }
    for count in thread.held.iter() {
        if let Some(hold) = record(thread, count, recorder) {
            add(&hold.system_calls, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_holds_are_all_timed_and_short_ones_seldom() {
        assert_eq!(period_after(3, 30), 1, "the first ones always");
        assert_eq!(period_after(1000, 1000 * 10_000), 1);
        assert_eq!(period_after(1000, 1000 * 1_000), 4);
        assert_eq!(period_after(1000, 1000 * 20), 80);
    }

    #[test]
    fn gaps_have_the_mean_that_the_period_says() {
        let mut state = 0x1234_5678_9ABC_DEF1_u64;
        for period in [2, 8, 80] {
            let rounds = 200_000;
            let mut sum = 0_u64;
            for _ in 0..rounds {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                sum += u64::from(gap(period, state));
            }
            let mean = sum as f64 / rounds as f64;
            let wanted = (period - 1) as f64;
            assert!((mean / wanted - 1.0).abs() < 0.02, "{mean} for {wanted}");
        }
    }
}

//! The ways in which a thread passes the time until a lock may be free. All back-off code is here.
//!
//! Lengths are in units of [`SPIN_UNIT_NS`](crate::clock::SPIN_UNIT_NS), and bounded by the clock.

use crate::Deadline;
use crate::clock::SpinTimer;
use crate::sync::{nap, spin_loop, yield_now};

/// Bounded spinning, used before parking or yielding.
///
/// The clock is first read after the first failed check, so a free lock costs nothing.
pub struct SpinBudget {
    units: u32,
    timer: Option<SpinTimer>,
}

impl SpinBudget {
    /// Creates a budget of this many units.
    #[inline]
    pub fn new(units: u32) -> Self {
        Self { units, timer: None }
    }

    /// Pauses once. Returns `false` at once if the budget is spent.
    #[inline]
    pub fn spin(&mut self) -> bool {
        if self.units == 0 {
            return false;
        }
        let units = self.units;
        let timer = self.timer.get_or_insert_with(|| SpinTimer::units(units));
        if timer.expired() {
            return false;
        }
        // To loom, a spin hint promises that only another thread can make progress. Bounded spinning does not promise that:
        // the model must also explore the case in which it ends without success.
        if cfg!(not(locktoll_loom)) {
            spin_loop();
        }
        true
    }

    /// Returns how much has been used, in units.
    pub fn spent(&mut self) -> u32 {
        self.timer.as_mut().map_or(0, SpinTimer::spent_units)
    }
}

/// Checks at growing intervals, up to a cap, for a length of time: reading a word that another processor writes takes the
/// cache line away from that processor.
pub struct Polls {
    gap: u32,
    budget: SpinBudget,
}

impl Polls {
    /// The longest pause between two checks, in units.
    const LONGEST_GAP: u32 = 256;

    /// Checks for `units` of time; the second check comes after `first_gap`.
    #[inline]
    pub fn new(first_gap: u32, units: u32) -> Self {
        Self {
            gap: first_gap,
            budget: SpinBudget::new(units),
        }
    }

    /// Pauses. Returns `false` at once if the time is up.
    #[inline]
    pub fn wait(&mut self) -> bool {
        if !self.budget.spin() {
            return false;
        }
        if cfg!(not(locktoll_loom)) {
            pause_for(self.gap);
        }
        self.gap = self.gap.saturating_mul(2).min(Self::LONGEST_GAP);
        true
    }
}

/// Spins for a budget, then sleeps for a moment at a time. For things that another thread holds for a few instructions, unless
/// it loses its processor meanwhile.
pub struct SpinThenNap {
    budget: SpinBudget,
}

impl SpinThenNap {
    /// Spins for this many units first.
    #[inline]
    pub fn new(units: u32) -> Self {
        Self {
            budget: SpinBudget::new(units),
        }
    }

    /// Passes a moment.
    #[inline]
    pub fn wait(&mut self) {
        // To loom both ways of waiting are the same: another thread's turn.
        if cfg!(locktoll_loom) || !self.budget.spin() {
            nap(Naps::SHORTEST_NS);
        }
    }
}

/// Spins for a budget, then yields the processor, and starts again.
pub struct SpinThenYield {
    units: u32,
    budget: SpinBudget,
}

impl SpinThenYield {
    /// Spins for this many units between two yields.
    #[inline]
    pub fn new(units: u32) -> Self {
        Self {
            units,
            budget: SpinBudget::new(units),
        }
    }

    /// Passes a moment.
    #[inline]
    pub fn wait(&mut self) {
        // To loom both ways of waiting are the same: another thread's turn.
        if cfg!(locktoll_loom) || !self.budget.spin() {
            yield_now();
            self.budget = SpinBudget::new(self.units);
        }
    }
}

/// How a thread waits before it parks.
///
/// It spins for `spin` units of [`SPIN_UNIT_NS`](crate::clock::SPIN_UNIT_NS). Then, `yields` times, it yields the processor and spins
/// again. Then it parks. So nothing here spins for a whole time slice of the scheduler, not even if the holder is preempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The units of one spin.
    pub spin: u32,
    /// The number of times that the processor is yielded.
    pub yields: u16,
}

impl Waiting {
    /// Does not spin at all.
    pub const PARK_AT_ONCE: Self = Self { spin: 0, yields: 0 };
}

/// The remainder of a thread's [`Waiting`].
pub struct Patience {
    waiting: Waiting,
    budget: SpinBudget,
    yields: u16,
}

impl Patience {
    /// Begins such a wait.
    #[inline]
    pub fn new(waiting: Waiting) -> Self {
        Self {
            waiting,
            budget: SpinBudget::new(waiting.spin),
            yields: waiting.yields,
        }
    }

    /// Passes a moment. Returns `false` at once if it is time to park.
    #[inline]
    pub fn wait(&mut self) -> bool {
        if self.budget.spin() {
            return true;
        }
        if self.yields == 0 {
            return false;
        }
        self.yields -= 1;
        yield_now();
        self.budget = SpinBudget::new(self.waiting.spin);
        true
    }
}

/// Pauses that double, up to a cap (Anderson 1990, "The Performance of Spin Lock Alternatives for Shared-Memory
/// Multiprocessors", IEEE TPDS 1(1)).
pub struct Exponential {
    next: u32,
    cap: u32,
}

impl Exponential {
    /// Begins with one unit, and ends at this many.
    #[inline]
    pub fn new(cap: u32) -> Self {
        Self { next: 1, cap }
    }

    /// Passes a moment.
    #[inline]
    pub fn wait(&mut self) {
        pause_for(self.next);
        self.next = self.next.saturating_mul(2).min(self.cap).max(1);
    }
}

/// One pause, and then yields of the processor that double: one yield before the next check, then two, and so on up to a
/// bound. A preempted holder gets its processor back.
pub struct PauseThenYields {
    pause: Option<u32>,
    yields: u32,
}

impl PauseThenYields {
    /// Takes about as long as a wait in the kernel, if there is no thread to yield to.
    const MOST_YIELDS: u32 = 16;

    /// Begins with a pause of this many units.
    #[inline]
    pub fn new(pause: u32) -> Self {
        Self {
            pause: Some(pause),
            yields: 1,
        }
    }

    /// Passes a moment.
    #[inline]
    pub fn wait(&mut self) {
        // To loom all ways of waiting are the same: another thread's turn.
        if cfg!(locktoll_loom) {
            return yield_now();
        }
        if let Some(pause) = self.pause.take() {
            return pause_for(pause);
        }
        for _ in 0..self.yields {
            yield_now();
        }
        self.yields = (self.yields * 2).min(Self::MOST_YIELDS);
    }
}

/// Short sleeps that double up to a cap, and end at a deadline: for threads that check a lock now and then.
pub struct Naps {
    next_ns: u64,
}

impl Default for Naps {
    fn default() -> Self {
        Self::new()
    }
}

impl Naps {
    /// About the least cost of a sleep and a wake-up.
    const SHORTEST_NS: u64 = 10_000;
    const LONGEST_NS: u64 = 1_000_000;

    /// Begins with the shortest sleep.
    #[inline]
    pub fn new() -> Self {
        Self {
            next_ns: Self::SHORTEST_NS,
        }
    }

    /// Sleeps once.
    #[cold]
    pub fn take(&mut self, deadline: &Deadline) {
        #[cfg(not(locktoll_loom))]
        // If the nap ends early, the next check only comes too soon.
        nap(self.next_ns.min(deadline.remaining_ns()));
        #[cfg(locktoll_loom)]
        {
            let _ = deadline;
            yield_now();
        }
        self.next_ns = (self.next_ns * 2).min(Self::LONGEST_NS);
    }
}

/// Keeps the processor busy for about this many units, and for at least one spin hint.
#[inline]
pub fn pause_for(units: u32) {
    let mut timer = SpinTimer::units(units);
    loop {
        spin_loop();
        // Without a real clock, checking twice adds nothing.
        if cfg!(locktoll_loom) || timer.expired() {
            return;
        }
    }
}

#[cfg(all(test, not(locktoll_loom)))]
mod tests {
    use super::{Exponential, Patience, SpinBudget, Waiting};

    #[test]
    fn patience_is_the_yields_and_ends() {
        let mut patience = Patience::new(Waiting { spin: 0, yields: 3 });
        let waited = core::iter::from_fn(|| patience.wait().then_some(())).count();
        assert_eq!(waited, 3);
        assert!(!Patience::new(Waiting::PARK_AT_ONCE).wait());
        let mut patience = Patience::new(Waiting { spin: 1, yields: 0 });
        while patience.wait() {}
        assert!(!patience.wait());
    }

    #[test]
    fn exponential_waits_double_up_to_the_cap() {
        let mut backoff = Exponential::new(6);
        let mut waits = [0; 6];
        for wait in &mut waits {
            *wait = backoff.next;
            backoff.wait();
        }
        assert_eq!(waits, [1, 2, 4, 6, 6, 6]);
    }

    #[test]
    fn a_cap_of_nothing_still_waits() {
        let mut backoff = Exponential::new(0);
        backoff.wait();
        assert_eq!(backoff.next, 1);
    }

    #[test]
    fn a_budget_ends_and_stays_ended() {
        let mut budget = SpinBudget::new(10);
        assert_eq!(budget.spent(), 0);
        while budget.spin() {}
        assert!(budget.spent() >= 10);
        assert!(!budget.spin());
        assert!(!SpinBudget::new(0).spin());
    }
}

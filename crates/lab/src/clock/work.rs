//! Busy work of a given length: only arithmetic on one register.
//!
//! There is no `rand()` (it takes a lock inside glibc, and the 1998 TimeMutex measured mostly that), no memory access, no system
//! call, and no pause hint, whose length differs by more than ten times between processors. Each step depends on the previous
//! one, so wide processors cannot overlap the steps.

use std::hint::black_box;
use std::sync::OnceLock;

use super::Clock;

/// Steps in a long window of the calibration: some 100 µs, so that most windows fit between two ticks of the kernel's timer.
const LONG: u64 = 50_000;
/// Number of windows, of which the shortest counts: preemption and steal can only lengthen one.
const WINDOWS: u32 = 24;

/// The time that [`spin()`] takes here.
///
/// Calibrated for a processor at its usual clock rate with an idle sibling; at a lower rate, or with a busy SMT sibling, the same
/// work takes longer.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    ns_per_loop: f64,
    call_ns: f64,
}

impl Work {
    /// Returns the calibration of this process, made at the first call (about 3 ms).
    pub fn get() -> &'static Work {
        static SHARED: OnceLock<Work> = OnceLock::new();
        SHARED.get_or_init(Work::calibrate)
    }

    /// Measures the time of a step and of a call, each as the lowest value over several windows.
    pub fn calibrate() -> Work {
        let clock = Clock::get();
        let long_ns = least_ns(clock, 1, LONG);
        // Calls without steps: the cost of every call in addition to its steps.
        const CALLS: u64 = 2_000;
        let call_ns = least_ns(clock, CALLS, 0) / CALLS as f64;
        Work {
            ns_per_loop: ((long_ns - call_ns) / LONG as f64).max(1e-3),
            call_ns,
        }
    }

    /// Returns the steps for about `ns` nanoseconds, including the call; none for a time shorter than a call.
    pub fn loops_for(&self, ns: f64) -> u64 {
        // A cast from float to integer saturates at both ends, and turns NaN into zero.
        ((ns - self.call_ns) / self.ns_per_loop).round() as u64
    }

    /// Returns the nanoseconds that `spin(loops)` takes if it is not interrupted.
    pub fn ns_of(&self, loops: u64) -> f64 {
        self.call_ns + loops as f64 * self.ns_per_loop
    }

    /// Returns the nanoseconds of one step, which is the grain of every requested length.
    pub fn ns_per_loop(&self) -> f64 {
        self.ns_per_loop
    }
}

fn least_ns(clock: &Clock, calls: u64, loops: u64) -> f64 {
    (0..WINDOWS)
        .map(|_| {
            let start = clock.now();
            for _ in 0..calls {
                spin(loops);
            }
            clock.ns(clock.now() - start) - clock.cost_ns()
        })
        .fold(f64::INFINITY, f64::min)
        .max(0.0)
}

/// Takes `loops` steps, each an exclusive or and a multiplication, and discards the result.
///
/// The two do not distribute over each other, so a compiler that unrolls the loop cannot merge neighbouring steps, as it could
/// with the usual multiply-and-add.
#[inline(never)]
pub fn spin(loops: u64) {
    // Opaque at both ends: otherwise the compiler could compute the whole loop in advance, or remove it.
    let mut state = black_box(loops);
    for _ in 0..loops {
        state = (state ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd134_2543_de82_ef95);
    }
    black_box(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_follow_the_time() {
        let work = Work {
            ns_per_loop: 2.0,
            call_ns: 1.0,
        };
        assert_eq!(work.loops_for(0.0), 0);
        assert_eq!(work.loops_for(1.0), 0);
        assert_eq!(work.loops_for(201.0), 100);
        assert_eq!(work.loops_for(f64::INFINITY), u64::MAX);
        assert_eq!(work.ns_of(100), 201.0);
    }

    #[test]
    fn twice_the_loops_is_twice_the_time() {
        // Times a short window and one with twice as many loops, one right after the other, many times: the median of the ratios
        // stays in place while fewer than half of the pairs are interrupted. The windows are short, so that few are, even under
        // an emulator and under other load. The wide bounds only distinguish a linear cost from a loop that was folded away.
        let clock = Clock::get();
        let window = |loops| {
            let start = clock.now();
            spin(loops);
            clock.ns(clock.now() - start) - clock.cost_ns()
        };
        let mut ratios: Vec<f64> = (0..1_001)
            .map(|_| (window(1_000), window(2_000)))
            .map(|(single, double)| double / single)
            .collect();
        ratios.sort_by(f64::total_cmp);
        let ratio = ratios[ratios.len() / 2];
        assert!((1.5..2.6).contains(&ratio), "{ratio}");
    }

    #[test]
    fn the_calibration_is_of_a_real_loop() {
        let work = Work::get();
        // A dependent multiplication takes at least 0.2 ns on any processor.
        assert!(work.ns_per_loop() > 0.2, "{}", work.ns_per_loop());
        assert!(work.loops_for(1e6) > 1_000);
    }
}

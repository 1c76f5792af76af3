//! An atomic whose word lies across two cache lines: the processor has to lock the bus, or all caches, for it.

use super::section;
use crate::probe::session::{Seat, Session};
use crate::probe::{Group, Part, Prices};

/// Measures the cost of an atomic across two lines.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    let (seat, rounds) = (section::seat(session), section::rounds(session));
    prices.parts.push(split_lock(seat, rounds));
}

/// Returns the price of an atomic across two lines; refused where it cannot be done, or for the reason in `seat`. Takes
/// some 5 ms, and never more than half a second.
fn split_lock(seat: Result<Seat, String>, batches: usize) -> Part {
    let part = Part::new(
        "split-lock",
        "atomic add across two cache lines",
        Group::Memory,
        "lock xadd, one after the other, 4 of its 8 bytes in the next line; in a process of its own",
    );
    let measured = seat.and_then(|seat| {
        let thread = std::thread::spawn(move || seat.take().and_then(|()| measured(batches)));
        thread
            .join()
            .unwrap_or_else(|_| Err("the measuring thread panicked".into()))
    });
    match measured {
        Ok((value, note)) => part.value(Ok(value)).note(note),
        Err(reason) => part.value(Err(reason)),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn measured(_batches: usize) -> Result<(crate::stats::Estimate, String), String> {
    // Armv8: an exclusive or atomic access that is not aligned faults, or is allowed only within 16 bytes (LSE2).
    Err("this processor has no atomics across two cache lines".into())
}

#[cfg(target_arch = "x86_64")]
use x86_64::measured;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::asm;
    use std::sync::atomic::AtomicU64;
    use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use std::time::Duration;

    use super::super::split_policy::Policy;
    use crate::clock::Clock;
    use crate::platform::linux::Tree;
    use crate::probe::child::{Child, Ended, SharedWords};
    use crate::probe::series::LEAST_ROUNDS;
    use crate::stats::{Estimate, estimate};

    /// Operations in a batch: few, since the whole machine waits for each, and since the kernel may stall any of them.
    const BATCH: u64 = 16;
    /// No further batch starts after this time.
    const ENOUGH_NS: f64 = 100e6;
    const LIMIT: Duration = Duration::from_millis(500);

    /// Whole lines on either side of byte 128, so that a word at byte 124 lies across two lines of 64 or of 128 bytes.
    #[repr(align(128))]
    struct Lines(#[expect(dead_code, reason = "only its address is used")] [AtomicU64; 32]);

    const ACROSS: usize = 124;

    pub(super) fn measured(batches: usize) -> Result<(Estimate, String), String> {
        let policy = Policy::read(&Tree::system());
        // The first word counts the batches that are done.
        let shared =
            SharedWords::new(1 + batches).map_err(|error| format!("no shared memory: {error}"))?;
        // Calibrated before the fork, since calibration takes a lock.
        let clock = Clock::get();
        let child = Child::fork(|| in_child(shared.words(), clock))
            .map_err(|error| format!("no child process: {error}"))?;
        let ended = child.wait(LIMIT);
        let (count, ticks) = shared
            .words()
            .split_first()
            .expect("the first word is there");
        // Acquire: makes the batches visible together with the count.
        let count = (count.load(Acquire) as usize).min(ticks.len());
        let samples: Vec<f64> = ticks[..count]
            .iter()
            .map(|ticks| (clock.ns(ticks.load(Relaxed)) - clock.cost_ns()) / BATCH as f64)
            .collect();
        let value = estimate(&samples).filter(|_| samples.len() >= LEAST_ROUNDS);
        match (ended, value) {
            (Ended::Signal(signal), _) => Err(format!(
                "a program that does it is ended by signal {signal}; {}",
                policy.note()
            )),
            (_, Some(value)) => Ok((value, policy.note())),
            // Where the kernel stalls each operation, a batch takes long.
            (_, None) => Err(format!(
                "{} of {LEAST_ROUNDS} batches of {BATCH} in its time; {}",
                samples.len(),
                policy.note()
            )),
        }
    }

    /// Runs in the child: no allocation, no lock.
    fn in_child(words: &[AtomicU64], clock: &Clock) {
        let (count, ticks) = words.split_first().expect("the first word is there");
        let lines = Lines([const { AtomicU64::new(0) }; 32]);
        // One operation first, so that a stall on the first trap is not in any batch.
        add_across(&lines, 1);
        let began = clock.now();
        for (done, place) in (1..).zip(ticks) {
            let start = clock.now();
            add_across(&lines, BATCH);
            let end = clock.now();
            // Relaxed, Release: the count publishes the batch.
            place.store(end - start, Relaxed);
            count.store(done, Release);
            if clock.ns(end - began) > ENOUGH_NS {
                break;
            }
        }
    }

    #[inline(never)]
    fn add_across(lines: &Lines, times: u64) {
        let at = (&raw const *lines).cast::<u8>().wrapping_add(ACROSS);
        // SAFETY: the word lies inside `lines`, all of which may change behind a shared reference, and only this thread uses it.
        // Its address is not aligned, which `lock xadd` allows and no Rust access would. `times` is not zero.
        unsafe {
            asm!(
                "2:",
                "lock xadd qword ptr [{at}], {value}",
                "dec {times}",
                "jnz 2b",
                at = in(reg) at,
                value = inout(reg) 1u64 => _,
                times = inout(reg) times.max(1) => _,
                options(nostack),
            );
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_word_lies_across_two_lines() {
            assert_eq!(align_of::<Lines>() % 128, 0);
            for line in [64, 128] {
                assert_ne!(ACROSS / line, (ACROSS + 7) / line);
            }
            assert!(ACROSS + 8 <= size_of::<Lines>());
        }

        #[test]
        fn either_a_price_or_a_reason() {
            match measured(21) {
                Ok((value, note)) => {
                    // At least seven times the least time of a cached atomic.
                    assert!(value.median > 10.0, "{value:?}");
                    assert!(!note.is_empty());
                }
                // A machine that does not give the child a turn in time; or the kernel's policy.
                Err(reason) => assert!(
                    ["batches of 16 in its time", "ended by signal", "no child"]
                        .iter()
                        .any(|known| reason.contains(known)),
                    "{reason}"
                ),
            }
        }
    }
}

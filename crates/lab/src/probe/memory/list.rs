//! The lines of the price list for operations on one cache line.

use super::operations::{self, Line, Loop, UNROLLED};
use std::sync::atomic::Ordering::Relaxed;

use crate::clock::Clock;
use crate::probe::session::Seat;
use crate::probe::{Group, Part};
use crate::stats::{Estimate, estimate};

/// Turns of the unrolled loop in a batch: 4096 operations, 5 to 50 µs, most of which fit between two timer ticks.
const TURNS: u64 = 256;
/// Rounds before those that count, for the caches and the processor's clock rate to settle.
const WARM_UP: usize = 3;

const LOAD: &str = "load";
const LOAD_STORE: &str = "load-store";

struct Operation {
    name: &'static str,
    title: &'static str,
    formula: &'static str,
    run: Loop,
}

/// Returns the description of a line's assembly on x86-64, and elsewhere that of the atomic used instead.
const fn instruction(assembly: &'static str, atomic: &'static str) -> &'static str {
    if cfg!(target_arch = "x86_64") {
        assembly
    } else {
        atomic
    }
}

const OPERATIONS: [Operation; 7] = [
    Operation {
        name: LOAD,
        title: "load, cached",
        formula: "latency: each load gives the address of the next",
        run: operations::load,
    },
    Operation {
        name: "store",
        title: "store, cached",
        formula: "throughput: stores in a row to one word, none waits for another",
        run: operations::store,
    },
    Operation {
        name: LOAD_STORE,
        title: "load, add, store",
        formula: "latency: each load reads what the store before it wrote (no lock prefix, not atomic)",
        run: operations::update,
    },
    Operation {
        name: "atomic-add",
        title: "atomic add",
        formula: instruction(
            "lock xadd, one after the other on one word",
            "fetch_add (AcqRel), one after the other on one word",
        ),
        run: operations::fetch_add,
    },
    Operation {
        name: "atomic-exchange",
        title: "atomic exchange",
        formula: instruction(
            "xchg, each writes what the one before it read",
            "swap (AcqRel), each writes what the one before it read",
        ),
        run: operations::exchange,
    },
    Operation {
        name: "compare-exchange",
        title: "compare and exchange, succeeding",
        formula: instruction(
            "lock cmpxchg, each expects what the one before it wrote",
            "compare_exchange (AcqRel), each expects what the one before it wrote",
        ),
        run: operations::compare_exchange,
    },
    Operation {
        name: "fence",
        title: "store and full fence",
        formula: instruction(
            "mov to memory, then mfence",
            "store (Relaxed), then fence (SeqCst)",
        ),
        run: operations::fence,
    },
];

/// Times loads, stores and atomics by one thread on one line. Returns all samples of each operation, in nanoseconds. Takes some
/// 10 ms.
fn samples(rounds: usize) -> Vec<Vec<f64>> {
    let clock = Clock::get();
    let line = Line::new();
    let mut samples = vec![Vec::with_capacity(rounds); OPERATIONS.len()];
    for round in 0..WARM_UP + rounds {
        // Every operation takes every place in the order, so that none always runs after the same other one.
        for place in 0..OPERATIONS.len() {
            let index = (place + round) % OPERATIONS.len();
            // Relaxed: one thread. The chain of compare-exchanges begins with zero.
            line.word.store(0, Relaxed);
            let start = clock.now();
            (OPERATIONS[index].run)(&line, TURNS);
            let elapsed_ns = clock.ns(clock.now() - start) - clock.cost_ns();
            if round >= WARM_UP {
                samples[index].push(elapsed_ns / (TURNS * UNROLLED) as f64);
            }
        }
    }
    samples
}

/// Returns one line of the price list for each operation, measured in a thread set up by `seat`. If `seat` is `Err`, every line
/// has that reason.
pub(super) fn uncontended(seat: Result<Seat, String>, rounds: usize) -> Vec<Part> {
    let measured = seat.and_then(|seat| {
        let thread = std::thread::spawn(move || seat.take().map(|()| samples(rounds)));
        thread
            .join()
            .unwrap_or_else(|_| Err("the measuring thread panicked".into()))
    });
    let values: Vec<Result<Estimate, String>> = match measured {
        Ok(samples) => samples
            .iter()
            .map(|samples| estimate(samples).ok_or_else(|| "not measurable".to_owned()))
            .collect(),
        Err(reason) => vec![Err(reason); OPERATIONS.len()],
    };
    let note = forwarded(&values);
    OPERATIONS
        .iter()
        .zip(values)
        .map(|(operation, value)| {
            let part = Part::new(
                operation.name,
                operation.title,
                Group::Memory,
                operation.formula,
            )
            .value(value);
            match &note {
                Some(note) if operation.name == LOAD_STORE => part.note(note),
                _ => part,
            }
        })
        .collect()
}

/// Returns a note on why a load and a store can take less than a load: processors since about 2019 know from the address
/// registers that the load will read what the store wrote, and pass the value on by renaming, without the cache.
fn forwarded(values: &[Result<Estimate, String>]) -> Option<String> {
    let of = |name: &str| {
        let index = OPERATIONS
            .iter()
            .position(|operation| operation.name == name)?;
        values[index].as_ref().ok()
    };
    (of(LOAD_STORE)?.high < of(LOAD)?.low)
        .then(|| "less than a load alone: this processor hands the value over without going through the cache".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_samples() {
        for (operation, samples) in OPERATIONS.iter().zip(samples(9)) {
            assert_eq!(samples.len(), 9);
            // Several stores to one line may leave the processor in a cycle; nothing is free.
            assert!(
                samples.iter().all(|ns| *ns > 0.02),
                "{}: {samples:?}",
                operation.name
            );
        }
    }

    #[test]
    fn an_atomic_costs_more_than_a_store() {
        let samples = samples(31);
        // The lowest samples, which no other load on the machine lengthens.
        let least = |name: &str| {
            let index = OPERATIONS
                .iter()
                .position(|operation| operation.name == name)
                .expect(name);
            samples[index].iter().copied().fold(f64::INFINITY, f64::min)
        };
        assert!(least("atomic-add") > least("store"));
        assert!(least("compare-exchange") > least("store"));
    }

    #[test]
    fn without_a_seat_every_line_has_the_reason() {
        let parts = uncontended(Err("stopped".into()), 9);
        assert_eq!(parts.len(), OPERATIONS.len());
        assert!(
            parts
                .iter()
                .all(|part| part.value.is_none() && part.refused.as_deref() == Some("stopped"))
        );
    }

    #[test]
    fn handing_over_past_the_cache_is_told() {
        let ns = |median: f64| {
            Ok(Estimate {
                median,
                low: median,
                high: median,
                n: 9,
            })
        };
        let mut values: Vec<Result<Estimate, String>> = vec![ns(5.0); OPERATIONS.len()];
        assert_eq!(forwarded(&values), None);
        values[2] = ns(1.0);
        assert!(forwarded(&values).unwrap().contains("less than a load"));
    }
}

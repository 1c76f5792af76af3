//! The lines of the price list for operations on one cache line.

use super::operations::{self, Line, Loop, UNROLLED};
use crate::clock::Clock;
use crate::probe::{Group, Part};
use crate::stats::{Estimate, estimate};

/// Turns of the unrolled loop in a batch: 4096 operations, 5 to 50 µs, most of which fit between two timer ticks.
const TURNS: u64 = 256;
/// Rounds before those that count, for the caches and the processor's clock rate to settle.
const WARM_UP: usize = 3;
const ROUNDS: usize = 61;
const QUICK_ROUNDS: usize = 31;

const LOAD: &str = "load";
const LOAD_STORE: &str = "load-store";

struct Operation {
    name: &'static str,
    title: &'static str,
    formula: &'static str,
    run: Loop,
}

/// What the assembly of a line is called where it is assembly, else the atomic that stands there.
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

/// Loads, stores and atomics by one thread on one line. Takes some 10 ms.
pub(in crate::probe) fn uncontended(quick: bool) -> Vec<Part> {
    let clock = Clock::get();
    let line = Line::new();
    let rounds = if quick { QUICK_ROUNDS } else { ROUNDS };
    let mut samples = vec![Vec::with_capacity(rounds); OPERATIONS.len()];
    for round in 0..WARM_UP + rounds {
        // Every operation takes every place in the order, so that none always runs behind the same other.
        for place in 0..OPERATIONS.len() {
            let index = (place + round) % OPERATIONS.len();
            // Relaxed: one thread. The chain of exchanges by comparison begins with zero.
            line.word.store(0, std::sync::atomic::Ordering::Relaxed);
            let start = clock.now();
            (OPERATIONS[index].run)(&line, TURNS);
            let elapsed_ns = clock.ns(clock.now() - start) - clock.cost_ns();
            if round >= WARM_UP {
                samples[index].push(elapsed_ns / (TURNS * UNROLLED) as f64);
            }
        }
    }
    let values: Vec<Option<Estimate>> = samples.iter().map(|samples| estimate(samples)).collect();
    OPERATIONS
        .iter()
        .zip(&values)
        .map(|(operation, value)| Part {
            name: operation.name.into(),
            title: operation.title.into(),
            group: Group::Memory,
            formula: operation.formula.into(),
            value: *value,
            switches_expected: None,
            switches_counted: None,
            mix: None,
            refused: None,
            note: (operation.name == LOAD_STORE)
                .then(|| forwarded(&values))
                .flatten(),
        })
        .collect()
}

/// Why a load and a store can take less than a load: processors since about 2019 know by the address registers that the load
/// will read what the store wrote, and hand it over by renaming, past the cache.
fn forwarded(values: &[Option<Estimate>]) -> Option<String> {
    let of = |name: &str| {
        let index = OPERATIONS
            .iter()
            .position(|operation| operation.name == name)?;
        values[index]
    };
    (of(LOAD_STORE)?.high < of(LOAD)?.low)
        .then(|| "less than a load alone: this processor hands the value over without going through the cache".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_price() {
        for part in uncontended(true) {
            let value = part.value.expect("these are refused nowhere");
            // A store to one line can leave the processor each cycle, or each half with two store ports; nothing is free.
            assert!(value.low > 0.02, "{}: {value:?}", part.name);
            assert_eq!(value.n, QUICK_ROUNDS);
        }
    }

    #[test]
    fn an_atomic_costs_more_than_a_store() {
        let parts = uncontended(true);
        let low = |name: &str| {
            let part = parts.iter().find(|part| part.name == name).expect(name);
            part.value.expect("a price").low
        };
        // The lowest samples, which no other load on the machine lengthens.
        assert!(low("atomic-add") > low("store"));
        assert!(low("compare-exchange") > low("store"));
    }
}

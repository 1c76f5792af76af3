//! The first part: the cost of this machine's locks.

use locktoll_lab::machine::Machine;
use locktoll_lab::plan::Experiment;
use locktoll_lab::workload::Kind;

use crate::bench::carry_out;
use locktoll_results::bench::BenchResult;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::interrupt::Interrupt;

/// Locks whose fast path is priced: cheap and expensive ones, simple and sophisticated ones.
const FAST_PATHS: [&str; 14] = [
    "pthread",
    "std",
    "parking_lot",
    "tas",
    "ttas",
    "ticket",
    "clh",
    "mcs",
    "futex3",
    "pthread-recursive",
    "pthread-pi",
    "posix-sem",
    "eventfd",
    "sysv-sem",
];

/// Locks that are compared under contention.
const CONTENDED: [&str; 6] = [
    "pthread",
    "std",
    "parking_lot",
    "futex3",
    "mcs-park",
    "ttas-backoff",
];

/// Measures one thread that acquires and releases each lock with nothing in between.
pub fn fast_paths(machine: &Machine, interrupt: &Interrupt) -> Result<BenchResult, Failure> {
    measure(
        Experiment {
            repeat: 7,
            ..Experiment::at_rest(&FAST_PATHS, Kind::Pair, &[1], 20_000_000)
        },
        machine,
        interrupt,
    )
}

/// Measures four threads per processor that compete for one list.
pub fn contended(machine: &Machine, interrupt: &Interrupt) -> Result<BenchResult, Failure> {
    let threads = (machine.usable_cpus.len() as u32 * 4).clamp(4, 64);
    measure(
        Experiment {
            repeat: 7,
            ..Experiment::at_rest(&CONTENDED, Kind::List, &[threads], 120_000_000)
        },
        machine,
        interrupt,
    )
}

fn measure(
    experiment: Experiment,
    machine: &Machine,
    interrupt: &Interrupt,
) -> Result<BenchResult, Failure> {
    experiment
        .check()
        .map_err(|invalid| Failure::Run(invalid.into()))?;
    Ok(carry_out(
        &experiment,
        None,
        machine.clone(),
        interrupt,
        "Ctrl-C ends the tour",
    )?
    .result)
}

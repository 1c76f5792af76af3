//! Made-up runs of `bench` with Linux's locks: for pages, comparisons and the tour.

use locktoll_lab::plan::Experiment;
use locktoll_lab::workload::Kind;

use super::bench::run;
use locktoll_results::bench::BenchResult;

/// Eight locks from 1 to 64 threads, one of them not to be had, one cut off.
pub fn threads() -> BenchResult {
    let locks = [
        "pthread",
        "std",
        "parking_lot",
        "ttas-backoff",
        "ticket",
        "mcs-park",
        "sysv-sem",
        "flock",
    ];
    run(&Experiment {
        repeat: 7,
        ..Experiment::at_rest(&locks, Kind::List, &[1, 2, 4, 8, 16, 64], 200_000_000)
    })
}

/// Three locks with holds of different lengths at two depths: other knobs than threads.
pub fn holds() -> BenchResult {
    let locks = ["pthread", "std", "ticket"];
    let mut experiment = Experiment {
        repeat: 7,
        ..Experiment::at_rest(&locks, Kind::Counter, &[4], 200_000_000)
    };
    experiment.span("depth", &[1, 4], |knobs, v| knobs.depth = *v);
    let holds = [0, 100, 1_000, 10_000];
    experiment.span("hold", &holds, |knobs, v| knobs.hold_ns = *v);
    run(&experiment)
}

/// Few cells, to be compared with others.
pub fn few() -> BenchResult {
    run(&Experiment {
        repeat: 7,
        ..Experiment::at_rest(
            &["pthread", "std", "ticket", "mcs-park"],
            Kind::List,
            &[2, 8],
            200_000_000,
        )
    })
}

/// One thread and nothing inside, as the tour's first part.
pub fn uncontended() -> BenchResult {
    let locks = [
        "pthread",
        "std",
        "parking_lot",
        "tas",
        "ticket",
        "mcs",
        "futex3",
        "eventfd",
        "sysv-sem",
    ];
    run(&Experiment {
        repeat: 7,
        ..Experiment::at_rest(&locks, Kind::Pair, &[1], 20_000_000)
    })
}

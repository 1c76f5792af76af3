//! Why the slices of a claim's cells differ: two modes, and where lock, data and threads lie.

use locktoll_lab::runner::{Samples, placement_share};
use locktoll_lab::stats::PlacementShare;
use locktoll_results::reproduction::TwoModes;
use locktoll_shown::bench_setting;

use super::bench_run::BenchRun;
use super::evidence::{Evidence, Gathered};

/// Returns the cells whose times per operation fall into two groups.
pub fn two_modes(evidence: &Evidence) -> Vec<TwoModes> {
    let cells = benches(evidence).flat_map(|run| run.cells.iter().zip(&run.samples));
    let with_two = cells.filter_map(|(cell, samples)| {
        let modes = samples.modes(cell.threads)?;
        let cell = format!("{} ({})", cell.lock, bench_setting(cell));
        Some(TwoModes { cell, modes })
    });
    with_two.collect()
}

/// Returns the share of placement in the variance between slices.
pub fn placement(evidence: &Evidence) -> Option<PlacementShare> {
    let samples: Vec<&Samples> = benches(evidence).flat_map(|run| &run.samples).collect();
    placement_share(samples)
}

fn benches(evidence: &Evidence) -> impl Iterator<Item = &BenchRun> {
    evidence.runs.iter().filter_map(|(_, run)| match run {
        Ok(Gathered::Bench(run)) => Some(run),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use locktoll_lab::cell::Slice;

    use super::super::made_up::{MadeUp, evidence};
    use super::*;

    #[test]
    fn a_cell_with_two_modes_is_named() {
        let cell = |lock| MadeUp {
            lock,
            threads: 2,
            ns: vec![100.0; 12],
        };
        let mut evidence = evidence(&[cell("std"), cell("futex3")], None);
        assert!(two_modes(&evidence).is_empty());
        assert_eq!(placement(&evidence), None);
        let Ok(Gathered::Bench(run)) = &mut evidence.runs[0].1 else {
            panic!("a bench run");
        };
        for (slice, _) in &mut run.samples[1].throughput[..5] {
            *slice = Slice {
                wall_ns: slice.wall_ns * 3,
                ..slice.clone()
            };
        }
        let found = two_modes(&evidence);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].cell, "futex3 (pair, 2 threads)");
        assert!((found[0].modes.high / found[0].modes.low - 3.0).abs() < 1e-9);
        assert_eq!((found[0].modes.in_low, found[0].modes.in_high), (7, 5));
    }
}

//! From a run to its result.

use locktoll_lab::cell::Cell;
use locktoll_lab::clock::ClockCard;
use locktoll_lab::contender;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::runner::{CellSummary, Measured};

use super::{BenchNoise, BenchResult, SameLockTwice};

/// A FIFO spin lock with more threads than CPUs takes about half a scheduling round of all its threads for a hand-off, that is,
/// tens of milliseconds. Slices of this length contain a good number of hand-offs.
const LONG_ENOUGH_NS: u64 = 2_000_000_000;

impl BenchResult {
    /// Sums up a run.
    pub fn new(
        cells: &[Cell],
        measured: &Measured,
        repeat: u32,
        machine: Machine,
        clock: ClockCard,
        mut seen: Noise,
    ) -> Self {
        seen.warnings
            .extend(few_hand_overs(cells, machine.usable_cpus.len()));
        seen.warnings.extend(empty_loop_failed(measured, repeat));
        let same_lock_twice = measured
            .same_again
            .iter()
            .map(|(cell, ratio)| SameLockTwice {
                lock: cells[*cell].lock.clone(),
                threads: cells[*cell].threads,
                cell: *cell,
                ratio: *ratio,
            })
            .collect();
        Self {
            schema: "locktoll.bench/1".to_owned(),
            version: locktoll_terminal::version::version().to_owned(),
            made: None,
            machine,
            clock,
            noise: BenchNoise {
                seen,
                same_lock_twice,
                placement: measured.placement,
            },
            empty_loop_ns: measured.empty_loop_ns,
            work_loops_per_ns: cells.first().map(|cell| cell.calibration.loops_per_ns),
            repeat,
            until: None,
            partial: measured.partial,
            cells: cells
                .iter()
                .zip(&measured.samples)
                .enumerate()
                .map(|(index, (cell, samples))| {
                    CellSummary::at(measured.look(index), cell, samples)
                })
                .collect(),
        }
    }
}

/// Returns the warning about times of one thread if the loop that should be subtracted was not measured.
fn empty_loop_failed(measured: &Measured, repeat: u32) -> Option<String> {
    let (rounds, why) = measured.empty_loop_failed.as_ref()?;
    Some(format!(
        "the empty loop gave no figure in {rounds} of {repeat} rounds ({why}): times with 1 thread are gross there"
    ))
}

/// Returns a warning that short slices contain only a few hand-offs of FIFO spin locks with more threads than CPUs.
fn few_hand_overs(cells: &[Cell], cpus: usize) -> Option<String> {
    use locktoll_lab::cell::Length;
    let mut names: Vec<&str> = cells
        .iter()
        .filter(|cell| cell.threads as usize > cpus)
        .filter(|cell| matches!(cell.length, Length::Time { ns } if ns < LONG_ENOUGH_NS))
        .filter(|cell| contender::find(&cell.lock).is_ok_and(|entry| entry.fifo_spinner))
        .map(|cell| cell.lock.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| {
        format!(
            "FIFO spin locks ({}) with more threads than CPUs hand over tens of times per second: slices \
             under 2 s see few of them (try --duration 2s)",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_lab::runner::SliceFailure;

    #[test]
    fn an_empty_loop_that_crashed_is_a_warning() {
        let crashed = |rounds| Measured {
            samples: Vec::new(),
            empty_loop_ns: None,
            empty_loop_failed: rounds,
            same_again: Vec::new(),
            placement: None,
            looks: Vec::new(),
            partial: false,
        };
        assert_eq!(empty_loop_failed(&crashed(None), 7), None);
        let died = SliceFailure::Died("was ended by SIGSEGV".to_owned());
        let warning = empty_loop_failed(&crashed(Some((2, died))), 7).unwrap();
        assert_eq!(
            warning,
            "the empty loop gave no figure in 2 of 7 rounds (the measuring process was ended by SIGSEGV): times with 1 thread \
             are gross there"
        );
    }
}

//! The interleaved rounds.

use crate::cell::{Cell, Length, Part, Slice};
use crate::contender;
use crate::stats::{Estimate, estimate, ratio_of_pairs};
use crate::workload::Random;

use super::{Executor, Samples, SliceFailure, Watcher};

/// The empty loop needs no longer than this.
const EMPTY_LOOP_NS: u64 = 50_000_000;

/// What all rounds gave.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The samples of each cell, in the order of the cells.
    pub samples: Vec<Samples>,
    /// The loop without a lock and with nothing inside, in nanoseconds a round of the loop.
    pub empty_loop_ns: Option<Estimate>,
    /// Rounds in which that loop gave no figure, and why the last of them did not. From a time with one thread nothing is
    /// subtracted there.
    pub empty_loop_failed: Option<(u32, SliceFailure)>,
    /// The A/A pair: the same cell run a second time in every round, its time over that of the
    /// first (with the index of the cell). What equal things differ by, on this machine, today.
    pub same_again: Vec<(usize, Estimate)>,
    /// True when the user stopped before the last round.
    pub partial: bool,
}

/// One slice to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Cell(usize, Part),
    /// The second run of a cell, for the A/A pair.
    Again(usize, Part),
}

/// Slices of a whole run of [`measure`], for a progress bar.
pub fn count_slices(cells: &[Cell], repeat: u32) -> usize {
    count_slices_again(cells, &first_lock_again(cells), repeat)
}

/// Slices of a whole run of [`measure_again`].
pub fn count_slices_again(cells: &[Cell], again: &[(usize, Part)], repeat: u32) -> usize {
    (steps(cells, again).len() + 1) * repeat as usize
}

/// Slices of a whole run of [`measure_part`].
pub fn count_slices_of_part(cells: &[Cell], part: Part, repeat: u32) -> usize {
    (steps_of_part(cells, part).len() + 1) * repeat as usize
}

/// Runs all cells `repeat` times: in every round each cell once for throughput and once for
/// waiting, in an order drawn anew, so that whatever drifts on the machine hits all alike. Where
/// locks are compared, the first one is measured twice in every setting: the A/A pair.
pub fn measure(
    cells: &[Cell],
    repeat: u32,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    measure_again(cells, &first_lock_again(cells), repeat, executor, watcher)
}

/// As [`measure`], with A/A pairs of the caller's choice: each part of a cell in `again` (its index)
/// is run a second time in every round.
pub fn measure_again(
    cells: &[Cell],
    again: &[(usize, Part)],
    repeat: u32,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    play(cells, steps(cells, again), repeat, executor, watcher)
}

/// As [`measure`], of one part alone: the slices of the other are not run. The first lock's throughput is
/// measured twice likewise.
pub fn measure_part(
    cells: &[Cell],
    part: Part,
    repeat: u32,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    play(cells, steps_of_part(cells, part), repeat, executor, watcher)
}

/// Plays `steps` once in every round, in an order drawn anew.
fn play(
    cells: &[Cell],
    mut steps: Vec<Step>,
    repeat: u32,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    let mut samples = vec![Samples::default(); cells.len()];
    let mut empty_loops = Vec::new();
    let mut empty_loop_failed = None;
    let mut random = Random::new(repeat);
    let total = (steps.len() + 1) * repeat as usize;
    let mut done = 0;
    let mut partial = false;
    let Some(first) = cells.first() else {
        return Measured {
            samples,
            empty_loop_ns: None,
            empty_loop_failed,
            same_again: Vec::new(),
            partial,
        };
    };
    let empty = empty_loop_of(first);

    'rounds: for round in 0..repeat as usize {
        if watcher.interrupted() {
            partial = true;
            break;
        }
        watcher.next(done, total, &empty);
        let empty_ns = match executor.run(&empty) {
            Ok(slice) => slice.ns_per_op(),
            Err(SliceFailure::Interrupted) => {
                partial = true;
                break;
            }
            Err(failure) => {
                let before = empty_loop_failed.map_or(0, |(rounds, _)| rounds);
                empty_loop_failed = Some((before + 1, failure));
                None
            }
        };
        empty_loops.extend(empty_ns);
        done += 1;
        random.shuffle(&mut steps);
        for step in &steps {
            let (index, part) = match *step {
                Step::Cell(index, part) | Step::Again(index, part) => (index, part),
            };
            let cell = Cell {
                part,
                round: round as u32,
                length: length_of(part, cells[index].length),
                ..cells[index].clone()
            };
            watcher.next(done, total, &cell);
            done += 1;
            if samples[index].given_up(*step) {
                continue;
            }
            if watcher.interrupted() {
                partial = true;
                break 'rounds;
            }
            match (executor.run(&cell), step) {
                (Ok(slice), Step::Cell(_, Part::Throughput)) => {
                    samples[index].throughput.push((slice, empty_ns));
                }
                (Ok(slice), Step::Cell(_, Part::Waiting)) => samples[index].waiting.push(slice),
                (Ok(slice), Step::Again(_, Part::Throughput)) => samples[index].again.push(slice),
                (Ok(slice), Step::Again(_, Part::Waiting)) => {
                    samples[index].again_waiting.push(slice);
                }
                (Err(SliceFailure::Interrupted), _) => {
                    partial = true;
                    break 'rounds;
                }
                (Err(failure), _) => samples[index].failure = Some(failure),
            }
        }
    }
    watcher.next(done.min(total), total, first);

    let same_again = samples
        .iter()
        .enumerate()
        .filter_map(|(index, cell)| {
            let ns = |slice: &Slice| slice.ns_per_op().unwrap_or(f64::NAN);
            let pairs: Vec<(f64, f64)> = (cell.throughput.iter().zip(&cell.again))
                .map(|((first, _), second)| (ns(first), ns(second)))
                .collect();
            Some((index, ratio_of_pairs(&pairs)?))
        })
        .collect();
    Measured {
        samples,
        empty_loop_ns: estimate(&empty_loops),
        empty_loop_failed,
        same_again,
        partial,
    }
}

/// The slices of one round.
fn steps(cells: &[Cell], again: &[(usize, Part)]) -> Vec<Step> {
    let mut steps = Vec::new();
    for index in 0..cells.len() {
        steps.push(Step::Cell(index, Part::Throughput));
        steps.push(Step::Cell(index, Part::Waiting));
        let twice = again.iter().filter(|(of, _)| *of == index);
        steps.extend(twice.map(|&(index, part)| Step::Again(index, part)));
    }
    steps
}

/// The slices of one round of one part. Of waiting there is no A/A pair: nobody compares it by rounds.
fn steps_of_part(cells: &[Cell], part: Part) -> Vec<Step> {
    let again = first_lock_again(cells).into_iter();
    let again = again.filter(|(_, of)| *of == part);
    let each = (0..cells.len()).map(|index| Step::Cell(index, part));
    each.chain(again.map(|(index, part)| Step::Again(index, part)))
        .collect()
}

/// The first lock of every setting, where locks are compared at all.
fn first_lock_again(cells: &[Cell]) -> Vec<(usize, Part)> {
    let compared = cells.iter().any(|cell| cell.lock != cells[0].lock);
    let first = |index: &usize| compared && cells[*index].lock == cells[0].lock;
    let indices = (0..cells.len()).filter(first);
    indices.map(|index| (index, Part::Throughput)).collect()
}

/// Waiting slices last half as long: their quantiles settle sooner than a mean does.
fn length_of(part: Part, length: Length) -> Length {
    match (part, length) {
        (Part::Waiting, Length::Time { ns }) => Length::Time { ns: ns / 2 },
        _ => length,
    }
}

/// The loop of `cell` with no lock, nothing inside and one thread.
fn empty_loop_of(cell: &Cell) -> Cell {
    let ns = match cell.length {
        Length::Time { ns } => ns.min(EMPTY_LOOP_NS),
        Length::Rounds { .. } => EMPTY_LOOP_NS,
    };
    Cell {
        cpus: cell.cpus.first().copied().into_iter().collect(),
        ..Cell::at_rest(contender::NONE, Length::Time { ns }, cell.calibration)
    }
}

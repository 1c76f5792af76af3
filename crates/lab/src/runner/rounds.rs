//! The interleaved rounds.

use crate::cell::{Cell, Length, Part, Slice};
use crate::contender;
use crate::random::Random;
use crate::stats::{Estimate, Look, PlacementShare, estimate, ratio_of_pairs};

use super::placement::{self, Draws};
use super::{Executor, Samples, SliceFailure, Watcher};

/// Longest time for which the empty loop runs.
const EMPTY_LOOP_NS: u64 = 50_000_000;

/// Cells hidden in the noise of the empty loop get more rounds, up to this many times those of the others.
pub const MOST_ROUNDS: u32 = 4;

/// The results of all rounds.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The samples of each cell, in the order of the cells.
    pub samples: Vec<Samples>,
    /// The loop without a lock and with nothing inside, in nanoseconds per round of the loop.
    pub empty_loop_ns: Option<Estimate>,
    /// The number of rounds in which that loop gave no figure, and the last failure. In those rounds, nothing is subtracted from
    /// a time with one thread.
    pub empty_loop_failed: Option<(u32, SliceFailure)>,
    /// The A/A pair: the same cell is run a second time in every round; its time over that of the first run (with the index of
    /// the cell). It shows by how much equal things differ, on this machine, today.
    pub same_again: Vec<(usize, Estimate)>,
    /// How much of the variance between slices comes from where lock, data and threads lie.
    pub placement: Option<PlacementShare>,
    /// At which look at its rounds each cell was done: it says how strict the intervals are. Empty if there was only one look.
    pub looks: Vec<Look>,
    /// True if the user stopped before the last round.
    pub partial: bool,
}

impl Measured {
    /// Returns the look at which the cell with this index was done.
    pub fn look(&self, index: usize) -> Look {
        self.looks.get(index).copied().unwrap_or_default()
    }
}

/// One slice to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Cell(usize, Part),
    /// The second run of a cell, for the A/A pair.
    Again(usize, Part),
}

/// Counts the slices of a whole run of [`measure`], for a progress bar.
pub fn count_slices(cells: &[Cell], repeat: u32) -> usize {
    count_slices_again(cells, &first_lock_again(cells), repeat)
}

/// Counts the slices of a whole run of [`measure_again`].
pub fn count_slices_again(cells: &[Cell], again: &[(usize, Part)], repeat: u32) -> usize {
    (steps(cells, again).len() + 1) * repeat as usize
}

/// Counts the slices of a whole run of [`measure_part`].
pub fn count_slices_of_part(cells: &[Cell], part: Part, repeat: u32) -> usize {
    (steps_of_part(cells, part).len() + 1) * repeat as usize
}

/// Runs all cells `repeat` times. In every round, each cell runs once for throughput and once for waiting, in a new random order,
/// so that any drift of the machine affects all cells alike. Where locks are compared, the first one is measured twice in every
/// setting: the A/A pair. A cell with one thread that takes no longer than the empty loop then runs again, up to [`MOST_ROUNDS`]
/// times as often as the others.
pub fn measure(
    cells: &[Cell],
    repeat: u32,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    measure_again(cells, &first_lock_again(cells), repeat, executor, watcher)
}

/// Measures as [`measure`] does, with A/A pairs of the caller's choice: each part of a cell in `again` (its index) runs a second
/// time in every round.
pub fn measure_again(
    cells: &[Cell],
    again: &[(usize, Part)],
    repeat: u32,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    let batch = Batch::first(None, repeat);
    batch.play_steps(cells, steps(cells, again), executor, watcher)
}

/// Measures only one part as [`measure`] does: the slices of the other part are not run. The first lock's throughput is also
/// measured twice.
pub fn measure_part(
    cells: &[Cell],
    part: Part,
    repeat: u32,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    Batch::first(Some(part), repeat).play(cells, executor, watcher)
}

/// Rounds that are run together.
#[derive(Clone, Copy)]
pub(super) struct Batch {
    /// The only part to run; `None` means both.
    pub(super) part: Option<Part>,
    /// The number of the first round: random schedules and delays differ from round to round.
    pub(super) first_round: u32,
    /// The number of rounds.
    pub(super) repeat: u32,
    /// Whether the cells that the noise hides get no additional rounds.
    pub(super) only_these_rounds: bool,
}

impl Batch {
    fn first(part: Option<Part>, repeat: u32) -> Self {
        Self {
            part,
            first_round: 0,
            repeat,
            only_these_rounds: false,
        }
    }

    /// Runs all cells, the first lock of each setting twice.
    pub(super) fn play(
        self,
        cells: &[Cell],
        executor: &mut dyn Executor,
        watcher: &mut dyn Watcher,
    ) -> Measured {
        let steps = match self.part {
            None => steps(cells, &first_lock_again(cells)),
            Some(part) => steps_of_part(cells, part),
        };
        self.play_steps(cells, steps, executor, watcher)
    }

    /// Runs `steps` once in every round, in a new random order. Then runs the cells that the noise hides again, as often as
    /// [`MOST_ROUNDS`] allows.
    fn play_steps(
        self,
        cells: &[Cell],
        mut steps: Vec<Step>,
        executor: &mut dyn Executor,
        watcher: &mut dyn Watcher,
    ) -> Measured {
        let repeat = self.repeat;
        let Some(first) = cells.first() else {
            return Measured::default();
        };
        let mut random = Random::new(self.first_round + repeat);
        let mut run = Run {
            cells,
            empty: empty_loop_of(first),
            draws: Draws::new(),
            samples: vec![Samples::default(); cells.len()],
            empty_loops: Vec::new(),
            empty_loop_failed: None,
            done: 0,
            total: (steps.len() + 1) * repeat as usize,
            executor,
            watcher,
        };
        let mut partial = false;
        let most = match self.only_these_rounds {
            true => 1,
            false => MOST_ROUNDS,
        };
        for round in 0..most * repeat {
            if round >= repeat {
                steps = run.lost_in_noise();
                run.total += steps.len() + 1;
            }
            if steps.is_empty() {
                run.total -= 1;
                break;
            }
            random.shuffle(&mut steps);
            if run.round(self.first_round + round, &steps).is_err() {
                partial = true;
                break;
            }
        }
        run.watcher.next(run.done.min(run.total), run.total, first);
        let mut measured = Measured {
            empty_loop_ns: estimate(&run.empty_loops),
            empty_loop_failed: run.empty_loop_failed,
            samples: run.samples,
            partial,
            ..Measured::default()
        };
        again_and_placement(&mut measured);
        measured
    }
}

/// Compares the second runs of a cell with the first ones.
pub(super) fn again_and_placement(measured: &mut Measured) {
    measured.same_again = ratios_of_pairs(&measured.samples);
    measured.placement = placement::share(&measured.samples);
}

/// A run of rounds.
struct Run<'a> {
    cells: &'a [Cell],
    /// The loop without a lock, which starts each round.
    empty: Cell,
    draws: Draws,
    samples: Vec<Samples>,
    empty_loops: Vec<f64>,
    empty_loop_failed: Option<(u32, SliceFailure)>,
    done: usize,
    total: usize,
    executor: &'a mut dyn Executor,
    watcher: &'a mut dyn Watcher,
}

/// The user wants to stop.
struct Interrupted;

impl Run<'_> {
    /// Runs the empty loop, then `steps`.
    fn round(&mut self, round: u32, steps: &[Step]) -> Result<(), Interrupted> {
        self.empty.placement = self.draws.of_empty_loop(round);
        let empty_ns = self.empty_loop()?;
        for &step in steps {
            let (index, part) = match step {
                Step::Cell(index, part) | Step::Again(index, part) => (index, part),
            };
            let cell = Cell {
                part,
                round,
                placement: self.draws.of(step, round),
                ..self.cells[index].clone().with(|knobs| {
                    knobs.length = length_of(part, self.cells[index].length);
                })
            };
            self.watcher.next(self.done, self.total, &cell);
            self.done += 1;
            if self.samples[index].given_up(step) {
                continue;
            }
            if self.watcher.interrupted() {
                return Err(Interrupted);
            }
            match self.executor.run(&cell) {
                Ok(slice) => {
                    let slice = Slice {
                        placement: cell.placement,
                        ..slice
                    };
                    keep(&mut self.samples[index], step, slice, empty_ns);
                }
                Err(SliceFailure::Interrupted) => return Err(Interrupted),
                Err(failure) => self.samples[index].failure = Some(failure),
            }
        }
        Ok(())
    }

    /// Runs the empty loop; returns its time, if it gave a figure.
    fn empty_loop(&mut self) -> Result<Option<f64>, Interrupted> {
        if self.watcher.interrupted() {
            return Err(Interrupted);
        }
        self.watcher.next(self.done, self.total, &self.empty);
        let empty_ns = match self.executor.run(&self.empty) {
            Ok(slice) => slice.ns_per_op(),
            Err(SliceFailure::Interrupted) => return Err(Interrupted),
            Err(failure) => {
                let before = self.empty_loop_failed.take().map_or(0, |it| it.0);
                self.empty_loop_failed = Some((before + 1, failure));
                None
            }
        };
        self.empty_loops.extend(empty_ns);
        self.done += 1;
        Ok(empty_ns)
    }

    /// Returns the throughput steps of the cells that, by the samples so far, take no longer than the empty loop.
    fn lost_in_noise(&self) -> Vec<Step> {
        let cells = self.cells.iter().zip(&self.samples).enumerate();
        let lost = cells.filter(|(_, (cell, samples))| {
            let step = Step::Cell(0, Part::Throughput);
            !samples.given_up(step) && samples.is_lost_in_noise(cell.threads)
        });
        lost.map(|(index, _)| Step::Cell(index, Part::Throughput))
            .collect()
    }
}

/// Adds a slice to those of its step. `empty_ns` is the time of the empty loop in the same round.
fn keep(samples: &mut Samples, step: Step, slice: Slice, empty_ns: Option<f64>) {
    match step {
        Step::Cell(_, Part::Throughput) => samples.throughput.push((slice, empty_ns)),
        Step::Cell(_, Part::Waiting) => samples.waiting.push(slice),
        Step::Again(_, Part::Throughput) => samples.again.push(slice),
        Step::Again(_, Part::Waiting) => samples.again_waiting.push(slice),
    }
}

/// Returns the A/A pairs: each cell that ran twice in every round, with the time of the second run over that of the first.
fn ratios_of_pairs(samples: &[Samples]) -> Vec<(usize, Estimate)> {
    samples
        .iter()
        .enumerate()
        .filter_map(|(index, cell)| {
            let ns = |slice: &Slice| slice.ns_per_op().unwrap_or(f64::NAN);
            let pairs: Vec<(f64, f64)> = (cell.throughput.iter().zip(&cell.again))
                .map(|((first, _), second)| (ns(first), ns(second)))
                .collect();
            Some((index, ratio_of_pairs(&pairs)?))
        })
        .collect()
}

/// Returns the slices of one round.
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

/// Returns the slices of one round for one part. Waiting has no A/A pair: it is not compared by rounds.
fn steps_of_part(cells: &[Cell], part: Part) -> Vec<Step> {
    let again = first_lock_again(cells).into_iter();
    let again = again.filter(|(_, of)| *of == part);
    let each = (0..cells.len()).map(|index| Step::Cell(index, part));
    each.chain(again.map(|(index, part)| Step::Again(index, part)))
        .collect()
}

/// Returns the first lock of every setting, if locks are compared at all.
fn first_lock_again(cells: &[Cell]) -> Vec<(usize, Part)> {
    let compared = cells.iter().any(|cell| cell.lock != cells[0].lock);
    let first = |index: &usize| compared && cells[*index].lock == cells[0].lock;
    let indices = (0..cells.len()).filter(first);
    indices.map(|index| (index, Part::Throughput)).collect()
}

/// Returns the length of a slice. Waiting slices last half as long: their quantiles settle sooner than a mean does.
fn length_of(part: Part, length: Length) -> Length {
    match (part, length) {
        (Part::Waiting, Length::Time { ns }) => Length::Time { ns: ns / 2 },
        _ => length,
    }
}

/// Makes the loop of `cell` with no lock, nothing inside and one thread.
fn empty_loop_of(cell: &Cell) -> Cell {
    let ns = match cell.length {
        Length::Time { ns } => ns.min(EMPTY_LOOP_NS),
        Length::Rounds { .. } => EMPTY_LOOP_NS,
    };
    Cell::at_rest(contender::NONE, Length::Time { ns }, cell.calibration).with(|knobs| {
        knobs.cpus = cell.cpus.first().copied().into_iter().collect();
    })
}

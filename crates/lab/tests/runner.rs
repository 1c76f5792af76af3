//! The runner over a table of numbers in the place of a machine.

use locktoll_lab::cell::{Arrival, Calibration, Cell, CutOff, Length, Part, Slice, SwitchesAndCpu};
use locktoll_lab::contender::NONE;
use locktoll_lab::machine::Machine;
use locktoll_lab::plan::Experiment;
use locktoll_lab::runner::{
    CellSummary, Executor, SliceFailure, Watcher, count_slices, count_slices_again,
    count_slices_of_part, measure, measure_again, measure_part,
};
use locktoll_lab::stats::Histogram;
use locktoll_lab::workload::Kind;

fn experiment(locks: &[&str], threads: &[u32]) -> Experiment {
    Experiment {
        repeat: 7,
        ..Experiment::at_rest(locks, Kind::List, threads, 100_000_000)
    }
}

fn cells(experiment: &Experiment) -> Vec<Cell> {
    let calibration = Calibration { loops_per_ns: 1.0 };
    experiment.cells(calibration, &Machine::observe().topology)
}

/// Answers with known figures and keeps the order in which it was asked.
#[derive(Default)]
struct Table {
    asked: Vec<(String, u32, Part)>,
    fails: Option<&'static str>,
    cuts_off: Option<&'static str>,
    /// Rounds at the beginning in which something hinders the empty loop.
    hindered: usize,
}

impl Executor for Table {
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
        self.asked
            .push((cell.lock.clone(), cell.threads, cell.part));
        if self.fails == Some(cell.lock.as_str()) {
            return Err(SliceFailure::Refused("no such call".to_owned()));
        }
        let each = match cell.lock.as_str() {
            NONE if self.empty_loops() <= self.hindered => 4_000_000,
            NONE => 100_000_000,
            "pthread" => 5_000_000,
            // Faster than the empty loop.
            "tas" => 200_000_000,
            _ => 2_500_000,
        };
        let mut acquire = Histogram::new();
        acquire.record(64);
        Ok(Slice {
            wall_ns: 100_000_000,
            operations: vec![each / u64::from(cell.threads); cell.threads as usize],
            resources: Some(SwitchesAndCpu {
                operations: each,
                user_ns: Some(100_000_000),
                system_ns: Some(0),
                voluntary_switches: Some(each / 1000),
                involuntary_switches: Some(0),
            }),
            acquire: (cell.part == Part::Waiting).then_some(acquire),
            longest_run: (cell.part == Part::Waiting).then_some(5),
            cut_off: (self.cuts_off == Some(cell.lock.as_str())).then_some(CutOff {
                threads: 1,
                waited_ns: 2_000_000_000,
            }),
            ..Slice::default()
        })
    }
}

impl Table {
    fn empty_loops(&self) -> usize {
        let asked = self.asked.iter();
        asked.filter(|(lock, ..)| lock == NONE).count()
    }
}

/// Stops after a number of slices.
struct Patience(usize);

impl Watcher for Patience {
    fn next(&mut self, _done: usize, _total: usize, _cell: &Cell) {
        self.0 = self.0.saturating_sub(1);
    }

    fn interrupted(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn every_round_visits_every_cell_once_for_each_part() {
    let experiment = experiment(&["pthread", "std"], &[1, 4]);
    let cells = cells(&experiment);
    let mut table = Table::default();
    let measured = measure(&cells, 7, &mut table, &mut Patience(usize::MAX));
    assert!(!measured.partial);
    // Empty loop, four cells twice, and the first lock once more at each setting.
    let a_round = 1 + 4 * 2 + 2;
    assert_eq!(table.asked.len(), 7 * a_round);
    assert_eq!(count_slices(&cells, 7), 7 * a_round);
    for round in table.asked.chunks(a_round) {
        assert_eq!(round[0].0, NONE, "the empty loop belongs to each round");
        for lock in ["pthread", "std"] {
            let waiting = (lock.to_owned(), 4, Part::Waiting);
            assert_eq!(round.iter().filter(|slice| **slice == waiting).count(), 1);
        }
    }
    let orders: Vec<_> = table.asked.chunks(a_round).collect();
    assert!(orders.windows(2).any(|two| two[0] != two[1]), "drawn anew");
}

#[test]
fn a_part_alone_runs_no_slice_of_the_other() {
    let experiment = experiment(&["pthread", "std"], &[1, 4]);
    let cells = cells(&experiment);
    // Empty loop, four cells, and of throughput the first lock once more at each setting.
    for (part, a_round) in [(Part::Throughput, 1 + 4 + 2), (Part::Waiting, 1 + 4)] {
        let mut table = Table::default();
        let measured = measure_part(&cells, part, 7, &mut table, &mut Patience(usize::MAX));
        assert_eq!(table.asked.len(), 7 * a_round);
        assert_eq!(count_slices_of_part(&cells, part, 7), 7 * a_round);
        let locks = table.asked.iter().filter(|(lock, ..)| lock != NONE);
        assert!(locks.clone().all(|(_, _, of)| *of == part));
        for samples in &measured.samples {
            let rounds = (samples.throughput.len(), samples.waiting.len());
            let expected = if part == Part::Waiting {
                (0, 7)
            } else {
                (7, 0)
            };
            assert_eq!(rounds, expected);
        }
        let pairs = if part == Part::Waiting { 0 } else { 2 };
        assert_eq!(measured.same_again.len(), pairs);
    }
}

#[test]
fn the_empty_loop_is_subtracted_with_one_thread_and_only_then() {
    let experiment = experiment(&["pthread"], &[1, 4]);
    let cells = cells(&experiment);
    let measured = measure(&cells, 7, &mut Table::default(), &mut Patience(usize::MAX));
    let of = |index: usize| CellSummary::of(&cells[index], &measured.samples[index]);
    // 100 ms over 5 million operations, and an empty loop of 1 ns.
    assert_eq!(of(0).ns_per_op.unwrap().median, 19.0);
    assert_eq!(of(0).empty_loop_ns, 1.0);
    assert_eq!(of(1).ns_per_op.unwrap().median, 20.0);
    assert_eq!(of(1).empty_loop_ns, 0.0);
    assert_eq!(of(1).fairness.unwrap().jain.unwrap().median, 1.0);
    assert_eq!(of(1).voluntary_switches_per_op.unwrap().median, 0.001);
    assert_eq!(of(1).operations, 7 * 5_000_000);
}

#[test]
fn a_lock_that_takes_no_longer_than_the_empty_loop_has_no_figure() {
    let cells = cells(&experiment(&["tas"], &[1, 2]));
    let measured = measure(&cells, 7, &mut Table::default(), &mut Patience(usize::MAX));
    let of = |index: usize| CellSummary::of(&cells[index], &measured.samples[index]);
    assert_eq!(of(0).ns_per_op, None, "zero would be a price");
    assert!(of(1).ns_per_op.is_some_and(|ns| ns.median > 0.0));
}

#[test]
fn a_cell_that_the_noise_hides_gets_further_rounds_and_no_other_does() {
    // The empty loop takes 25 ns in the first rounds and then 1 ns; the locks, 20 and 40.
    let cells = cells(&experiment(&["pthread", "std"], &[1, 4]));
    let hidden = |hindered| {
        let mut table = Table {
            hindered,
            ..Table::default()
        };
        let measured = measure(&cells, 7, &mut table, &mut Patience(usize::MAX));
        let rounds: Vec<usize> = measured
            .samples
            .iter()
            .map(|it| it.throughput.len())
            .collect();
        let waiting: Vec<usize> = measured.samples.iter().map(|it| it.waiting.len()).collect();
        assert_eq!(waiting, [7; 4]);
        let price = CellSummary::of(&cells[0], &measured.samples[0]).ns_per_op;
        (rounds, table.empty_loops(), price.map(|it| it.median))
    };
    // As many again as it takes until no more of them hide it than show it: 0 ns five times, and 19 ns.
    assert_eq!(hidden(5), (vec![10, 7, 7, 7], 10, Some(9.5)));
    assert_eq!(hidden(100), (vec![28, 7, 7, 7], 28, None));
    assert_eq!(hidden(0), (vec![7; 4], 7, Some(19.0)));
}

#[test]
fn rounds_say_nothing_of_fairness_and_tell_when_they_were_not_done() {
    let rounds = |each| {
        experiment(&["pthread"], &[4]).turned(|knobs| knobs.length = Length::Rounds { each })
    };
    // The table answers with a quarter of 5 million operations for each of four threads.
    for (each, done) in [(1_250_000, true), (2_000_000, false)] {
        let cells = cells(&rounds(each));
        let measured = measure(&cells, 3, &mut Table::default(), &mut Patience(usize::MAX));
        let summary = CellSummary::of(&cells[0], &measured.samples[0]);
        let fairness = summary.fairness.expect("the order of owners was watched");
        assert!(fairness.jain.is_none() && fairness.min_over_max.is_none());
        assert_eq!(fairness.longest_run, Some(5));
        assert_eq!(summary.failure.is_none(), done);
        assert_eq!(summary.ns_per_op.unwrap().n, 3);
    }
}

#[test]
fn equal_things_are_compared_with_themselves() {
    let experiment = experiment(&["pthread", "std"], &[2]);
    let cells = cells(&experiment);
    let measured = measure(&cells, 7, &mut Table::default(), &mut Patience(usize::MAX));
    let [(index, ratio)] = measured.same_again[..] else {
        panic!("one A/A pair: {:?}", measured.same_again);
    };
    assert_eq!(cells[index].lock, "pthread");
    assert_eq!(
        (ratio.low, ratio.median, ratio.high, ratio.n),
        (1.0, 1.0, 1.0, 7)
    );
}

#[test]
fn what_the_caller_wants_twice_is_run_twice_in_every_round() {
    // One lock: nothing is repeated unasked.
    let cells = cells(&experiment(&["pthread"], &[2, 4]));
    let again = [(1, Part::Waiting), (0, Part::Throughput)];
    let mut table = Table::default();
    let measured = measure_again(&cells, &again, 7, &mut table, &mut Patience(usize::MAX));
    assert_eq!(table.asked.len(), count_slices_again(&cells, &again, 7));
    assert_eq!(table.asked.len(), count_slices(&cells, 7) + 2 * 7);
    let counts = |index: usize| {
        let samples = &measured.samples[index];
        (samples.again.len(), samples.again_waiting.len())
    };
    assert_eq!((counts(0), counts(1)), ((7, 0), (0, 7)));
}

#[test]
fn a_cell_that_fails_is_given_up_and_still_reported() {
    let experiment = experiment(&["pthread", "std"], &[2]);
    let cells = cells(&experiment);
    for cut in [false, true] {
        let mut table = Table {
            fails: (!cut).then_some("std"),
            cuts_off: cut.then_some("std"),
            ..Table::default()
        };
        let measured = measure(&cells, 7, &mut table, &mut Patience(usize::MAX));
        let tries = |part| {
            let asked = table.asked.iter();
            asked
                .filter(|slice| slice.0 == "std" && slice.2 == part)
                .count()
        };
        let (counted, timed) = (tries(Part::Throughput), tries(Part::Waiting));
        if cut {
            assert_eq!((counted, timed), (1, 1), "one slice of each shows it");
        } else {
            assert_eq!(counted + timed, 1, "one slice shows it");
        }
        let of = |index: usize| CellSummary::of(&cells[index], &measured.samples[index]);
        assert_eq!(of(0).ns_per_op.unwrap().n, 7, "the others go on");
        assert_eq!(of(1).failure.is_some(), !cut);
        assert_eq!(of(1).cut_off.is_some(), cut);
        let figures = of(1).ns_per_op.is_some() && of(1).acquire_ns.is_some();
        assert_eq!(figures, cut, "those until it was cut off");
    }
}

#[test]
fn a_slice_without_operations_is_not_dropped() {
    let experiment = experiment(&["pthread"], &[4]);
    let cells = cells(&experiment);
    let mut measured = measure(&cells, 7, &mut Table::default(), &mut Patience(usize::MAX));
    for (slice, _) in &mut measured.samples[0].throughput[..4] {
        slice.operations = vec![0; 4];
    }
    let summary = CellSummary::of(&cells[0], &measured.samples[0]);
    assert_eq!(summary.idle_slices, 4);
    let op = summary.ns_per_op.unwrap();
    // Four of seven: the median is such a slice, and is said to take at least its whole length.
    assert_eq!((op.n, op.median), (7, 1e8));
    assert_eq!(summary.ops_per_second.unwrap().median, 0.0);
}

/// Well the first time it is asked for a throughput slice in a round, cut off the second time.
struct SecondTimeStuck {
    inner: Table,
    asked: usize,
}

impl Executor for SecondTimeStuck {
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
        let pair = cell.lock == "pthread" && cell.part == Part::Throughput;
        self.asked += usize::from(pair);
        self.inner.cuts_off = (pair && self.asked == 2).then_some("pthread");
        self.inner.run(cell)
    }
}

#[test]
fn what_the_second_of_a_pair_shows_is_kept() {
    let cells = cells(&experiment(&["pthread", "std"], &[2]));
    let mut stuck = SecondTimeStuck {
        inner: Table::default(),
        asked: 0,
    };
    let measured = measure(&cells, 7, &mut stuck, &mut Patience(usize::MAX));
    assert_eq!(stuck.asked, 2, "it is not tried again");
    let summary = CellSummary::of(&cells[0], &measured.samples[0]);
    assert!(summary.cut_off.is_some());
}

/// Of one lock's throughput slices, the process of some crashes.
struct Crashing {
    inner: Table,
    lock: &'static str,
    asked: usize,
    crashes: std::ops::RangeInclusive<usize>,
}

impl Executor for Crashing {
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
        if cell.lock == self.lock && cell.part == Part::Throughput {
            self.asked += 1;
            if self.crashes.contains(&self.asked) {
                let how = "was ended by signal 11".to_owned();
                return Err(SliceFailure::Died(how));
            }
        }
        self.inner.run(cell)
    }
}

#[test]
fn a_crash_in_a_pair_is_told_in_its_row_beside_the_figures_until_then() {
    let cells = cells(&experiment(&["pthread", "std"], &[2]));
    let mut crashing = Crashing {
        inner: Table::default(),
        lock: "pthread",
        asked: 0,
        crashes: 4..=4,
    };
    let measured = measure(&cells, 7, &mut crashing, &mut Patience(usize::MAX));
    assert_eq!(crashing.asked, 4, "it is not tried again");
    let summary = CellSummary::of(&cells[0], &measured.samples[0]);
    assert!(summary.failure.unwrap().contains("signal 11"));
    // Either of the pair may have come first in its round.
    let samples = &measured.samples[0];
    assert_eq!(samples.throughput.len() + samples.again.len(), 3);
    assert_eq!(summary.ns_per_op.unwrap().n, samples.throughput.len());
    assert!(measured.empty_loop_failed.is_none());
}

#[test]
fn a_crash_of_the_empty_loop_is_counted_and_the_rest_goes_on() {
    let cells = cells(&experiment(&["pthread"], &[1]));
    let mut crashing = Crashing {
        inner: Table::default(),
        lock: NONE,
        asked: 0,
        crashes: 2..=3,
    };
    let measured = measure(&cells, 7, &mut crashing, &mut Patience(usize::MAX));
    let (rounds, why) = measured.empty_loop_failed.unwrap();
    assert_eq!(rounds, 2);
    assert!(why.to_string().contains("signal 11"), "{why}");
    assert_eq!(measured.empty_loop_ns.unwrap().n, 5);
    let summary = CellSummary::of(&cells[0], &measured.samples[0]);
    assert_eq!(summary.ns_per_op.unwrap().n, 7);
    assert_eq!(summary.failure, None);
}

#[test]
fn an_interruption_keeps_what_there_is() {
    let experiment = experiment(&["pthread", "std"], &[2]);
    let cells = cells(&experiment);
    let measured = measure(&cells, 7, &mut Table::default(), &mut Patience(20));
    assert!(measured.partial);
    let rounds = measured.samples[0].throughput.len();
    assert!((1..7).contains(&rounds), "{rounds}");
}

#[test]
fn a_cell_travels_as_json() {
    let experiment = experiment(&["pthread"], &[2]).turned(|knobs| {
        knobs.arrival = Arrival::Open { per_second: 0.1 };
        knobs.active = Some(3);
    });
    for cell in cells(&experiment) {
        let json = serde_json::to_string(&cell).unwrap();
        assert_eq!(serde_json::from_str::<Cell>(&json).unwrap(), cell);
    }
}

/// A lock of the system's own, which no `--spin` moves, and a slip of the finger on its name.
#[cfg(target_os = "linux")]
const OWN: &str = "pthread";
#[cfg(target_os = "linux")]
const SLIP: &str = "pthred";
#[cfg(windows)]
const OWN: &str = "srwlock";
#[cfg(windows)]
const SLIP: &str = "srwlok";

#[test]
fn what_cannot_run_is_refused_before_anything_starts() {
    let base = || experiment(&[OWN], &[2]);
    type Spoil = fn(&mut Experiment);
    let wrong: [(Spoil, &str); 25] = [
        (|e| e.locks.clear(), "--lock"),
        (|e| e.locks = vec![SLIP.into()], OWN),
        (
            |e| e.span("threads", &[], |knobs, threads| knobs.threads = *threads),
            "--threads",
        ),
        (|e| e.turn(|knobs| knobs.threads = 0), "1 to 10000"),
        (|e| e.turn(|knobs| knobs.threads = 10_001), "1 to 10000"),
        (|e| e.turn(|knobs| knobs.active = Some(0)), "--active 0"),
        (|e| e.turn(|knobs| knobs.hold_ns = u64::MAX), "--hold"),
        (|e| e.turn(|knobs| knobs.read_ratio = 1.1), "0 to 1"),
        (|e| e.turn(|knobs| knobs.read_ratio = f64::NAN), "0 to 1"),
        (|e| e.turn(|knobs| knobs.read_ratio = 0.5), "read-mostly"),
        (|e| e.turn(|knobs| knobs.stripes = 4), "hash-table"),
        (|e| e.turn(|knobs| knobs.align = 3), "--align 3"),
        (
            |e| e.turn(|knobs| knobs.spin = Some(3)),
            "--spin moves none",
        ),
        (
            |e| e.turn(|knobs| knobs.gate = Some(3)),
            "--gate moves none",
        ),
        (|e| e.repeat = 0, "--repeat 0"),
        (|e| e.turn(|knobs| knobs.nice = 20), "-20 to 19"),
        (
            |e| {
                e.turn(|knobs| knobs.nice = 5);
                e.turn(|knobs| knobs.background = true);
            },
            "leave out --nice",
        ),
        (
            |e| {
                e.span("depth", &[1, 0], |knobs, depth| knobs.depth = *depth);
                e.turn(|knobs| knobs.raise_while_holding = true);
            },
            "--depth 0",
        ),
        (
            |e| {
                e.span(
                    "workload",
                    &[Kind::Pair, Kind::ReadMostly],
                    |knobs, kind| knobs.workload = *kind,
                );
                e.turn(|knobs| knobs.raise_while_holding = true);
            },
            "read-mostly",
        ),
        (
            |e| {
                e.turn(|knobs| knobs.nice = -11);
                e.turn(|knobs| knobs.raise_while_holding = true);
            },
            "--nice -11",
        ),
        (
            |e| e.turn(|knobs| knobs.length = Length::Time { ns: 0 }),
            "--duration",
        ),
        (
            |e| e.turn(|knobs| knobs.length = Length::Rounds { each: 0 }),
            "--rounds",
        ),
        (
            |e| {
                e.turn(|knobs| knobs.workload = Kind::ProducerConsumer);
                e.turn(|knobs| knobs.threads = 1);
            },
            "at least 2",
        ),
        (
            |e| {
                e.turn(|knobs| knobs.workload = Kind::ProducerConsumer);
                e.turn(|knobs| knobs.threads = 3);
                e.turn(|knobs| knobs.length = Length::Rounds { each: 1000 });
            },
            "even number",
        ),
        (
            |e| {
                e.turn(|knobs| knobs.workload = Kind::ProducerConsumer);
                e.turn(|knobs| knobs.threads = 4);
                e.turn(|knobs| knobs.active = Some(1));
                e.turn(|knobs| knobs.length = Length::Rounds { each: 1000 });
            },
            "--active",
        ),
    ];
    base().check().expect("the base is fine");
    for (spoil, expected) in wrong {
        let mut spoiled = base();
        spoil(&mut spoiled);
        let invalid = spoiled.check().expect_err(expected);
        let text = invalid.text(|knob| format!("--{knob}"));
        assert!(text.contains(expected) && !text.contains('\n'), "{text}");
    }
}

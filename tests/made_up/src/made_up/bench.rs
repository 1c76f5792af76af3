//! Made-up runs of `bench`: curves as they are seen on real machines.

use locktoll_lab::cell::{Calibration, Cell, CutOff, Part, Slice, SwitchesAndCpu};
use locktoll_lab::contender::NONE;
use locktoll_lab::plan::Experiment;
use locktoll_lab::runner::{Executor, SliceFailure, Watcher, measure};
use locktoll_lab::stats::Histogram;
use locktoll_lab::workload::Kind;

use super::computer::{CPUS, clock, computer, made, noise};
use locktoll_results::bench::BenchResult;

/// Several threads a CPU, as the tour's second part.
pub fn contended() -> BenchResult {
    let locks = [
        "pthread",
        "std",
        "parking_lot",
        "futex3",
        "mcs-park",
        "ttas-backoff",
    ];
    run(&Experiment {
        repeat: 7,
        ..Experiment::at_rest(&locks, Kind::List, &[32], 120_000_000)
    })
}

pub(super) fn run(experiment: &Experiment) -> BenchResult {
    let machine = computer();
    let calibration = Calibration { loops_per_ns: 1.0 };
    let cells = experiment.cells(calibration, &machine.topology);
    let measured = measure(&cells, experiment.repeat, &mut Curves(0), &mut Patient);
    let mut result = BenchResult::new(
        &cells,
        &measured,
        experiment.repeat,
        machine,
        clock(),
        noise(),
    );
    // Not the version of the day, or the files change with every commit.
    result.version = "0.0.0".to_owned();
    result.made = Some(made());
    result
}

/// A lock's price alone, for each further thread, how many waits end in sleep, and how unequal it is.
fn character(lock: &str) -> (f64, f64, f64, f64) {
    match lock {
        "pthread" => (18.0, 9.0, 0.05, 0.3),
        "std" => (12.0, 7.0, 0.03, 0.4),
        "parking_lot" => (12.5, 8.0, 0.04, 0.25),
        "ttas-backoff" => (10.5, 3.0, 0.0, 0.9),
        "tas" => (10.4, 40.0, 0.0, 0.5),
        "ticket" => (11.0, 30.0, 0.0, 0.0),
        "mcs" => (17.0, 12.0, 0.0, 0.0),
        "mcs-park" => (20.0, 14.0, 0.3, 0.05),
        "futex3" => (12.0, 6.0, 0.06, 0.5),
        "eventfd" => (512.0, 700.0, 0.8, 0.1),
        "sysv-sem" => (606.0, 900.0, 1.0, 0.1),
        _ => (25.0, 10.0, 0.1, 0.2),
    }
}

/// Slices that depend on the cell and a little on the round.
struct Curves(u64);

impl Executor for Curves {
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
        self.0 += 1;
        if cell.lock == "flock" {
            return Err(SliceFailure::Refused("flock: no such file".to_owned()));
        }
        let (alone, more, sleeps, unequal) = character(&cell.lock);
        let threads = f64::from(cell.threads);
        let over = (threads / CPUS as f64).max(1.0);
        // FIFO spin locks with more threads than CPUs wait for threads that do not run.
        let stalled = if cell.lock == "ticket" && over > 1.0 {
            900.0 * over
        } else {
            1.0
        };
        let wobble = 1.0 + (self.0 * 7 % 11) as f64 / 150.0;
        let ns_per_op = match cell.lock.as_str() {
            NONE => 1.0,
            _ => (alone + more * (threads - 1.0).sqrt() * stalled) * f64::from(cell.depth.max(1)),
        } * wobble
            + cell.hold_ns as f64;
        let wall_ns = 200_000_000.0;
        let each = |thread: u32| {
            let lead = f64::from(thread) / threads.max(2.0);
            (wall_ns / ns_per_op / threads * (1.0 + unequal * (0.5 - lead))) as u64
        };
        let operations: Vec<u64> = (0..cell.threads).map(each).collect();
        let total: u64 = operations.iter().sum();
        let cut_off = cell.lock == "ticket" && cell.threads >= 64;
        let waiting = cell.part == Part::Waiting;
        let mut acquire = Histogram::new();
        for step in 0..2_000u32 {
            // Most are short; the tail grows with the threads and with how unequal the lock is.
            let rank = f64::from(step) / 2_000.0;
            let tail = rank + (0.05 + unequal) * 0.4 * rank / (1.0005 - rank);
            acquire.record((alone + ns_per_op * (threads - 1.0) * tail) as u64);
        }
        let slept = (total as f64 * sleeps * (1.0 - 1.0 / threads)) as u64;
        let running = threads.min(CPUS as f64) * (1.0 - 0.6 * sleeps.min(1.0));
        Ok(Slice {
            wall_ns: wall_ns as u64,
            operations,
            resources: (!cut_off).then_some(SwitchesAndCpu {
                operations: total,
                user_ns: Some((wall_ns * running * (1.0 - 0.5 * sleeps)) as u64),
                system_ns: Some((wall_ns * running * 0.5 * sleeps) as u64 + slept * 700),
                voluntary_switches: Some(slept),
                involuntary_switches: Some((over * 40.0) as u64),
            }),
            acquire: waiting.then_some(acquire),
            longest_run: (waiting && cell.threads > 1).then_some((1.0 + 400.0 * unequal) as u64),
            bystander_per_second: None,
            bystander_cpu_ns: None,
            cut_off: cut_off.then_some(CutOff {
                threads: 3,
                waited_ns: 2_040_000_000,
            }),
            placement: 0,
            exclusion_broken: None,
        })
    }
}

/// A user who waits for the end.
struct Patient;

impl Watcher for Patient {
    fn next(&mut self, _done: usize, _total: usize, _cell: &Cell) {}

    fn interrupted(&self) -> bool {
        false
    }
}

//! A runner with made-up figures that are the same every time, for snapshots of what people read.

use locktoll_lab::cell::{Calibration, Cell, CutOff, Part, Slice, SwitchesAndCpu};
use locktoll_lab::clock::{ClockCard, Source};
use locktoll_lab::contender::NONE;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::plan::Experiment;
use locktoll_lab::runner::{Executor, SliceFailure, Watcher, measure};
use locktoll_lab::stats::Histogram;
use locktoll_lab::workload::Kind;

use crate::made_up::computer::made;
use locktoll_results::bench::BenchResult;

/// An experiment with every knob at rest.
pub fn experiment(locks: &[&str], workload: Kind, threads: &[u32]) -> Experiment {
    Experiment {
        repeat: 7,
        ..Experiment::at_rest(locks, workload, threads, 200_000_000)
    }
}

/// Runs an experiment on made-up figures; `patience` is how many slices the user waits for.
pub fn run(experiment: &Experiment, patience: usize) -> BenchResult {
    let machine = machine();
    let calibration = Calibration { loops_per_ns: 1.0 };
    let cells = experiment.cells(calibration, &machine.topology);
    let mut user = User(patience);
    let measured = measure(&cells, experiment.repeat, &mut Figures(0), &mut user);
    let clock = ClockCard {
        source: Source::Tsc,
        fallback_reason: None,
        trusted_because: None,
        ticks_per_ns: 2.6,
        cost_ns: 15.2,
        precision_ns: 0.4,
    };
    let noise = Noise {
        steal_share: Some(0.021),
        other_load_share: Some(0.0),
        runnable_others: Some(0),
        throttled_ns: None,
        duration_ns: 1_000_000_000,
        warnings: vec!["the hypervisor took 2.1 % of the CPU time".to_owned()],
    };
    let result = BenchResult::new(&cells, &measured, experiment.repeat, machine, clock, noise);
    BenchResult {
        version: "0.1.0".to_owned(),
        made: Some(made()),
        ..result
    }
}

/// Two CPUs that do not exist.
fn machine() -> Machine {
    Machine {
        kernel: Some("6.1.0".to_owned()),
        libc: Some("glibc 2.36".to_owned()),
        cpu_model: Some("Imagined CPU".to_owned()),
        usable_cpus: vec![0, 1],
        virtual_machine: Some(true),
        quota_cpus: None,
        ..Machine::observe()
    }
}

/// Prices that depend on the lock and the number of threads, a little on the round.
struct Figures(u64);

impl Executor for Figures {
    fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
        self.0 += 1;
        let threads = u64::from(cell.threads);
        let ns_per_op = match cell.lock.as_str() {
            NONE => 1,
            "sysv-sem" => 347,
            "ticket" if threads > 2 => 90_000,
            "pthread" => 18 + 13 * (threads - 1),
            "flock" => return Err(SliceFailure::Refused("flock: no such file".to_owned())),
            _ => 10,
        } + cell.hold_ns;
        let wall_ns = 200_000_000 + self.0 % 5 * 1_000_000;
        let operations = vec![200_000_000 / ns_per_op / threads; cell.threads as usize];
        let total: u64 = operations.iter().sum();
        let cut_off = cell.lock == "ticket" && threads > 2;
        let waiting = cell.part == Part::Waiting;
        let mut acquire = Histogram::new();
        for step in 0..1000u64 {
            acquire.record(ns_per_op * threads * (step / 100 + 1));
        }
        Ok(Slice {
            wall_ns,
            operations,
            resources: (!cut_off).then_some(SwitchesAndCpu {
                operations: total,
                user_ns: Some(wall_ns * threads.min(2)),
                system_ns: Some(wall_ns / 10),
                voluntary_switches: Some(total / 50 * (threads - 1)),
                involuntary_switches: Some(40),
            }),
            acquire: waiting.then_some(acquire),
            longest_run: (waiting && threads > 1).then_some(7 * ns_per_op),
            bystander_per_second: (cell.hogs > 0).then_some(870_000.0),
            bystander_cpu_ns: (cell.hogs > 0).then_some(300_000_000),
            cut_off: cut_off.then_some(CutOff {
                threads: 3,
                waited_ns: 2_040_000_000,
            }),
            placement: 0,
            exclusion_broken: None,
        })
    }
}

/// Waits for so many slices, then presses Ctrl-C.
struct User(usize);

impl Watcher for User {
    fn next(&mut self, _done: usize, _total: usize, _cell: &Cell) {
        self.0 = self.0.saturating_sub(1);
    }

    fn interrupted(&self) -> bool {
        self.0 == 0
    }
}

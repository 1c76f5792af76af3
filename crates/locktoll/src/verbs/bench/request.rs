//! From flags to an experiment, all of it checked.

use locktoll_lab::cell::Length;
use locktoll_lab::contender::{self, registry};
use locktoll_lab::machine::{Machine, Pin};
use locktoll_lab::plan::Experiment;
use locktoll_lab::workload::Kind;

use crate::cli::BenchArgs;
use crate::exit::Failure;

/// Share of reads where none is asked for.
const MOSTLY: f64 = 0.95;

/// A slice of `--quick`.
const QUICK_NS: u64 = 20_000_000;

/// Rounds of `--quick`: with fewer, a median has no 95 % interval.
const QUICK_REPEAT: u32 = 6;

/// Reads the flags into an experiment on `machine`.
pub fn experiment(args: &BenchArgs, machine: &Machine) -> Result<Experiment, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let workloads = args
        .workload
        .0
        .iter()
        .map(|name| name.parse::<Kind>())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| usage(&error))?;
    let read_ratios = match &args.read_ratio {
        Some(ratios) => ratios.0.clone(),
        None if workloads == [Kind::ReadMostly] => vec![MOSTLY],
        None => vec![0.0],
    };
    let cpus = machine.usable_cpus.len() as u32;
    let experiment = Experiment {
        locks: locks(&args.lock.0)?,
        threads: match &args.threads {
            Some(threads) => threads.0.clone(),
            None => default_threads(cpus, &workloads),
        },
        workloads,
        depths: args.depth.0.clone(),
        nested: args.nested,
        holds_ns: args.hold.0.clone(),
        delays: args.delay.0.clone(),
        thinks_ns: args.think.0.clone(),
        sleep_points: args.sleep_points.iter().map(|p| (*p).into()).collect(),
        actives: args.active.clone().map(|list| list.0).unwrap_or_default(),
        gate: args.gate,
        spins: args.spin.clone().map(|list| list.0).unwrap_or_default(),
        read_ratios,
        stripes: args.stripes.0.clone(),
        aligns: args.align.0.clone(),
        pin: Pin::parse(&args.pin, &machine.usable_cpus)
            .map_err(|error| Failure::Usage(format!("--pin {}: {error}", args.pin)))?,
        nice: args.nice,
        background: args.background,
        raise_while_holding: args.raise_while_holding,
        hogs: args.hogs.0.clone(),
        arrival: args.arrival,
        length: match args.rounds {
            _ if args.quick => Length::Time { ns: QUICK_NS },
            Some(each) => Length::Rounds { each },
            None => Length::Time { ns: args.duration },
        },
        repeat: if args.quick {
            QUICK_REPEAT
        } else {
            args.repeat
        },
        part: args.part.into(),
    };
    experiment.check().map_err(|invalid| usage(&invalid))?;
    Ok(experiment)
}

/// The locks by name; `all` is every one, and a name given twice counts once.
fn locks(names: &[String]) -> Result<Vec<String>, Failure> {
    let mut locks: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !locks.iter().any(|known| known == name) {
            locks.push(name.to_owned());
        }
    };
    for name in names {
        if name == "all" {
            registry().iter().for_each(|entry| add(entry.name));
        } else {
            let entry = contender::find(name).map_err(|e| Failure::Usage(e.to_string()))?;
            add(entry.name);
        }
    }
    Ok(locks)
}

/// Alone, as many as CPUs, four times as many; never fewer than the workloads make sense with.
fn default_threads(cpus: u32, workloads: &[Kind]) -> Vec<u32> {
    let least = workloads.iter().map(|kind| kind.least_threads()).max();
    let mut threads = vec![1, cpus, 4 * cpus];
    threads.retain(|threads| Some(*threads) >= least);
    threads.dedup();
    if threads.is_empty() {
        threads.extend(least);
    }
    threads
}

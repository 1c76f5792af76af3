//! Turns flags into an experiment, and checks all of them.

use locktoll_lab::cell::{Length, Setting, SleepPoints};
use locktoll_lab::contender::{self, registry};
use locktoll_lab::machine::{Machine, Pin};
use locktoll_lab::plan::Experiment;
use locktoll_lab::workload::Kind;

use crate::bench::flags::BenchArgs;
use locktoll_terminal::failure::Failure;

/// Default share of reads.
const MOSTLY: f64 = 0.95;

/// Default length of a slice.
const SLICE_NS: u64 = 200_000_000;

/// Default number of rounds.
const REPEAT: u32 = 7;

/// Length of a slice with `--quick`.
const QUICK_NS: u64 = 20_000_000;

/// Rounds with `--quick`: with fewer, a median has no 95 % interval.
const QUICK_REPEAT: u32 = 6;

/// Makes an experiment on `machine` from the flags.
pub fn experiment(args: &BenchArgs, machine: &Machine) -> Result<Experiment, Failure> {
    if let Some(refusal) = set_by_quick(args) {
        return Err(Failure::Usage(refusal));
    }
    let workloads = args
        .workload
        .0
        .iter()
        .map(|name| name.parse::<Kind>())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let read_ratios = match &args.read_ratio {
        Some(ratios) => ratios.0.clone(),
        None if workloads == [Kind::ReadMostly] => vec![MOSTLY],
        None => vec![0.0],
    };
    let cpus = machine.usable_cpus.len() as u32;
    let threads = match &args.threads {
        Some(threads) => threads.0.clone(),
        None => default_threads(cpus, &workloads),
    };
    let rest = Setting {
        nested: args.nested,
        gate: args.gate,
        nice: args.nice,
        background: args.background,
        raise_while_holding: args.raise_while_holding,
        arrival: args.arrival,
        ..Setting::at_rest("", length(args))
    };
    let sleep_points: Vec<SleepPoints> = args.sleep_points.iter().map(|p| (*p).into()).collect();
    let mut experiment = Experiment::of(locks(&args.lock.0)?, rest);
    experiment.span("workload", &workloads, |knobs, v| knobs.workload = *v);
    experiment.span("depth", &args.depth.0, |knobs, v| knobs.depth = *v);
    experiment.span("hold", &args.hold.0, |knobs, v| knobs.hold_ns = *v);
    experiment.span("delay", &args.delay.0, |knobs, v| knobs.delay = *v);
    experiment.span("think", &args.think.0, |knobs, v| knobs.think_ns = *v);
    experiment.span("sleep-points", &sleep_points, |knobs, v| {
        knobs.sleep_points = *v;
    });
    if let Some(actives) = &args.active {
        experiment.span("active", &actives.0, |knobs, v| knobs.active = Some(*v));
    }
    if let Some(spins) = &args.spin {
        experiment.span("spin", &spins.0, |knobs, v| knobs.spin = Some(*v));
    }
    experiment.span("read-ratio", &read_ratios, |knobs, v| knobs.read_ratio = *v);
    experiment.span("stripes", &args.stripes.0, |knobs, v| knobs.stripes = *v);
    experiment.span("align", &args.align.0, |knobs, v| knobs.align = *v);
    experiment.span("hogs", &args.hogs.0, |knobs, v| knobs.hogs = *v);
    experiment.span("threads", &threads, |knobs, v| knobs.threads = *v);
    experiment.pin = Pin::parse(&args.pin, &machine.usable_cpus)
        .map_err(|error| Failure::Usage(format!("--pin {}: {error}", args.pin)))?;
    experiment.repeat = match args.quick {
        true => QUICK_REPEAT,
        false => args.repeat.unwrap_or(REPEAT),
    };
    experiment.part = args.part.into();
    experiment
        .check()
        .map_err(|invalid| Failure::Usage(invalid.text(|knob| format!("--{knob}"))))?;
    Ok(experiment)
}

/// Returns the length of a slice.
fn length(args: &BenchArgs) -> Length {
    match args.rounds {
        _ if args.quick => Length::Time { ns: QUICK_NS },
        Some(each) => Length::Rounds { each },
        None => Length::Time {
            ns: args.duration.unwrap_or(SLICE_NS),
        },
    }
}

/// Returns why a flag cannot be combined with `--quick`, which sets its value, and what to type instead.
fn set_by_quick(args: &BenchArgs) -> Option<String> {
    if !args.quick {
        return None;
    }
    let refusal =
        |why: &str, instead: &str| Some(format!("{why}; type `locktoll bench {instead}`"));
    let (duration, repeat) = ("--duration 20ms", format!("--repeat {QUICK_REPEAT}"));
    let clash = |flag: &str| {
        format!("{flag} cannot be combined with --quick, which is short for {duration} {repeat}")
    };
    match (args.duration, args.rounds, args.repeat) {
        (_, _, Some(rounds)) => {
            refusal(&clash("--repeat"), &format!("{duration} --repeat {rounds}"))
        }
        (_, Some(each), _) => refusal(&clash("--rounds"), &format!("--rounds {each} {repeat}")),
        (Some(_), ..) => refusal(&clash("--duration"), &format!("--duration T {repeat}")),
        _ => None,
    }
}

/// Returns the locks with these names, each in its standard spelling; `all` selects every lock, and a name given twice counts
/// once.
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
            let named = contender::named(name).map_err(|e| Failure::Usage(e.to_string()))?;
            add(&named.to_string());
        }
    }
    Ok(locks)
}

/// Returns the default numbers of threads: one, as many as CPUs, and four times as many, but never fewer than the workloads
/// require.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_under_two_spellings_is_one() {
        let names = ["futex3-spin100", "futex3:100", "futex3", "adaptive:7"].map(str::to_owned);
        let chosen = locks(&names).expect("all of them are locks");
        assert_eq!(chosen, ["futex3:100", "futex3", "adaptive:7"]);
        assert!(locks(&["ticket:1".to_owned()]).is_err());
    }
}

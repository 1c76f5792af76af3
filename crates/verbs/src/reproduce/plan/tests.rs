//! Tests of [`super`].

use std::collections::{BTreeMap, BTreeSet};

use locktoll_lab::contender::{self, Family};

use super::*;
use crate::reproduce::catalogue::Catalogue;
use crate::reproduce::other_systems::{OnWindows, System};

fn machine(cpus: usize) -> Machine {
    Machine {
        usable_cpus: (0..cpus).collect(),
        ..Machine::observe()
    }
}

#[test]
fn every_claim_can_be_planned_on_small_and_large_machines() {
    let catalogue = Catalogue::carried().unwrap();
    let all = catalogue.named(&[]).unwrap();
    for cpus in [1, 2, 3, 4, 64, 256] {
        let machine = machine(cpus);
        for described in &all {
            let plan = Plan::new(described, &machine, Calibration { loops_per_ns: 1.0 });
            if let Err(wrong) = plan {
                panic!("{cpus} CPUs: {wrong}");
            }
        }
    }
}

#[test]
fn every_check_of_a_bench_run_has_an_a_a_pair_and_the_time_is_as_described() {
    let catalogue = Catalogue::carried().unwrap();
    let mut wrong = Vec::new();
    for described in catalogue.named(&[]).unwrap() {
        let plan = Plan::new(described, &machine(2), Calibration { loops_per_ns: 1.0 });
        wrong.extend(not_as_described(&plan.unwrap()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("; "));
}

/// Returns a message if a check lacks its A/A pair, or if the time differs from the description.
fn not_as_described(plan: &Plan<'_>) -> Option<String> {
    let described = plan.described;
    let (mut seconds, mut pairs) = (0.0, None);
    for run in plan.runs.as_ref().ok()? {
        seconds += match &run.work {
            Work::Bench {
                cells,
                again,
                repeat,
            } => {
                pairs = Some(pairs.unwrap_or(0) + again.len());
                // The process for each slice, together with the slice of the empty loop, takes about 0.01 s.
                let length = |part| match (cells[0].length, part) {
                    (Length::Time { ns }, Part::Throughput) => ns as f64 / 1e9 + 0.01,
                    (Length::Time { ns }, Part::Waiting) => ns as f64 / 2e9 + 0.01,
                    (Length::Rounds { .. }, _) => 0.0,
                };
                let each = length(Part::Throughput) + length(Part::Waiting);
                let twice: f64 = again.iter().map(|(_, part)| length(*part)).sum();
                f64::from(*repeat) * (0.06 + cells.len() as f64 * each + twice)
            }
            Work::Live { repeat, slice, .. } => f64::from(*repeat) * (2.0 * slice.as_secs_f64()),
            Work::Kernel(plan) => f64::from(plan.repeat) * (plan.length.as_secs_f64() + 0.05),
            // To boot, and one more round to warm up; jobs finish behind the end of a round.
            Work::Guest(plan) => {
                4.0 + f64::from(plan.rounds() + 1) * (plan.length.as_secs_f64() + 0.2)
            }
            Work::Machine(plan) if plan.quick => 6.0,
            Work::Machine(_) => 14.0,
        };
    }
    assert_ne!(pairs, Some(0), "{}", described.id);
    let close = (0.85..=1.25).contains(&(described.seconds / seconds.max(1.0)));
    (seconds > 0.0 && !close).then(|| {
        format!(
            "{}: {} s, not {seconds:.0}",
            described.id, described.seconds
        )
    })
}

/// Whether every system has this lock: our own locks and Rust's.
fn everywhere(name: &str) -> bool {
    contender::find(name).is_ok_and(|entry| matches!(entry.family, Family::Ours | Family::Rust))
        && !name.contains("pthread")
}

#[test]
fn every_claim_can_be_planned_for_the_other_system_with_the_locks_that_it_has() {
    let (other, name) = match System::here() {
        System::Linux => (System::Windows, "Windows"),
        System::Windows => (System::Linux, "Linux"),
    };
    let catalogue = Catalogue::carried_on(other).unwrap();
    let (mut wrong, mut foreign) = (Vec::new(), BTreeSet::new());
    let all = catalogue.named(&[]).unwrap().into_iter();
    for described in all.filter(|described| described.cannot_run.is_none()) {
        // Each lock that only the other system has is replaced by one of this system's, since flags are read with this system's
        // registry.
        let mut own = (contender::registry().iter())
            .map(|entry| entry.name)
            .filter(|name| !everywhere(name));
        let mut players = BTreeMap::new();
        let flags = described.runs.iter().filter_map(|run| run.bench.as_deref());
        for lock in flags.flat_map(bench_locks).filter(|lock| !everywhere(lock)) {
            let unknown = contender::find(&lock).expect_err(&described.id);
            let elsewhere = unknown.elsewhere.unwrap_or_else(|| panic!("{lock}"));
            assert_eq!(elsewhere.system, name, "{}: {lock}", described.id);
            foreign.insert(lock.clone());
            players
                .entry(lock)
                .or_insert_with(|| own.next().unwrap().to_owned());
        }
        let windows = OnWindows {
            locks: players,
            ..OnWindows::default()
        };
        let played = Description {
            windows: Some(windows),
            ..described.clone()
        };
        let played = played.on(System::Windows);
        for cpus in [1, 2, 64] {
            let plan = Plan::new(&played, &machine(cpus), Calibration { loops_per_ns: 1.0 });
            let plan = plan.unwrap_or_else(|wrong| panic!("{cpus} CPUs: {wrong}"));
            wrong.extend((cpus == 2).then(|| not_as_described(&plan)).flatten());
        }
    }
    assert!(foreign.len() >= 7, "{foreign:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("; "));
}

fn bench_locks(flags: &str) -> Vec<String> {
    let flags = fill_in(flags, &[0, 1]).unwrap();
    bench_args(&flags).unwrap().lock.0
}

#[test]
fn every_claim_says_what_becomes_of_it_on_windows() {
    let raw = Catalogue::carried_on(System::Linux).unwrap();
    let there = Catalogue::carried_on(System::Windows).unwrap();
    for (raw, there) in raw
        .named(&[])
        .unwrap()
        .into_iter()
        .zip(there.named(&[]).unwrap())
    {
        assert!(raw.windows.is_some() || raw.not_yet.is_some(), "{}", raw.id);
        let first_letter = &raw.id[..1];
        if let Some(reason) = &there.cannot_run {
            assert!(reason.starts_with("needs Linux: "), "{}", raw.id);
            assert!(first_letter != "E", "{} can run there", raw.id);
        }
    }
}

#[test]
fn all_claims_together_fit_into_a_quarter_of_an_hour() {
    let catalogue = Catalogue::carried().unwrap();
    let all = catalogue.named(&[]).unwrap();
    let seconds: f64 = all.iter().map(|described| described.seconds).sum();
    assert!(seconds <= 840.0, "{seconds} s");
}

#[test]
fn a_claim_takes_its_time_only_if_it_has_runs() {
    let catalogue = Catalogue::carried().unwrap();
    let all = catalogue.named(&[]).unwrap();
    let described = all.iter().find(|it| !it.runs.is_empty()).unwrap();
    let plan = |runs| Plan { described, runs };
    let run = || PlannedRun {
        run: described.runs[0].clone(),
        command: String::new(),
        work: Work::Machine(locktoll_lab::probe::Plan::quick()),
    };
    assert!(described.seconds > 1.0);
    assert_eq!(plan(Ok(vec![run()])).seconds(), described.seconds);
    assert_eq!(plan(Ok(Vec::new())).seconds(), 0.0);
    assert_eq!(plan(Err("not here".to_owned())).seconds(), 0.0);
}

#[test]
fn a_live_run_takes_slices_of_some_length() {
    let slice = |ns| live_slice(Length::Time { ns });
    assert_eq!(slice(400_000_000), Ok(SHORTEST));
    assert!(slice(399_999_999).is_err());
    assert!(
        live_slice(Length::Rounds {
            each: 1_000_000_000
        })
        .is_err()
    );
}

#[test]
fn the_form_of_output_is_not_part_of_a_run() {
    assert!(bench_args("--lock std --threads 1").is_ok());
    for flags in ["--list", "--json", "--format html", "-o x.json"] {
        let wrong = bench_args(flags).unwrap_err();
        assert!(wrong.contains("do not belong here"), "{flags}: {wrong}");
    }
}

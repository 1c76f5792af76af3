//! Rounds in which everybody has a turn, and what their ratios say.

use std::path::Path;

use anyhow::{Context, ensure};
use locktoll_lab::machine::{CpuPlace, Machine};
use locktoll_lab::stats::{Estimate, confidence, estimate, ratio_of_pairs};
use serde_json::Value;

use super::command::real_time;
use super::figures::{Figure, price_list};
use super::peers::Place;
use crate::build;

/// Largest departure from 1 that counts as agreement.
const TOLERANCE: f64 = 0.10;

/// A figure of ours beside a figure of theirs.
struct Pair {
    what: &'static str,
    ours: Figure,
    peer: &'static str,
    theirs: fn(&Place, &Path) -> anyhow::Result<f64>,
}

const PAIRS: [Pair; 5] = [
    Pair {
        what: "system call (getppid)",
        ours: Figure::Part("syscall"),
        peer: "perf bench syscall basic",
        theirs: |place, _| place.perf_syscall(),
    },
    Pair {
        what: "futex wait that returns at once",
        ours: Figure::Part("futex-wait-again"),
        peer: "perf bench futex hash",
        theirs: |place, _| place.perf_futex_hash(),
    },
    Pair {
        what: "futex hand-over, one CPU",
        ours: Figure::HandOver("same_cpu"),
        peer: "futex_ping_pong.c",
        theirs: |place, c| place.c_one_cpu(c),
    },
    Pair {
        what: "futex hand-over, two CPUs",
        ours: Figure::HandOver("cross_cpu"),
        peer: "futex_ping_pong.c",
        theirs: |place, c| place.c_two_cpus(c),
    },
    Pair {
        what: "pipe, one way, one CPU",
        ours: Figure::Arm("same_cpu", "pipe"),
        peer: "perf bench sched pipe",
        theirs: |place, _| place.perf_pipe(),
    },
];

/// Reads `[--quick] [ROUNDS]`, runs everybody in turn and prints the ratio of each round's figures.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let quick = wishes.contains(&"--quick");
    let rounds: Vec<&str> = wishes
        .iter()
        .copied()
        .filter(|word| *word != "--quick")
        .collect();
    let rounds: usize = match rounds[..] {
        [] => 7,
        [number] => number.parse().context("ROUNDS is a whole number")?,
        _ => anyhow::bail!("accepted: [--quick] [ROUNDS]"),
    };
    ensure!(
        confidence(rounds) >= 0.95,
        "an interval of 95 % takes 6 rounds or more"
    );
    let folder = tempfile::tempdir()?;
    let c = build::c_program("benches/programs/futex_ping_pong.c", folder.path())?;
    let locktoll = build::locktoll()?;
    let mut seen: Vec<Vec<(f64, f64)>> = vec![Vec::new(); PAIRS.len()];
    let mut reasons: Vec<Option<String>> = vec![None; PAIRS.len()];
    let mut place = None;
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        // Whoever goes first may find the machine in another state: take turns.
        let before = (round % 2 == 0)
            .then(|| price_list(&locktoll, quick))
            .transpose()?;
        let place = match (&place, &before) {
            (Some(place), _) => place,
            (None, Some(list)) => place.insert(place_of(list)?),
            (None, None) => unreachable!("the first round begins with the list"),
        };
        let mut theirs: Vec<anyhow::Result<f64>> = Vec::new();
        for index in 0..PAIRS.len() {
            // Turned a step each round.
            let pair = &PAIRS[(index + round) % PAIRS.len()];
            theirs.push((pair.theirs)(place, &c));
        }
        theirs.rotate_right(round % PAIRS.len());
        let list = match before {
            Some(list) => list,
            None => price_list(&locktoll, quick)?,
        };
        for (index, theirs) in theirs.into_iter().enumerate() {
            match (PAIRS[index].ours.of(&list), theirs) {
                (Ok(ours), Ok(theirs)) => seen[index].push((ours, theirs)),
                (Err(reason), _) | (_, Err(reason)) => reasons[index] = Some(format!("{reason:#}")),
            }
        }
    }
    report(&seen, &reasons)
}

/// Where the list's probes ran, so that the others run there, too.
fn place_of(list: &Value) -> anyhow::Result<Place> {
    let machine: Machine = serde_json::from_value(list["machine"].clone())?;
    let policy = list["scheduling"]["policy"].as_str().unwrap_or_default();
    let real_time = real_time();
    ensure!(
        real_time == (policy == "SCHED_FIFO"),
        "locktoll machine ran under {policy}, and its peers cannot"
    );
    println!("everybody under {policy}");
    Ok(Place {
        home: machine
            .usable_cpus
            .first()
            .context("no usable CPU")?
            .to_string(),
        far: far_cpu(&machine).map(|cpu| cpu.to_string()),
        real_time,
    })
}

/// The other CPU of a pair, chosen as the list chooses it: another core of the same package where there is one.
fn far_cpu(machine: &Machine) -> Option<usize> {
    let places = &machine.topology.cpus;
    let home = places.first()?;
    let others = places.iter().filter(|place| place.cpu != home.cpu);
    let distance = |place: &&CpuPlace| {
        (
            place.siblings.contains(&home.cpu),
            place.package != home.package,
        )
    };
    Some(others.min_by_key(distance)?.cpu)
}

/// Medians, ratios and verdicts; an error if figures disagree.
fn report(seen: &[Vec<(f64, f64)>], reasons: &[Option<String>]) -> anyhow::Result<()> {
    let mut disagree = Vec::new();
    for ((pair, rounds), reason) in PAIRS.iter().zip(seen).zip(reasons) {
        println!("{}, beside {}:", pair.what, pair.peer);
        if let Some(reason) = reason {
            println!("  some rounds are left out: {reason}");
        }
        let (ours, theirs): (Vec<f64>, Vec<f64>) = rounds.iter().copied().unzip();
        let (Some(ours), Some(theirs)) = (estimate(&ours), estimate(&theirs)) else {
            println!("  nothing to compare");
            continue;
        };
        // Ours over theirs: the first of a pair is the base.
        let swapped: Vec<(f64, f64)> = rounds
            .iter()
            .map(|(ours, theirs)| (*theirs, *ours))
            .collect();
        let ratio = ratio_of_pairs(&swapped).context("no round gave two figures")?;
        let agrees = (ratio.median - 1.0).abs() <= TOLERANCE;
        println!("  locktoll  {}", in_ns(ours));
        println!("  peer      {}", in_ns(theirs));
        println!(
            "  ratio     {:.3} ({:.3} .. {:.3}), {} rounds: {}",
            ratio.median,
            ratio.low,
            ratio.high,
            ratio.n,
            if agrees {
                "agree within 10 %"
            } else {
                "DO NOT AGREE within 10 %"
            }
        );
        if !agrees {
            disagree.push(pair.what);
        }
    }
    ensure!(
        disagree.is_empty(),
        "more than 10 % apart: {}",
        disagree.join("; ")
    );
    Ok(())
}

fn in_ns(figure: Estimate) -> String {
    let Estimate {
        median, low, high, ..
    } = figure;
    format!("{median:.1} ns ({low:.1} .. {high:.1})")
}

//! What `locktoll attach` costs the program that is watched: the same process, batch by batch, watched and left alone in turns.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use locktoll_lab::stats::{estimate, ratio_of_pairs};

use super::build;
use super::on_command::OnCommand;

/// Kinds of work of `tests/programs/futex_rate.c`: name, how much, computing between two calls, and what it is.
const KINDS: [(&str, &str, &str, &str); 6] = [
    (
        "mutex",
        "200000",
        "600",
        "four threads that contend for a mutex",
    ),
    (
        "pairs",
        "40000",
        "900",
        "two threads that wake each other, every call sleeps or wakes",
    ),
    ("wakes", "60000", "1400", "wakes that meet nobody"),
    (
        "again",
        "60000",
        "1400",
        "waits that find their word changed",
    ),
    ("alone", "8000000", "0", "a mutex that nobody else wants"),
    ("other", "500000", "0", "getppid, no futex call"),
];

/// Batches a turn, of which the fastest counts: others may run on this machine too.
const BATCHES: usize = 3;

/// Watches each kind of work `rounds` times, and leaves it alone as often.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let (rounds, names): (Vec<&str>, Vec<&str>) = wishes
        .iter()
        .partition(|wish| wish.parse::<usize>().is_ok());
    let rounds = rounds.first().map_or(Ok(11), |rounds| rounds.parse())?;
    ensure!(rounds >= 6, "an interval of 95 % takes 6 rounds or more");
    if let Some(name) = names
        .iter()
        .find(|name| KINDS.iter().all(|kind| kind.0 != **name))
    {
        bail!(
            "no such work: {name}; there are {}",
            KINDS.map(|kind| kind.0).join(", ")
        );
    }
    let folder = tempfile::tempdir()?;
    let program = build::c_program("tests/programs/futex_rate.c", folder.path())?;
    let locktoll = build::locktoll()?;
    for kind in KINDS {
        if names.is_empty() || names.contains(&kind.0) {
            one(kind, rounds, &program, &locktoll)?;
        }
    }
    Ok(())
}

fn one(
    (name, times, between, what): (&str, &str, &str, &str),
    rounds: usize,
    program: &Path,
    locktoll: &Path,
) -> anyhow::Result<()> {
    let mut subject = Subject(OnCommand::start(program, &[name, times, between])?);
    subject.batch()?;
    let mut pairs = Vec::new();
    for round in 0..rounds {
        // Whoever goes first may find the machine in another state: take turns.
        pairs.push(if round % 2 == 0 {
            let alone = subject.turn()?;
            (alone, subject.watched(locktoll)?)
        } else {
            let watched = subject.watched(locktoll)?;
            (subject.turn()?, watched)
        });
    }
    println!("{name}: {what}, {rounds} rounds");
    for (clock, figure) in [
        ("by the clock  ", (|it| it.wall_ns) as fn(&Took) -> f64),
        ("processor time", |it| it.cpu_ns),
    ] {
        let pairs: Vec<(f64, f64)> = pairs
            .iter()
            .map(|(alone, watched)| (figure(alone), figure(watched)))
            .collect();
        let alone: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
        let each = estimate(&alone).context("no figure")?.median / times.parse::<f64>()?;
        let ratio = ratio_of_pairs(&pairs).context("no round gave two figures")?;
        println!(
            "  {clock} {:.3} ({:.3} .. {:.3}): {each:.0} ns each when left alone, {:+.0} when watched",
            ratio.median,
            ratio.low,
            ratio.high,
            (ratio.median - 1.0) * each,
        );
    }
    Ok(())
}

/// What a batch took.
#[derive(Clone, Copy)]
struct Took {
    wall_ns: f64,
    cpu_ns: f64,
}

impl Took {
    /// Of the line `took ns= cpu_ns=`.
    fn parse(line: &str) -> Option<Self> {
        let (wall_ns, cpu_ns) = line.strip_prefix("took ns=")?.split_once(" cpu_ns=")?;
        Some(Self {
            wall_ns: wall_ns.parse().ok()?,
            cpu_ns: cpu_ns.parse().ok()?,
        })
    }

    /// The lesser of both figures.
    fn min(self, other: Self) -> Self {
        Self {
            wall_ns: self.wall_ns.min(other.wall_ns),
            cpu_ns: self.cpu_ns.min(other.cpu_ns),
        }
    }
}

/// The program at work.
struct Subject(OnCommand);

impl Subject {
    /// One batch, by the program's own clocks.
    fn batch(&mut self) -> anyhow::Result<Took> {
        let lines = self.0.batch()?;
        lines
            .iter()
            .find_map(|line| Took::parse(line))
            .context("no figure")
    }

    /// The fastest of a few batches.
    fn turn(&mut self) -> anyhow::Result<Took> {
        let mut fastest = self.batch()?;
        for _ in 1..BATCHES {
            fastest = fastest.min(self.batch()?);
        }
        Ok(fastest)
    }

    /// The same while it is watched.
    fn watched(&mut self, locktoll: &Path) -> anyhow::Result<Took> {
        let watch = self.0.watch(locktoll)?;
        // What was done at the beginning is not to be in it, nor are the first walks of each stack.
        self.batch()?;
        let figure = self.turn();
        watch.end()?;
        figure
    }
}

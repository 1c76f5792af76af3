//! Whether waits are as long as they are said to be: a program that times its own waits by the processor's counter, bare, under
//! `locktoll record` and under `locktoll attach`, in turns.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use locktoll_lab::stats::{Estimate, estimate, ratio_of_pairs};
use serde_json::Value;

use super::build;
use super::on_command::OnCommand;

/// What is waited for: the words of `tests/programs/short_waits.c`, and what they mean. Nobody who spins makes a system call, so `attach`
/// sees none of it.
const CELLS: [Cell; 5] = [
    Cell {
        words: ["mutex", "2000", "1000", "1"],
        what: "mutex, both threads on one CPU",
        sleeps: true,
    },
    Cell {
        words: ["mutex", "17000", "1000", "1"],
        what: "mutex, both threads on one CPU",
        sleeps: true,
    },
    Cell {
        words: ["mutex", "14000", "1000", "2"],
        what: "mutex, each thread on its own CPU",
        sleeps: true,
    },
    Cell {
        words: ["spin", "5000", "1000", "2"],
        what: "spin lock, each thread on its own CPU",
        sleeps: false,
    },
    Cell {
        words: ["spin", "20000", "1000", "2"],
        what: "spin lock, each thread on its own CPU",
        sleeps: false,
    },
];

struct Cell {
    words: [&'static str; 4],
    what: &'static str,
    sleeps: bool,
}

/// Batches of a run.
const BATCHES: usize = 3;

/// Compares each cell in so many rounds (21 when not told). A word that is a path names the program to be measured; it is built
/// otherwise.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let (mut rounds, mut locktoll) = (21, None);
    for wish in wishes {
        if let Ok(number) = wish.parse::<usize>() {
            rounds = number;
        } else if wish.contains('/') {
            locktoll = Some(PathBuf::from(wish));
        } else {
            bail!("not a number of rounds, nor a path of the program: {wish}");
        }
    }
    ensure!(rounds >= 6, "an interval of 95 % takes 6 rounds or more");
    let folder = tempfile::tempdir()?;
    let program = build::c_program("tests/programs/short_waits.c", folder.path())?;
    let locktoll = match locktoll {
        Some(path) => path.canonicalize()?,
        None => build::locktoll()?,
    };
    println!("locktoll's total of the waits over the program's own, {rounds} rounds");
    for cell in &CELLS {
        one(cell, rounds, &program, &locktoll)?;
    }
    Ok(())
}

fn one(cell: &Cell, rounds: usize, program: &Path, locktoll: &Path) -> anyhow::Result<()> {
    let mut subject = OnCommand::start(program, &cell.words)?;
    let (mut bare, mut recorded, mut watched) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        for step in 0..3 {
            match (step + round) % 3 {
                0 => bare.push(batches(&mut subject)?),
                1 => recorded.push(record(cell, program, locktoll)?),
                _ if cell.sleeps => watched.push(watch(&mut subject, locktoll)?),
                _ => {}
            }
        }
    }
    let each: Vec<f64> = bare.iter().map(Waits::each_ns).collect();
    let each = estimate(&each).context("no figure")?;
    println!("{}: waits of {:.2} us", cell.what, each.median / 1e3);
    for (name, runs) in [("record", &recorded), ("attach", &watched)] {
        if runs.is_empty() {
            continue;
        }
        let found: u64 = runs.iter().map(|(_, found)| found.count).sum();
        let known: u64 = runs.iter().map(|(known, _)| known.count).sum();
        let own = pairs(
            runs.iter()
                .map(|(known, found)| (known.total_ns, found.total_ns)),
        )?;
        let alone = runs
            .iter()
            .zip(&bare)
            .map(|((_, found), bare)| (bare.each_ns(), found.each_ns()));
        let alone = pairs(alone)?;
        println!(
            "  {name}: {}, {:+.0} ns a wait; over the bare program's {}; {found} of {known} waits",
            shown(&own),
            (own.median - 1.0) * each.median,
            shown(&alone),
        );
    }
    Ok(())
}

fn pairs(pairs: impl Iterator<Item = (f64, f64)>) -> anyhow::Result<Estimate> {
    let pairs: Vec<(f64, f64)> = pairs.collect();
    ratio_of_pairs(&pairs).context("no round gave two figures")
}

fn shown(ratio: &Estimate) -> String {
    format!(
        "{:.4} ({:.4} .. {:.4})",
        ratio.median, ratio.low, ratio.high
    )
}

/// Waits, by whoever measured them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Waits {
    count: u64,
    total_ns: f64,
}

impl Waits {
    fn each_ns(&self) -> f64 {
        self.total_ns / self.count as f64
    }

    /// The sum of the lines `waited COUNT TOTAL_NS`.
    fn told<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut sum = Self::default();
        for told in lines.filter_map(|line| line.strip_prefix("waited ")) {
            let (count, total_ns) = told.split_once(' ')?;
            sum.count += count.parse::<u64>().ok()?;
            sum.total_ns += total_ns.parse::<f64>().ok()?;
        }
        (sum.count > 0).then_some(sum)
    }

    /// Those for the lock that is waited for most.
    fn found(document: &str) -> anyhow::Result<Self> {
        let document: Value = serde_json::from_str(document)?;
        let locks = document["locks"].as_array().context("no locks")?;
        let total_ns = |lock: &Value| lock["wait_ns"]["total"].as_u64().unwrap_or(0);
        let lock = locks
            .iter()
            .filter(|lock| lock["used_as"] == "lock")
            .max_by_key(|lock| total_ns(lock))
            .context("no lock was seen")?;
        Ok(Self {
            count: lock["contended"].as_u64().context("no count")?,
            total_ns: total_ns(lock) as f64,
        })
    }
}

/// Some batches, as the program found them.
fn batches(subject: &mut OnCommand) -> anyhow::Result<Waits> {
    let mut lines = Vec::new();
    for _ in 0..BATCHES {
        lines.extend(subject.batch()?);
    }
    Waits::told(lines.iter().map(String::as_str)).context("no figure")
}

/// The same watched, as the program and as `attach` found them.
fn watch(subject: &mut OnCommand, locktoll: &Path) -> anyhow::Result<(Waits, Waits)> {
    let watch = subject.watch(locktoll)?;
    let known = batches(subject)?;
    Ok((known, Waits::found(&watch.end()?)?))
}

/// The same recorded, as the program and as `record` found them.
fn record(cell: &Cell, program: &Path, locktoll: &Path) -> anyhow::Result<(Waits, Waits)> {
    let folder = tempfile::tempdir()?;
    let mut child = Command::new(locktoll)
        .args(["record", "--json", "--"])
        .arg(program)
        .args(cell.words)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().context("no pipe")?;
    for _ in 0..BATCHES {
        writeln!(input)?;
    }
    drop(input);
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{said}");
    let known = Waits::told(said.lines()).context("no figure")?;
    Ok((known, Waits::found(&String::from_utf8(output.stdout)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_added_up_and_the_lock_waited_for_most_is_the_one() {
        let lines = ["ready", "waited 10 500", "held 400", "waited 5 250"];
        let known = Waits {
            count: 15,
            total_ns: 750.0,
        };
        assert_eq!(Waits::told(lines.into_iter()), Some(known));
        assert_eq!(Waits::told(["held 400"].into_iter()), None);
        let document = r#"{"locks": [
            {"used_as": "signal", "contended": 0, "wait_ns": {"total": 9000}},
            {"used_as": "lock", "contended": 3, "wait_ns": {"total": 20}},
            {"used_as": "lock", "contended": 15, "wait_ns": {"total": 740}}]}"#;
        let found = Waits::found(document).unwrap();
        assert_eq!((found.count, found.total_ns), (15, 740.0));
    }
}

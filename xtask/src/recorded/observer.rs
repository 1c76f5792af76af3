//! Does recording change what a program does? Counted from outside, by the kernel.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use locktoll_lab::stats::{Verdict, verdict};

use super::batch::{self, Batch};
use super::rounds::{Round, play, ratios};
use super::speed::in_words;
use super::subject::{Subject, is_installed};
use super::way::{Place, Way};
use super::wishes::Wishes;
use crate::build;

/// What perf(1) counts for everybody.
const SWITCHES: &str = "context-switches";
/// What it counts for those who may see trace points.
const FUTEX_CALLS: &str = "syscalls:sys_enter_futex";

/// Those of the programs that really fight for locks.
const SUBJECTS: [&str; 7] = [
    "sysbench",
    "db_bench",
    "stress-ng",
    "list, ",
    "spin lock",
    "reader-writer lock",
    "python3",
];

/// Counts system calls of futex(2) and context switches of each program, bare against recorded, and prints a table.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let wishes = Wishes::of(words)?;
    let place = Place::new(build::preload_library()?, wishes.exact)?;
    let events = events()?;
    println!(
        "{} interleaved rounds each of bare, recorded and bare again, for each unit of work; medians (least .. most).\n\
         Counted by perf stat around the program, so that neither way knows of it.\n",
        wishes.rounds
    );
    println!(
        "{:<38}{:<26}{:<36}{:<36}{:<26}{:<26}verdict",
        "", "", "bare", "recorded", "recorded/bare", "bare again/bare"
    );
    for mut subject in batch::all() {
        let name = subject.name().to_owned();
        if !wishes.includes(&name) || !SUBJECTS.iter().any(|part| name.contains(part)) {
            continue;
        }
        match measure(&mut subject, &place, &events, wishes.rounds) {
            Ok(lines) => {
                for line in lines {
                    println!("{name:<38}{line}");
                }
            }
            Err(error) => println!("{name:<38}failed: {error:#}"),
        }
    }
    Ok(())
}

/// What this user may have counted.
fn events() -> anyhow::Result<Vec<&'static str>> {
    let counts = |event: &str| -> anyhow::Result<bool> {
        let output = Command::new("perf")
            .args(["stat", "-x,", "-e", event, "true"])
            .output()
            .context("perf cannot be started; it is in Debian's package linux-perf")?;
        // What it may not count makes it fail, or is marked so where the figure should be.
        let said = String::from_utf8_lossy(&output.stderr);
        Ok(output.status.success() && figure(&said, event).is_ok())
    };
    ensure!(
        counts(SWITCHES)?,
        "perf may not count context switches here"
    );
    if counts(FUTEX_CALLS)? {
        return Ok(vec![FUTEX_CALLS, SWITCHES]);
    }
    println!(
        "Calls of futex(2) are not counted: trace points take CAP_PERFMON, or kernel.perf_event_paranoid at -1."
    );
    Ok(vec![SWITCHES])
}

fn measure(
    subject: &mut Batch,
    place: &Place,
    events: &[&str],
    rounds: usize,
) -> anyhow::Result<Vec<String>> {
    if let Some(missing) = subject
        .needs()
        .iter()
        .find(|program| !is_installed(program))
    {
        bail!("{missing} is not installed");
    }
    subject.prepare(place)?;
    let counted = place.path("counted");
    let played = play(rounds, |way| count(subject, place, way, events, &counted))?;
    Ok(events
        .iter()
        .enumerate()
        .map(|(index, event)| line(event, &played, index))
        .collect())
}

/// Events of one run, for each unit of work.
fn count(
    subject: &Batch,
    place: &Place,
    way: Way,
    events: &[&str],
    counted: &Path,
) -> anyhow::Result<[f64; 2]> {
    let list = events.join(",");
    let file = counted.to_str().context("the folder's name is not UTF-8")?;
    let perf = ["perf", "stat", "-x,", "-o", file, "-e", &list, "--"];
    let work = subject.run_within(place, way, &perf)?;
    let said = std::fs::read_to_string(counted)?;
    let mut figures = [0.0; 2];
    for (slot, event) in figures.iter_mut().zip(events) {
        *slot = figure(&said, event)? / work;
    }
    Ok(figures)
}

/// The figure of an event in the output of `perf stat -x,`: the first field of its line.
fn figure(said: &str, event: &str) -> anyhow::Result<f64> {
    let line = said
        .lines()
        .find(|line| line.contains(event))
        .with_context(|| format!("perf says nothing of {event}: {said}"))?;
    let first = line.split(',').next().unwrap_or_default();
    first.parse().with_context(|| format!("perf says {line}"))
}

fn line(event: &str, played: &[Round<[f64; 2]>], index: usize) -> String {
    let bare = played
        .iter()
        .flat_map(|round| [round[0][index], round[2][index]]);
    let recorded = played.iter().map(|round| round[1][index]);
    let (bare, recorded) = (Spread::of(bare), Spread::of(recorded));
    let Some(ratios) = ratios(played, |figures| figures[index]) else {
        return format!("{event:<26}none");
    };
    let within = (bare.least..=bare.most).contains(&recorded.median);
    let judged = match verdict(&ratios.recorded, Some(&ratios.same)) {
        Verdict::NoDifference => "no detectable difference",
        _ if within => "within the spread of the bare runs",
        Verdict::Slower => "MORE",
        Verdict::Faster => "FEWER",
    };
    format!(
        "{event:<26}{:<36}{:<36}{:<26}{:<26}{judged}",
        bare.in_words(),
        recorded.in_words(),
        in_words(ratios.recorded),
        in_words(ratios.same),
    )
}

/// What runs of one way showed.
struct Spread {
    least: f64,
    median: f64,
    most: f64,
}

impl Spread {
    fn of(figures: impl Iterator<Item = f64>) -> Self {
        let mut figures: Vec<f64> = figures.collect();
        figures.sort_by(f64::total_cmp);
        let at = |place: usize| figures.get(place).copied().unwrap_or(f64::NAN);
        Self {
            least: at(0),
            median: at(figures.len() / 2),
            most: at(figures.len().saturating_sub(1)),
        }
    }

    fn in_words(&self) -> String {
        let shown = |figure: f64| {
            if figure < 100.0 {
                format!("{figure:.3}")
            } else {
                format!("{figure:.0}")
            }
        };
        format!(
            "{} ({} .. {})",
            shown(self.median),
            shown(self.least),
            shown(self.most)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_first_field_and_nothing_else_will_do() {
        let said = "# started on Mon\n\n12,,context-switches,771299,100.00,,\n<not supported>,,x,0,100.00,,\n";
        assert_eq!(figure(said, SWITCHES).unwrap(), 12.0);
        assert!(figure(said, FUTEX_CALLS).is_err());
        assert!(figure(said, ",x,").is_err());
    }
}

//! Interleaved rounds: alone, watched, and alone again.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use locktoll_lab::stats::{Estimate, estimate};

use super::calls::Calls;
use crate::build;
use crate::recorded::in_words;

/// What a program that makes 200,000 futex calls a second may become slower by.
const ALLOWED: f64 = 1.05;
/// From the start of the watch until it has surely begun.
const BEGINNING: Duration = Duration::from_millis(600);

/// One run of a program.
#[derive(Clone, Copy, Debug, Default)]
struct Took {
    operations: f64,
    wall_ns: f64,
    processor_ns: f64,
}

/// Plays so many rounds of each program under each way of watching, and prints the ratios.
pub fn run(rounds: usize) -> anyhow::Result<()> {
    let locktoll = build::locktoll()?;
    println!(
        "{rounds} interleaved rounds each of alone, watched and alone again; medians and 95 % intervals of ratios.\n\
         Above 1 is dearer. What alone again shows is what equal runs differ by here. Judged is processor time, of which other\n\
         programs on this machine take nothing away; futex calls may become dearer by 5 %, locks without a call not at all.\n"
    );
    println!(
        "{:<13}{:<24}{:<25}{:<25}{:<25}calls/s alone",
        "program",
        "watched by",
        "CPU, watched/alone",
        "CPU, alone again/alone",
        "time, watched/alone"
    );
    let ways: [&[&str]; 2] = [&[], &["--by", "caller,lock"]];
    for calls in [Calls::Futex, Calls::Uncontended] {
        // The first run warms caches for all.
        once(calls)?;
        for way in ways {
            println!("{}", line(&locktoll, calls, way, rounds)?);
        }
    }
    Ok(())
}

fn line(locktoll: &Path, calls: Calls, way: &[&str], rounds: usize) -> anyhow::Result<String> {
    let mut played = Vec::new();
    for round in 0..rounds {
        let mut took = [Took::default(); 3];
        // The order turns with the rounds, so that what drifts hits all alike.
        for place in 0..3 {
            let which = (round + place) % 3;
            took[which] = match which {
                1 => {
                    let watch = Watch::begin(locktoll, way)?;
                    let took = once(calls);
                    watch.end()?;
                    took?
                }
                _ => once(calls)?,
            };
        }
        played.push(took);
    }
    let over = |of: &dyn Fn(&[Took; 3]) -> f64| {
        let ratios: Vec<f64> = played.iter().map(of).collect();
        estimate(&ratios).context("no rounds were played")
    };
    let watched = over(&|[alone, watched, _]| watched.processor_ns / alone.processor_ns)?;
    let again = over(&|[alone, _, again]| again.processor_ns / alone.processor_ns)?;
    let wall = over(&|[alone, watched, _]| watched.wall_ns / alone.wall_ns)?;
    let rate = over(&|[alone, ..]| alone.operations / alone.wall_ns * 1e9)?;
    Ok(format!(
        "{:<13}{:<24}{:<25}{:<25}{:<25}{:.0}  {}",
        calls.word(),
        ["kernel", &way.join(" ")].join(" "),
        in_words(watched),
        in_words(again),
        in_words(wall),
        rate.median,
        judge(calls, watched, again)
    ))
}

fn judge(calls: Calls, watched: Estimate, again: Estimate) -> &'static str {
    let most = match calls {
        Calls::Futex => ALLOWED,
        Calls::Uncontended => 1.0,
    };
    // No difference smaller than that of equal runs can be told.
    if watched.low > most * again.high.max(1.0) {
        "DEARER than allowed"
    } else if watched.high <= most * again.high.max(1.0) {
        "within what is allowed"
    } else {
        "the interval reaches across what is allowed"
    }
}

fn once(calls: Calls) -> anyhow::Result<Took> {
    let output = Command::new(std::env::current_exe()?)
        .args(["__calls", calls.word()])
        .output()?;
    ensure!(output.status.success(), "the program failed");
    let said = String::from_utf8(output.stdout)?;
    let mut numbers = said.split_whitespace().map(str::parse::<f64>);
    let mut next = || numbers.next().context("the program said too little");
    Ok(Took {
        operations: next()??,
        wall_ns: next()??,
        processor_ns: next()??,
    })
}

/// `locktoll kernel` at work.
struct Watch(Child);

impl Watch {
    fn begin(locktoll: &Path, way: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(locktoll)
            .arg("kernel")
            .args(way)
            .stdout(Stdio::null())
            .spawn()?;
        std::thread::sleep(BEGINNING);
        ensure!(
            child.try_wait()?.is_none(),
            "`locktoll kernel` does not work here"
        );
        Ok(Self(child))
    }

    fn end(mut self) -> anyhow::Result<()> {
        // SAFETY: the child has not been waited for, so its number is still its own.
        unsafe { libc::kill(self.0.id() as i32, libc::SIGINT) };
        ensure!(self.0.wait()?.success(), "`locktoll kernel` failed");
        Ok(())
    }
}

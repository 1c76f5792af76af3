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

/// Plays so many rounds of each program under each way of watching, and prints the ratios.
pub fn run(rounds: usize) -> anyhow::Result<()> {
    let locktoll = build::locktoll()?;
    println!(
        "{rounds} interleaved rounds each of alone, watched and alone again; medians and 95 % intervals of ratios of time.\n\
         Above 1 is slower. What alone again shows is what equal runs differ by here. The futex calls may become slower by 5 %.\n"
    );
    println!(
        "{:<14}{:<22}{:<26}{:<26}calls/s alone",
        "program", "watched by", "watched/alone", "alone again/alone"
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
    let (mut watched, mut again, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        // The order turns with the rounds, so that what drifts hits all alike.
        let mut took = [0.0; 3];
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
            }
            .0;
        }
        let (_, number) = once(calls)?;
        rates.push(number / took[0] * 1e9);
        watched.push(took[1] / took[0]);
        again.push(took[2] / took[0]);
    }
    let ratio = |of: &[f64]| estimate(of).context("no rounds were played");
    let (watched, again) = (ratio(&watched)?, ratio(&again)?);
    Ok(format!(
        "{:<14}{:<22}{:<26}{:<26}{:.0}  {}",
        calls.word(),
        match way {
            [] => "kernel".to_owned(),
            way => format!("kernel {}", way.join(" ")),
        },
        in_words(watched),
        in_words(again),
        ratio(&rates)?.median,
        judge(calls, watched, again)
    ))
}

fn judge(calls: Calls, watched: Estimate, again: Estimate) -> &'static str {
    let most = match calls {
        Calls::Futex => ALLOWED,
        Calls::Uncontended => 1.0,
    };
    if watched.low > most * again.high.max(1.0) {
        "SLOWER than allowed"
    } else if watched.high <= most.max(again.high) {
        "within what is allowed"
    } else {
        "the interval reaches across what is allowed"
    }
}

/// Nanoseconds, and how many operations.
fn once(calls: Calls) -> anyhow::Result<(f64, f64)> {
    let output = Command::new(std::env::current_exe()?)
        .args(["__calls", calls.word()])
        .output()?;
    ensure!(output.status.success(), "the program failed");
    let said = String::from_utf8(output.stdout)?;
    let mut numbers = said.split_whitespace().map(str::parse::<f64>);
    let mut next = || numbers.next().context("the program said nothing");
    Ok((next()??, next()??))
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

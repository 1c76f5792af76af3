//! What recording costs real programs.

use locktoll_lab::stats::{Estimate, Verdict, verdict};

use super::rounds::{Ratios, play, ratios};
use super::subject::{Subject, is_installed};
use super::way::{Place, Way};
use super::wishes::Wishes;
use super::{batch, servers};
use crate::build;

/// What a program may become slower by.
const ALLOWED: f64 = 1.02;

/// Measures the programs whose names contain one of `words`, all if there are none, and prints a table.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let wishes = Wishes::of(words)?;
    let (exact, rounds) = (wishes.exact, wishes.rounds);
    let place = Place::new(build::preload_library()?, exact)?;
    let place = place.comparing_timelines(wishes.timeline);
    let [measured, base] = match wishes.timeline {
        true => ["timeline", "recorded"],
        false => ["recorded", "bare"],
    };
    println!(
        "{rounds} interleaved rounds each of {base}, {measured}{} and {base} again; medians and 95 % intervals of ratios.\n\
         Above 1 is slower. What {base} again shows is what equal runs differ by here.\n",
        if exact { " (--exact)" } else { "" }
    );
    println!(
        "{:<50}{:<26}{:<26}{:<30}verdict",
        "",
        format!("time, {measured}/{base}"),
        format!("{base} again/{base}"),
        format!("CPU time, {measured}/{base}")
    );
    let batches = batch::all().into_iter();
    let batches = batches.map(|batch| -> Box<dyn Subject> { Box::new(batch) });
    for mut subject in batches.chain(servers::all()) {
        if wishes.includes(subject.name()) {
            let line = measure(subject.as_mut(), &place, rounds);
            println!(
                "{:<50}{}",
                subject.name(),
                line.unwrap_or_else(|error| format!("failed: {error:#}"))
            );
        }
    }
    Ok(())
}

fn measure(subject: &mut dyn Subject, place: &Place, rounds: usize) -> anyhow::Result<String> {
    if let Some(missing) = subject
        .needs()
        .iter()
        .find(|program| !is_installed(program))
    {
        return Ok(format!("left out: {missing} is not installed"));
    }
    subject.prepare(place)?;
    // The first run warms caches for all.
    subject.run(place, Way::Bare)?;
    let played = play(rounds, |way| subject.run(place, way))?;
    let time = ratios(&played, |sample| sample.time);
    let cpu = ratios(&played, |sample| sample.cpu);
    let shown = |estimate: Option<Estimate>| estimate.map_or("-".to_owned(), in_words);
    Ok(format!(
        "{:<26}{:<26}{:<30}{}",
        shown(time.map(|time| time.recorded)),
        shown(time.map(|time| time.same)),
        shown(cpu.map(|cpu| cpu.recorded)),
        time.map_or("not measured", judge)
    ))
}

pub fn in_words(ratio: Estimate) -> String {
    format!(
        "{:.3} ({:.3} .. {:.3})",
        ratio.median, ratio.low, ratio.high
    )
}

fn judge(ratios: Ratios) -> &'static str {
    match verdict(&ratios.recorded, Some(&ratios.same)) {
        Verdict::Slower if ratios.recorded.median > ALLOWED => "SLOWER by more than 2 %",
        Verdict::Slower => "slower, by less than 2 %",
        Verdict::Faster => "faster",
        Verdict::NoDifference if ratios.recorded.high <= ALLOWED => "at most 2 % slower",
        Verdict::NoDifference => "no detectable difference",
    }
}

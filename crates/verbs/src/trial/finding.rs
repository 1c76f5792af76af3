//! The result, in a sentence.

use locktoll_lab::stats::Estimate;

use super::tournament::plan::LEAST_ROUNDS;
use super::{PASS_THROUGH, Played};
use locktoll_results::trial::{
    Best, Better as TrialBetter, Metric, MetricSource, TrialRow, Verdict,
};
use locktoll_terminal::quantity::counted;

/// Returns the best lock, or says that there is none and how large a difference may have gone undetected.
pub fn finding(played: &Played) -> String {
    let metric = &played.metric;
    if let Some(best) = &played.best {
        return found(metric, best, played.final_rounds > 0);
    }
    let of = |verdict| {
        let rows = locks(&played.results).filter(|it| it.verdict == Some(verdict));
        rows.collect::<Vec<&TrialRow>>()
    };
    let (better, worse) = comparatives(metric);
    let (faster, slower) = (of(Verdict::Faster), of(Verdict::Slower));
    // A lock with enough rounds for a confidence interval at least bounds how far it can differ.
    let has_interval = |row: &&TrialRow| row.ratio_to_bare.is_some_and(|it| it.n >= LEAST_ROUNDS);
    let mut same = of(Verdict::NoDifference);
    same.extend(of(Verdict::NotJudged).into_iter().filter(has_interval));
    let few = too_few(&played.results);
    if faster.is_empty() && same.is_empty() && slower.is_empty() && !few.is_empty() {
        return unjudged(&few);
    }
    let unseen = unseen(&same);
    match (faster.as_slice(), same.as_slice(), slower.as_slice()) {
        ([], [], []) => "Nothing could be compared.".to_owned(),
        ([first, ..], _, _) => {
            let verb = if faster.len() == 1 { "was" } else { "were" };
            let how = brackets(metric, first);
            let but = match played.results.iter().find(|row| row.is_finalist) {
                Some(finalist) if played.promising.is_none() => {
                    format!("the final, of {}, showed no difference", finalist.lock)
                }
                _ => "the best of many looks better than it is, and the final did not finish"
                    .to_owned(),
            };
            format!(
                "{} {verb} {better} than the program's own locks in the main rounds{how}; but {but}.",
                named(&faster)
            )
        }
        ([], _, []) => format!(
            "No detectable difference: on this machine no lock tried here is {better} or {worse} than the program's own by more than \
             about {unseen}."
        ),
        ([], [], [only]) => format!(
            "{} is {worse} than the program's own locks{}.",
            only.lock,
            only.ratio_to_bare
                .as_ref()
                .map_or_else(String::new, |it| format!(": it {}", compared(metric, it)))
        ),
        ([], [], [nearest, ..]) => format!(
            "Every lock tried here is {worse} than the program's own. The nearest is {}{}.",
            nearest.lock,
            nearest
                .ratio_to_bare
                .as_ref()
                .map_or_else(String::new, |it| format!(": it {}", compared(metric, it)))
        ),
        ([], same, slower) => format!(
            "No lock tried here is detectably {better} than the program's own: {} {worse}, and {} by less than about {unseen} if at \
             all.",
            match slower {
                [one] => format!("{} is", one.lock),
                many => format!("{} are", counted(many.len() as u64, "lock", "locks")),
            },
            match same {
                [one] => format!("{} differs", one.lock),
                many => format!("the other {} differ", many.len()),
            },
        ),
    }
}

fn locks(rows: &[TrialRow]) -> impl Iterator<Item = &TrialRow> {
    rows.iter()
        .filter(|it| it.lock != "bare" && it.lock != PASS_THROUGH)
}

/// Returns the locks that had too few rounds to be judged.
pub fn too_few(rows: &[TrialRow]) -> Vec<&TrialRow> {
    let few = |row: &&TrialRow| {
        let rounds = row.ratio_to_bare.map_or(0, |it| it.n);
        row.verdict == Some(Verdict::NotJudged) && rounds < LEAST_ROUNDS
    };
    locks(rows).filter(few).collect()
}

fn unjudged(few: &[&TrialRow]) -> String {
    let rounds = few
        .iter()
        .filter_map(|row| Some(row.ratio_to_bare?.n))
        .max();
    let needed = few
        .iter()
        .filter_map(|row| row.rounds_needed)
        .max()
        .unwrap_or(LEAST_ROUNDS);
    format!(
        "No verdict: {} too few to judge {} by; give --rounds {needed} or more.",
        match rounds.unwrap_or(0) {
            1 => "1 round is".to_owned(),
            many => format!("{many} rounds are"),
        },
        counted(few.len() as u64, "lock", "locks")
    )
}

/// Phrases a ratio as a verb with its object: `takes 1.30 times as long (95 %: 1.22 .. 1.41)`.
pub fn compared(metric: &Metric, ratio: &Estimate) -> String {
    let interval = interval(ratio);
    match metric.source {
        MetricSource::WallTime => {
            format!("takes {} times as long ({interval})", times(ratio.median))
        }
        MetricSource::Output => format!(
            "gives {} times the metric ({interval})",
            times(ratio.median)
        ),
    }
}

/// Returns the words for better and worse.
pub fn comparatives(metric: &Metric) -> (&'static str, &'static str) {
    match metric.source {
        MetricSource::WallTime => ("faster", "slower"),
        MetricSource::Output => ("better", "worse"),
    }
}

/// A factor: `1.62`, `0.97`, `13`.
pub fn times(factor: f64) -> String {
    match factor {
        0.1..9.995 => format!("{factor:.2}"),
        9.995..99.95 => format!("{factor:.1}"),
        99.95..1e6 => format!("{factor:.0}"),
        _ => format!("{factor:.1e}"),
    }
}

fn found(metric: &Metric, best: &Best, in_final: bool) -> String {
    let (lock, ratio) = (&best.lock, best.ratio_to_bare);
    let from = if in_final { ", in the final" } else { "" };
    let finding = match metric.source {
        MetricSource::WallTime => {
            let speed = Estimate {
                median: 1.0 / ratio.median,
                low: 1.0 / ratio.high,
                high: 1.0 / ratio.low,
                n: ratio.n,
            };
            format!(
                "The program ran {} times as fast with {lock} as with its own locks ({}{from})",
                times(speed.median),
                interval(&speed)
            )
        }
        MetricSource::Output => {
            let direction = match metric.better {
                TrialBetter::Higher => "higher",
                TrialBetter::Lower => "lower",
            };
            format!(
                "The metric was {} times as high with {lock} as with the program's own locks ({}{from}; {direction} is better)",
                times(ratio.median),
                interval(&ratio),
            )
        }
    };
    let program = match metric.source {
        MetricSource::WallTime => "",
        MetricSource::Output => "the program ",
    };
    let cpu = match best.cpu_ratio {
        None => String::new(),
        Some(cpu) if cpu.low > 1.0 => {
            format!(", but {program}used {} CPU time", more(cpu.median))
        }
        Some(cpu) if cpu.high < 1.0 => {
            let percent = (1.0 - cpu.median) * 100.0;
            format!(" and {program}used {percent:.0} % less CPU time")
        }
        Some(_) => ", with no detectable difference in CPU time".to_owned(),
    };
    format!("{finding}{cpu}.")
}

/// Returns `32 % more`; from 2 on, a factor, which reads better.
fn more(factor: f64) -> String {
    match factor {
        ..2.0 => format!("{:.0} % more", (factor - 1.0) * 100.0),
        _ => format!("{} times as much", times(factor)),
    }
}

/// Returns how far the locks without a detectable difference may still differ: the furthest that any of their intervals reaches.
fn unseen(same: &[&TrialRow]) -> String {
    let ratios = same.iter().filter_map(|row| row.ratio_to_bare);
    let furthest = ratios.fold(1.0, |furthest: f64, it| {
        furthest.max(it.high).max(1.0 / it.low)
    });
    let percent = (furthest - 1.0) * 100.0;
    match percent {
        // Smaller than anything that is called a difference.
        ..1.0 => "1 %".to_owned(),
        ..9.95 => format!("{percent:.1} %"),
        ..99.5 => format!("{percent:.0} %"),
        _ => format!("a factor of {}", times(furthest)),
    }
}

fn brackets(metric: &Metric, row: &TrialRow) -> String {
    let ratio = row.ratio_to_bare.as_ref();
    ratio.map_or_else(String::new, |it| {
        format!(": {} {}", row.lock, compared(metric, it))
    })
}

fn interval(estimate: &Estimate) -> String {
    let (low, high) = (times(estimate.low), times(estimate.high));
    // With fewer rounds the bounds are the minimum and the maximum, not a 95 % interval.
    match estimate.n {
        ..LEAST_ROUNDS => format!(
            "{low} .. {high} in {}",
            counted(estimate.n as u64, "round", "rounds")
        ),
        _ => format!("95 %: {low} .. {high}"),
    }
}

fn named(rows: &[&TrialRow]) -> String {
    let names: Vec<&str> = rows.iter().map(|it| it.lock.as_str()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests;

//! The program, the load, the metric and the rounds.

use locktoll_terminal::fold;
use std::fmt;

use crate::Provenance;
use locktoll_results::trial::{Better as TrialBetter, Metric, MetricSource, TrialResult};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{counted, duration};

/// Writes the command, the load, what was compared, and how long it took.
pub fn write(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    fold::write(
        page,
        "Program: ",
        &shown_text(&result.command.join(" ")),
        width,
    )?;
    if let Some(load) = &result.load {
        fold::write(page, "Load:    ", &shown_text(&load.join(" ")), width)?;
    }
    if let Some(only) = &result.only {
        let words = format!(
            "{} ({}); every other lock is the C library's",
            only.name, only.id
        );
        fold::write(page, "Only:    ", &shown_text(&words), width)?;
    }
    let metric = metric_words(&result.metric, result.load.is_some());
    fold::write(page, "Metric:  ", &shown_text(&metric), width)?;
    let rounds = match result.final_rounds {
        0 => counted(result.rounds as u64, "round", "interleaved rounds"),
        last => format!(
            "{}, then a final of {last}",
            counted(result.rounds as u64, "selection round", "selection rounds")
        ),
    };
    let took = format!(
        "{rounds}; took {} (limit {})",
        duration(result.taken_ns as f64),
        duration(result.announced_ns as f64)
    );
    fold::write(page, "Rounds:  ", &took, width)?;
    let from = Provenance {
        made: result.made.as_ref(),
        machine: Some(&result.machine),
        version: Some(&result.version),
    };
    from.write(page, "", width)
}

/// Returns what is compared, in words.
pub fn metric_words(metric: &Metric, is_server: bool) -> String {
    let better = match metric.better {
        TrialBetter::Higher => "higher is better",
        TrialBetter::Lower => "lower is better",
    };
    let whose = match is_server {
        true => "the load",
        false => "the program",
    };
    match (metric.source, &metric.pattern) {
        (MetricSource::WallTime, _) => format!("wall time of {whose}, {better}"),
        (MetricSource::Output, Some(pattern)) => {
            format!("number found by /{pattern}/ in the output of {whose}, {better}")
        }
        (MetricSource::Output, None) => format!("number read from the output of {whose}, {better}"),
    }
}

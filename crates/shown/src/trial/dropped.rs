//! The candidates that were dropped, and the reasons.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use crate::profile::text::styles::FAINT;
use locktoll_results::trial::{Dropped, TrialResult, WhyDropped};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::duration;

/// The number of lines of a program's last words.
const LAST_LINES: usize = 5;

/// Writes a paragraph for each candidate that was dropped, with the program's last words. Candidates that were dropped at one time
/// for the same reason share one.
pub fn write(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    let mut alike: Vec<(&Dropped, Vec<&str>)> = Vec::new();
    for row in &result.results {
        let Some(dropped) = &row.dropped else {
            continue;
        };
        match alike.iter_mut().find(|(other, _)| *other == dropped) {
            Some((_, locks)) => locks.push(&row.lock),
            None => alike.push((dropped, vec![&row.lock])),
        }
    }
    for (dropped, locks) in &alike {
        let paragraph = format!("{}: {}", locks.join(", "), sentence(dropped));
        fold::write(page, "", &paragraph, width)?;
        for line in last_words(dropped, width.saturating_sub(4)) {
            writeln!(page, "{FAINT}  | {line}{FAINT:#}")?;
        }
    }
    if !alike.is_empty() {
        writeln!(page)?;
    }
    Ok(())
}

fn sentence(dropped: &Dropped) -> String {
    let when = match dropped.round {
        0 => "in the warm-up".to_owned(),
        round => format!("in round {round}"),
    };
    match &dropped.why {
        WhyDropped::ClearlyWorse => {
            format!("dropped {when}: by then it was clearly and far worse than bare.")
        }
        WhyDropped::Signal { number, name, .. } => format!(
            "the program was killed by {name} (signal {number}) {when}; unmodified, it is not."
        ),
        WhyDropped::ExitCode { code, .. } => {
            format!("the program exited with code {code} {when}; unmodified, it does not.")
        }
        WhyDropped::TimeLimit { limit_ns } => format!(
            "the program had not finished after {} {when}, and was killed.",
            duration(*limit_ns as f64)
        ),
        WhyDropped::Load { reason } => format!("the load failed {when}: {}", shown_text(reason)),
        WhyDropped::NotReplaced { reason } => {
            format!(
                "the library could not replace the locks {when}: {}",
                shown_text(reason)
            )
        }
    }
}

/// Returns the last lines that the program wrote to standard error, each as one line that fits.
fn last_words(dropped: &Dropped, width: usize) -> Vec<String> {
    let said = match &dropped.why {
        WhyDropped::Signal { said, .. } | WhyDropped::ExitCode { said, .. } => said.as_deref(),
        _ => None,
    };
    // A result that was read from a file has its line ends escaped, so it is one line.
    let lines: Vec<&str> = said.unwrap_or_default().trim_end().lines().collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    last.iter()
        .map(|line| cut(&shown_text(line), width))
        .collect()
}

fn cut(line: &str, width: usize) -> String {
    match line.chars().count() > width {
        true => line
            .chars()
            .take(width.saturating_sub(3))
            .chain("...".chars())
            .collect(),
        false => line.to_owned(),
    }
}

//! The meaning of the table, and how far to trust it.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::words::{bounds, factor};
use crate::profile::text::styles::FAINT;
use locktoll_results::trial::{Better as TrialBetter, MetricSource, TrialResult};
use locktoll_terminal::escape::shown_text;

/// Writes notes on candidates, the legend, by how much equal things differed, and warnings.
pub fn write(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    for (names, remark) in remarks(result) {
        fold::write(
            page,
            "* ",
            &format!("{}: {remark}", names.join(", ")),
            width,
        )?;
    }
    let mut legend = String::new();
    fold::write(&mut legend, "", &columns(result), width)?;
    for line in legend.lines() {
        writeln!(page, "{FAINT}{line}{FAINT:#}")?;
    }
    if let Some(same) = result.same_against_same {
        let words = match same.n {
            1 => format!("{} in one round, which says little.", factor(same.median)),
            _ => format!(
                "{} ({}): the noise floor; verdicts take it into account.",
                factor(same.median),
                bounds(same)
            ),
        };
        fold::write(page, "Bare against bare: ", &words, width)?;
    }
    for remark in &result.remarks {
        fold::write(page, "Note: ", &shown_text(&format!("{remark}.")), width)?;
    }
    for warning in &result.noise.warnings {
        fold::write(page, "Warning: ", warning, width)?;
    }
    if result.partial {
        writeln!(page, "PARTIAL: ended before the last round.")?;
    }
    Ok(())
}

/// Returns remarks on candidates, with the names of those that each applies to.
fn remarks(result: &TrialResult) -> Vec<(Vec<&str>, &str)> {
    const SPINS: &str = "waiters only spin. With more threads than CPUs, such a lock can stand still for whole time \
                         slices of the scheduler, and it uses CPU time that other threads need.";
    let mut said: Vec<(Vec<&str>, &str)> = Vec::new();
    for row in &result.results {
        let spins = row.is_pure_spinner.then_some(SPINS);
        for remark in spins
            .into_iter()
            .chain(row.remarks.iter().map(String::as_str))
        {
            match said.iter_mut().find(|(_, known)| *known == remark) {
                Some((names, _)) => names.push(&row.lock),
                None => said.push((vec![&row.lock], remark)),
            }
        }
    }
    said
}

fn columns(result: &TrialResult) -> String {
    let versus = match (result.metric.source, result.metric.better) {
        (MetricSource::WallTime, _) => {
            "speed relative to bare in the same round; above 1 is faster"
        }
        (MetricSource::Output, TrialBetter::Higher) => {
            "the metric divided by bare's in the same round; above 1 is better"
        }
        (MetricSource::Output, TrialBetter::Lower) => {
            "bare's metric divided by this one in the same round; above 1 is better"
        }
    };
    let best = match &result.best {
        Some(best) if result.final_rounds > 0 => format!(
            " The first sentence and the row of {0} are from the {1} rounds of the final, which had no part in choosing {0}.",
            best.lock, best.ratio_to_bare.n
        ),
        _ => String::new(),
    };
    format!(
        "bare: the unmodified program. vs bare: {versus}. CPU: CPU time relative to bare; below 1 is less. pass-through: \
         locktoll's library loaded, nothing replaced. replaced: objects that got another lock. no difference: none that is larger \
         than the noise, which does not prove equality.{best}"
    )
}

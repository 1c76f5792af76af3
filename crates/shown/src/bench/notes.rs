//! The notes below the tables: lost cells, the meaning of columns, the reliability of the figures, and the source of the
//! locks.

use std::fmt::{self, Write};

use locktoll_lab::cell::{Arrival, Length};
use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::Estimate;

use super::text::setting_of;
use crate::slices::{modes_words, placement_words};
use crate::table::dash;
use crate::{Provenance, sentence};
use locktoll_results::bench::{BenchResult, Precision};
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{counted, duration, price, rate};

/// Writes the notes.
pub fn write(page: &mut String, result: &BenchResult, width: usize) -> fmt::Result {
    for cell in &result.cells {
        if let Some(remark) = remark(cell) {
            let setting = setting_of(cell);
            fold::write(
                page,
                "* ",
                &format!("{} ({setting}): {remark}", cell.lock),
                width,
            )?;
        }
    }
    let length = match result.cells.first().map(|cell| cell.length) {
        Some(Length::Time { ns }) => duration(ns as f64),
        Some(Length::Rounds { each }) => format!("{each} operations per thread"),
        None => return Ok(()),
    };
    sentence::legend(page, &columns(result), width)?;
    for pair in &result.noise.same_lock_twice {
        // A document that was read from a file may refer to any cell.
        let setting = result
            .cells
            .get(pair.cell)
            .map_or_else(dash, |cell| setting_of(cell));
        let Estimate {
            median,
            low,
            high,
            n,
        } = pair.ratio;
        let text = match n {
            1 => format!("{median:.2}x in one round, which says little."),
            _ => format!("{median:.2}x ({low:.2} .. {high:.2}). Smaller differences mean nothing."),
        };
        let lead = format!("Same lock twice ({}; {setting}): ", pair.lock);
        fold::write(page, "", &format!("{lead}{text}"), width)?;
    }
    if let Some(precision) = &result.until {
        fold::write(page, "", &precision_words(precision), width)?;
    }
    if let Some(placement) = &result.noise.placement {
        let words = placement_words(placement);
        fold::write(
            page,
            "Placement of lock, data and threads: ",
            &format!("{words}."),
            width,
        )?;
    }
    for warning in &result.noise.seen.warnings {
        fold::write(page, "Warning: ", warning, width)?;
    }
    if result.partial {
        writeln!(page, "PARTIAL: interrupted before the last round.")?;
    }
    let from = Provenance {
        made: result.made.as_ref(),
        machine: Some(&result.machine),
        version: Some(&result.version),
    };
    from.write(
        page,
        &format!("{} of {length} per cell", rounds(result)),
        width,
    )
}

fn columns(result: &BenchResult) -> String {
    let empty = match result.empty_loop_ns {
        Some(empty) => format!(
            "with 1 thread the empty loop ({}) is subtracted",
            price(empty.median)
        ),
        None => "the empty loop could not be measured, so nothing is subtracted".to_owned(),
    };
    format!(
        "Medians of the rounds. per op: wall time divided by the operations of all threads; {empty}. user, kernel: CPU time per \
         operation. sleeps, forced: voluntary and involuntary context switches per operation. p50 to longest: time to acquire \
         the lock, measured in slices of their own, since reading the clock costs {}. jain: fairness, where 1 is fair. run: most \
         acquisitions in a row by one thread.",
        price(result.clock.cost_ns)
    )
}

/// Says how many rounds there were, up to where they got.
fn rounds(result: &BenchResult) -> String {
    let planned = match result.until {
        Some(until) if until.rounds > result.repeat as usize => {
            format!("{} to {} interleaved rounds", result.repeat, until.rounds)
        }
        _ => counted(u64::from(result.repeat), "round", "interleaved rounds"),
    };
    match result.partial {
        true => format!("part of {planned}"),
        false => planned,
    }
}

/// Says whether the figures are as precise as was asked.
fn precision_words(precision: &Precision) -> String {
    let percent = |share: f64| (share * 1000.0).round() / 10.0;
    let (asked, rounds) = (percent(precision.share), precision.rounds);
    match precision.wider {
        0 => format!(
            "Until {asked} %: each interval ends within {asked} % of its median, after at most {rounds} rounds."
        ),
        wider => {
            let are = if wider == 1 {
                "is less precise,"
            } else {
                "are less precise, the worst"
            };
            format!(
                "Until {asked} %: {wider} of {} {are} within {} %, after {rounds} rounds.",
                counted(precision.cells as u64, "cell", "cells"),
                percent(precision.widest)
            )
        }
    }
}

/// Says what is wrong with a cell.
pub fn remark(cell: &CellSummary) -> Option<String> {
    let mut remarks = Vec::new();
    if let Some(cut) = cell.cut_off {
        remarks.push(format!(
            "cut off: {} still running {} after they were asked to stop; the figures cover the time before that",
            counted(u64::from(cut.threads), "thread was", "threads were"),
            duration(cut.waited_ns as f64)
        ));
    }
    if let Some(broken) = &cell.exclusion_broken {
        remarks.push(format!("let two threads in at once: {broken}"));
    }
    if cell.idle_slices > 0 {
        remarks.push(format!(
            "no operation was completed in {}; each is counted as one operation that takes the whole slice, which is too little \
             (try a longer --duration)",
            counted(cell.idle_slices, "slice", "slices")
        ));
    }
    remarks.extend(cell.modes.as_ref().map(modes_words));
    if let (Arrival::Open { per_second }, Some(done)) = (cell.arrival, cell.ops_per_second)
        && done.median < 0.95 * per_second
    {
        remarks.push(format!(
            "saturated: {}/s of the {}/s that arrived were served, so waits grow with the duration",
            rate(done.median),
            rate(per_second)
        ));
    }
    remarks.extend(cell.failure.clone());
    (!remarks.is_empty()).then(|| remarks.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_precision_is_said_with_the_rounds_that_it_took() {
        let reached = Precision {
            share: 0.05,
            cells: 4,
            wider: 0,
            widest: 0.041,
            rounds: 28,
        };
        assert_eq!(
            precision_words(&reached),
            "Until 5 %: each interval ends within 5 % of its median, after at most 28 rounds."
        );
        let missed = Precision {
            share: 0.025,
            wider: 1,
            widest: 0.3127,
            rounds: 224,
            ..reached
        };
        assert_eq!(
            precision_words(&missed),
            "Until 2.5 %: 1 of 4 cells is less precise, within 31.3 %, after 224 rounds."
        );
        let several = Precision { wider: 3, ..missed };
        assert_eq!(
            precision_words(&several),
            "Until 2.5 %: 3 of 4 cells are less precise, the worst within 31.3 %, after 224 rounds."
        );
    }
}

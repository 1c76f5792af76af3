//! A panel with the checks: the bounds of each as a band, the published value, and the measured one of each machine.

use locktoll_results::reproduction::{Check, ClaimVerdict};

use super::super::text::{interval, short};
use super::draw::View;
use super::ink::{Ink, Mark, fitting};
use super::scale::{Scale, tick};

/// One check, on all machines.
#[derive(Debug)]
struct Row<'a> {
    what: &'a str,
    /// The check of each machine that has it.
    checks: Vec<(usize, &'a Check)>,
}

const TRACK: f64 = 430.0;
const LABEL: f64 = 18.0;
const LINE: f64 = 20.0;
const AXIS: f64 = 24.0;
const HEAD: f64 = 24.0;

/// Returns the height of the panel; 0 if there is nothing to draw.
pub fn height(views: &[View<'_>]) -> f64 {
    let rows = rows(views);
    if scale(&rows).is_none() {
        return 0.0;
    }
    let lines: usize = rows.iter().map(|row| row.checks.len()).sum();
    HEAD + rows.len() as f64 * LABEL + lines as f64 * LINE + AXIS
}

/// Draws the panel.
pub fn draw(ink: &mut Ink, (left, top): (f64, f64), width: f64, views: &[View<'_>]) {
    let rows = rows(views);
    let Some(scale) = scale(&rows) else { return };
    let at = |value: f64| left + TRACK * scale.place(value);
    ink.text(
        (left, top + 13.0),
        "head",
        "start",
        "Checks: measured, bounds of the claim, published",
    );
    let mut y = top + HEAD;
    let below = top + height(views) - AXIS;
    for value in scale.ticks() {
        ink.line("grid", (at(value), y), (at(value), below));
        ink.text((at(value), below + 14.0), "faint", "middle", &tick(value));
    }
    ink.line("axis", (left, below), (left + TRACK, below));
    for row in &rows {
        let first = row.checks[0].1;
        let lines = row.checks.len() as f64 * LINE;
        ink.text(
            (left, y + 13.0),
            "",
            "start",
            &fitting(row.what, width - 4.0),
        );
        y += LABEL;
        let from = first.at_least.map_or(left, at);
        let to = first.at_most.map_or(left + TRACK, at);
        ink.rectangle("band", (from, y + 2.0), ((to - from).max(2.0), lines - 4.0));
        if let Some(published) = first.published {
            let middle = (at(published), y + lines / 2.0);
            ink.line(
                "line dash pub",
                (middle.0, y + 2.0),
                (middle.0, y + lines - 2.0),
            );
            ink.mark("hollow pub", Mark::Diamond, middle);
        }
        for (machine, check) in &row.checks {
            let middle = y + LINE / 2.0;
            if let Some(measured) = check.measured {
                let (class, mark) = manner(check.verdict);
                ink.whisker(
                    class,
                    (at(measured.low), middle),
                    (at(measured.high), middle),
                );
                ink.mark(class, mark, (at(measured.median), middle));
            }
            let words = words(check, views[*machine].machine);
            let beside = (left + TRACK + 12.0, middle + 4.0);
            let words = fitting(&words, width - TRACK - 12.0);
            ink.text(beside, "faint", "start", &words);
            y += LINE;
        }
    }
}

fn rows<'a>(views: &[View<'a>]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for (machine, view) in views.iter().enumerate() {
        for check in &view.claim.checks {
            match rows.iter_mut().find(|row| row.what == check.what) {
                Some(row) => row.checks.push((machine, check)),
                None => rows.push(Row {
                    what: &check.what,
                    checks: vec![(machine, check)],
                }),
            }
        }
    }
    rows
}

/// Returns the axis; `None` if nothing was measured.
fn scale(rows: &[Row<'_>]) -> Option<Scale> {
    let checks = || rows.iter().flat_map(|row| &row.checks);
    let measured = |it: &Check| it.measured.map(|it| [it.low, it.median, it.high]);
    let mut values: Vec<f64> = checks()
        .filter_map(|(_, it)| measured(it))
        .flatten()
        .collect();
    if values.is_empty() {
        return None;
    }
    let fixed = |it: &Check| [it.at_least, it.at_most, it.published];
    values.extend(checks().flat_map(|(_, it)| fixed(it)).flatten());
    Scale::for_ratios(&values)
}

fn manner(verdict: ClaimVerdict) -> (&'static str, Mark) {
    match verdict {
        ClaimVerdict::Holds => ("holds", Mark::Circle),
        ClaimVerdict::DoesNotHold => ("fails", Mark::Cross),
        ClaimVerdict::CannotBeJudgedHere | ClaimVerdict::NotYet => ("open", Mark::Square),
    }
}

/// Says in words what the marks show: the figures, and the machine if there are several.
pub fn words(check: &Check, machine: Option<&str>) -> String {
    let measured = match check.measured {
        Some(it) if it.n > 1 => format!("{} ({})", short(it.median), interval(it)),
        Some(it) => short(it.median),
        None => "not measured".to_owned(),
    };
    match (machine, check.published) {
        (Some(machine), _) => format!("{measured}, {machine}"),
        (None, Some(published)) => format!("{measured}; published {}", short(published)),
        (None, None) => measured,
    }
}

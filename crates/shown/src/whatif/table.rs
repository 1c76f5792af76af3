//! One row per lock, and one row per length that was measured.

use std::fmt;

use locktoll_lab::stats::{Estimate, confidence};

use crate::table;
use crate::table::dash;
use locktoll_results::whatif::{Experiment, WhatIfLock, WhatIfResult, WhatIfVerdict};
use locktoll_terminal::escape::shown_text;

/// The longest name that is not cut.
const NAME: usize = 32;

/// Writes the gains: lock, verdict, share of waiting, and the gain for each share by which holds are shortened.
pub fn write(page: &mut String, result: &WhatIfResult, width: usize) -> fmt::Result {
    let row = |lock: &WhatIfLock| {
        let mut cells = vec![
            name(&lock.name),
            verdict(lock).to_owned(),
            format!("{:.1} %", 100.0 * lock.wait_share),
        ];
        let percents = ["10", "25", "50"].map(|percent| lock.gains.get(percent).copied());
        cells.extend(percents.map(|gain| gain.map_or_else(dash, factor)));
        cells
    };
    let head = ["lock", "verdict", "waiting", "-10 %", "-25 %", "-50 %"];
    // A narrow terminal, or one with a long name, has room for larger changes alone.
    let choices: [&[usize]; 3] = [&[0, 1, 2, 3, 4, 5], &[0, 1, 4, 5], &[0, 1, 5]];
    let table = |columns: &&[usize]| {
        let head: Vec<&str> = columns.iter().map(|&it| head[it]).collect();
        let rows = result.locks.iter().map(|lock| {
            let cells = row(lock);
            columns.iter().map(|&it| cells[it].clone()).collect()
        });
        table::lines(&head, &[0, 1], rows)
    };
    let fits = |lines: &Vec<String>| lines.iter().all(|it| it.chars().count() <= width);
    let mut tables = choices.iter().map(table);
    let narrowest = tables.next_back().unwrap_or_default();
    table::write(page, "", &tables.find(fits).unwrap_or(narrowest))
}

/// Writes what was measured.
pub fn measured(page: &mut String, result: &WhatIfResult) -> fmt::Result {
    let of = |id: &str| result.locks.iter().find(|lock| lock.lock == id);
    let row = |it: &Experiment| {
        let ratio = it.ratio_to_bare;
        vec![
            of(&it.lock).map_or_else(dash, |lock| name(&lock.name)),
            shown_text(&it.change),
            format!("{:.3}", ratio.median),
            interval(ratio, 3),
            ratio.n.to_string(),
        ]
    };
    let rounds = result.experiments.iter().map(|it| it.ratio_to_bare.n).min();
    let spread = table::spread_heading(rounds);
    let head = ["measured: lock", "holds", "metric", spread, "rounds"];
    let lines = table::lines(&head, &[0], result.experiments.iter().map(row));
    table::write(page, "", &lines)
}

fn name(name: &str) -> String {
    let name = shown_text(name);
    match name.char_indices().nth(NAME) {
        Some(_) => name.chars().take(NAME - 3).chain("...".chars()).collect(),
        None => name,
    }
}

fn verdict(lock: &WhatIfLock) -> &'static str {
    match lock.verdict {
        WhatIfVerdict::Gains => "gains",
        WhatIfVerdict::NoEffect => "no effect",
        WhatIfVerdict::CannotTell => "cannot tell",
    }
}

fn factor(gain: Estimate) -> String {
    format!("{:.2}x ({})", gain.median, interval(gain, 2))
}

/// Formats both bounds, or a dash if there was only one round.
fn interval(estimate: Estimate, digits: usize) -> String {
    match confidence(estimate.n) > 0.0 {
        true => format!("{:.digits$} .. {:.digits$}", estimate.low, estimate.high),
        false => dash(),
    }
}

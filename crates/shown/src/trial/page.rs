//! The page from top to bottom: the answer, the table, the data to judge it, and the command.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::{covered, dropped, head, notes, table};
use crate::Shown;
use crate::profile::text::styles::STRONG;
use locktoll_results::trial::TrialResult;
use locktoll_terminal::escape::shown_text;

impl Shown for TrialResult {
    fn title(&self) -> String {
        format!("locktoll try {}", self.command.join(" "))
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    let mut conclusion = String::new();
    fold::write(&mut conclusion, "", &shown_text(&result.conclusion), width)?;
    for line in conclusion.lines() {
        writeln!(page, "{STRONG}{line}{STRONG:#}")?;
    }
    writeln!(page)?;
    if let Some(caption) = caption(result) {
        fold::write(page, "", &caption, width)?;
    }
    table::write(page, result, width)?;
    writeln!(page)?;
    dropped::write(page, result, width)?;
    covered::write(page, result, width)?;
    notes::write(page, result, width)?;
    writeln!(page)?;
    head::write(page, result, width)
}

/// Says which rounds the rows are from; the finalist's row is from other rounds.
fn caption(result: &TrialResult) -> Option<String> {
    let finalist = result.results.iter().find(|row| row.is_finalist)?;
    (result.final_rounds > 0).then(|| {
        format!(
            "Selection rounds; the row of {} is from the final:",
            shown_text(&finalist.lock)
        )
    })
}

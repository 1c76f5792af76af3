//! The page from top to bottom: the answer, the remedies, the locks to leave alone, the limits, and the recording.

use std::fmt::{self, Write};

use super::{remedy, sweep};
use crate::profile::text::styles::STRONG;
use crate::{Provenance, Shown, sentence};
use locktoll_results::advice::{AdviceResult, Remedy, RemedyKind};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::duration;

impl Shown for AdviceResult {
    fn title(&self) -> String {
        format!("locktoll advise {}", self.command.join(" "))
    }

    fn write(&self, page: &mut String, width: usize) -> fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &AdviceResult, width: usize) -> fmt::Result {
    sentence::answer(page, &shown_text(&result.conclusion), width)?;
    let (alone, active): (Vec<&Remedy>, Vec<&Remedy>) = result
        .remedies
        .iter()
        .partition(|it| it.kind == RemedyKind::LeaveAlone);
    for (index, it) in active.iter().enumerate() {
        writeln!(page)?;
        remedy::write(page, index + 1, it, width)?;
    }
    if !result.sweep.is_empty() {
        writeln!(page)?;
        sweep::write(page, &result.sweep)?;
    }
    if !alone.is_empty() {
        writeln!(page)?;
        writeln!(page, "{STRONG}Leave alone{STRONG:#}")?;
        for it in alone {
            fold::write(page, "   - ", &shown_text(&it.evidence), width)?;
        }
    }
    writeln!(page)?;
    notes(page, result, &active, width)?;
    let program = shown_text(&result.command.join(" "));
    let run = format!(
        "{program} ({}, {:.1} % of the threads' time waiting for locks)",
        duration(result.duration_ns as f64),
        100.0 * result.wait_share
    );
    fold::write(page, "Recorded: ", &run, width)?;
    let from = Provenance {
        made: result.made.as_ref(),
        machine: None,
        version: Some(&result.version),
    };
    from.write(page, "", width)
}

/// Writes what the gains mean, and the limits of this advice.
fn notes(
    page: &mut String,
    result: &AdviceResult,
    active: &[&Remedy],
    width: usize,
) -> fmt::Result {
    if active.iter().any(|it| it.gain.is_some()) {
        sentence::legend(page, &remedy::meaning(active), width)?;
    }
    for text in &result.remarks {
        fold::write(page, "- ", &shown_text(text), width)?;
    }
    if result.partial {
        fold::write(
            page,
            "- ",
            "interrupted, or out of time: some experiments are missing",
            width,
        )?;
    }
    if active.iter().any(|it| it.gain.is_some()) || !result.remarks.is_empty() || result.partial {
        writeln!(page)?;
    }
    Ok(())
}

//! A comparison as text for a terminal.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::summary::{metric_words, summary};
use super::table::{claims, table};
use crate::profile::text::styles::FAINT;
use crate::{Provenance, Shown, sentence};
use locktoll_results::Kind;
use locktoll_results::comparison::{Comparison, Row, RowVerdict, Side};
use locktoll_terminal::quantity::counted;

/// The number of rows shown by default.
const TOP: usize = 20;
/// The number of rows in a page, which a browser has to read before it shows any.
pub const ROWS_OF_PAGES: usize = 1000;
/// The number of warnings shown for each side.
const WARNINGS: usize = 5;

/// A comparison, and how much of it is to be shown.
pub struct Page<'c> {
    /// The comparison to show.
    pub comparison: &'c Comparison,
    /// The number of rows; `None` means 20.
    pub top: Option<usize>,
}

impl Shown for Page<'_> {
    fn title(&self) -> String {
        let side = |side: &Side| side.files.join(", ");
        format!(
            "{} against {}",
            side(&self.comparison.a),
            side(&self.comparison.b)
        )
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        self.render(page, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self.comparison)?)
    }

    fn page_document(&self) -> anyhow::Result<serde_json::Value> {
        self.comparison.page_document()
    }
}

impl Shown for Comparison {
    fn title(&self) -> String {
        whole(self).title()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        whole(self).write(page, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        whole(self).json()
    }

    fn page_document(&self) -> anyhow::Result<serde_json::Value> {
        if self.rows.len() <= ROWS_OF_PAGES {
            return self.json();
        }
        let mut cut = self.clone();
        let rest = cut.rows.split_off(ROWS_OF_PAGES);
        let differ = |row: &&Row| row.verdict != RowVerdict::NoDifference;
        cut.notes.insert(
            0,
            format!(
                "This page has the {ROWS_OF_PAGES} most changed of {} rows, and its counts are of these; of the rest, {} differ or \
                 are on one side only (--json has all).",
                self.rows.len(),
                rest.iter().filter(differ).count()
            ),
        );
        cut.json()
    }
}

fn whole(comparison: &Comparison) -> Page<'_> {
    Page {
        comparison,
        top: None,
    }
}

impl Page<'_> {
    fn render(&self, page: &mut String, width: usize) -> fmt::Result {
        let it = self.comparison;
        for (number, sentence) in summary(it).into_iter().enumerate() {
            match number {
                0 => sentence::answer(page, &sentence, width)?,
                _ => fold::write(page, "", &sentence, width)?,
            }
        }
        writeln!(page)?;
        for (name, side) in [("A", &it.a), ("B", &it.b)] {
            fold::write(page, &format!("{name}  "), &side.files.join(", "), width)?;
            fold::write(page, "   ", &side.what, width)?;
        }
        for differ in &it.differs {
            let words = format!("{}: {} in A, {} in B", differ.what, differ.a, differ.b);
            fold::write(page, "Differs: ", &words, width)?;
        }
        writeln!(page)?;
        let top = self.top.unwrap_or(TOP);
        // The measurements of a claim's checks are shown if they differ; the claim's verdict always is.
        let is_worth_a_row = |row: &&Row| {
            it.kind != Kind::Reproduce
                || row.note.is_some()
                || row.verdict != RowVerdict::NoDifference
        };
        let rows: Vec<&Row> = it.rows.iter().filter(is_worth_a_row).collect();
        let shown = &rows[..rows.len().min(top)];
        if it.kind == Kind::Reproduce {
            claims(page, shown)?;
        } else {
            table(page, it.kind, shown)?;
        }
        let left_out = rows.len() - shown.len();
        if left_out > 0 {
            let more = counted(left_out as u64, "more row", "more rows");
            writeln!(
                page,
                "{FAINT}and {more} (--top {}, or --json){FAINT:#}",
                rows.len()
            )?;
        }
        writeln!(page)?;
        self.notes(page, width)?;
        let from = Provenance {
            made: it.made.as_ref(),
            version: Some(&it.version),
            ..Provenance::default()
        };
        from.write(page, "", width)
    }

    fn notes(&self, page: &mut String, width: usize) -> fmt::Result {
        let it = self.comparison;
        fold::write(page, "", &legend(it), width)?;
        for note in &it.notes {
            fold::write(page, "", note, width)?;
        }
        if !it.noise.evidence.is_empty() {
            let words = format!(
                "Noise floor: the same lock measured twice differed by up to {:.2}x. A row differs only by more than the noise of \
                 its own setting:",
                it.noise.factor
            );
            fold::write(page, "", &words, width)?;
            for evidence in &it.noise.evidence {
                fold::write(page, "  ", evidence, width)?;
            }
        }
        for (name, side) in [("A", &it.a), ("B", &it.b)] {
            for warning in side.warnings.iter().take(WARNINGS) {
                fold::write(page, &format!("Warning ({name}): "), warning, width)?;
            }
            if let Some(more) = side
                .warnings
                .len()
                .checked_sub(WARNINGS)
                .filter(|more| *more > 0)
            {
                let more = counted(more as u64, "more warning", "more warnings");
                writeln!(page, "Warning ({name}): and {more} (--json)")?;
            }
        }
        for rule in &it.rules {
            let mut words = match (rule.broken_by.len(), rule.judged) {
                (0, 0) => "NOT JUDGED on any row".to_owned(),
                (0, _) => "kept".to_owned(),
                (broken, _) => format!("BROKEN by {}", counted(broken as u64, "row", "rows")),
            };
            for why in &rule.unjudged_why {
                words.push_str(&format!("; not judged: {why}"));
            }
            fold::write(page, &format!("--fail-if '{}': ", rule.rule), &words, width)?;
        }
        Ok(())
    }
}

/// Explains how to read the columns.
fn legend(it: &Comparison) -> String {
    let metric = match metric_words(&it.metric) {
        words if words == it.metric => it.metric.clone(),
        words => format!("{words} ({})", it.metric),
    };
    let mut words = match it.kind {
        Kind::Reproduce => {
            return "-: the same verdict, or no detectable difference.".to_owned();
        }
        Kind::Bench | Kind::Machine | Kind::Try => format!(
            "A, B: {metric}, medians. ratio: B over A, with the 95 % interval of two independent medians."
        ),
        _ => format!(
            "A, B: {metric}; of several runs, the median. ratio: B over A; interval: by Hodges and Lehmann, from all pairs of runs."
        ),
    };
    words.push_str(" -: no detectable difference.");
    if it.rows.iter().any(|row| {
        row.metrics
            .iter()
            .any(|figure| figure.name == "wait_ns_per_acquisition")
    }) {
        words.push_str(
            " each: wait per acquisition, B over A. Waiting for events is not contention and is not compared.",
        );
    }
    words
}

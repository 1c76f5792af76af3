//! A comparison as text for a terminal.

use std::fmt::{self, Write};

use super::amounts::{amount, factor, interval};
use super::summary::summary;
use super::{Comparison, Row, RowVerdict, Side};
use crate::report::Shown;
use crate::report::WIDTH_OF_FILES;
use crate::report::profile::text::styles::{FAINT, STRONG};
use crate::report::profile::text::{Name, Table, fold};
use crate::report::quantity::counted;
use crate::saved::Kind;

/// Rows shown unless another number is asked for.
const TOP: usize = 20;
/// Characters that names have at least.
const NAME_ROOM: usize = 30;
/// Warnings shown of each side.
const WARNINGS: usize = 5;

/// A comparison, and how much of it people are to see.
pub struct Page<'c> {
    /// What is shown.
    pub comparison: &'c Comparison,
    /// How many rows; `None` is [`TOP`].
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

    fn text(&self) -> String {
        let mut page = String::new();
        self.render(&mut page)
            .expect("writing to a string does not fail");
        page
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self.comparison)?)
    }
}

impl Shown for Comparison {
    fn title(&self) -> String {
        self.page().title()
    }

    fn text(&self) -> String {
        self.page().text()
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        self.page().json()
    }
}

impl Comparison {
    fn page(&self) -> Page<'_> {
        Page {
            comparison: self,
            top: None,
        }
    }
}

impl Page<'_> {
    fn render(&self, page: &mut String) -> fmt::Result {
        let it = self.comparison;
        for (number, sentence) in summary(it).into_iter().enumerate() {
            let mut folded = String::new();
            fold::write(&mut folded, "", &sentence, WIDTH_OF_FILES)?;
            match number {
                0 => writeln!(page, "{STRONG}{}{STRONG:#}", folded.trim_end())?,
                _ => page.push_str(&folded),
            }
        }
        writeln!(page)?;
        for (name, side) in [("A", &it.a), ("B", &it.b)] {
            fold::write(
                page,
                &format!("{name}  "),
                &side.files.join(", "),
                WIDTH_OF_FILES,
            )?;
            fold::write(page, "   ", &side.what, WIDTH_OF_FILES)?;
        }
        for differ in &it.differs {
            let words = format!("{}: {} in A, {} in B", differ.what, differ.a, differ.b);
            fold::write(page, "Not the same: ", &words, WIDTH_OF_FILES)?;
        }
        writeln!(page)?;
        let top = self.top.unwrap_or(TOP);
        // What the checks of a claim measured is shown where it differs; the claim's verdict always is.
        let is_told = |row: &&Row| {
            it.kind != Kind::Reproduce
                || row.note.is_some()
                || row.verdict != RowVerdict::NoDifference
        };
        let told: Vec<&Row> = it.rows.iter().filter(is_told).collect();
        let shown = &told[..told.len().min(top)];
        if it.kind == Kind::Reproduce {
            claims(page, shown)?;
        } else {
            table(page, it.kind, shown)?;
        }
        let left_out = told.len() - shown.len();
        if left_out > 0 {
            let rows = counted(left_out as u64, "more row", "more rows");
            writeln!(
                page,
                "{FAINT}and {rows} (--top {}, or --json){FAINT:#}",
                told.len()
            )?;
        }
        writeln!(page)?;
        self.notes(page)
    }

    fn notes(&self, page: &mut String) -> fmt::Result {
        let it = self.comparison;
        fold::write(page, "", &legend(it), WIDTH_OF_FILES)?;
        for note in &it.notes {
            fold::write(page, "", note, WIDTH_OF_FILES)?;
        }
        if !it.noise.evidence.is_empty() {
            let words = format!(
                "Equal things differed by up to {:.2}x; less than that is no difference:",
                it.noise.factor
            );
            fold::write(page, "", &words, WIDTH_OF_FILES)?;
            for evidence in &it.noise.evidence {
                fold::write(page, "  ", evidence, WIDTH_OF_FILES)?;
            }
        }
        for (name, side) in [("A", &it.a), ("B", &it.b)] {
            for warning in side.warnings.iter().take(WARNINGS) {
                fold::write(
                    page,
                    &format!("Warning ({name}): "),
                    warning,
                    WIDTH_OF_FILES,
                )?;
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
            let words = match (rule.broken_by.len(), rule.unjudged.len()) {
                (0, 0) => "kept".to_owned(),
                (0, left) => format!("kept, {left} rows not judged: one side lacks them"),
                (broken, 0) => format!("BROKEN by {}", counted(broken as u64, "row", "rows")),
                (broken, left) => format!(
                    "BROKEN by {}, {left} not judged: one side lacks them",
                    counted(broken as u64, "row", "rows")
                ),
            };
            fold::write(
                page,
                &format!("--fail-if '{}': ", rule.rule),
                &words,
                WIDTH_OF_FILES,
            )?;
        }
        Ok(())
    }
}

/// Figures beside the leading one whose ratios are shown where there is room, with their headings, by the kind of result.
fn beside(row: &[&Row]) -> Vec<(&'static str, &'static str)> {
    const COLUMNS: [(&str, &str); 6] = [
        ("ns_per_op", "per op"),
        ("p99_ns", "p99"),
        ("voluntary_switches_per_op", "sleeps"),
        ("wait_ns", "wait"),
        ("wait_ns_per_acquisition", "each"),
        ("contended", "contended"),
    ];
    let wanted = |name: &str| {
        let mut rows = row.iter();
        rows.any(|row| {
            row.metric != name
                && row
                    .metrics
                    .iter()
                    .any(|it| it.name == name && it.ratio.is_some())
        })
    };
    COLUMNS
        .into_iter()
        .filter(|(name, _)| wanted(name))
        .collect()
}

fn table(page: &mut String, kind: Kind, rows: &[&Row]) -> fmt::Result {
    if rows.is_empty() {
        return writeln!(page, "Nothing to compare: no rows on either side.");
    }
    let head = match kind {
        Kind::Bench => "cell",
        Kind::Machine => "price",
        Kind::Profile => "lock",
        _ => "what",
    };
    let dash = || "-".to_owned();
    let mut table = Table::new(head, NAME_ROOM);
    table.column(
        "B is",
        0,
        rows.iter().map(|row| verdict(row.verdict).to_owned()),
    );
    table.column(
        "ratio",
        0,
        rows.iter()
            .map(|row| row.ratio.as_ref().map_or_else(dash, factor)),
    );
    let intervals: Vec<Option<String>> = rows
        .iter()
        .map(|row| row.ratio.as_ref().and_then(interval))
        .collect();
    if intervals.iter().any(Option::is_some) {
        let intervals = intervals.into_iter().map(|it| it.unwrap_or_else(dash));
        table.column("interval", 1, intervals);
    }
    let unit = |row: &Row| {
        row.metrics
            .iter()
            .find(|it| it.name == row.metric)
            .map(|it| it.unit)
    };
    for (head, of) in [("A", (|row| row.a) as fn(&Row) -> _), ("B", |row| row.b)] {
        let cells = rows.iter().map(|row| match (unit(row), of(row)) {
            (Some(unit), Some(figure)) => amount(unit, figure),
            _ => dash(),
        });
        table.column(head, 0, cells);
    }
    for (place, (metric, head)) in (2..).zip(beside(rows)) {
        let cells = rows.iter().map(|row| {
            let found = row.metrics.iter().find(|it| it.name == metric);
            found
                .and_then(|it| it.ratio.as_ref())
                .map_or_else(dash, factor)
        });
        table.column(head, place, cells);
    }
    let (common, names) = names(rows);
    table.names(names.into_iter());
    if let Some(common) = common {
        fold::write(page, "All rows: ", &common, WIDTH_OF_FILES)?;
    }
    table.write(page, WIDTH_OF_FILES, 0)
}

/// Names of rows; what all of them have in common behind the first comma is said once.
fn names(rows: &[&Row]) -> (Option<String>, Vec<Name>) {
    // The keys of cells begin with their names; other rows have names that say all.
    let knobs: Vec<Option<Vec<&str>>> = rows
        .iter()
        .map(|row| {
            let behind = row.key.strip_prefix(&row.name)?.strip_prefix(", ")?;
            Some(behind.split(", ").collect())
        })
        .collect();
    let mut common: Vec<&str> = match knobs.first() {
        Some(Some(first)) if rows.len() > 1 => first.clone(),
        _ => Vec::new(),
    };
    for knobs in &knobs {
        let Some(knobs) = knobs else {
            common.clear();
            break;
        };
        common.retain(|knob| knobs.contains(knob));
    }
    let names = rows
        .iter()
        .zip(&knobs)
        .map(|(row, knobs)| {
            let own: Vec<&str> = knobs
                .iter()
                .flatten()
                .copied()
                .filter(|knob| !common.contains(knob))
                .collect();
            Name {
                text: row.name.clone(),
                remark: own.iter().map(|knob| format!(", {knob}")).collect(),
            }
        })
        .collect();
    ((!common.is_empty()).then(|| common.join(", ")), names)
}

fn verdict(verdict: RowVerdict) -> &'static str {
    match verdict {
        RowVerdict::Slower => "slower",
        RowVerdict::Faster => "faster",
        RowVerdict::Changed => "other",
        RowVerdict::NoDifference => "-",
        RowVerdict::OnlyA => "missing",
        RowVerdict::OnlyB => "new",
    }
}

/// Claims with their verdicts; checks whose figures differ.
fn claims(page: &mut String, rows: &[&Row]) -> fmt::Result {
    for row in rows {
        match &row.note {
            Some(note) => {
                let turned = match row.verdict {
                    RowVerdict::Slower => "worse",
                    RowVerdict::Faster => "better",
                    other => verdict(other),
                };
                let lead = format!("{turned:<8}{:<5}", row.key);
                fold::write(
                    page,
                    &lead,
                    &format!("{note}: {}", row.name),
                    WIDTH_OF_FILES,
                )?;
            }
            None => {
                let measured = |it: Option<_>| {
                    it.map_or_else(|| "-".to_owned(), |it| amount(super::Unit::Quotient, it))
                };
                let lead = format!("{:<8}", verdict(row.verdict));
                let words = format!(
                    "{}: {} in A, {} in B",
                    row.key,
                    measured(row.a),
                    measured(row.b)
                );
                fold::write(page, &lead, &words, WIDTH_OF_FILES)?;
            }
        }
    }
    Ok(())
}

/// What the columns are.
fn legend(it: &Comparison) -> String {
    let mut words = match it.kind {
        Kind::Reproduce => {
            return "-: the same verdict, or no detectable difference of what was measured."
                .to_owned();
        }
        Kind::Bench | Kind::Machine => format!(
            "A, B: {}, medians. ratio: B over A, with the 95 % interval of two independent medians.",
            it.metric
        ),
        _ => format!(
            "A, B: {}; of several runs, the median. ratio: B over A; interval: of Hodges and Lehmann, from all pairs of runs.",
            it.metric
        ),
    };
    words.push_str(" -: no detectable difference.");
    if it.rows.iter().any(|row| {
        row.metrics
            .iter()
            .any(|figure| figure.name == "wait_ns_per_acquisition")
    }) {
        words.push_str(
            " each: wait for each acquisition, B over A. Waiting for signals is no contention and is not compared.",
        );
    }
    words
}

//! The tour as text and as JSON (schema `locktoll.tour/1`).

use std::fmt::Write;

use anstyle::{Effects, Style};
use serde::{Deserialize, Serialize};

use super::bench_text::ranking;
use super::profile::{page_document, text_within};
use super::quantity::{duration, price};
use super::text_fold::{WIDTH, folded};
use super::{BenchResult, Selection, Shown, TextOptions, machine_line};
use crate::cli::SortKey;
use crate::profile::Profile;

const STRONG: Style = Style::new().effects(Effects::BOLD);

/// All that a tour found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TourResult {
    /// `locktoll.tour/1`.
    pub schema: String,
    /// One thread, nothing inside.
    pub uncontended: BenchResult,
    /// Several threads for each processor.
    pub contended: BenchResult,
    /// The demonstration program's locks.
    pub profile: Profile,
    /// What the figures say, a sentence or two each.
    pub findings: Vec<String>,
    /// What to type next, and what for.
    pub next: Vec<(String, String)>,
}

impl Shown for TourResult {
    fn title(&self) -> String {
        "locktoll tour".to_owned()
    }

    fn text(&self) -> String {
        tour_text(self)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }

    fn page_document(&self) -> anyhow::Result<serde_json::Value> {
        let mut document = self.json()?;
        let selection = Selection::new(&self.profile, SortKey::Wait, None);
        document["profile"] = page_document(&selection)?;
        Ok(document)
    }
}

/// The report, styled; whoever prints it takes the styles out where they are not wanted.
fn tour_text(result: &TourResult) -> String {
    let mut page = String::new();
    render(&mut page, result).expect("writing to a string does not fail");
    page
}

fn render(page: &mut String, result: &TourResult) -> std::fmt::Result {
    let (alone, contended) = (&result.uncontended, &result.contended);
    writeln!(page, "{}", machine_line(&alone.machine))?;
    writeln!(page)?;
    writeln!(
        page,
        "{STRONG}1. What a lock costs here{STRONG:#}: one thread takes and releases it, nothing inside"
    )?;
    ranking(page, &alone.cells, &[])?;
    let threads = contended.cells.first().map_or(0, |cell| cell.threads);
    writeln!(page)?;
    writeln!(
        page,
        "{STRONG}   What it costs when {threads} threads fight for it{STRONG:#} (list workload, wall time an operation)"
    )?;
    ranking(
        page,
        &contended.cells,
        &[
            ("p99 wait", |cell| {
                let p99 = cell.acquire_ns.as_ref()?.p99?;
                Some(duration(p99.median))
            }),
            ("longest wait", |cell| {
                Some(duration(cell.acquire_ns.as_ref()?.max as f64))
            }),
            ("sleeps/op", |cell| {
                Some(format!("{:.4}", cell.voluntary_switches_per_op?.median))
            }),
        ],
    )?;
    let empty = alone.empty_loop_ns.map_or(0.0, |empty| empty.median);
    writeln!(
        page,
        "   Medians of {} interleaved rounds with their 95 % intervals; the empty loop ({}) is\n   \
         subtracted with one thread.",
        alone.repeat,
        price(empty)
    )?;
    for pair in &contended.noise.same_lock_twice {
        writeln!(
            page,
            "   The same lock twice ({}): {:.2}x ({:.2} .. {:.2}); differences within that mean nothing.",
            pair.lock, pair.ratio.median, pair.ratio.low, pair.ratio.high
        )?;
    }
    for (part, result) in [("free", alone), ("fought for", contended)] {
        for warning in &result.noise.seen.warnings {
            writeln!(page, "   Warning ({part}): {warning}")?;
        }
    }
    writeln!(page)?;
    writeln!(
        page,
        "{STRONG}2. What locks cost in a program{STRONG:#}: `locktoll record` on a small job server"
    )?;
    let options = TextOptions {
        sort: SortKey::Wait,
        top: 5,
    };
    for line in text_within(&result.profile, options, WIDTH - 3).lines() {
        writeln!(page, "{}", format!("   {line}").trim_end())?;
    }
    writeln!(page)?;
    writeln!(page, "{STRONG}3. What the figures say{STRONG:#}")?;
    for finding in &result.findings {
        folded(page, "   - ", finding)?;
    }
    writeln!(page)?;
    writeln!(page, "{STRONG}4. What to try next{STRONG:#}")?;
    let widest = result.next.iter().map(|(command, _)| command.len()).max();
    let width = widest.unwrap_or(0);
    for (command, why) in &result.next {
        writeln!(page, "   {command:width$}  {why}")?;
    }
    Ok(())
}

//! The tour as text and as JSON (schema `locktoll.tour/1`).

use std::fmt::Write;

use anstyle::{Effects, Style};

use crate::SortKey;
use crate::bench::ranking;
use crate::{Selection, Shown, machine_line};
use locktoll_results::tour::TourResult;
use locktoll_terminal::fold::{WIDTH, folded};
use locktoll_terminal::quantity::{duration, price};

const STRONG: Style = Style::new().effects(Effects::BOLD);

impl Shown for TourResult {
    fn title(&self) -> String {
        "locktoll tour".to_owned()
    }

    fn write(&self, page: &mut String, _: usize) -> std::fmt::Result {
        render(page, self)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }

    fn page_document(&self) -> anyhow::Result<serde_json::Value> {
        let mut document = self.json()?;
        let selection = Selection::new(&self.profile, SortKey::Wait, None);
        document["profile"] = selection.page_document()?;
        Ok(document)
    }
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
    let selection = Selection::new(&result.profile, SortKey::Wait, Some(5));
    for line in selection.text_within(WIDTH - 3).lines() {
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

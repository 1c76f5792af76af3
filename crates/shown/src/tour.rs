//! The tour as text and as JSON (schema `locktoll.tour/1`).

use std::fmt::Write;

use anstream::adapter::strip_str;
use anstyle::{Effects, Style};

use crate::SortKey;
use crate::bench::ranking;
use crate::profile::answer as answer_of;
use crate::{Provenance, Selection, Shown, sentence};
use locktoll_results::advice::{AdviceResult, RemedyKind};
use locktoll_results::bench::BenchResult;
use locktoll_results::tour::{AppliedAdvice, TourResult};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{duration, price, rate};

const STRONG: Style = Style::new().effects(Effects::BOLD);

impl Shown for TourResult {
    fn title(&self) -> String {
        "locktoll tour".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
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

fn render(page: &mut String, result: &TourResult, width: usize) -> std::fmt::Result {
    let (alone, contended) = (&result.uncontended, &result.contended);
    let selection = Selection::new(&result.profile, SortKey::Wait, Some(5));
    sentence::answer(page, &answer(result, &selection), width)?;
    writeln!(page)?;
    writeln!(
        page,
        "{STRONG}1. Lock costs, uncontended{STRONG:#}: one thread acquires and releases, nothing in between"
    )?;
    ranking(page, &alone.cells, &[])?;
    let threads = contended.cells.first().map_or(0, |cell| cell.threads);
    writeln!(page)?;
    writeln!(
        page,
        "{STRONG}   Lock costs, contended by {threads} threads{STRONG:#} (wall time per operation, workload list)"
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
    let medians = format!(
        "Medians of {} interleaved rounds with their 95 % intervals; with one thread the empty loop ({}) is subtracted.",
        alone.repeat,
        price(empty)
    );
    fold::write(page, "   ", &medians, width)?;
    for pair in &contended.noise.same_lock_twice {
        let twice = format!(
            "The same lock twice ({}): {:.2}x ({:.2} .. {:.2}). Smaller differences mean nothing.",
            pair.lock, pair.ratio.median, pair.ratio.low, pair.ratio.high
        );
        fold::write(page, "   ", &twice, width)?;
    }
    for (part, result) in [("uncontended", alone), ("contended", contended)] {
        for warning in &result.noise.seen.warnings {
            fold::write(page, &format!("   Warning ({part}): "), warning, width)?;
        }
    }
    writeln!(page)?;
    writeln!(
        page,
        "{STRONG}2. Locks in a program{STRONG:#}: `locktoll record` on a small job server"
    )?;
    for line in selection.text_within(width.saturating_sub(3)).lines() {
        match strip_str(line).next() {
            Some(_) => writeln!(page, "   {line}")?,
            None => writeln!(page)?,
        }
    }
    writeln!(page)?;
    writeln!(page, "{STRONG}3. What the figures mean{STRONG:#}")?;
    for finding in &result.findings {
        fold::write(page, "   - ", finding, width)?;
    }
    what_to_do(page, result, width)?;
    writeln!(page)?;
    let from = Provenance {
        made: contended.made.as_ref(),
        machine: Some(&contended.machine),
        version: Some(&contended.version),
    };
    from.write(page, "", width)
}

/// Gives the prices of a lock first, since they apply to every program here; then the example.
fn answer(result: &TourResult, selection: &Selection<'_>) -> String {
    let found = answer_of(selection);
    let (first, rest) = found.split_at(1);
    let prices = prices(result).map_or_else(String::new, |prices| format!("{prices} "));
    format!(
        "{prices}In the example, a small job server, {}{rest}",
        first.to_lowercase()
    )
}

/// `A pthread mutex costs 17.3 ns here when it is uncontended, and 111 ns per operation when 8 threads compete for it.`
fn prices(result: &TourResult) -> Option<String> {
    let of = |bench: &BenchResult, lock: &str| -> Option<(f64, u32)> {
        let cell = bench.cells.iter().find(|cell| cell.lock == lock)?;
        Some((cell.ns_per_op?.median, cell.threads))
    };
    let (lock, name) = match of(&result.uncontended, "pthread") {
        Some(_) => ("pthread", "pthread mutex".to_owned()),
        None => {
            let mut cells = result.uncontended.cells.iter();
            let lock = cells.find(|cell| cell.ns_per_op.is_some())?.lock.as_str();
            (lock, format!("{lock} lock"))
        }
    };
    let (alone, _) = of(&result.uncontended, lock)?;
    let mut text = format!(
        "A {name} costs {} here when it is uncontended",
        price(alone)
    );
    if let Some((contended, threads)) = of(&result.contended, lock) {
        let _ = write!(
            text,
            ", and {} per operation when {threads} threads compete for it",
            price(contended)
        );
    }
    text.push('.');
    Some(text)
}

/// Writes the advice, and the commands to type next.
fn what_to_do(page: &mut String, result: &TourResult, width: usize) -> std::fmt::Result {
    let mut number = 4;
    if let Some(advice) = &result.advice {
        writeln!(page)?;
        advised(page, advice, result.applied.as_ref(), width)?;
        number += 1;
    }
    writeln!(page)?;
    next(page, &result.next, number)
}

/// Writes the first remedy, whether it was right, and the locks to leave alone.
fn advised(
    page: &mut String,
    advice: &AdviceResult,
    applied: Option<&AppliedAdvice>,
    width: usize,
) -> std::fmt::Result {
    writeln!(
        page,
        "{STRONG}4. What to change{STRONG:#}: `locktoll advise` on the same recording"
    )?;
    fold::write(page, "   - ", &shown_text(&advice.conclusion), width)?;
    if let Some(it) = applied {
        let text = format!(
            "Applied: threads got through {} {} times per second instead of {}, {:.2} times as often. The prediction was {:.2} \
             ({:.2} .. {:.2}).",
            it.name,
            rate(it.after_per_second),
            rate(it.before_per_second),
            it.measured(),
            it.predicted.median,
            it.predicted.low,
            it.predicted.high
        );
        fold::write(page, "   - ", &shown_text(&text), width)?;
    }
    let alone = advice
        .remedies
        .iter()
        .filter(|it| it.kind == RemedyKind::LeaveAlone);
    for it in alone {
        fold::write(page, "   - ", &shown_text(&it.evidence), width)?;
    }
    Ok(())
}

/// Writes commands to type next, each with its purpose.
fn next(page: &mut String, next: &[(String, String)], number: u32) -> std::fmt::Result {
    writeln!(page, "{STRONG}{number}. What to try next{STRONG:#}")?;
    let widest = next.iter().map(|(command, _)| command.len()).max();
    let widest = widest.unwrap_or(0);
    for (command, why) in next {
        writeln!(page, "   {command:widest$}  {why}")?;
    }
    Ok(())
}

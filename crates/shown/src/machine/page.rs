//! The page from top to bottom.

use std::fmt::Write;

use anstyle::{Effects, Style};

use super::{hand_over, locks, notes, parts, refill, transfers};
use crate::{Provenance, Shown, sentence};
use locktoll_lab::probe::{HandOver, Prices};
use locktoll_results::machine::MachineResult;
use locktoll_terminal::quantity::price;

const STRONG: Style = Style::new().effects(Effects::BOLD);

impl Shown for MachineResult {
    fn title(&self) -> String {
        "locktoll machine".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &MachineResult, width: usize) -> std::fmt::Result {
    let prices = &result.prices;
    sentence::answer(page, &answer(prices), width)?;
    writeln!(page)?;
    parts::table(page, prices, width)?;
    hand_over::split(
        page,
        &prices.decomposition,
        &prices.scheduling.policy,
        width,
    )?;
    if let Some(matrix) = &prices.transfers {
        transfers::matrix(page, matrix, &result.machine.topology)?;
    }
    refill::table(page, &prices.refill, width)?;
    locks::table(page, &prices.locks, width)?;
    notes::notes(page, result, width)?;
    let from = Provenance {
        made: result.made.as_ref(),
        machine: Some(&result.machine),
        version: Some(&result.version),
    };
    let settings = if result.quick {
        "--quick: fewer rounds, wider intervals"
    } else {
        ""
    };
    from.write(page, settings, width)
}

/// Returns the price of a contended hand-over or, if there is none, of a context switch.
fn answer(prices: &Prices) -> String {
    let whole = &prices.decomposition;
    let of = |side: &Option<HandOver>| side.as_ref().map(|side| price(side.total_ns.median));
    match (of(&whole.cross_cpu), of(&whole.same_cpu)) {
        (Some(cross), Some(same)) => format!(
            "Handing a contended lock to the next thread costs {cross} here when that thread runs on another CPU, and {same} on the same CPU."
        ),
        (Some(cross), None) => format!(
            "Handing a contended lock to the next thread costs {cross} here when that thread runs on another CPU."
        ),
        (None, Some(same)) => {
            format!(
                "Handing a contended lock to the next thread costs {same} here when both threads run on one CPU."
            )
        }
        (None, None) => match prices.parts.iter().find(|part| part.name == "switch") {
            Some(part) if part.value.is_some() => format!(
                "A context switch between two threads costs {} here; the hand-over of a contended lock could not be measured.",
                price(part.value.map_or(0.0, |value| value.median))
            ),
            _ => "The hand-over of a contended lock could not be measured here.".to_owned(),
        },
    }
}

/// Writes the heading of a section.
pub(super) fn heading(page: &mut String, title: &str, more: &str) -> std::fmt::Result {
    match more {
        "" => writeln!(page, "{STRONG}{title}{STRONG:#}"),
        _ => writeln!(page, "{STRONG}{title}{STRONG:#}: {more}"),
    }
}

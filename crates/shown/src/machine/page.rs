//! The page from top to bottom.

use std::fmt::Write;

use anstyle::{Effects, Style};

use super::{hand_over, locks, notes, parts, refill, transfers};
use crate::{Shown, machine_line};
use locktoll_results::machine::MachineResult;
use locktoll_terminal::fold::folded;

const STRONG: Style = Style::new().effects(Effects::BOLD);

impl Shown for MachineResult {
    fn title(&self) -> String {
        "locktoll machine".to_owned()
    }

    fn write(&self, page: &mut String, _: usize) -> std::fmt::Result {
        render(page, self)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &MachineResult) -> std::fmt::Result {
    let prices = &result.prices;
    folded(page, "", &machine_line(&result.machine))?;
    writeln!(page)?;
    parts::table(page, prices)?;
    hand_over::split(page, &prices.decomposition, &prices.scheduling.policy)?;
    if let Some(matrix) = &prices.transfers {
        transfers::matrix(page, matrix, &result.machine.topology)?;
    }
    refill::table(page, &prices.refill)?;
    locks::table(page, &prices.locks)?;
    notes::notes(page, result)
}

/// The heading of a section.
pub(super) fn heading(page: &mut String, title: &str, more: &str) -> std::fmt::Result {
    match more {
        "" => writeln!(page, "{STRONG}{title}{STRONG:#}"),
        _ => writeln!(page, "{STRONG}{title}{STRONG:#}: {more}"),
    }
}

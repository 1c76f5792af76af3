//! The page from top to bottom.

use std::fmt::Write;

use anstyle::{Effects, Style};

use super::super::MachineResult;
use super::super::machine_line;
use super::super::text_fold::folded;
use super::{hand_over, locks, notes, parts, refill, transfers};

const STRONG: Style = Style::new().effects(Effects::BOLD);

/// The report, styled; whoever prints it takes the styles out where they are not wanted.
pub fn machine_text(result: &MachineResult) -> String {
    let mut page = String::new();
    render(&mut page, result).expect("writing to a string does not fail");
    page
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

//! The page from top to bottom: what it means, what was run, the table, and what it takes to judge it.

use std::fmt::{self, Write};

use super::super::TrialResult;
use super::super::profile::text::fold;
use super::super::profile::text::styles::STRONG;
use super::{covered, dropped, head, notes, table};
use crate::profile::shown_text;

/// The report, styled, in lines of `width` characters.
pub fn trial_text(result: &TrialResult, width: usize) -> String {
    let mut page = String::new();
    render(&mut page, result, width).expect("writing to a string does not fail");
    page
}

fn render(page: &mut String, result: &TrialResult, width: usize) -> fmt::Result {
    let mut conclusion = String::new();
    fold::write(&mut conclusion, "", &shown_text(&result.conclusion), width)?;
    for line in conclusion.lines() {
        writeln!(page, "{STRONG}{line}{STRONG:#}")?;
    }
    writeln!(page)?;
    head::write(page, result, width)?;
    writeln!(page)?;
    table::write(page, result, width)?;
    writeln!(page)?;
    dropped::write(page, result, width)?;
    covered::write(page, result, width)?;
    notes::write(page, result, width)
}

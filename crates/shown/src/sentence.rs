//! The sentence at the beginning of a report: its answer.

use std::fmt::{self, Write};

use anstyle::{Effects, Style};
use locktoll_terminal::fold;

const STRONG: Style = Style::new().effects(Effects::BOLD);
const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// Writes the answer.
pub fn answer(page: &mut String, sentence: &str, width: usize) -> fmt::Result {
    in_style(page, STRONG, sentence, width)
}

/// Writes the explanation of a table or a figure.
pub fn legend(page: &mut String, text: &str, width: usize) -> fmt::Result {
    in_style(page, FAINT, text, width)
}

/// Each line begins and ends its style, so that a pager shows all lines alike.
fn in_style(page: &mut String, style: Style, text: &str, width: usize) -> fmt::Result {
    for line in fold::lines("", text, width) {
        writeln!(page, "{style}{line}{style:#}")?;
    }
    Ok(())
}

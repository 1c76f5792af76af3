//! The block of text that stands for one interval.

use std::fmt::Write;

use locktoll_lab::watch::{Interval, Limits, Subject};

use super::{causes, head, notes, table};

/// One interval with what it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// What is watched.
    pub subject: Subject,
    /// What happened.
    pub interval: &'a Interval,
    /// What the system does not tell.
    pub limits: &'a Limits,
    /// Looks at waiting threads within the interval.
    pub looks: u32,
    /// Whether the notes are to follow: those that hold for every interval are said once.
    pub with_notes: bool,
}

/// How much fits.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Characters in a line.
    pub width: usize,
    /// Lines of the whole block; the table gives way first, then the notes. `None`: as many as there are.
    pub lines: Option<usize>,
}

/// Rows of the table where nothing limits the lines.
const ROWS: usize = 10;
/// The table keeps this many rows, whatever the terminal.
const LEAST_ROWS: usize = 3;

/// The block, styled. No line is longer than the width.
pub fn block_text(block: &Block, room: Room) -> String {
    let head = head::lines(block);
    let causes = causes::lines(block);
    let notes = match block.with_notes {
        true => notes::lines(block, room.width),
        false => Vec::new(),
    };
    // The table has a heading, and a line for what did not fit.
    let around = head.len() + causes.len() + 2;
    let (rows, notes) = match room.lines {
        None => (ROWS, notes),
        Some(lines) => {
            let left = lines.saturating_sub(around);
            let rows = left.saturating_sub(notes.len()).min(2 * ROWS);
            match rows {
                ..LEAST_ROWS => (left.max(LEAST_ROWS), Vec::new()),
                _ => (rows, notes),
            }
        }
    };
    let table = table::lines(block, rows, room.width);
    let all = [head, table, causes, notes].concat();
    let all = all.iter().map(|line| line.within(room.width));
    let shown = room.lines.unwrap_or(usize::MAX);
    let mut page = String::new();
    for line in all.take(shown) {
        writeln!(page, "{line}").expect("writing to a string does not fail");
    }
    page
}

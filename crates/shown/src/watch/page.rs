//! The block of text for one interval.

use std::fmt::Write;

use locktoll_lab::watch::{Interval, Limits, Subject};

use super::words::Line;
use super::{causes, head, notes, table};

/// One interval with its context.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// What is watched.
    pub subject: Subject,
    /// What happened.
    pub interval: &'a Interval,
    /// The figures that the system does not provide.
    pub limits: &'a Limits,
    /// The number of samples of waiting threads within the interval.
    pub looks: u32,
    /// Whether the notes follow: those that apply to every interval are shown once.
    pub with_notes: bool,
}

impl Block<'_> {
    /// Returns the time that the rates of causes and of threads refer to.
    pub fn window_ns(&self) -> u64 {
        match self.subject {
            Subject::Machine => self.interval.interval_ns,
            Subject::Process(_) => {
                let process = self.interval.processes.first();
                process.map_or(self.interval.interval_ns, |process| process.window_ns)
            }
        }
    }
}

/// How much fits.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The number of characters in a line.
    pub width: usize,
    /// The number of lines of the whole block; the table is shortened first, then the notes. `None`: unlimited.
    pub lines: Option<usize>,
}

/// The number of rows of the table if the lines are not limited.
const ROWS: usize = 10;
/// The table keeps at least this many rows, whatever the terminal.
const LEAST_ROWS: usize = 3;

/// Whether the notes, if they are wanted, have room in the block.
pub fn has_room_for_notes(block: &Block, room: Room) -> bool {
    rows_and_notes(block, room).1
}

/// Returns only the notes, styled.
pub fn notes_text(block: &Block, room: Room) -> String {
    page(notes::lines(block, room.width).iter(), room)
}

/// Returns the block, styled. No line is longer than the width.
pub fn block_text(block: &Block, room: Room) -> String {
    let (rows, with_notes) = rows_and_notes(block, room);
    let mut lines = head::lines(block);
    lines.extend(table::lines(block, rows, room.width));
    lines.extend(causes::lines(block));
    if with_notes {
        lines.extend(notes::lines(block, room.width));
    }
    page(lines.iter().take(room.lines.unwrap_or(usize::MAX)), room)
}

/// Returns how many rows the table gets, and whether there are notes.
fn rows_and_notes(block: &Block, room: Room) -> (usize, bool) {
    let Some(lines) = room.lines else {
        return (ROWS, block.with_notes);
    };
    // The table has a heading, and a line for the rows that did not fit.
    let around = head::lines(block).len() + causes::lines(block).len() + 2;
    let left = lines.saturating_sub(around);
    let notes = match block.with_notes {
        true => notes::lines(block, room.width).len(),
        false => 0,
    };
    match left.saturating_sub(notes) {
        ..LEAST_ROWS => (left.max(LEAST_ROWS), false),
        rows => (rows.min(2 * ROWS), block.with_notes),
    }
}

fn page<'a>(lines: impl Iterator<Item = &'a Line>, room: Room) -> String {
    let mut page = String::new();
    for line in lines {
        writeln!(page, "{}", line.within(room.width)).expect("writing to a string does not fail");
    }
    page
}

//! Busy waiting: CPU time, code, word, and who ends it.

use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use super::table::{Name, Table};
use crate::profile::spinning;
use locktoll_results::profile::{Profile, Spinning};
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{count, duration};

/// The fewest characters for names.
const NAME_ROOM: usize = 30;
/// The number of rows.
const ROWS: usize = 5;
/// The number of rows that are explained below the table.
const EXPLAINED: usize = 3;

/// Writes the table, if there is busy waiting worth showing.
pub fn write(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    let all = spinning::rows(profile);
    if all.is_empty() {
        return Ok(());
    }
    let shown = &all[..all.len().min(ROWS)];
    writeln!(page)?;
    writeln!(page, "{STRONG}Busy waiting{STRONG:#}")?;
    let text = "CPU time in loops that wait for another thread to write a word of memory, from samples, with 95 % intervals.";
    faint(page, "", text, width)?;
    let mut table = Table::new("code", NAME_ROOM);
    let mut column = |head, rank, cell: &dyn Fn(&Spinning) -> String| {
        table.column(head, rank, shown.iter().map(|row| cell(row)));
    };
    column("CPU time", 0, &|row| duration(row.cpu_ns.median));
    column("interval", 2, &|row| {
        let (low, high) = (row.cpu_ns.low, row.cpu_ns.high);
        format!("{} to {}", duration(low), duration(high))
    });
    column("threads", 1, &|row| count(row.threads));
    column("involuntary", 3, &|row| {
        row.involuntary_switches
            .map_or_else(|| "-".to_owned(), count)
    });
    table.names(shown.iter().map(|row| Name {
        text: spinning::site(row),
        remark: match &row.known_as {
            Some(name) => format!(" ({name})"),
            None => String::new(),
        },
    }));
    table.write(page, width, 0)?;
    if all.len() > shown.len() {
        let more = count((all.len() - shown.len()) as u64);
        writeln!(page, "{FAINT}... and {more} more (--json){FAINT:#}")?;
    }
    let mut told = Vec::new();
    for row in shown.iter().take(EXPLAINED) {
        explain(page, row, width)?;
        if let Some(remedy) = spinning::remedy(row)
            && !told.contains(&remedy.name)
        {
            told.push(remedy.name);
            let text = format!("{} ({})", remedy.remedy, remedy.source);
            fold::write(page, "  To try: ", &text, width)?;
        }
    }
    Ok(())
}

/// Writes what is known about one row.
fn explain(page: &mut String, row: &Spinning, width: usize) -> fmt::Result {
    let mut text = format!("{}: waits for {}", spinning::site(row), spinning::word(row));
    if row.word.is_none() {
        text = format!("{}: the word is not known", spinning::site(row));
    }
    if let Some(writers) = spinning::written_by(row) {
        text.push_str(&format!(", written by {writers}"));
    }
    if let Some(lock) = &row.lock {
        text.push_str(&format!(
            ". This time is part of the waits for the lock {lock}"
        ));
    }
    text.push_str(&format!(". {}.", spinning::why(row)));
    fold::write(page, "  ", &text, width)
}

fn faint(page: &mut String, lead: &str, text: &str, width: usize) -> fmt::Result {
    write!(page, "{FAINT}")?;
    fold::write(page, lead, text, width)?;
    write!(page, "{FAINT:#}")
}

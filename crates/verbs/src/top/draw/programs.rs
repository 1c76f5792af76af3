//! The table of programs.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::Palette;
use super::figures::{per_second, percent_of, seen_by, threads};
use super::table;
use super::table::{Cells, Column};
use super::trend;
use crate::top::model::{History, ProgramSort, REMEMBERED, State, programs};
use locktoll_results::top::{Interval, Program};
use locktoll_terminal::escape::shown_text;

/// Draws the table, and returns how many rows there is room for.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    interval: &Interval,
    cursor: usize,
    palette: Palette,
) -> usize {
    let rows = programs(interval, state.program_sort, state.reversed, &state.filter);
    let rows = rows
        .into_iter()
        .map(|program| Cells {
            cells: cells(program, interval, &state.history),
            faint: program.kernel,
        })
        .collect();
    let columns = columns(state.program_sort);
    table::draw(frame, area, &columns, rows, cursor, state.reversed, palette)
}

fn columns(sort: ProgramSort) -> Vec<Column> {
    vec![
        Column::new("pid", Some(7), 0, false),
        Column::new("program", None, 0, sort == ProgramSort::Name),
        Column::new("threads", Some(7), 90, false),
        Column::new("waiters", Some(8), 0, sort == ProgramSort::Waiting),
        Column::new("trend", Some(REMEMBERED as u16), 130, false),
        Column::new("now", Some(4), 90, false),
        Column::new("waits/s", Some(8), 44, sort == ProgramSort::Waits),
        Column::new("switches/s", Some(11), 60, sort == ProgramSort::Switches),
        Column::new("involuntary/s", Some(13), 120, false),
        Column::new("CPU", Some(6), 70, sort == ProgramSort::Cpu),
        Column::new("ready", Some(6), 120, false),
        Column::new("seen by", Some(8), 80, false),
    ]
}

fn cells(program: &Program, interval: &Interval, history: &History) -> Vec<String> {
    let window = program.window_ns;
    let over = program.waits_window_ns.unwrap_or(interval.interval_ns);
    let known = |count: u64| (window > 0).then_some(count);
    let switches = program.voluntary.saturating_add(program.involuntary);
    vec![
        program.pid.to_string(),
        shown_text(&program.name),
        match program.threads {
            0 => "-".to_owned(),
            threads => threads.to_string(),
        },
        threads(program.wait_ns, over),
        trend::bars(&history.of(&program.pid.to_string())),
        program
            .waiting_now
            .map_or_else(|| "-".to_owned(), |now| now.to_string()),
        per_second(program.waits, over),
        per_second(known(switches), window),
        per_second(known(program.involuntary), window),
        percent_of(program.run_ns, window),
        percent_of(program.ready_ns, window),
        seen_by(program.seen_by).to_owned(),
    ]
}

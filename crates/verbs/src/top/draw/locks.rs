//! The table of a program's locks.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::Palette;
use super::figures::{DASH, kind, length, per_second, threads};
use super::table;
use super::table::{Cells, Column};
use super::trend;
use crate::top::model::{LockSort, REMEMBERED, State, locks};
use locktoll_results::profile::Use;
use locktoll_results::top::{Interval, LockRow};
use locktoll_shown::profile_words::fit_name;

/// Returns the rows in the requested order.
pub fn rows<'a>(state: &State, interval: &'a Interval) -> Vec<&'a LockRow> {
    locks(
        interval,
        state.lock_sort,
        state.reversed,
        &state.filter,
        state.whole,
    )
}

/// Draws the table, and returns how many rows there is room for.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    interval: &Interval,
    rows: &[&LockRow],
    cursor: usize,
    palette: Palette,
) -> usize {
    let columns = columns(state.lock_sort);
    let room = usize::from(table::room(&columns, area.width));
    let over_ns = period_ns(state, interval);
    let rows = rows
        .iter()
        .map(|lock| Cells {
            cells: cells(lock, state, over_ns, room),
            faint: lock.used_as == Use::Signal,
        })
        .collect();
    table::draw(frame, area, &columns, rows, cursor, state.reversed, palette)
}

/// Returns the length of the period that the figures cover.
pub fn period_ns(state: &State, interval: &Interval) -> u64 {
    match (state.whole, &interval.chosen) {
        (true, Some(chosen)) => chosen.watched_ns,
        (false, Some(chosen)) if chosen.window_ns > 0 => chosen.window_ns,
        _ => interval.interval_ns,
    }
}

fn columns(sort: LockSort) -> Vec<Column> {
    vec![
        Column::new("lock", None, 0, sort == LockSort::Name),
        Column::new("kind", Some(9), 76, false),
        Column::new("waiters", Some(8), 0, sort == LockSort::Waiting),
        Column::new("trend", Some(REMEMBERED as u16), 130, false),
        Column::new("now", Some(3), 60, false),
        Column::new("waits/s", Some(8), 36, sort == LockSort::Waits),
        Column::new("mean wait", Some(10), 56, sort == LockSort::Mean),
        Column::new("acquired/s", Some(11), 88, sort == LockSort::Acquisitions),
    ]
}

fn cells(lock: &LockRow, state: &State, over_ns: u64, room: usize) -> Vec<String> {
    let figures = lock.figures(state.whole);
    let signal = if lock.used_as == Use::Signal {
        " (event)"
    } else {
        ""
    };
    let several = match lock.instances {
        0 | 1 => String::new(),
        instances => format!(" x{instances}"),
    };
    let beside = format!("{several}{signal}");
    let name = fit_name(&lock.name, room.saturating_sub(beside.len()));
    vec![
        format!("{name}{beside}"),
        kind(lock.kind).to_owned(),
        threads(figures.map(|it| it.wait_ns), over_ns),
        trend::bars(&state.history.of(&lock.id)),
        lock.waiting_now.to_string(),
        per_second(figures.map(|it| it.waits), over_ns),
        length(figures.and_then(|it| it.mean_ns())),
        match figures.and_then(|it| it.acquisitions) {
            Some(count) => per_second(Some(count), over_ns),
            None => DASH.to_owned(),
        },
    ]
}

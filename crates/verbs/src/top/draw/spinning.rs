//! Busy waiting of the program: which code waits, for which word, and who writes it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Paragraph, Wrap};

use super::Palette;
use super::figures::percent;
use crate::top::model::State;
use locktoll_results::profile::Spinning;
use locktoll_results::top::{Chosen, Spun};
use locktoll_shown::profile_words::fit_place;
use locktoll_shown::spinning_words as words;
use locktoll_terminal::escape::shown_text;

/// The most rows that are shown with the table of locks.
const ROWS: usize = 3;
/// Below this height, only the line about the program mentions busy waiting.
const TALL: u16 = 18;
/// Lines for the sentence about the first row.
const SENTENCE: u16 = 2;
/// Characters of the figures before the names: share of one CPU, and threads.
const FIGURES: usize = 16;

/// Returns the rows worth showing.
fn rows(spun: &Spun) -> Vec<&Spinning> {
    let rows = spun.spinning.iter();
    let rows = rows.filter(|row| words::is_enough(row.cpu_ns.n, spun.samples));
    rows.take(ROWS).collect()
}

/// Returns how many lines it takes on a screen of this height: none if there is nothing to show.
pub fn height(chosen: &Chosen, state: &State, screen: u16) -> u16 {
    let rows = rows(chosen.spun(state.whole)).len() as u16;
    match rows {
        0 => 0,
        _ if screen < TALL => 0,
        // The line above, the heading, and the sentence about the first row.
        rows => rows + 2 + SENTENCE,
    }
}

/// Returns the CPU time of busy waiting as a share of one CPU, if it is seen.
pub fn share(spun: &Spun) -> Option<f64> {
    let ns = spun.spin_cpu_ns?.median;
    (spun.spin_window_ns > 0).then(|| ns / spun.spin_window_ns as f64)
}

/// Draws the table.
pub fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, chosen: &Chosen, palette: Palette) {
    let spun = chosen.spun(state.whole);
    let rows = rows(spun);
    let Some(first) = rows.first() else { return };
    let period = if state.whole {
        "since start"
    } else {
        "last interval"
    };
    let block = Block::new()
        .borders(Borders::TOP)
        .title(format!(" busy waiting, {period} "))
        .title_style(palette.strong())
        .border_style(palette.faint());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let room = usize::from(inner.width).saturating_sub(FIGURES);
    let parts = parts(room);
    let mut lines = vec![Line::styled(
        format!(
            "{:>6} {:>7}  {}",
            "CPU",
            "threads",
            cells(["code", "waits for", "written by"], parts)
        ),
        palette.faint(),
    )];
    for row in &rows {
        let share = match spun.spin_window_ns {
            0 => "-".to_owned(),
            window_ns => percent(row.cpu_ns.median / window_ns as f64),
        };
        let writers = words::written_by(row).unwrap_or_else(|| "-".to_owned());
        let (site, word) = (words::site(row), words::word(row));
        let names = cells([&site, &word, &writers], parts);
        lines.push(Line::from(format!(
            "{share:>6} {:>7}  {names}",
            row.threads
        )));
    }
    let [table, below] =
        Layout::vertical([Constraint::Length(lines.len() as u16), Constraint::Fill(1)])
            .areas(inner);
    frame.render_widget(Paragraph::new(lines), table);
    let why = format!("{}: {}", words::site(first), words::why(first));
    let why = Line::styled(shown_text(&why), palette.waiting());
    frame.render_widget(Paragraph::new(why).wrap(Wrap { trim: true }), below);
}

/// Divides the room among the three names.
fn parts(room: usize) -> [usize; 3] {
    let third = room.saturating_sub(4) / 3;
    [room.saturating_sub(2 * third + 4), third, third]
}

fn cells(names: [&str; 3], parts: [usize; 3]) -> String {
    let cells = names.iter().zip(parts).map(|(name, width)| {
        let name = fit_place(name, width);
        let name: String = name.chars().take(width).collect();
        format!("{name:width$}")
    });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

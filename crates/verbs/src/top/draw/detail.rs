//! The lock under the cursor: the lengths of its waits, the places that wait, and the places that make them wait.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Paragraph, Wrap};

use super::{Palette, histogram, locks, places};
use crate::running::is_named;
use crate::top::model::State;
use locktoll_results::top::{Interval, LockRow};
use locktoll_shown::profile_words::fit_name;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{counted, duration};

/// From this width, the histogram and the places are next to each other.
const WIDE: u16 = 76;
/// The least width of the histogram in that layout.
const HISTOGRAM: u16 = 34;

/// Draws the details of the lock.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    interval: &Interval,
    lock: &LockRow,
    palette: Palette,
) {
    let period = if state.whole {
        "since start"
    } else {
        "last interval"
    };
    let room = usize::from(area.width).saturating_sub(period.len() + 4);
    let title = format!(" {}, {period} ", fit_name(&lock.name, room));
    let block = Block::new()
        .borders(Borders::TOP)
        .title(title)
        .title_style(palette.strong())
        .border_style(palette.faint());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let Some(figures) = lock.figures(state.whole) else {
        frame.render_widget("no data for this interval yet", inner);
        return;
    };
    let over_ns = locks::period_ns(state, interval);
    let inner = holder(frame, inner, interval, lock, palette);
    let [waits, where_] = if inner.width >= WIDE {
        let histogram = (inner.width * 2 / 5).max(HISTOGRAM);
        Layout::horizontal([Constraint::Length(histogram), Constraint::Fill(1)])
            .spacing(1)
            .areas(inner)
    } else {
        Layout::vertical([Constraint::Ratio(1, 2), Constraint::Fill(1)]).areas(inner)
    };
    histogram::draw(frame, waits, figures, palette);
    places::draw(frame, where_, lock, figures, over_ns, palette);
}

/// Draws who holds the lock now, if threads wait for it. Returns the rest of the area.
fn holder(
    frame: &mut Frame<'_>,
    area: Rect,
    interval: &Interval,
    lock: &LockRow,
    palette: Palette,
) -> Rect {
    let held = interval.chosen.iter().flat_map(|it| &it.held);
    let Some(held) = held.into_iter().find(|it| is_named(it, &lock.name)) else {
        return area;
    };
    let mut words = format!("now: {}", shown_text(&held.holder));
    if let Some(ns) = held.same_holder_ns.filter(|&ns| ns > 0) {
        words += &format!(", seen so for {}", duration(ns as f64));
    }
    words += &format!(
        "; {}",
        counted(held.waiting, "thread waits", "threads wait")
    );
    let lines = Paragraph::new(Line::styled(words, palette.waiting())).wrap(Wrap { trim: true });
    let [line, rest] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    frame.render_widget(lines, line);
    rest
}

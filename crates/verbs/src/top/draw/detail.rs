//! The lock under the cursor: the lengths of its waits, the places that wait, and the places that make them wait.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::{Block, Borders};

use super::{Palette, histogram, locks, places};
use crate::top::model::{Interval, LockRow, State};
use locktoll_shown::profile_words::fit_name;

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

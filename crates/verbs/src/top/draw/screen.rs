//! The layout of the screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::{Palette, detail, foot, head, help, locks, programs, spinning};
use crate::top::model::{Page, State};

/// Below this height the lock under the cursor is not shown with the table.
const TALL: u16 = 18;
/// The table's share of the rows when the lock under the cursor is shown too.
const TABLE_SHARE: (u16, u16) = (2, 5);

/// Draws the screen.
pub fn draw(frame: &mut Frame<'_>, state: &mut State, palette: &Palette) {
    let palette = *palette;
    let whole = frame.area();
    if state.help {
        help::draw(frame, whole, palette);
        return;
    }
    let lines = head::lines(state, whole, palette);
    let [top, middle, bottom] = Layout::vertical([
        Constraint::Length(lines.len() as u16),
        Constraint::Fill(1),
        Constraint::Length(1),
    ])
    .areas(whole);
    frame.render_widget(Paragraph::new(lines), top);
    foot::draw(frame, bottom, state, palette);
    let Some(interval) = &state.interval else {
        sentence(frame, middle, "reading ...", palette);
        return;
    };
    let cursor = state.cursor();
    match state.page {
        Page::Programs => {
            state.rows_of_screen = programs::draw(frame, middle, state, interval, cursor, palette);
        }
        Page::Locks(_) => {
            let Some(chosen) = &interval.chosen else {
                return;
            };
            let spun = spinning::height(chosen, state, whole.height);
            let [middle, below] =
                Layout::vertical([Constraint::Fill(1), Constraint::Length(spun)]).areas(middle);
            spinning::draw(frame, below, state, chosen, palette);
            if let Some(why) = &chosen.unseen {
                let why = if chosen.ended {
                    "the program has ended, and its locks were not seen"
                } else {
                    why
                };
                sentence(frame, middle, why, palette);
                return;
            }
            let rows = locks::rows(state, interval);
            if rows.is_empty() {
                let why = match state.filter.is_empty() {
                    true => "no lock has been taken or waited for yet",
                    false => "no lock's name contains that",
                };
                sentence(frame, middle, why, palette);
                return;
            }
            let under = rows.get(cursor).copied();
            if state.opened {
                if let Some(lock) = under {
                    detail::draw(frame, middle, state, interval, lock, palette);
                }
                return;
            }
            let (table, below) = parted(middle, whole, rows.len());
            state.rows_of_screen =
                locks::draw(frame, table, state, interval, &rows, cursor, palette);
            if let (Some(below), Some(lock)) = (below, under) {
                detail::draw(frame, below, state, interval, lock, palette);
            }
        }
    }
}

/// Returns the areas of the table and, if there is room, of the lock under the cursor below it.
fn parted(middle: Rect, whole: Rect, rows: usize) -> (Rect, Option<Rect>) {
    if whole.height < TALL {
        return (middle, None);
    }
    let (part, of) = TABLE_SHARE;
    let wanted = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(1);
    let table = wanted.min(middle.height * part / of);
    let [table, below] =
        Layout::vertical([Constraint::Length(table), Constraint::Fill(1)]).areas(middle);
    (table, Some(below))
}

fn sentence(frame: &mut Frame<'_>, area: Rect, text: &str, palette: Palette) {
    let line = Line::styled(text.to_owned(), palette.faint());
    let wrapped = Paragraph::new(line).wrap(ratatui::widgets::Wrap { trim: true });
    frame.render_widget(wrapped, area);
}

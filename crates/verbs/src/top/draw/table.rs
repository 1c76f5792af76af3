//! Tables: one column takes the room that the others leave.

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Rect};
use ratatui::text::{Span, Text};
use ratatui::widgets::{Cell, Row, Table, TableState};

use super::Palette;

/// Space between two columns.
const GAP: u16 = 2;
/// Least width of the column of names, if there is room.
const LEAST_NAME: u16 = 20;
/// The mark in front of each row, for the cursor.
const MARK: &str = "> ";

/// A column.
pub struct Column {
    /// Its heading.
    pub heading: &'static str,
    /// Its width; `None` for the remaining width.
    pub width: Option<u16>,
    /// The screen width from which it is shown.
    pub from: u16,
    /// Whether it determines the order of the rows.
    pub orders: bool,
}

impl Column {
    /// Creates a column.
    pub fn new(heading: &'static str, width: Option<u16>, from: u16, orders: bool) -> Self {
        Self {
            heading,
            width,
            from,
            orders,
        }
    }
}

/// A row: one cell for each column, including columns that are not shown, and whether the row is less important.
pub struct Cells {
    /// Its cells.
    pub cells: Vec<String>,
    /// Whether it is less important than others.
    pub faint: bool,
}

/// Returns the width of the column that takes the remaining room.
pub fn room(columns: &[Column], width: u16) -> u16 {
    let shown = columns.iter().filter(|column| column.from <= width);
    let taken: u16 = shown
        .map(|column| column.width.map_or(0, |it| it + GAP))
        .sum();
    width.saturating_sub(taken + MARK.len() as u16)
}

/// Draws the rows, scrolled so that the one under the cursor is visible. Returns how many there is room for.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    columns: &[Column],
    rows: Vec<Cells>,
    cursor: usize,
    reversed: bool,
    palette: Palette,
) -> usize {
    let shown: Vec<usize> = (0..columns.len())
        .filter(|&at| columns[at].from <= area.width)
        .collect();
    // No wider than the longest name: across an empty gap the eye would lose the row on the way to its figures.
    let names = columns.iter().position(|column| column.width.is_none());
    let longest = names.map_or(0, |at| {
        let cells = rows.iter().filter_map(|row| row.cells.get(at));
        cells
            .map(|cell| Span::raw(cell.as_str()).width())
            .max()
            .unwrap_or(0)
    });
    let longest = u16::try_from(longest).unwrap_or(u16::MAX).max(LEAST_NAME);
    let left = room(columns, area.width).min(longest);
    let widths = shown
        .iter()
        .map(|&at| Constraint::Length(columns[at].width.unwrap_or(left)));
    let side = |column: &Column| match column.width {
        Some(_) => Alignment::Right,
        None => Alignment::Left,
    };
    let head = shown.iter().map(|&at| {
        let column = &columns[at];
        let mark = match (column.orders, reversed) {
            (false, _) => "",
            (true, false) => "▼",
            (true, true) => "▲",
        };
        let text = Text::from(format!("{}{mark}", column.heading)).alignment(side(column));
        Cell::from(text)
    });
    let count = rows.len();
    let body = rows.into_iter().map(|row| {
        let style = if row.faint {
            palette.faint()
        } else {
            palette_plain()
        };
        let mut cells: Vec<Option<String>> = row.cells.into_iter().map(Some).collect();
        let cells = shown.iter().map(|&at| {
            let text = cells.get_mut(at).and_then(Option::take).unwrap_or_default();
            Cell::from(Text::from(text).alignment(side(&columns[at])))
        });
        Row::new(cells.collect::<Vec<_>>()).style(style)
    });
    let table = Table::new(body, widths)
        .header(Row::new(head).style(palette.strong()))
        .column_spacing(GAP)
        .highlight_symbol(MARK)
        .highlight_spacing(ratatui::widgets::HighlightSpacing::Always)
        .row_highlight_style(palette.marked());
    let mut state = TableState::default();
    if count > 0 {
        state.select(Some(cursor.min(count - 1)));
    }
    frame.render_stateful_widget(table, area, &mut state);
    usize::from(area.height.saturating_sub(1))
}

fn palette_plain() -> ratatui::style::Style {
    ratatui::style::Style::new()
}

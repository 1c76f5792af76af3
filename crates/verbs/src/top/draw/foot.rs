//! The bottom line: keys, or a message.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Palette;
use crate::top::model::{Page, State};
use locktoll_shown::profile_words::cut_left;
use locktoll_terminal::escape::shown_text;

/// Draws the line.
pub fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, palette: Palette) {
    let width = usize::from(area.width);
    let line = if let Some(notice) = &state.notice {
        let sign = if notice.wrong { "! " } else { "" };
        Line::styled(
            cut_left(&format!("{sign}{}", notice.text), width),
            palette.notice(),
        )
    } else if state.typing {
        Line::styled(
            format!(
                "filter: {}_   (Enter: keep, Esc: none)",
                shown_text(&state.filter)
            ),
            palette.notice(),
        )
    } else {
        keys(state, width, palette)
    };
    frame.render_widget(line, area);
}

/// Returns the keys, as many as there is room for, the most important first.
fn keys(state: &State, width: usize, palette: Palette) -> Line<'static> {
    let mut keys = vec![("q", "quit"), ("?", "help")];
    match state.page {
        Page::Programs => keys.push(("Enter", "open")),
        Page::Locks(_) => {
            keys.push(("Enter", if state.opened { "close" } else { "open" }));
            if !state.began_with_one {
                keys.push(("Esc", "back"));
            }
            keys.push(("s", "save"));
        }
    }
    keys.extend([
        ("o", "order"),
        ("p", if state.paused { "go on" } else { "pause" }),
        ("/", "filter"),
        ("r", "reverse"),
    ]);
    if let Page::Locks(_) = state.page {
        keys.push((
            "t",
            if state.whole {
                "interval"
            } else {
                "since start"
            },
        ));
    }
    let mut spans = Vec::new();
    let mut taken = 0;
    if !state.filter.is_empty() {
        let kept = format!("[{}] ", shown_text(&state.filter));
        taken += kept.chars().count();
        spans.push(Span::styled(kept, palette.notice()));
    }
    for (key, meaning) in keys {
        let length = key.len() + meaning.len() + 3;
        if taken + length > width + 2 {
            break;
        }
        taken += length;
        spans.push(Span::styled(key, palette.key()));
        spans.push(Span::raw(format!(" {meaning}  ")));
    }
    Line::from(spans)
}

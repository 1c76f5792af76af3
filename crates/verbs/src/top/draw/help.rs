//! The meaning of keys and columns.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::Palette;

const HELP: &str = "\
up, down, PgUp, PgDn, Home, End: move     Enter: open     Esc: back
o: order by the next column   r: reverse the order   /: filter by name
p: pause, or continue         Ctrl-Z: to the shell, fg: back
t: figures of the last interval, or since the start
s: save the program's profile for `locktoll report`                q: quit

waiters   average number of waiting threads (seconds waited per second)
trend     waiters in the last 8 intervals; the highest bar of a row is full
now       number of threads that are waiting right now
mean wait mean length of the waits that ended
busy      busy waiting: loops that wait for another thread to write a word
event     condition variables, joins and the like: not contention
seen by   recorder: runs under `locktoll record`; kernel: through eBPF
switches  ~ estimated by looking at waiting threads; <= at most
ready     time in which threads were ready to run and had no CPU

Any key goes back.";

/// Draws the help over the whole screen.
pub fn draw(frame: &mut Frame<'_>, area: Rect, palette: Palette) {
    let mut lines = vec![Line::styled(
        "locktoll top: keys and columns",
        palette.strong(),
    )];
    lines.extend(HELP.lines().map(Line::from));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

//! What keys and columns mean.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::Palette;

const HELP: &str = "\
up, down, PgUp, PgDn, Home, End: move     Enter: open     Esc: back
o: order by the next column   r: turn the order round   /: filter by name
p: stop the screen, or let it go on       Ctrl-Z: to the shell, fg: back
t: figures of the last interval, or since the program is watched
s: save what is known of the program, for `locktoll report`        q: quit

waiting   threads waiting for it, on average (seconds of waiting a second)
now       threads waiting at this moment
mean wait time waited by the number of waits that ended
signal    what threads tell each other something by: no contention
seen by   recorder: it runs under `locktoll record`; kernel: from outside
switches  ~ as found by looks at waiting threads; <= at most; else counted
slice over: its time was up.   woken over: a woken thread came first
ready     time in which threads could run and had no CPU

Any key goes back.";

/// Draws it over the whole screen.
pub fn draw(frame: &mut Frame<'_>, area: Rect, palette: Palette) {
    let mut lines = vec![Line::styled(
        "locktoll top: keys and columns",
        palette.strong(),
    )];
    lines.extend(HELP.lines().map(Line::from));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

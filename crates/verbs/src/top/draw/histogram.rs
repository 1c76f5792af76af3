//! Waits by length, as bars.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Palette;
use super::figures::count;
use locktoll_results::top::Figures;
use locktoll_terminal::quantity::duration;

/// Characters of `1.02 us ..2.05 us`, and of a count.
const LENGTHS: usize = 18;
const COUNT: usize = 6;

/// Draws the histogram with one line for each power of two, or for several of them if there are too many.
pub fn draw(frame: &mut Frame<'_>, area: Rect, figures: &Figures, palette: Palette) {
    let width = usize::from(area.width);
    let mut lines = vec![Line::styled("waits by length", palette.faint())];
    let rows = usize::from(area.height).saturating_sub(1);
    let bars = width.saturating_sub(LENGTHS + COUNT + 2);
    let grouped = grouped(&figures.log2, rows);
    let most = grouped.iter().map(|group| group.count).max().unwrap_or(0);
    if most == 0 {
        lines.push(Line::styled("none ended", palette.faint()));
    }
    for group in grouped {
        let bound = |power: usize| duration(2_f64.powi(power as i32));
        let lengths = format!("{:>8} ..{:>7}", bound(group.from), bound(group.to));
        let count = count(group.count);
        lines.push(Line::from(vec![
            Span::raw(format!("{lengths:LENGTHS$}{count:>COUNT$} ")),
            Span::styled(bar(group.count, most, bars), palette.waiting()),
        ]));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// Waits from 2^`from` up to 2^`to` ns.
struct Group {
    from: usize,
    to: usize,
    count: u64,
}

/// Fits the used part of a histogram into at most `rows` lines.
fn grouped(log2: &[u64], rows: usize) -> Vec<Group> {
    let used = |&at: &usize| log2[at] > 0;
    let (Some(first), Some(last)) = ((0..log2.len()).find(used), (0..log2.len()).rfind(used))
    else {
        return Vec::new();
    };
    let buckets = last - first + 1;
    let together = buckets.div_ceil(rows.max(1));
    let mut groups = Vec::new();
    let mut from = first;
    while from <= last {
        let to = (from + together).min(last + 1);
        let count = log2[from..to].iter().copied().fold(0, u64::saturating_add);
        groups.push(Group { from, to, count });
        from = to;
    }
    groups
}

/// Returns a bar in eighths of a character; a count above zero always has a visible bar.
fn bar(count: u64, most: u64, room: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if count == 0 || most == 0 || room == 0 {
        return String::new();
    }
    let eighths = (count as f64 / most as f64 * room as f64 * 8.0).round() as usize;
    let eighths = eighths.clamp(1, room * 8);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_waits_are_in_a_line_whatever_the_room() {
        let log2 = [0, 0, 3, 0, 5, 7, 0, 0, 1];
        for rows in 0..12 {
            let groups = grouped(&log2, rows);
            assert!(groups.len() <= rows.max(1));
            assert_eq!(groups.iter().map(|it| it.count).sum::<u64>(), 16);
            assert_eq!((groups[0].from, groups.last().unwrap().to), (2, 9));
        }
        assert!(grouped(&[], 5).is_empty() && grouped(&[0, 0], 5).is_empty());
    }

    #[test]
    fn something_is_never_drawn_as_nothing() {
        assert_eq!(bar(0, 10, 8), "");
        assert_eq!(bar(1, 1_000_000, 8), "▏");
        assert_eq!(bar(10, 10, 2), "██");
    }
}

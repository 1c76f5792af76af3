//! The places where threads waited, and where the holders had acquired the lock.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Palette;
use super::figures::per_second;
use locktoll_results::profile::Use;
use locktoll_results::top::{Figures, LockRow, Place};
use locktoll_shown::profile_words::fit_place;
use locktoll_terminal::quantity::share;

/// Characters before a place: share, and waits per second.
const FIGURES: usize = 17;

/// The fewest lines of a list: a heading and a row.
const LEAST: u16 = 2;

/// Draws the lists that have content, each with its share of the room; only the first ones if there is not room for all.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    lock: &LockRow,
    figures: &Figures,
    over_ns: u64,
    palette: Palette,
) {
    let (waited, woken) = match lock.used_as {
        Use::Lock => ("waited at", "woken from"),
        Use::Signal => ("waited for an event at", "woken from"),
    };
    let mut lists = vec![(waited, &figures.waiters)];
    lists.extend(
        [(woken, &figures.wakers), ("held by", &figures.holders)]
            .into_iter()
            .filter(|(_, places)| !places.is_empty()),
    );
    lists.truncate(usize::from(area.height / LEAST).max(1));
    let wanted: Vec<u16> = lists.iter().map(|(_, places)| lines_of(places)).collect();
    let shares = shares(&wanted, area.height);
    let areas = Layout::vertical(shares.into_iter().map(Constraint::Length)).split(area);
    for ((heading, places), &area) in lists.into_iter().zip(areas.iter()) {
        list(frame, area, heading, places, over_ns, palette);
    }
}

/// Returns the number of lines that a list would take: its heading, its rows, and an empty line after them.
fn lines_of(places: &[Place]) -> u16 {
    u16::try_from(places.len())
        .unwrap_or(u16::MAX)
        .saturating_add(2)
}

/// Divides `height` lines among the lists. Each gets as many as it wants, or else as many as the others leave; no list gets more
/// than an equal share before the others have what they want.
fn shares(wanted: &[u16], height: u16) -> Vec<u16> {
    let mut shares = vec![0; wanted.len()];
    let mut left = height;
    while left > 0 {
        let before = left;
        for (share, &wanted) in shares.iter_mut().zip(wanted) {
            if *share < wanted && left > 0 {
                *share += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    shares
}

fn list(
    frame: &mut Frame<'_>,
    area: Rect,
    heading: &str,
    places: &[Place],
    over_ns: u64,
    palette: Palette,
) {
    let width = usize::from(area.width);
    let total = places
        .iter()
        .map(|it| it.wait_ns)
        .fold(0, u64::saturating_add);
    let heading = format!("{:>7} {:>7}  {heading}", "share", "waits/s");
    let mut lines = vec![Line::styled(heading, palette.faint())];
    for place in places {
        let rate = per_second(Some(place.waits), over_ns);
        lines.push(Line::from(vec![
            Span::raw(format!("{:>7} {rate:>7}  ", share(place.wait_ns, total))),
            Span::raw(fit_place(&place.place, width.saturating_sub(FIGURES))),
        ]));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lists_leave_their_room_to_long_ones() {
        assert_eq!(shares(&[3, 3, 20], 15), [3, 3, 9]);
        assert_eq!(shares(&[20, 20], 9), [5, 4]);
        assert_eq!(shares(&[3, 4], 40), [3, 4]);
        assert_eq!(shares(&[], 4), Vec::<u16>::new());
        assert_eq!(shares(&[5, 5], 0), [0, 0]);
    }
}

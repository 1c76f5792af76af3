//! The alerts: each on a line of time, and the first of them with the threads.

use super::markup::{Picture, text};
use crate::profile::Selection;
use crate::profile::words;
use locktoll_results::profile::{Alert, AlertKind, AlertThread, caller};
use locktoll_terminal::quantity::{counted, duration};

/// The most locks on the line of time, alerts on it, and alerts that are described.
const LOCKS: usize = 12;
const MARKS: usize = 1_000;
const DESCRIBED: usize = 50;

/// Pixels: the picture, the names of locks, and a lock.
const WIDTH: u32 = 1_100;
const NAMES: u32 = 220;
const ROW: u32 = 26;

/// Returns the markup of all alerts; empty if there are none.
pub fn alerts(selection: &Selection<'_>) -> String {
    let alerts = &selection.profile.alerts;
    if alerts.is_empty() {
        return String::new();
    }
    let number = counted(alerts.len() as u64, "alert", "alerts");
    let mut markup = format!(
        "<h2>{number}</h2>\n<p class=\"note\">Each bar is a hold (filled) or a wait (outlined) up to the time of its alert; it may have lasted longer.</p>\n"
    );
    markup += &line_of_time(alerts, selection.profile.duration_ns);
    markup += "<div class=\"table-scroll\"><table><thead><tr><th class=\"left\">at</th><th class=\"left\">lock</th><th class=\"left\">what</th><th class=\"left\">held by</th><th class=\"left\">waiting</th></tr></thead><tbody>\n";
    let has_timeline = selection.profile.timeline.is_some();
    for alert in alerts.iter().take(DESCRIBED) {
        markup += &row(alert, has_timeline);
    }
    markup += "</tbody></table></div>\n";
    if alerts.len() > DESCRIBED {
        let more = alerts.len() - DESCRIBED;
        markup += &format!("<p class=\"note\">... and {more} more (report --alerts, --json)</p>\n");
    }
    markup
}

/// Writes an alert. Its time is a link to the timeline, if there is one.
fn row(alert: &Alert, has_timeline: bool) -> String {
    let lasted = duration(alert.ns as f64);
    let what = match alert.kind {
        AlertKind::Hold => format!("held for {lasted}"),
        AlertKind::Wait => format!("waited for {lasted}"),
    };
    let holder = alert.holder.as_ref().map_or_else(|| "-".to_owned(), holder);
    let waiting = alert.waiting.iter().map(|it| {
        let place = it
            .site
            .as_ref()
            .map_or_else(|| "an unknown place".to_owned(), words::one_frame);
        format!("{} in {place}", it.tids.len())
    });
    let waiting: Vec<String> = waiting.collect();
    let at = duration(alert.at_ns as f64);
    let at = match has_timeline {
        true => {
            let from = alert.at_ns.saturating_sub(alert.ns);
            format!("<a href=\"#timeline={from}-{}\">{at}</a>", alert.at_ns)
        }
        false => at,
    };
    let words = [alert.name.clone(), what, holder, waiting.join("; ")];
    let cells: String = std::iter::once(at)
        .chain(words.iter().map(|it| text(it)))
        .map(|it| format!("<td class=\"left\">{it}</td>"))
        .collect();
    format!("<tr>{cells}</tr>\n")
}

fn holder(thread: &AlertThread) -> String {
    let site = thread.site.as_ref().map(words::one_frame);
    let site = site.map_or_else(String::new, |it| format!(", acquired in {it}"));
    let now = caller(&thread.stack).map(words::one_frame);
    let now = now.map_or_else(String::new, |it| format!(", then at {it}"));
    format!("thread {}{site}{now}", thread.tid)
}

fn line_of_time(alerts: &[Alert], duration_ns: u64) -> String {
    let mut locks: Vec<&str> = Vec::new();
    for alert in alerts {
        if !locks.contains(&alert.lock.as_str()) && locks.len() < LOCKS {
            locks.push(&alert.lock);
        }
    }
    let last = alerts.iter().map(|it| it.at_ns).max().unwrap_or(0);
    let whole = duration_ns.max(last).max(1);
    let mut picture = Picture::new(WIDTH, "alerts by time");
    let at = |ns: u64| NAMES + (ns as f64 / whole as f64 * f64::from(WIDTH - NAMES - 10)) as u32;
    for (number, lock) in locks.iter().enumerate() {
        let top = number as u32 * ROW;
        let named = alerts.iter().find(|it| it.lock == *lock);
        // The room for the name ends where the time begins.
        let name = named.map_or_else(String::new, |it| {
            words::fit_name(&it.name, (NAMES / 8) as usize)
        });
        picture.write((0, top + 17), &name, "");
        let (y, end) = (top + ROW - 4, WIDTH - 10);
        picture.draw(&format!(
            "<path d=\"M{NAMES} {y}H{end}\" stroke=\"var(--grid)\"/>"
        ));
    }
    for alert in alerts.iter().take(MARKS) {
        let Some(number) = locks.iter().position(|it| *it == alert.lock) else {
            continue;
        };
        let from = at(alert.at_ns.saturating_sub(alert.ns));
        let width = (at(alert.at_ns) - from).max(3);
        let fill = match alert.kind {
            AlertKind::Hold => "var(--locks)",
            AlertKind::Wait => "none",
        };
        let title = text(&format!(
            "{}, at {}",
            duration(alert.ns as f64),
            duration(alert.at_ns as f64)
        ));
        picture.draw(&format!(
            "<rect x=\"{from}\" y=\"{}\" width=\"{width}\" height=\"12\" fill=\"{fill}\" stroke=\"var(--locks)\"><title>{title}</title></rect>",
            number as u32 * ROW + 6
        ));
    }
    let bottom = locks.len() as u32 * ROW + 16;
    picture.write((NAMES, bottom), "0", "opacity=\"0.7\"");
    let end = duration(whole as f64);
    picture.write((WIDTH - 80, bottom), &end, "opacity=\"0.7\"");
    picture.end(bottom + 8)
}

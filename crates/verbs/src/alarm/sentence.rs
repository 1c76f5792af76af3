//! An alert in one line.

use locktoll_results::profile::{Alert, AlertKind, AlertThread, caller, described};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::duration;

/// Describes an alert in one line.
pub fn sentence(alert: &Alert) -> String {
    let lasted = duration(alert.ns as f64);
    let name = shown_text(&alert.name);
    let holder = alert.holder.as_ref().map(holder);
    let waiters = match alert.waiters {
        0 => "no thread waits for it".to_owned(),
        1 => "1 thread waits for it".to_owned(),
        many => format!("{many} threads wait for it"),
    };
    let waiter = alert
        .waiter
        .as_ref()
        .map(|it| format!("thread {}{}", it.tid, at(it, "in")));
    match alert.kind {
        AlertKind::Hold => {
            let holder = holder.unwrap_or_else(|| "an unknown thread".to_owned());
            let waiter = waiter.map_or_else(String::new, |it| format!(", longest {it}"));
            format!("alert: {name} has been held for {lasted} by {holder}; {waiters}{waiter}")
        }
        AlertKind::Wait => {
            let waiter = waiter.unwrap_or_else(|| "a thread".to_owned());
            let holder = holder.unwrap_or_else(|| "an unknown thread".to_owned());
            format!(
                "alert: a thread has waited for {name} for {lasted}: {waiter}; the lock is held by {holder}; {waiters}"
            )
        }
    }
}

/// Describes the holder: where it acquired the lock, as far as that is known, and what it is doing.
fn holder(thread: &AlertThread) -> String {
    let site = at(thread, "which acquired it in");
    let and = match site.is_empty() {
        true => ", which",
        false => " and",
    };
    match doing(thread) {
        Some(doing) => format!("thread {}{site}{and} {doing}", thread.tid),
        None => format!("thread {}{site}", thread.tid),
    }
}

fn at(thread: &AlertThread, verb: &str) -> String {
    let site = thread.site.as_ref().map(described);
    site.map_or_else(String::new, |site| {
        format!(", {verb} {}", shown_text(&site))
    })
}

/// Describes what a thread was doing when the alert was raised; `None` if that is not known.
fn doing(thread: &AlertThread) -> Option<String> {
    let place = caller(&thread.stack).map(described);
    let place = place.map(|it| shown_text(&it));
    match (&thread.call, place) {
        (Some(call), Some(place)) => Some(format!("is in {}, at {place}", shown_text(call))),
        (Some(call), None) => Some(format!("is in {}", shown_text(call))),
        (None, Some(place)) => Some(format!("runs in {place}")),
        (None, None) => None,
    }
}

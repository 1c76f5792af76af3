//! Alerts that were raised while the program ran.

use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use crate::profile::words;
use locktoll_results::profile::{Alert, AlertKind, AlertThread, Profile};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{counted, duration};

/// The default number of alerts that are shown.
const SHOWN: usize = 50;
/// The most places of one alert, and threads of one place, that are shown.
const PLACES: usize = 8;
const THREADS: usize = 12;

/// Writes the alerts in their order.
pub fn write(
    page: &mut String,
    profile: &Profile,
    top: Option<usize>,
    width: usize,
) -> fmt::Result {
    let alerts = &profile.alerts;
    if alerts.is_empty() {
        return fold::write(
            page,
            "",
            "No alert was raised. `locktoll record --alert 'hold>100ms' --alert 'wait>1s'` raises alerts while the program runs.",
            width,
        );
    }
    let number = counted(alerts.len() as u64, "alert", "alerts");
    writeln!(
        page,
        "{STRONG}{number}{STRONG:#}, each with the time since the program started"
    )?;
    let shown = top.unwrap_or(SHOWN).min(alerts.len());
    for alert in &alerts[..shown] {
        one(page, alert, width)?;
    }
    if shown < alerts.len() {
        let more = counted((alerts.len() - shown) as u64, "more", "more");
        writeln!(page, "{FAINT}... and {more} (--top N, --json){FAINT:#}")?;
    }
    Ok(())
}

fn one(page: &mut String, alert: &Alert, width: usize) -> fmt::Result {
    let (at, lasted) = (duration(alert.at_ns as f64), duration(alert.ns as f64));
    let name = shown_text(&alert.name);
    let event = match alert.kind {
        AlertKind::Hold => format!("{name} held for {lasted} so far"),
        AlertKind::Wait => format!("a wait of {lasted} so far for {name}"),
    };
    let waiters = match alert.waiters {
        0 => String::new(),
        many => format!("; {} waiting", counted(many, "thread", "threads")),
    };
    fold::write(page, "  ", &format!("{at}: {event}{waiters}"), width)?;
    thread(page, "held by", alert.holder.as_ref(), width)?;
    thread(page, "waited for by", alert.waiter.as_ref(), width)?;
    waiting(page, alert, width)
}

/// Lists the places where threads waited, if there was more than one thread.
fn waiting(page: &mut String, alert: &Alert, width: usize) -> fmt::Result {
    if alert.waiters < 2 {
        return Ok(());
    }
    for at in alert.waiting.iter().take(PLACES) {
        let site = at.site.as_ref().map(words::one_frame);
        let site = site.unwrap_or_else(|| "an unknown place".to_owned());
        let tids: Vec<String> = at.tids.iter().take(THREADS).map(u32::to_string).collect();
        let more = match at.tids.len().saturating_sub(THREADS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!(
            "{} in {site}, for {} at most ({}{more})",
            counted(at.tids.len() as u64, "thread waits", "threads wait"),
            duration(at.longest_ns as f64),
            tids.join(", "),
        );
        fold::write(page, "      ", &text, width)?;
    }
    Ok(())
}

fn thread(page: &mut String, how: &str, it: Option<&AlertThread>, width: usize) -> fmt::Result {
    let Some(it) = it else {
        return Ok(());
    };
    let site = it.site.as_ref().map(words::one_frame);
    let site = site.map_or_else(String::new, |site| format!(", in {site}"));
    let call = it.call.as_ref();
    let call = call.map_or_else(String::new, |call| format!(", now in {}", shown_text(call)));
    fold::write(
        page,
        "      ",
        &format!("{how} thread {}{site}{call}", it.tid),
        width,
    )?;
    let mut calls = String::new();
    super::stacks::frames(&mut calls, &it.stack, 8, width)?;
    page.push_str(&calls);
    match &it.cut {
        Some(why) => fold::write(page, "        ", &format!("({})", shown_text(why)), width),
        None => Ok(()),
    }
}

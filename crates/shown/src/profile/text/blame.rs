//! Who waited for whom, and what held them up.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::places;
use super::styles::{FAINT, STRONG};
use crate::profile::names::Names;
use crate::profile::preempted;
use crate::profile::words;
use crate::profile::words::{fit_name, fit_place};
use locktoll_results::profile::{Blame, Lock, WaitSplit, WhileHeld};
use locktoll_terminal::quantity::{count, counted, duration, share};

/// What comes before a holder's place.
const WAITED_FOR: &str = "waited for ";

/// A lock's waiting by waiter and holder: the first `limit` pairs, or all.
pub fn write(
    page: &mut String,
    names: &Names<'_>,
    lock: &Lock,
    limit: Option<usize>,
    width: usize,
) -> fmt::Result {
    let name = fit_name(&names.name(lock), width.saturating_sub(34));
    if lock.blame.is_empty() {
        writeln!(page, "{STRONG}{name}{STRONG:#} {}", places::verb(lock))?;
        return places::write(page, lock, limit, width);
    }
    write!(page, "{STRONG}{name}{STRONG:#}: ")?;
    let waits = lock.contended.saturating_add(lock.still_waiting);
    writeln!(
        page,
        "{} in {}",
        duration(lock.waited_ns() as f64),
        counted(waits, "wait", "waits")
    )?;
    pairs(page, lock, limit, width)?;
    if let Some(split) = &lock.wait_split {
        fold::write(page, "  ", &waiting(split), width)?;
    }
    if let Some(held) = &lock.while_held
        && let Some(text) = holding(held, false)
    {
        fold::write(page, "  ", &text, width)?;
    }
    if let Some(preemption) = lock.preemption.as_ref().filter(|it| it.count > 0)
        && let Some(text) = preempted::of_lock(preemption)
    {
        fold::write(page, "  ", &text, width)?;
    }
    Ok(())
}

/// The matrix, its largest entries first.
pub fn pairs(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let shown = &lock.blame[..lock.blame.len().min(limit.unwrap_or(usize::MAX))];
    let total_ns = lock.waited_ns();
    let figures: Vec<(String, String)> = shown
        .iter()
        .map(|blame| {
            (
                share(blame.wait_ns, total_ns),
                duration(blame.wait_ns as f64),
            )
        })
        .collect();
    let share_width = figures
        .iter()
        .map(|(share, _)| share.len())
        .max()
        .unwrap_or(0);
    let time_width = figures
        .iter()
        .map(|(_, time)| time.len())
        .max()
        .unwrap_or(0);
    let indent = 2 + share_width + 2 + time_width + 2;

    let phrases: Vec<(String, String)> = shown
        .iter()
        .map(|blame| phrase(blame, lock.futex.is_some()))
        .collect();
    let waiter_width = phrases
        .iter()
        .map(|(waiter, _)| waiter.chars().count())
        .max();
    let waiter_width = waiter_width.unwrap_or(0);
    let holder_width = phrases
        .iter()
        .map(|(_, holder)| holder.chars().count())
        .max();
    let on_one_line = indent + waiter_width + 1 + holder_width.unwrap_or(0) <= width;
    for ((share, time), (waiter, holder)) in figures.iter().zip(&phrases) {
        write!(page, "  {share:>share_width$}  {time:>time_width$}  ")?;
        if on_one_line {
            writeln!(page, "{waiter:<waiter_width$} {holder}")?;
        } else {
            let room = width.saturating_sub(indent);
            writeln!(page, "{}", fit_place(waiter, room))?;
            let holder = match holder.strip_prefix(WAITED_FOR) {
                Some(place) => {
                    let place = fit_place(place, room.saturating_sub(WAITED_FOR.len()));
                    format!("{WAITED_FOR}{place}")
                }
                None => words::cut_right(holder, room),
            };
            writeln!(page, "{:indent$}{holder}", "")?;
        }
    }
    let rest = &lock.blame[shown.len()..];
    if !rest.is_empty() {
        let rest_ns = rest
            .iter()
            .fold(0, |sum: u64, blame| sum.saturating_add(blame.wait_ns));
        let more = counted(rest.len() as u64, "more pair", "more pairs");
        writeln!(
            page,
            "  {FAINT}... and {more}, {} together (--lock ID --blame){FAINT:#}",
            share(rest_ns, total_ns)
        )?;
    }
    Ok(())
}

/// Waiter, and who it waited for. `is_watched`: from outside, by futex calls.
fn phrase(blame: &Blame, is_watched: bool) -> (String, String) {
    let waiter = match (&blame.waiter[..], is_watched) {
        ([], true) => "a thread".to_owned(),
        (waiter, _) => words::site(waiter),
    };
    let holder = match &blame.holder {
        None if let Some(thread) = &blame.holder_thread => {
            format!("{WAITED_FOR}{}", words::thread(thread))
        }
        None if is_watched => "waited while the lock was handed over".to_owned(),
        None => "waited; the holder was not seen".to_owned(),
        Some(holder) if *holder == blame.waiter => {
            format!("{WAITED_FOR}another thread at the same place")
        }
        Some(holder) => format!("{WAITED_FOR}{}", words::site(holder)),
    };
    (waiter, holder)
}

/// What waiting consisted of.
pub fn waiting(split: &WaitSplit) -> String {
    let spinning_ns = split.spinning_ns.unwrap_or(0);
    let total = [spinning_ns, split.blocked_ns, split.runnable_ns]
        .into_iter()
        .fold(0, u64::saturating_add);
    let runnable = share(split.runnable_ns, total);
    // Without an examined wait there is no telling spinning from sleeping.
    match split.examined {
        0 if split.spinning_ns.is_none() => format!(
            "waits: {} blocked, {runnable} woken and not yet running",
            share(split.blocked_ns, total),
        ),
        0 => format!(
            "waits: {} blocked or spinning, {runnable} woken and not yet running",
            share(split.blocked_ns.saturating_add(spinning_ns), total),
        ),
        _ => format!(
            "waits: {} blocked, {} spinning, {runnable} woken and not yet running",
            share(split.blocked_ns, total),
            share(spinning_ns, total),
        ),
    }
}

/// What held the holders up: what there was, or with `all` what there was not, too.
pub fn holding(held: &WhileHeld, all: bool) -> Option<String> {
    let mut parts = Vec::new();
    if held.examined > 0 && (held.blocked > 0 || all) {
        parts.push(format!(
            "blocked while holding: {} of {} holds examined",
            count(held.blocked),
            count(held.examined)
        ));
    }
    if held.examined > 0 && (held.involuntary_switches > 0 || all) {
        parts.push(format!(
            "preempted while holding: {}",
            counted(held.involuntary_switches, "time", "times")
        ));
    }
    if held.system_calls > 0 {
        let calls = counted(held.system_calls, "system call", "system calls");
        parts.push(format!("{calls} that may block"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

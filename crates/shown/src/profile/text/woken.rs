//! The places that ended waits, and the calls that they used.

use std::fmt::{self, Write};

use super::styles::FAINT;
use crate::profile::words;
use crate::profile::words::fit_place;
use locktoll_results::profile::{FutexCalls, Lock, WokenBy};
use locktoll_terminal::quantity::{count, counted, duration, share};

/// Writes the first `limit` pairs of waiter and waker, or all.
pub fn pairs(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let total_ns = lock
        .signal
        .as_ref()
        .map_or(lock.wait_ns.total, |it| it.wait_ns.total);
    let shown = &lock.woken_by[..lock.woken_by.len().min(limit.unwrap_or(usize::MAX))];
    for pair in shown {
        writeln!(
            page,
            "  {} ({}) in {}",
            duration(pair.wait_ns as f64),
            share(pair.wait_ns, total_ns),
            counted(pair.count, "wait", "waits"),
        )?;
        let room = width.saturating_sub(6 + WAITED.len());
        writeln!(
            page,
            "      {WAITED}{}",
            fit_place(&words::site(&pair.waiter), room)
        )?;
        let room = width.saturating_sub(6 + WOKEN.len());
        writeln!(page, "      {WOKEN}{}", fit_place(&waker(pair), room))?;
    }
    let hidden = lock.woken_by.len() - shown.len();
    if hidden > 0 {
        let more = counted(hidden as u64, "more pair", "more pairs");
        writeln!(page, "  {FAINT}... and {more} (--json has all){FAINT:#}")?;
    }
    Ok(())
}

/// The texts before the places; all have the same width.
const WAITED: &str = "waited    ";
const WOKEN: &str = "woken by  ";

fn waker(pair: &WokenBy) -> String {
    pair.waker.as_ref().map_or_else(
        || "unknown: a deadline, a signal, or another process".to_owned(),
        |frames| words::site(frames),
    )
}

/// Describes the system calls on a lock's words.
pub fn calls(calls: &FutexCalls) -> String {
    let mut parts = vec![format!("{} woken", counted(calls.woken, "wait", "waits"))];
    for (number, what) in [
        (calls.timed_out, "timed out"),
        (calls.interrupted, "interrupted"),
        (calls.failed, "failed"),
    ] {
        if number > 0 {
            parts.push(format!("{} {what}", count(number)));
        }
    }
    if calls.again > 0 {
        parts.push(format!(
            "{} did not wait, since the word had changed",
            count(calls.again)
        ));
    }
    if let (Some(wakes), Some(empty)) = (calls.wakes, calls.wakes_empty) {
        parts.push(format!(
            "{}, {} of them without a waiter",
            counted(wakes, "wake", "wakes"),
            count(empty)
        ));
    }
    parts.join("; ")
}

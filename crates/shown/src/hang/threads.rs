//! Threads by what they wait for. Threads with the same calls are one entry.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::page::HangPage;
use super::words::{call, holder_words, object};
use crate::profile::text::styles::{FAINT, STRONG};
use locktoll_results::hang::{HangThread, WaitsFor};
use locktoll_results::profile::described;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{counted, duration};

/// The number of calls that are shown of a stack, unless all threads are listed.
const CALLS: usize = 12;
/// The number of ids that are shown of one entry.
const IDS: usize = 12;

/// Writes the entries.
pub fn write(page: &mut String, shown: &HangPage<'_>, width: usize) -> std::fmt::Result {
    let listed: Vec<&HangThread> = shown.listed().collect();
    if !listed.is_empty() {
        writeln!(page, "\n{STRONG}Threads{STRONG:#}")?;
    }
    for alike in groups(&listed) {
        entry(page, shown, &alike, width)?;
    }
    let idle: Vec<&HangThread> = shown.left_out().collect();
    if !idle.is_empty() {
        writeln!(page)?;
        fold::write(page, "", &left_out(&idle), width)?;
    }
    Ok(())
}

/// Groups threads with the same wait and the same calls, the largest group first.
fn groups<'r>(threads: &[&'r HangThread]) -> Vec<Vec<&'r HangThread>> {
    let mut groups: Vec<Vec<&HangThread>> = Vec::new();
    for &thread in threads {
        let same = |group: &&mut Vec<&HangThread>| {
            let first = group[0];
            (first.waits_for, &first.lock, first.joins_tid, &first.stack)
                == (
                    thread.waits_for,
                    &thread.lock,
                    thread.joins_tid,
                    &thread.stack,
                )
                && first.call == thread.call
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(thread),
            None => groups.push(vec![thread]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

fn entry(
    page: &mut String,
    shown: &HangPage<'_>,
    alike: &[&HangThread],
    width: usize,
) -> std::fmt::Result {
    let [first, ..] = alike else { return Ok(()) };
    let who = match alike {
        [only] if only.name.is_empty() => format!("Thread {}", only.tid),
        [only] => format!("Thread {} ({})", only.tid, shown_text(&only.name)),
        _ => counted(alike.len() as u64, "thread", "threads"),
    };
    let does = match (first.waits_for, alike.len()) {
        (WaitsFor::Nothing, 1) => "runs".to_owned(),
        (WaitsFor::Nothing, _) => "run".to_owned(),
        (WaitsFor::SystemCall, 1) => format!("is in {}", call(first)),
        (WaitsFor::SystemCall, _) => format!("are in {}", call(first)),
        (_, 1) => format!("waits for {}", object(shown.result, first)),
        (_, _) => format!("wait for {}", object(shown.result, first)),
    };
    let mut words = format!("{who} {does}");
    let lock = first.lock.as_deref().and_then(|id| shown.result.lock(id));
    if let Some(lock) = lock
        && let Some(holder) = holder_words(shown.result, lock)
    {
        // A reason why the holder is not known is a sentence.
        let mark = if lock.owner_tid.is_some() { ',' } else { ';' };
        words += &format!("{mark} {holder}");
    }
    if first.has_deadline && first.waits_for != WaitsFor::SystemCall {
        words += "; the wait has a deadline";
    }
    if let Some(longest) = alike.iter().filter_map(|it| it.since_ns).max() {
        let longest = duration(longest as f64);
        words += &match alike.len() {
            1 => format!("; has waited for {longest}"),
            _ => format!("; the longest has waited for {longest}"),
        };
    }
    if let Some(unmoved) = alike.iter().filter_map(|it| it.unmoved_ns).min() {
        words += &format!("; has not run for {}", duration(unmoved as f64));
    }
    fold::write(page, "", &(words + "."), width)?;
    if alike.len() > 1 {
        let ids: Vec<String> = alike
            .iter()
            .take(IDS)
            .map(|it| it.tid.to_string())
            .collect();
        let more = match alike.len().checked_sub(IDS) {
            Some(more @ 1..) => format!(" and {more} more"),
            _ => String::new(),
        };
        fold::write(page, "    ", &format!("{}{more}", ids.join(", ")), width)?;
    }
    stack(page, shown, first)
}

fn stack(page: &mut String, shown: &HangPage<'_>, thread: &HangThread) -> std::fmt::Result {
    let most = if shown.all { usize::MAX } else { CALLS };
    for frame in thread.stack.iter().take(most) {
        writeln!(
            page,
            "    {FAINT}{}{FAINT:#}",
            shown_text(&described(frame))
        )?;
    }
    match (thread.stack.len().checked_sub(most), &thread.stack_cut) {
        (Some(more @ 1..), _) => writeln!(page, "    {FAINT}and {more} outer calls{FAINT:#}"),
        (_, Some(why)) => writeln!(page, "    {FAINT}outer calls are missing: {why}{FAINT:#}"),
        _ => Ok(()),
    }
}

/// Counts the threads that are not listed.
fn left_out(threads: &[&HangThread]) -> String {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for thread in threads {
        let kind = match thread.waits_for {
            WaitsFor::Condvar => "condition variable".to_owned(),
            WaitsFor::Semaphore => "semaphore".to_owned(),
            WaitsFor::Nothing => "running".to_owned(),
            WaitsFor::SystemCall => thread
                .call
                .as_ref()
                .map_or_else(String::new, |it| it.name.clone()),
            _ => "futex".to_owned(),
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let mut kinds: Vec<(String, u64)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    format!(
        "Left out: {}, asleep or waiting for work ({}); --all lists them.",
        counted(threads.len() as u64, "more thread", "more threads"),
        kinds.join(", ")
    )
}

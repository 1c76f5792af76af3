//! A deadlock in one paragraph.

use super::words::{lock, object, place, thread, thread_of};
use locktoll_results::hang::{Deadlock, HangResult, WaitsFor};
use locktoll_results::profile::described;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use std::fmt::Write;

use crate::profile::text::styles::{LOCKS, STRONG};

/// More threads than this are described as the first ones and a number.
const MOST: usize = 8;

/// Writes each deadlock.
pub fn write(page: &mut String, result: &HangResult, width: usize) -> std::fmt::Result {
    for (number, deadlock) in result.deadlocks.iter().enumerate() {
        let title = match result.deadlocks.len() {
            1 => "Deadlock".to_owned(),
            _ => format!("Deadlock {}", number + 1),
        };
        writeln!(page, "\n{LOCKS}{STRONG}{title}{STRONG:#}{LOCKS:#}")?;
        fold::write(page, "", &paragraph(result, deadlock), width)?;
    }
    Ok(())
}

/// Describes a deadlock so that a person can act on it.
pub fn paragraph(result: &HangResult, deadlock: &Deadlock) -> String {
    let count = deadlock.threads.len();
    if let ([tid], []) = (&deadlock.threads[..], &deadlock.locks[..]) {
        return given_up(result, *tid);
    }
    let mut sentences: Vec<String> = Vec::new();
    for (index, &tid) in deadlock.threads.iter().take(MOST).enumerate() {
        let before = deadlock.threads[(index + count - 1) % count];
        sentences.push(step(
            result,
            before,
            tid,
            deadlock.threads[(index + 1) % count],
        ));
    }
    if count > MOST {
        sentences.push(format!(
            "And so on through {} more threads, back to thread {}.",
            count - MOST,
            deadlock.threads[0]
        ));
    }
    sentences.push(advice(deadlock));
    sentences.join(" ")
}

/// Describes a thread that the C library keeps asleep forever.
fn given_up(result: &HangResult, tid: u32) -> String {
    let at = result.thread(tid).and_then(|it| place(&it.stack));
    let held: Vec<String> = result
        .locks
        .iter()
        .filter(|it| it.owner_tid == Some(tid))
        .map(lock)
        .collect();
    let holds = match held.is_empty() {
        true => String::new(),
        false => format!(" It holds {}, for which others wait.", held.join(" and ")),
    };
    format!(
        "{} asked for a priority-inheriting mutex{}. The kernel found that a thread that holds this mutex waits for it, directly or \
         indirectly (EDEADLK), and the C library then keeps it asleep forever. No record of the mutex remains.{holds}",
        capital(&thread_of(result, tid)),
        at.map_or_else(String::new, |at| format!(" at {at}")),
    )
}

/// Describes one thread of the cycle: what it holds, for which `before` waits, and what it waits for, which `next` has.
fn step(result: &HangResult, before: u32, tid: u32, next: u32) -> String {
    let Some(this) = result.thread(tid) else {
        return format!("Thread {tid} was not seen.");
    };
    let mut words = capital(&thread(this));
    let held = result
        .thread(before)
        .and_then(|it| it.lock.as_deref())
        .and_then(|id| result.lock(id));
    if let Some(held) = held.filter(|it| it.owner_tid == Some(tid)) {
        words += &format!(" holds {}", lock(held));
        if let Some(site) = &held.owner_site {
            words += &format!(" (acquired at {})", shown_text(&described(site)));
        }
        words += " and";
    }
    words += &format!(" waits for {}", object(result, this));
    if let Some(place) = place(&this.stack) {
        words += &format!(" at {place}");
    }
    match (this.waits_for, next == tid) {
        (WaitsFor::Join, _) => {}
        (_, true) => words += ", which it holds itself",
        (_, false) => words += &format!(", which {} holds", thread_of(result, next)),
    }
    words + "."
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn advice(deadlock: &Deadlock) -> String {
    let has_join = deadlock.locks.len() < deadlock.threads.len();
    match (deadlock.threads.len(), has_join) {
        (1, false) => "It will wait forever: release the lock before that call, or make the lock recursive.",
        (_, true) => {
            "None of them can continue. A thread must not wait for the end of another while it holds a lock that the other needs."
        }
        (_, false) => "None of them can continue. Acquire these locks in the same order at all of these places.",
    }
    .to_owned()
}

//! Waits that had not ended when the recording did: a deadlock consists of them.

use std::fmt::{self, Write};

use super::fold;
use super::styles::{FAINT, STRONG};
use crate::profile::{Lock, Profile, Use};
use crate::report::profile::{Selection, words};
use crate::report::quantity::{count, counted, duration};

/// More sentences than this would bury the others.
const LIMIT: usize = 3;

/// Who was still waiting for a lock, as a sentence without its beginning; `None` if nobody.
pub fn of(lock: &Lock) -> Option<String> {
    let longest = lock.longest_still_waiting.as_ref()?;
    let length = duration(longest.wait_ns as f64);
    let how_long = match lock.still_waiting {
        1 => format!("for {length}"),
        _ => format!("the longest for {length}"),
    };
    let who = threads(lock.still_waiting);
    // Of a running program, where a thread waits is known when the wait ends.
    let at = match (&longest.frames[..], &lock.futex) {
        ([], Some(_)) => String::new(),
        (frames, _) => format!(", at {}", words::site(frames)),
    };
    Some(format!("{who} still waiting at the end, {how_long}{at}"))
}

/// A sentence for each of the dearest locks.
pub fn locks(
    page: &mut String,
    selection: &Selection<'_>,
    locks: &[&Lock],
    width: usize,
) -> fmt::Result {
    let waited_for: Vec<(&Lock, String)> = locks
        .iter()
        .filter(|lock| is_worth_a_sentence(lock))
        .filter_map(|lock| Some((*lock, of(lock)?)))
        .collect();
    if waited_for.is_empty() {
        return Ok(());
    }
    for (lock, sentence) in waited_for.iter().take(LIMIT) {
        let name = words::fit_name(&selection.names.name(lock), width / 2);
        write!(page, "{STRONG}")?;
        fold::write(page, "", &format!("{name}: {sentence}"), width)?;
        write!(page, "{STRONG:#}")?;
    }
    let rest = &waited_for[waited_for.len().min(LIMIT)..];
    if !rest.is_empty() {
        let all = rest.iter().fold(0, |sum: u64, (lock, _)| {
            sum.saturating_add(lock.still_waiting)
        });
        let more = counted(rest.len() as u64, "more lock", "more locks");
        writeln!(
            page,
            "{STRONG}{} still waiting for {more}{STRONG:#}",
            threads(all)
        )?;
    }
    writeln!(
        page,
        "{FAINT}Waits that had not ended are in the share, not in the other figures{FAINT:#}"
    )
}

/// Watching a running program ends in the middle of some waits: only those that have lasted longer than any that ended mean something.
fn is_worth_a_sentence(lock: &Lock) -> bool {
    let longest = lock.longest_still_waiting.as_ref();
    lock.futex.is_none()
        || longest.is_some_and(|longest| lock.wait_ns.max.is_none_or(|max| longest.wait_ns > max))
}

/// One sentence for all signals: threads that have nothing to do wait for one.
pub fn signals(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    let (waiting, ns) = profile.still_waiting(Use::Signal);
    if waiting == 0 {
        return Ok(());
    }
    let text = format!(
        "{} still waiting for a signal at the end, {} together; that is not in these figures",
        threads(waiting),
        duration(ns as f64)
    );
    write!(page, "{FAINT}")?;
    fold::write(page, "", &text, width)?;
    write!(page, "{FAINT:#}")
}

fn threads(number: u64) -> String {
    match number {
        1 => "1 thread was".to_owned(),
        many => format!("{} threads were", count(many)),
    }
}

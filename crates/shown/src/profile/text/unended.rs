//! Waits that had not ended when the recording did. A deadlock consists of such waits.

use locktoll_terminal::fold;
use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use crate::profile::{Selection, words};
use locktoll_results::profile::{Lock, Profile, StillWaiting, Use};
use locktoll_terminal::quantity::{count, counted, duration};

/// More sentences than this would bury the others.
const LIMIT: usize = 3;

/// Says who was still waiting for a lock, as a sentence without its beginning. Returns `None` if nobody was.
pub fn of(lock: &Lock) -> Option<String> {
    let longest = lock.longest_still_waiting.as_ref()?;
    let length = duration(longest.wait_ns as f64);
    let how_long = match (longest.wait_ns, lock.still_waiting) {
        // A length of zero was not measured.
        (0, 1) => "having just begun".to_owned(),
        (0, _) => "all having just begun".to_owned(),
        (_, 1) => format!("for {length}"),
        _ => format!("the longest for {length}"),
    };
    let who = threads(lock.still_waiting);
    let at = match (&longest.frames[..], &lock.futex) {
        ([], Some(_)) => String::new(),
        (frames, _) => format!(", at {}", words::site(frames)),
    };
    // Seen from outside, the holder changes from moment to moment: the blame shows who waited for whom.
    let holder = held_by(longest).filter(|_| lock.futex.is_none());
    let named = longest.owner_field.map(|it| words::owner_field(&it));
    let held = holder.or(named);
    let held = held.map_or_else(String::new, |holder| format!("; {holder}"));
    Some(format!(
        "{who} still waiting at the end, {how_long}{at}{held}"
    ))
}

/// Says who held the lock when the wait began.
fn held_by(waiting: &StillWaiting) -> Option<String> {
    let holder = words::thread(waiting.holder_thread.as_ref()?);
    let taken = match waiting.holder[..] {
        [] => String::new(),
        _ => format!(", which took it at {},", words::site(&waiting.holder)),
    };
    Some(format!("{holder}{taken} held it when that wait began"))
}

/// Writes each thread that was still waiting, the longest wait first: the first `limit`.
pub fn table(page: &mut String, lock: &Lock, limit: usize, width: usize) -> fmt::Result {
    let shown = &lock.still_waiting_threads[..lock.still_waiting_threads.len().min(limit)];
    let of = |tid: u32| tid.to_string();
    let tids = shown.iter().map(|it| of(it.tid).len()).max().unwrap_or(0);
    let lengths = shown.iter().map(|it| duration(it.wait_ns as f64).len());
    let lengths = lengths.max().unwrap_or(0);
    let room = width.saturating_sub(2 + lengths + "  thread ".len() + tids + " at ".len());
    for it in shown {
        let length = duration(it.wait_ns as f64);
        write!(page, "  {length:>lengths$}  thread {:>tids$}", it.tid)?;
        match it.frames[..] {
            [] => writeln!(page)?,
            _ => writeln!(
                page,
                " at {}",
                words::fit_place(&words::site(&it.frames), room)
            )?,
        }
    }
    let rest = lock.still_waiting.saturating_sub(shown.len() as u64);
    if rest > 0 {
        writeln!(
            page,
            "  {FAINT}... and {}{FAINT:#}",
            counted(rest, "more thread", "more threads")
        )?;
    }
    Ok(())
}

/// Writes a sentence for each of the most expensive locks.
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
    let text = "Unfinished waits count in the share and in the lines below the table, but not in wait, contended, p99 and max.";
    write!(page, "{FAINT}")?;
    fold::write(page, "", text, width)?;
    write!(page, "{FAINT:#}")
}

/// Whether a lock's unended waits matter. Watching a running program ends in the middle of some waits: only those that have
/// lasted longer than every wait that ended mean something.
fn is_worth_a_sentence(lock: &Lock) -> bool {
    let longest = lock.longest_still_waiting.as_ref();
    lock.futex.is_none()
        || longest.is_some_and(|longest| lock.wait_ns.max.is_none_or(|max| longest.wait_ns > max))
}

/// Writes one sentence for all signals: idle threads wait for one.
pub fn signals(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    let (waiting, ns) = profile.still_waiting(Use::Signal);
    if waiting == 0 {
        return Ok(());
    }
    let text = format!(
        "{} still waiting for an event at the end, {} in all; these figures leave that out",
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

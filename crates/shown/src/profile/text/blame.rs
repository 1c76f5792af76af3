//! Which threads waited for which, and what delayed the holders.

use locktoll_terminal::fold;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::places;
use super::styles::{FAINT, STRONG};
use crate::profile::names::Names;
use crate::profile::preempted;
use crate::profile::words;
use crate::profile::words::{fit_name, fit_place};
use locktoll_results::profile::{
    Blame, HolderPreemption, Lock, PreemptionSource, WaitSplit, WhileHeld,
};
use locktoll_terminal::quantity::{count, counted, duration, share};

/// The text before a holder's place.
const WAITED_FOR: &str = "waited for ";
/// The text before a waker's place.
const WOKEN_BY: &str = "woken by ";

/// Writes a lock's waiting by waiter and holder: the first `limit` pairs, or all.
pub fn write(
    page: &mut String,
    names: &Names<'_>,
    lock: &Lock,
    limit: Option<usize>,
    width: usize,
) -> fmt::Result {
    write_by(pairs, page, names, lock, limit, width)
}

/// Writes the same in short form. If the holders do not show which place waited for them, it is by waiter and waker.
pub fn in_short(
    page: &mut String,
    names: &Names<'_>,
    lock: &Lock,
    limit: usize,
    width: usize,
) -> fmt::Result {
    let by = match is_told_by_wakers(lock) {
        true => wakers,
        false => pairs,
    };
    write_by(by, page, names, lock, Some(limit), width)
}

/// A function that writes a lock's pairs.
type Pairs = fn(&mut String, &Lock, Option<usize>, usize) -> fmt::Result;

fn write_by(
    pairs: Pairs,
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
    // An estimate only repeats the counts of the line above.
    let is_counted = lock
        .while_held
        .as_ref()
        .is_some_and(|it| it.involuntary_switches > 0);
    let repeats = |it: &HolderPreemption| it.source == PreemptionSource::Estimate && is_counted;
    if let Some(preemption) = lock
        .preemption
        .as_ref()
        .filter(|it| it.count > 0 && !repeats(it))
        && let Some(text) = preempted::of_lock(preemption)
    {
        fold::write(page, "  ", &text, width)?;
    }
    Ok(())
}

/// A waiter and the other place of its pair, in words, and how long the waiter waited.
struct Pair {
    wait_ns: u64,
    waiter: String,
    other: String,
}

/// Writes the matrix, its largest entries first.
pub fn pairs(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let pairs = lock.blame.iter().map(|blame| {
        let (waiter, other) = phrase(blame, lock.futex.is_some());
        Pair {
            wait_ns: blame.wait_ns,
            waiter,
            other,
        }
    });
    let pairs: Vec<Pair> = pairs.collect();
    table(page, &pairs, lock.waited_ns(), limit, width)
}

/// Whether the waiters' places are known, but not the holders they waited for. Seen from outside, a lock only names the thread
/// that owns it, and it is not recorded which of several places waited for that thread.
fn is_told_by_wakers(lock: &Lock) -> bool {
    let nameless = |it: &Blame| it.waiter.is_empty();
    lock.futex.is_some() && !lock.woken_by.is_empty() && lock.blame.iter().all(nameless)
}

/// Writes the places that waited and those that woke them, the longest waits first.
fn wakers(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let mut sums: BTreeMap<(String, String), u64> = BTreeMap::new();
    for woken in &lock.woken_by {
        let waker = match &woken.waker {
            Some(waker) => format!("{WOKEN_BY}{}", words::site(waker)),
            None => "waited; the waker was not seen".to_owned(),
        };
        let sum = sums.entry((words::site(&woken.waiter), waker)).or_default();
        *sum = sum.saturating_add(woken.wait_ns);
    }
    let pairs = sums.into_iter().map(|((waiter, other), wait_ns)| Pair {
        wait_ns,
        waiter,
        other,
    });
    let mut pairs: Vec<Pair> = pairs.collect();
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.wait_ns));
    table(page, &pairs, lock.waited_ns(), limit, width)?;
    writeln!(
        page,
        "  {FAINT}which threads held it: --lock ID --blame{FAINT:#}"
    )
}

fn table(
    page: &mut String,
    pairs: &[Pair],
    total_ns: u64,
    limit: Option<usize>,
    width: usize,
) -> fmt::Result {
    let (shown, rest) = pairs.split_at(pairs.len().min(limit.unwrap_or(usize::MAX)));
    let figures: Vec<(String, String)> = shown
        .iter()
        .map(|pair| (share(pair.wait_ns, total_ns), duration(pair.wait_ns as f64)))
        .collect();
    let widest = |of: &mut dyn Iterator<Item = &String>| of.map(|it| it.chars().count()).max();
    let share_width = widest(&mut figures.iter().map(|(share, _)| share)).unwrap_or(0);
    let time_width = widest(&mut figures.iter().map(|(_, time)| time)).unwrap_or(0);
    let waiter_width = widest(&mut shown.iter().map(|pair| &pair.waiter)).unwrap_or(0);
    let other_width = widest(&mut shown.iter().map(|pair| &pair.other)).unwrap_or(0);
    let indent = 2 + share_width + 2 + time_width + 2;
    let on_one_line = indent + waiter_width + 1 + other_width <= width;
    for ((share, time), Pair { waiter, other, .. }) in figures.iter().zip(shown) {
        write!(page, "  {share:>share_width$}  {time:>time_width$}  ")?;
        if on_one_line {
            writeln!(page, "{waiter:<waiter_width$} {other}")?;
            continue;
        }
        let room = width.saturating_sub(indent);
        writeln!(page, "{}", fit_place(waiter, room))?;
        let words = [WAITED_FOR, WOKEN_BY];
        let place = words
            .iter()
            .find_map(|it| Some((it, other.strip_prefix(it)?)));
        let other = match place {
            Some((words, place)) => {
                let place = fit_place(place, room.saturating_sub(words.len()));
                format!("{words}{place}")
            }
            None => words::cut_right(other, room),
        };
        writeln!(page, "{:indent$}{other}", "")?;
    }
    if !rest.is_empty() {
        let rest_ns = rest
            .iter()
            .fold(0, |sum: u64, pair| sum.saturating_add(pair.wait_ns));
        let more = counted(rest.len() as u64, "more pair", "more pairs");
        writeln!(
            page,
            "  {FAINT}... and {more}, {} together (--lock ID --blame){FAINT:#}",
            share(rest_ns, total_ns)
        )?;
    }
    Ok(())
}

/// Returns the waiter, and the holder it waited for. `is_watched`: seen from outside, by futex calls.
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

/// Describes the parts of the waiting.
pub fn waiting(split: &WaitSplit) -> String {
    let spinning_ns = split.spinning_ns.unwrap_or(0);
    let total = [spinning_ns, split.blocked_ns, split.runnable_ns]
        .into_iter()
        .fold(0, u64::saturating_add);
    let runnable = share(split.runnable_ns, total);
    // Without an examined wait, spinning cannot be distinguished from sleeping.
    match split.examined {
        0 if split.spinning_ns.is_none() => format!(
            "waits: {} blocked, {runnable} waiting for a CPU after the wake-up",
            share(split.blocked_ns, total),
        ),
        0 => format!(
            "waits: {} blocked or spinning, {runnable} waiting for a CPU after the wake-up",
            share(split.blocked_ns.saturating_add(spinning_ns), total),
        ),
        _ => format!(
            "waits: {} blocked, {} spinning, {runnable} waiting for a CPU after the wake-up",
            share(split.blocked_ns, total),
            share(spinning_ns, total),
        ),
    }
}

/// Describes what delayed the holders: what happened, or with `all` also what did not.
pub fn holding(held: &WhileHeld, all: bool) -> Option<String> {
    let mut parts = Vec::new();
    if held.examined > 0 && (held.blocked > 0 || all) {
        parts.push(format!(
            "its holders blocked in {} of {} examined holds",
            count(held.blocked),
            count(held.examined)
        ));
    }
    if held.examined > 0 && (held.involuntary_switches > 0 || all) {
        let times = counted(held.involuntary_switches, "time", "times");
        parts.push(match parts.is_empty() {
            true => format!(
                "were preempted {times} in {} examined holds",
                count(held.examined)
            ),
            false => format!("were preempted {times}"),
        });
    }
    if held.system_calls > 0 {
        let calls = counted(held.system_calls, "system call", "system calls");
        parts.push(format!("made {calls} that may block"));
    }
    let text = match &parts[..] {
        [] => return None,
        [one] => one.clone(),
        [first, last] => format!("{first} and {last}"),
        [first, middle @ ..] => {
            let (last, middle) = middle.split_last()?;
            format!("{first}, {}, and {last}", middle.join(", "))
        }
    };
    Some(match text.strip_prefix("its holders") {
        Some(_) => text,
        None => format!("its holders {text}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_preempted_holders_names_the_holds_that_it_is_of() {
        let mut held = WhileHeld {
            examined: 300,
            involuntary_switches: 12,
            ..WhileHeld::default()
        };
        assert_eq!(
            holding(&held, false).as_deref(),
            Some("its holders were preempted 12 times in 300 examined holds")
        );
        held.blocked = 7;
        assert_eq!(
            holding(&held, false).as_deref(),
            Some("its holders blocked in 7 of 300 examined holds and were preempted 12 times")
        );
    }
}

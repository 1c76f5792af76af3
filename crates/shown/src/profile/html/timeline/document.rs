//! The timeline's part of the page's document.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::columns::blocks;
use super::interval::{Interval, Kind};
use super::longest::longest;
use super::overview::overview;
use super::remarks::remarks;
use super::sorted::Sorted;
use crate::profile::html::places::Places;
use crate::profile::words::cut_right;
use locktoll_results::profile::timeline::{Keeps, Timeline};
use locktoll_results::profile::{Alert, Profile};

/// The number of locks with a name of their own. The others are one entry.
const LOCKS: usize = 5_000;

/// The number of locks in the list of choices.
const CHOICES: usize = 200;

/// The most characters of a name.
const LONGEST: usize = 300;

/// Returns the timeline for the page:
///
/// - `from_ns`, `to_ns`: its time; `everything`: whether all holds are there; `kinds`: the kinds of intervals that occur;
/// - `threads`, with the number of `intervals` of each; `locks`, by name; `stacks`, of places;
/// - `intervals`, `blocks`: see `columns`; `overview`: see there; `first`: the lock that is shown first;
/// - `choices`: the locks that can be chosen, with their waiting; `findings`, `alerts`, `remarks`;
/// - `tables`: what a browser shows that does not run scripts.
///
/// # Errors
/// If the timeline refers to things that it does not have, as a document from elsewhere may.
pub fn timeline_document(profile: &Profile, places: &mut Places) -> anyhow::Result<Option<Value>> {
    let Some(timeline) = profile.timeline.as_deref() else {
        return Ok(None);
    };
    anyhow::ensure!(
        timeline.is_sound(),
        "the timeline of this profile refers to threads, locks or stacks that it does not have"
    );
    let all = Sorted::new(timeline);
    let sums = Sums::of(&all);
    let first = sums.first();
    Ok(Some(json!({
        "from_ns": timeline.begin_ns,
        "to_ns": timeline.end_ns.max(timeline.begin_ns.saturating_add(1)),
        "everything": timeline.kept.events == Keeps::Everything,
        "kinds": sums.kinds,
        "threads": threads(&all),
        "locks": locks(timeline),
        "stacks": stacks(timeline, places)?,
        "first": first,
        "choices": sums.choices(),
        "intervals": all.len(),
        "overview": overview(&all, first)?,
        "findings": serde_json::to_value(&timeline.findings)?,
        "alerts": profile.alerts.iter().map(alert).collect::<Vec<_>>(),
        "remarks": page_remarks(timeline),
        "tables": longest(timeline),
        "blocks": blocks(&all, entry)?,
    })))
}

/// Returns the entry of a lock in the page's list. An interval without a lock has the first; its kind does not use it.
fn entry(lock: u32) -> u64 {
    match lock {
        u32::MAX => 0,
        lock => u64::from(lock).min(LOCKS as u64),
    }
}

fn page_remarks(timeline: &Timeline) -> Vec<String> {
    let mut all = remarks(timeline);
    if timeline.kept.lost.overwritten > 0 {
        all.push("Hatched times are those whose events are missing.".to_owned());
    }
    all
}

fn threads(all: &Sorted<'_>) -> Vec<Value> {
    let thread = |(at, thread): (usize, &locktoll_results::profile::timeline::TimelineThread)| {
        json!({
            "pid": thread.pid,
            "tid": thread.tid,
            "name": cut_right(&thread.name, LONGEST),
            "begin_ns": thread.begin_ns,
            "end_ns": thread.end_ns,
            "overwritten": thread.overwritten,
            "complete_from_ns": thread.complete_from_ns,
            "intervals": all.of_thread(at),
        })
    };
    all.of.threads.iter().enumerate().map(thread).collect()
}

fn locks(timeline: &Timeline) -> Vec<Value> {
    let named = timeline.locks.iter().take(LOCKS);
    let mut locks: Vec<Value> = named
        .map(|lock| json!({ "id": lock.id, "name": cut_right(&lock.name, LONGEST) }))
        .collect();
    if timeline.locks.len() > LOCKS {
        let more = timeline.locks.len() - LOCKS;
        locks.push(json!({ "id": null, "name": format!("{more} more locks") }));
    }
    locks
}

fn stacks(timeline: &Timeline, places: &mut Places) -> anyhow::Result<Vec<Vec<Value>>> {
    let mut frames = serde_json::to_value(&timeline.frames)?;
    places.collect(&mut frames);
    let number = |&frame: &u32| frames[frame as usize].clone();
    let stack = |stack: &Vec<u32>| stack.iter().map(number).collect();
    Ok(timeline.stacks.iter().map(stack).collect())
}

fn alert(alert: &Alert) -> Value {
    json!({ "at_ns": alert.at_ns, "kind": alert.kind, "name": cut_right(&alert.name, LONGEST), "ns": alert.ns })
}

/// The waits and holds of each lock, added up.
struct Sums {
    kinds: BTreeSet<u8>,
    /// Of each entry of the list: waits for the lock, waits for an event, and holds, nanoseconds.
    of: Vec<[u64; 3]>,
}

impl Sums {
    fn of(all: &Sorted<'_>) -> Self {
        let mut sums = Self {
            kinds: BTreeSet::new(),
            of: vec![[0; 3]; all.of.locks.len().clamp(1, LOCKS + 1)],
        };
        all.iter().for_each(|it| sums.add(&it));
        sums
    }

    fn add(&mut self, it: &Interval) {
        self.kinds.insert(it.kind as u8);
        let which = match it.kind {
            Kind::Wait => 0,
            Kind::Event => 1,
            Kind::Hold => 2,
            _ => return,
        };
        let sum = &mut self.of[entry(it.lock) as usize][which];
        *sum = sum.saturating_add(it.end_ns - it.begin_ns);
    }

    /// Entries from the one that threads waited for longest.
    fn ranked(&self) -> Vec<usize> {
        let mut ranked: Vec<usize> = (0..self.of.len())
            .filter(|&at| self.of[at] != [0; 3])
            .collect();
        ranked.sort_by_key(|&at| std::cmp::Reverse(self.of[at]));
        ranked
    }

    fn first(&self) -> u32 {
        let first = self.ranked().first().copied().unwrap_or(0);
        u32::try_from(first).unwrap_or(0)
    }

    fn choices(&self) -> Vec<Value> {
        let choice = |at: usize| {
            let [wait, event, _] = self.of[at];
            json!({ "lock": at, "wait_ns": wait + event })
        };
        self.ranked()
            .into_iter()
            .take(CHOICES)
            .map(choice)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::{made_up, sample};
    use locktoll_results::profile::timeline::{Index, TimelineLock, WaitEnd};

    fn document(timeline: Timeline) -> anyhow::Result<Option<Value>> {
        let mut profile = sample::job_server();
        profile.timeline = Some(Box::new(timeline));
        timeline_document(&profile, &mut Places::default())
    }

    #[test]
    fn the_lock_that_threads_waited_for_longest_is_shown_first() {
        let timeline = made_up::timeline(2_000, 1);
        let document = document(timeline.clone()).unwrap().unwrap();
        let waited = |lock: u32| -> u64 {
            let waits = timeline.waits.iter().filter(|it| it.lock == lock);
            waits.map(|it| it.end_ns - it.begin_ns).sum()
        };
        let longest = (0..4).max_by_key(|&lock| waited(lock)).unwrap();
        assert_eq!(document["first"], longest);
        assert_eq!(
            document["choices"][0],
            json!({ "lock": longest, "wait_ns": waited(longest) })
        );
        let events = document["intervals"].as_u64().unwrap() as usize;
        assert_eq!(events, timeline.events());
        let of_threads: u64 = document["threads"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["intervals"].as_u64().unwrap())
            .sum();
        assert_eq!(of_threads as usize, events);
    }

    #[test]
    fn very_many_locks_are_one_entry() {
        let mut timeline = made_up::timeline(100, 1);
        let like = timeline.locks[0].clone();
        timeline
            .locks
            .extend((0..10_000).map(|number| TimelineLock {
                name: format!("lock {number}"),
                ..like.clone()
            }));
        timeline.waits.lock[0] = 9_000;
        let document = document(timeline).unwrap().unwrap();
        let locks = document["locks"].as_array().unwrap();
        assert_eq!(locks.len(), LOCKS + 1);
        assert_eq!(locks[LOCKS]["name"], "5005 more locks");
    }

    #[test]
    fn a_document_from_elsewhere_may_be_anything() {
        let mut unsound = made_up::timeline(100, 1);
        unsound.waits.lock[0] = 77;
        let error = document(unsound).unwrap_err().to_string();
        assert!(error.contains("does not have"), "{error}");
        // Possible, however strange.
        let mut strange = made_up::timeline(100, 1);
        (strange.begin_ns, strange.end_ns) = (u64::MAX, 0);
        let mut wait = strange.waits.get(0);
        (wait.begin_ns, wait.end_ns, wait.end) = (0, u64::MAX, WaitEnd::Failed);
        (wait.released_by, wait.released_ns) = (Index::new(1), u64::MAX);
        strange.waits.push(wait);
        strange.waits.push(wait);
        assert_eq!(document(strange).unwrap().unwrap()["from_ns"], u64::MAX);
        let none = document(Timeline::default()).unwrap().unwrap();
        assert_eq!(none["intervals"], 0);
    }
}

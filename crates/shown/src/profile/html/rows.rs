//! The locks that have a row in the page, and those whose rows open.

use serde::Serialize;
use serde_json::Value;

use super::places::Places;
use super::room::bytes;
use super::shut::{shut, without_unknown_preemption};
use crate::profile::{Selection, preempted, words};
use locktoll_results::profile::{Lock, Profile, Use};

/// The number of locks, and of signals, that have a row.
const LOCKS: usize = 1_000;
const SIGNALS: usize = 200;
/// The number of rows that open, of both together.
const OPENED: usize = 150;
/// The bytes of JSON for the table figures of rows; rows beyond that are summed up.
const LOCKS_TABLE: usize = 250_000;
const SIGNALS_TABLE: usize = 50_000;
/// The number of call stacks, places and pairs in an opened row.
const STACKS: usize = 20;
const PLACES: usize = 50;
const PAIRS: usize = 100;

/// The length of a name, and of a short name, in characters.
const LONGEST: usize = 1_000;
const SHORT: usize = 44;

/// The rows of the page.
#[derive(Debug, Default)]
pub struct Rows {
    /// Locks, in the schema's form.
    pub locks: Vec<Value>,
    /// The additions to each.
    pub beside: Vec<Beside>,
    /// Locks without a row.
    pub rest: Rest,
}

/// The page's additions to a row, beyond the schema.
#[derive(Debug, Serialize)]
pub struct Beside {
    /// Its name, distinguished from others.
    name: String,
    /// The name for little room, if it is different.
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<String>,
    /// Whether the page contains everything that is known about it.
    opens: bool,
    /// For an opened row, the description of holders that lost their processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    preempted: Option<String>,
    /// The number of stacks, places and pairs that the page has no room for.
    #[serde(skip_serializing_if = "is_none")]
    more_stacks: usize,
    #[serde(skip_serializing_if = "is_none")]
    more_sites: usize,
    #[serde(skip_serializing_if = "is_none")]
    more_blame: usize,
}

fn is_none(more: &usize) -> bool {
    *more == 0
}

/// Locks without a row, summed up.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rest {
    /// The number of rows that they would be.
    pub locks: u64,
    /// As in [`Lock`], summed over all of them.
    pub acquisitions: u64,
    pub contended: u64,
    /// Including waits that had not ended, in nanoseconds.
    pub wait_ns: u64,
    /// As far as it was measured, in nanoseconds.
    pub hold_ns: u64,
    /// For objects used as signals: the number of rows, the calls, and the time waited in nanoseconds.
    pub signals: u64,
    pub signal_waits: u64,
    pub signal_wait_ns: u64,
}

/// Returns the rows of the selection, and puts their places into `places`. They take up to `room` bytes of JSON; the first
/// lock may take more.
///
/// # Errors
/// If a lock cannot be written as JSON.
pub fn rows(
    selection: &Selection<'_>,
    places: &mut Places,
    mut room: usize,
) -> anyhow::Result<Rows> {
    let mut rows = Rows::default();
    let mut kept: Vec<&Lock> = Vec::new();
    let (mut locks, mut signals) = ((LOCKS, LOCKS_TABLE), (SIGNALS, SIGNALS_TABLE));
    for &lock in selection.shown() {
        let (number, table) = match lock.used_as {
            Use::Lock => &mut locks,
            Use::Signal => &mut signals,
        };
        if *number == 0 {
            continue;
        }
        let mut row = shut(lock)?;
        places.collect(&mut row);
        let beside = Beside::of(selection, lock);
        let taken = bytes(&row) + bytes(&serde_json::to_value(&beside)?);
        // Stops at the first that does not fit, so that every lock without a row is cheaper than those with one.
        if taken > (*table).min(room) && !kept.is_empty() {
            *number = 0;
            continue;
        }
        *number -= 1;
        *table = table.saturating_sub(taken);
        room = room.saturating_sub(taken);
        kept.push(lock);
        rows.locks.push(row);
        rows.beside.push(beside);
    }
    rows.rest = Rest::of(selection.profile, &kept);
    for (at, lock) in kept.into_iter().enumerate().take(OPENED) {
        let before = places.mark();
        let value = written(&opened(lock), places)?;
        let taken = bytes(&value) + places.since(&before);
        // The first row opens, whatever its size: if there is only one lock, all of it is wanted.
        if taken <= room || at == 0 {
            room = room.saturating_sub(taken);
            rows.locks[at] = value;
            rows.beside[at].open(lock);
        } else {
            places.forget(&before);
        }
    }
    Ok(rows)
}

fn written(lock: &Lock, places: &mut Places) -> anyhow::Result<Value> {
    let mut value = serde_json::to_value(lock)?;
    without_unknown_preemption(&mut value);
    places.collect(&mut value);
    Ok(value)
}

/// Returns the lock with as much as a row shows. Stacks begin at the program's own call.
fn opened(lock: &Lock) -> Lock {
    let mut part = lock.clone();
    part.stacks.truncate(STACKS);
    part.sites.truncate(PLACES);
    part.blame.truncate(PAIRS);
    part.woken_by.truncate(PAIRS);
    let stacks = part.stacks.iter_mut().map(|it| &mut it.frames);
    let sites = part.sites.iter_mut().map(|it| &mut it.frames);
    let blame = part
        .blame
        .iter_mut()
        .flat_map(|it| [Some(&mut it.waiter), it.holder.as_mut()])
        .flatten();
    // For waits that have not ended, the page only shows the place of the longest.
    part.still_waiting_threads.clear();
    let longest = part
        .longest_still_waiting
        .iter_mut()
        .flat_map(|it| [&mut it.frames, &mut it.holder]);
    let woken_by = part
        .woken_by
        .iter_mut()
        .flat_map(|it| [Some(&mut it.waiter), it.waker.as_mut()])
        .flatten();
    let longest = longest.chain(woken_by);
    for frames in stacks.chain(sites).chain(blame).chain(longest) {
        *frames = words::from_caller(frames).to_vec();
    }
    part
}

impl Beside {
    fn of(selection: &Selection<'_>, lock: &Lock) -> Self {
        let name = words::cut_right(&selection.names.name(lock), LONGEST);
        Self {
            short: Some(words::fit_name(&name, SHORT)).filter(|short| *short != name),
            name,
            opens: false,
            preempted: None,
            more_stacks: 0,
            more_sites: 0,
            more_blame: 0,
        }
    }

    fn open(&mut self, lock: &Lock) {
        self.opens = true;
        self.preempted = lock.preemption.as_ref().and_then(preempted::of_lock);
        self.more_stacks = lock.stacks.len().saturating_sub(STACKS);
        self.more_sites = lock.sites.len().saturating_sub(PLACES);
        self.more_blame = lock.blame.len().saturating_sub(PAIRS);
    }
}

impl Rest {
    /// Sums up all locks of the profile except these.
    fn of(profile: &Profile, kept: &[&Lock]) -> Self {
        let kept: std::collections::HashSet<*const Lock> =
            kept.iter().map(|lock| std::ptr::from_ref(*lock)).collect();
        let mut rest = Self::default();
        for lock in profile
            .locks
            .iter()
            .filter(|lock| !kept.contains(&std::ptr::from_ref(*lock)))
        {
            rest.add(lock);
        }
        rest
    }

    fn add(&mut self, lock: &Lock) {
        let signal = lock.signal.as_ref().filter(|_| lock.used_as == Use::Signal);
        let hold_ns = lock.hold_ns.as_ref().map_or(0, |hold| hold.total);
        let sums = match signal {
            Some(signal) => vec![
                (&mut self.signals, 1),
                (
                    &mut self.signal_waits,
                    signal.waits.unwrap_or(signal.blocked),
                ),
                (&mut self.signal_wait_ns, signal.wait_ns.total),
            ],
            None => vec![
                (&mut self.locks, 1),
                (&mut self.acquisitions, lock.acquisitions.unwrap_or(0)),
                (&mut self.contended, lock.contended),
                (&mut self.wait_ns, lock.waited_ns()),
                (&mut self.hold_ns, hold_ns),
            ],
        };
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use locktoll_made_up::sample;

    #[test]
    fn rows_and_the_rest_are_all_there_is() {
        let mut profile = sample::job_server();
        let one = profile.locks[1].clone();
        profile.locks.extend((0..5_000).map(|number| Lock {
            id: format!("many:{number}"),
            name: format!("many {number}"),
            ..one.clone()
        }));
        let selection = Selection::new(&profile, SortKey::Wait, None);
        let mut places = Places::default();
        let rows = rows(&selection, &mut places, 500_000).unwrap();
        assert_eq!(rows.locks.len(), rows.beside.len());
        assert_eq!(
            rows.locks.len() as u64 + rows.rest.locks,
            profile.locks.len() as u64
        );
        let waited = |lock: &Value| {
            // A row that does not open leaves out things that have not happened.
            lock["wait_ns"]["total"].as_u64().unwrap()
                + lock["still_waiting_ns"].as_u64().unwrap_or(0)
        };
        let locks = rows.locks.iter().filter(|lock| lock["used_as"] != "signal");
        let sum = locks.map(waited).sum::<u64>() + rows.rest.wait_ns;
        let all = profile
            .locks
            .iter()
            .filter(|lock| lock.used_as == Use::Lock);
        assert_eq!(sum, all.map(Lock::waited_ns).sum::<u64>());
        let opened = rows.beside.iter().filter(|it| it.opens).count();
        assert!((20..=OPENED).contains(&opened), "{opened}");
        let locks = bytes(&rows.locks.into()) + places.since(&Places::default().mark());
        let beside = bytes(&serde_json::to_value(&rows.beside).unwrap());
        assert!(locks + beside < 510_000, "{locks} and {beside}");
    }
}

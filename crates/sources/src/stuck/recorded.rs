//! What a recording in progress (`locktoll record`) knows of the threads: the locks that they hold, the places where they
//! acquired them, and when their waits began.
//!
//! The recorder keeps a list of the locks that each thread holds, in the memory of the process. The record of a thread's life, in
//! the file of the recording, says where that list is.

use std::collections::{BTreeSet, HashMap};
use std::mem::offset_of;

use locktoll_lab::clock::{Clock, Source};
use locktoll_recording::layout::{CountRecord, EntryPoint, HELD_LISTED, HeldList, LockKind};
use locktoll_recording::reader::{Part, Recording};

use super::space::Space;
use crate::clock::now_ns;
use crate::mapped::part_of;

/// What the recording knows now.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The locks that are held.
    pub holds: Vec<Hold>,
    /// For each thread that waits, by the id that the process itself sees: the lock, and for how long.
    pub waits: HashMap<u32, (u64, u64)>,
    /// Semaphores by which threads notify each other: they have no holder.
    signals: BTreeSet<u64>,
}

/// A lock that a thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The lock's address.
    pub lock: u64,
    /// The holder, by the id that the process itself sees.
    pub own_tid: u32,
    /// The return address of the call that acquired it, if it is known.
    pub site: Option<u64>,
    /// For how long, if the recorder timed it.
    pub held_ns: Option<u64>,
    /// The holder's count of acquisitions at that place, by address and value.
    pub acquisition: Option<(u64, u64)>,
    /// Whether it is held for reading.
    pub reads: bool,
}

impl Recorded {
    /// Reads the file into which the process records, and the lists in its memory; `None` if it is not recorded.
    pub fn read(process: u32, space: &Space) -> Option<Self> {
        let file = part_of(process)?;
        let recording = Recording::read(&file).ok()?;
        let part = recording.parts.first()?;
        let sites: HashMap<u32, u64> = part.sites.iter().map(|it| (it.id, it.address)).collect();
        let mut recorded = Self {
            signals: signals(part),
            ..Self::default()
        };
        let now = now_ns();
        for thread in part.threads.iter().filter(|it| it.end_ns.is_none()) {
            if let Some(waiting) = thread.waiting {
                let wait = (waiting.lock_address, now.saturating_sub(waiting.since_ns));
                recorded.waits.insert(thread.tid, wait);
            }
            if let Some(list) = thread.held_at {
                let holds = list_of(space, list, thread.tid, &sites);
                recorded.holds.extend(holds);
            }
        }
        Some(recorded)
    }

    /// Returns the threads that hold the lock at this address; none for a semaphore that notifies.
    pub fn holders(&self, lock: u64) -> impl Iterator<Item = &Hold> {
        let is_signal = self.signals.contains(&lock);
        self.holds
            .iter()
            .filter(move |it| !is_signal && it.lock == lock)
    }

    /// Whether threads notify each other by the semaphore at this address.
    pub fn is_signal(&self, lock: u64) -> bool {
        self.signals.contains(&lock)
    }
}

/// Returns the semaphores that other threads post as often as their holders do, which are notifications and not locks.
fn signals(part: &Part) -> BTreeSet<u64> {
    let mut calls: HashMap<u64, (u64, u64)> = HashMap::new();
    let semaphores = part.counts.iter();
    for count in semaphores.filter(|it| it.kind == LockKind::Semaphore) {
        let (posts, releases) = calls.entry(count.lock_address).or_default();
        match count.entry {
            EntryPoint::Post => *posts += count.acquisitions,
            EntryPoint::Release => *releases += count.acquisitions,
            _ => {}
        }
    }
    calls
        .into_iter()
        .filter(|(_, (posts, releases))| *posts > 0 && posts >= releases)
        .map(|(lock, _)| lock)
        .collect()
}

/// Reads the list of a thread's locks. The thread may change it at the same time, so a confirmed wait reads it twice.
fn list_of(space: &Space, list: u64, own_tid: u32, sites: &HashMap<u32, u64>) -> Vec<Hold> {
    // Memory of a list that belongs to another thread by now says nothing of this one.
    let owner = list.wrapping_add(offset_of!(HeldList, owner) as u64);
    if space.word(owner) != Some(own_tid) {
        return Vec::new();
    }
    let depth = list.wrapping_add(offset_of!(HeldList, depth) as u64);
    let depth = space.word(depth).unwrap_or(0).min(HELD_LISTED as u32);
    let entries = list.wrapping_add(offset_of!(HeldList, entries) as u64);
    (0..u64::from(depth))
        .filter_map(|at| {
            let entry = entries.wrapping_add(at * size_of::<[u64; 2]>() as u64);
            let count = space.long(entry).filter(|&count| count != 0)?;
            let since = space.long(entry.wrapping_add(8))?;
            let field = |offset: usize| space.word(count.wrapping_add(offset as u64));
            let site = field(offset_of!(CountRecord, site))?;
            let kinds = field(offset_of!(CountRecord, kind))?;
            let [_kind, point, ..] = kinds.to_ne_bytes();
            Some(Hold {
                lock: space.long(count)?,
                own_tid,
                site: sites.get(&site).copied(),
                held_ns: held_ns(since),
                acquisition: space
                    .long(count.wrapping_add(offset_of!(CountRecord, acquisitions) as u64))
                    .map(|acquisitions| (count, acquisitions)),
                reads: EntryPoint::from_number(point).is_some_and(|it| {
                    matches!(
                        it,
                        EntryPoint::ReadLock | EntryPoint::TryReadLock | EntryPoint::TimedReadLock
                    )
                }),
            })
        })
        .collect()
}

/// The recorder's clock is the counter of the processor, if the machine has a reliable one.
fn held_ns(since: u64) -> Option<u64> {
    // Smaller numbers are marks: the hold is not timed.
    let clock = (since > 1).then(Clock::get)?;
    if clock.source() == Source::Monotonic {
        return None;
    }
    let ticks = clock.now().checked_sub(since)?;
    Some(clock.ns(ticks) as u64)
}

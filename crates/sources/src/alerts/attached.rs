//! Alerts for processes that are watched from the kernel alone: a lock and places are known by the stacks of the threads that wait.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::blocked::Blocked;
use super::memory::{half, read};
use super::waiters::{grouped, present};
use super::witness::{Witness, Witnessed};
use crate::futexes::{Names, OWNER};
use crate::stuck::{AwaitedLock, Calls, Present};
use locktoll_results::profile::{Alert, AlertThread, caller};

/// Longest time spent on debug information for one alert.
const NAMES: Duration = Duration::from_millis(1_300);
/// How long a word is known to be that of a notification: another object may lie there later.
const FORGOTTEN: Duration = Duration::from_secs(10);

/// Words by which threads notify each other. Waits for them are not reported, and not looked at again and again.
#[derive(Clone, Default)]
pub struct Notifications(Arc<Mutex<Words>>);

/// The words, by process and address.
#[derive(Default)]
struct Words {
    since: Option<Instant>,
    words: HashSet<(u32, u64)>,
}

impl Notifications {
    /// Whether a wait for this word of a process is known to be one for a notification.
    pub fn has(&self, pid: u32, word: u64) -> bool {
        let mut known = self.lock();
        if known.since.is_none_or(|it| it.elapsed() > FORGOTTEN) {
            known.since = Some(Instant::now());
            known.words.clear();
        }
        known.words.contains(&(pid, word))
    }

    fn add(&self, pid: u32, word: u64) {
        self.lock().words.insert((pid, word));
    }

    fn lock(&self) -> MutexGuard<'_, Words> {
        // A word is there or not.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A case, with what its threads were doing.
pub struct Case {
    /// The process.
    pub pid: u32,
    /// What has lasted too long.
    pub blocked: Blocked,
    /// When it was seen, nanoseconds after watching began, and by the kernel's monotonic clock.
    pub at_ns: (u64, u64),
    witnessed: Witnessed,
}

impl Case {
    /// Reads the threads of a case at once.
    pub fn of(witness: &mut Witness, pid: u32, blocked: Blocked, at_ns: (u64, u64)) -> Self {
        let waiters: Vec<u32> = std::iter::once(blocked.waiter)
            .chain(blocked.waiters.iter().map(|it| it.0))
            .collect();
        let owns = || owns(pid, &blocked);
        let witnessed = witness.read(pid, blocked.owner, &distinct(waiters), owns);
        Self {
            pid,
            blocked,
            at_ns,
            witnessed,
        }
    }
}

/// Removes later occurrences.
fn distinct(mut tids: Vec<u32>) -> Vec<u32> {
    let mut seen = HashSet::new();
    tids.retain(|&tid| seen.insert(tid));
    tids
}

/// Returns the lock of a case whose threads could not be read in time: only the C library's mutexes name an owner, and their threads
/// wait at the mutex's first word.
fn mutex_of(case: &Case) -> Option<AwaitedLock> {
    let word = case.blocked.word;
    match &case.witnessed.sight {
        Some(sight) => Some(sight.mutex_at(word)),
        // The program's code had not been read yet. This is not the thread that must see the next wait, so it can wait for that.
        None => Present::of(case.pid).map(|it| it.mutex_at(word)),
    }
}

/// Whether the lock still names this owner.
fn owns(pid: u32, blocked: &Blocked) -> bool {
    let mut word = [0; 4];
    let (Some(at), Some(owner)) = (blocked.owner_at, blocked.owner) else {
        return false;
    };
    read(pid, at, &mut word) && half(&word, 0) & OWNER == owner
}

/// Names the cases.
#[derive(Default)]
pub struct CaseNames {
    names: HashMap<u32, Names>,
    notifications: Notifications,
}

/// An alert, and where its lock lies, by which the profile knows it in the end.
pub struct AttachedAlert {
    /// The alert.
    pub alert: Alert,
    /// The lock's address; `None` if it is not known.
    pub address: Option<u64>,
}

impl CaseNames {
    /// Creates it; the words of notifications are noted in `notifications`.
    pub fn new(notifications: Notifications) -> Self {
        Self {
            names: HashMap::new(),
            notifications,
        }
    }

    /// Returns the alert of a case; `None` if the threads wait for a notification and not for a lock.
    pub fn alert(&mut self, case: &Case) -> Option<AttachedAlert> {
        let blocked = &case.blocked;
        let names = self.names.entry(case.pid).or_default();
        let sight = case.witnessed.sight.as_ref();
        let calls = sight.map(|it| it.named(names, Instant::now() + NAMES));
        let calls: HashMap<u32, Calls> = calls
            .into_iter()
            .flatten()
            .map(|it| (it.own_tid, it))
            .collect();
        let waiter = calls.get(&blocked.waiter);
        let waiters = blocked.waiters.iter().filter_map(|it| calls.get(&it.0));
        let lock = waiter
            .into_iter()
            .chain(waiters)
            .find_map(|it| it.lock.clone());
        if lock.is_none() && blocked.owner.is_none() {
            if waiter.is_some_and(|it| it.waits_for_no_lock) {
                self.notifications.add(case.pid, blocked.word);
            }
            return None;
        }
        let lock = lock.or_else(|| mutex_of(case));
        let word = || format!("{:#x}", blocked.word);
        let site = |tid: u32| calls.get(&tid).and_then(|it| caller(&it.stack).cloned());
        let thread = |tid: u32| present(AlertThread::at(tid, site(tid)), calls.get(&tid));
        let mut holder = blocked.owner.map(|tid| {
            // The place of its acquisition is not known.
            let calls = calls
                .get(&tid)
                .filter(|_| case.witnessed.why_no_holder.is_none());
            present(AlertThread::at(tid, None), calls)
        });
        if let (Some(holder), Some(why)) = (&mut holder, case.witnessed.why_no_holder) {
            holder.cut = Some(why.to_owned());
        }
        let waits = blocked.waiters.iter();
        let waits = waits.map(|&(tid, since_ns)| (tid, site(tid), since_ns));
        let alert = Alert {
            at_ns: case.at_ns.0,
            kind: blocked.kind,
            lock: lock.as_ref().map_or_else(word, |it| it.id.clone()),
            name: lock
                .as_ref()
                .map_or_else(|| format!("the lock at {}", word()), |it| it.name.clone()),
            ns: blocked.ns,
            pid: case.pid,
            holder,
            waiter: Some(thread(blocked.waiter)),
            waiters: blocked.waiters.len() as u64,
            waiting: grouped(waits, case.at_ns.1),
        };
        Some(AttachedAlert {
            alert,
            address: lock.map(|it| it.address),
        })
    }
}

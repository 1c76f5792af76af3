//! Whether threads exclude or notify each other by means of an object.

use std::collections::{HashMap, HashSet};

use locktoll_recording::layout::EntryPoint;

use super::postgres::named_use_of_postgres;
use crate::joiner::plus;
use locktoll_results::profile::{Frame, LockKind, Use, is_wrapper};

/// Calls by entry point, added up.
#[derive(Clone, Copy, Default)]
pub struct Calls([u64; Calls::ROOM]);

impl Calls {
    const ROOM: usize = 16;

    /// Adds calls by one entry point.
    pub fn add(&mut self, entry: EntryPoint, calls: u64) {
        if let Some(sum) = self.0.get_mut(usize::from(entry.number())) {
            *sum = sum.saturating_add(calls);
        }
    }

    /// Whether a semaphore with these calls is a signal: others post it as often as its holders do. (A thread that has waited for
    /// a signal and then gives the unit back, before it destroys the semaphore, does both once.)
    pub fn are_of_a_signal(&self) -> bool {
        let posts = self.of(EntryPoint::Post);
        posts > 0 && posts >= self.of(EntryPoint::Release)
    }

    /// Whether nothing was ever acquired, given back or posted.
    pub fn are_none(&self) -> bool {
        self.0.iter().all(|&calls| calls == 0)
    }

    /// Returns the sum of these calls and others.
    pub fn and(mut self, others: Self) -> Self {
        for (sum, more) in self.0.iter_mut().zip(others.0) {
            *sum = sum.saturating_add(more);
        }
        self
    }

    /// Returns the number of calls by this entry point.
    pub fn of(&self, entry: EntryPoint) -> u64 {
        self.0
            .get(usize::from(entry.number()))
            .copied()
            .unwrap_or(0)
    }
}

/// Threads that wait at a futex word, and threads that wake others there, by part and slot.
#[derive(Default)]
pub struct Wakers {
    waiters: HashSet<(usize, u32)>,
    wakes: HashMap<(usize, u32), u64>,
}

impl Wakers {
    /// Adds calls of one thread slot.
    pub fn add(&mut self, slot: (usize, u32), entry: EntryPoint, calls: u64) {
        match entry {
            EntryPoint::Wait | EntryPoint::EventWait => {
                self.waiters.insert(slot);
            }
            EntryPoint::Signal | EntryPoint::Broadcast => {
                plus(self.wakes.entry(slot).or_default(), calls);
            }
            _ => {}
        }
    }

    /// Whether the threads that wake are mostly threads that wait at other times, as with a lock.
    fn take_turns(&self) -> bool {
        let (mut own, mut others) = (0, 0);
        for (slot, &calls) in &self.wakes {
            let sum = if self.waiters.contains(slot) {
                &mut own
            } else {
                &mut others
            };
            plus(sum, calls);
        }
        own > others
    }
}

/// Whether a record with this entry point describes waits or acquisitions, rather than calls that wake somebody.
pub fn waits(entry: EntryPoint) -> bool {
    !matches!(
        entry,
        EntryPoint::Signal | EntryPoint::Broadcast | EntryPoint::Release | EntryPoint::Post
    )
}

/// Whether a record with this entry point describes readers.
pub fn reads(entry: EntryPoint) -> bool {
    matches!(
        entry,
        EntryPoint::ReadLock | EntryPoint::TryReadLock | EntryPoint::TimedReadLock
    )
}

/// Returns the use of an object of this kind. `stacks` are the stacks of its waits, the most expensive first.
///
/// `calls` includes the waits that go on. The use of a PostgreSQL semaphore depends on what its processes sleep for. Any other
/// semaphore is a lock if its holders give it back themselves more often than others post it. A futex word is a lock unless the
/// functions that wait at it are known to wait for something else or, where their names say nothing, mostly wait for a value that
/// no lock has. The use of a C++ semaphore depends on the threads that wake at it.
pub fn used_as<'f>(
    kind: LockKind,
    calls: &Calls,
    wakers: &Wakers,
    mut stacks: impl Iterator<Item = &'f [Frame]>,
) -> Use {
    match kind {
        LockKind::Mutex | LockKind::RwLock | LockKind::Spin => Use::Lock,
        LockKind::Condvar | LockKind::Barrier => Use::Signal,
        LockKind::Semaphore => match stacks.find_map(named_use_of_postgres) {
            Some(used_as) => used_as,
            None if calls.are_of_a_signal() => Use::Signal,
            None => Use::Lock,
        },
        LockKind::Futex => match stacks.find_map(by_names) {
            Some(Named::Signal) => Use::Signal,
            Some(Named::Semaphore) if !wakers.take_turns() => Use::Signal,
            Some(Named::Lock | Named::Semaphore) => Use::Lock,
            // If no name shows it, the value that was waited for does.
            None if calls.of(EntryPoint::EventWait) > calls.of(EntryPoint::Wait) => Use::Signal,
            None => Use::Lock,
        },
    }
}

/// Functions of Rust's standard library and of parking_lot that wait for a lock.
const LOCKS: &[&str] = &[
    "lock_contended",
    "read_contended",
    "write_contended",
    "lock_slow",
    "lock_shared_slow",
    "lock_exclusive_slow",
    "lock_upgradable_slow",
    "lock_common",
    "RawMutex",
    "RawRwLock",
];

/// Functions of Rust's and C++'s standard libraries that wait for something else: conditions, parked threads, threads
/// that end, things made once, and `std::atomic<T>::wait`.
const SIGNALS: &[&str] = &[
    "Condvar",
    "Parker",
    "::park",
    "JoinHandle",
    "::join",
    "Once",
    "std::__atomic_wait",
    "std::__detail::__platform_wait",
    "std::__1::__libcpp_atomic_wait",
    "std::barrier",
    "std::latch",
];

/// Functions of C++'s standard library that wait for a semaphore.
const SEMAPHORES: &[&str] = &["std::__atomic_semaphore", "std::counting_semaphore"];

/// What a function waits for.
pub(super) enum Named {
    Lock,
    Signal,
    Semaphore,
}

/// Returns what the library's own functions at the inner end of a stack show, up to the program's first function.
pub(super) fn by_names(frames: &[Frame]) -> Option<Named> {
    let library = || {
        frames
            .iter()
            .take_while(|frame| is_wrapper(frame) || is_syscall(frame))
            .filter_map(|frame| frame.function.as_deref())
    };
    let any = |words: &[&str]| library().any(|name| words.iter().any(|word| name.contains(word)));
    if any(LOCKS) {
        Some(Named::Lock)
    } else if any(SEMAPHORES) {
        Some(Named::Semaphore)
    } else if any(SIGNALS) {
        Some(Named::Signal)
    } else {
        None
    }
}

fn is_syscall(frame: &Frame) -> bool {
    frame.function.as_deref() == Some("syscall")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn futex(functions: &[&str]) -> Use {
        woken(functions, &Wakers::default())
    }

    fn woken(functions: &[&str], wakers: &Wakers) -> Use {
        let frame = |name: &&str| Frame {
            function: Some((*name).to_owned()),
            ..Frame::default()
        };
        let frames: Vec<Frame> = functions.iter().map(frame).collect();
        let stacks = [&frames[..]].into_iter();
        used_as(LockKind::Futex, &Calls::default(), wakers, stacks)
    }

    #[test]
    fn a_futex_is_what_the_library_waits_at_it_for() {
        let wait = "std::sys::pal::unix::futex::futex_wait";
        let contended = "std::sys::sync::mutex::futex::Mutex::lock_contended";
        assert_eq!(futex(&[wait, contended, "app::insert"]), Use::Lock);
        let condition = "std::sys::sync::condvar::futex::Condvar::wait_optional_timeout";
        assert_eq!(futex(&[wait, condition, "app::pop"]), Use::Signal);
        let parker = "std::sys::sync::thread_parking::futex::Parker::park";
        assert_eq!(
            futex(&[wait, parker, "std::thread::park", "main"]),
            Use::Signal
        );
        // parking_lot parks the thread for a lock as well.
        let slow = "parking_lot::raw_mutex::RawMutex::lock_slow";
        let park = "parking_lot_core::thread_parker::imp::ThreadParker::park";
        assert_eq!(futex(&[park, slow, "main"]), Use::Lock);
        // The names of the program's own functions say nothing.
        assert_eq!(futex(&[wait, "app::Condvar::spin", "main"]), Use::Lock);
        assert_eq!(futex(&[]), Use::Lock);
    }

    #[test]
    fn where_names_say_nothing_the_value_that_is_waited_for_does() {
        let mut calls = Calls::default();
        let use_now = |calls: &Calls| {
            let nobody = Wakers::default();
            used_as(LockKind::Futex, calls, &nobody, std::iter::empty())
        };
        calls.add(EntryPoint::Wait, 2);
        assert_eq!(use_now(&calls), Use::Lock);
        let events = Calls::default();
        let mut events = events.and(calls);
        events.add(EntryPoint::EventWait, 3);
        assert_eq!(use_now(&events), Use::Signal);
        // The value of an event can also be one that locks have.
        events.add(EntryPoint::Wait, 1);
        assert_eq!(use_now(&events), Use::Lock);
    }

    #[test]
    fn a_semaphore_of_cpp_is_a_lock_where_those_who_wait_wake_each_other() {
        let acquire = [
            "void std::__detail::__platform_wait<int>(int const*, int)",
            "std::__atomic_semaphore::_M_acquire()",
            "std::counting_semaphore<(long)4>::acquire()",
            "connect()",
        ];
        let mut wakers = Wakers::default();
        wakers.add((0, 1), EntryPoint::Wait, 7);
        wakers.add((0, 2), EntryPoint::Signal, 3);
        assert_eq!(woken(&acquire, &wakers), Use::Signal);
        wakers.add((0, 1), EntryPoint::Broadcast, 4);
        assert_eq!(woken(&acquire, &wakers), Use::Lock);
    }

    #[test]
    fn a_semaphore_is_a_lock_where_holders_give_it_back() {
        let mut calls = Calls::default();
        let use_now = |calls: &Calls| {
            let nobody = Wakers::default();
            used_as(LockKind::Semaphore, calls, &nobody, std::iter::empty())
        };
        assert_eq!(use_now(&calls), Use::Lock);
        calls.add(EntryPoint::Post, 1);
        assert_eq!(use_now(&calls), Use::Signal);
        calls.add(EntryPoint::Release, 1);
        assert_eq!(use_now(&calls), Use::Signal);
        calls.add(EntryPoint::Release, 1);
        assert_eq!(use_now(&calls), Use::Lock);
    }

    #[test]
    fn a_semaphore_of_postgres_is_what_its_process_sleeps_for_whoever_posts_it() {
        let mut calls = Calls::default();
        calls.add(EntryPoint::Post, 7);
        let use_by = |function: &str| {
            let named = |name: &str| Frame {
                function: Some(name.to_owned()),
                ..Frame::default()
            };
            let frames = ["PGSemaphoreLock", function, "main"].map(named);
            let stacks = [&frames[..]].into_iter();
            used_as(LockKind::Semaphore, &calls, &Wakers::default(), stacks)
        };
        assert_eq!(use_by("LWLockAcquire"), Use::Lock);
        assert_eq!(use_by("ProcArrayEndTransaction"), Use::Signal);
    }
}

//! Whether threads exclude each other by an object, or tell each other something.

use locktoll_recording::layout::EntryPoint;

use super::{Frame, LockKind, Use, caller};

/// Calls by entry point, added up.
#[derive(Clone, Copy, Default)]
pub struct Calls([u64; Calls::ROOM]);

impl Calls {
    const ROOM: usize = 16;

    /// Takes in calls by one entry point.
    pub fn add(&mut self, entry: EntryPoint, calls: u64) {
        if let Some(sum) = self.0.get_mut(usize::from(entry.number())) {
            *sum = sum.saturating_add(calls);
        }
    }

    /// How many there were.
    pub fn of(&self, entry: EntryPoint) -> u64 {
        self.0
            .get(usize::from(entry.number()))
            .copied()
            .unwrap_or(0)
    }
}

/// Whether a record with this entry point is of waits or acquisitions, not of calls that wake somebody.
pub fn waits(entry: EntryPoint) -> bool {
    !matches!(
        entry,
        EntryPoint::Signal | EntryPoint::Broadcast | EntryPoint::Release | EntryPoint::Post
    )
}

/// Whether a record with this entry point is of readers.
pub fn reads(entry: EntryPoint) -> bool {
    matches!(
        entry,
        EntryPoint::ReadLock | EntryPoint::TryReadLock | EntryPoint::TimedReadLock
    )
}

/// What an object of this sort is used for. `stacks` are those of its waits, the dearest first.
///
/// A semaphore is a lock if its holders give it back themselves as often as others post it. A futex word is a lock
/// unless the functions that wait at it are known to wait for something else.
pub fn used_as<'f>(
    kind: LockKind,
    calls: &Calls,
    stacks: impl Iterator<Item = &'f [Frame]>,
) -> Use {
    match kind {
        LockKind::Mutex | LockKind::RwLock | LockKind::Spin => Use::Lock,
        LockKind::Condvar | LockKind::Barrier => Use::Signal,
        LockKind::Semaphore if calls.of(EntryPoint::Release) >= calls.of(EntryPoint::Post) => {
            Use::Lock
        }
        LockKind::Semaphore => Use::Signal,
        LockKind::Futex => stacks.filter_map(by_names).next().unwrap_or(Use::Lock),
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

/// What the library's own functions at the inner end of a stack say, up to the first of the program's.
fn by_names(frames: &[Frame]) -> Option<Use> {
    let library = || {
        frames
            .iter()
            .take_while(|frame| caller::is_wrapper(frame) || is_syscall(frame))
            .filter_map(|frame| frame.function.as_deref())
    };
    let any = |words: &[&str]| library().any(|name| words.iter().any(|word| name.contains(word)));
    if any(LOCKS) {
        Some(Use::Lock)
    } else if any(SIGNALS) {
        Some(Use::Signal)
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
        let frame = |name: &&str| Frame {
            function: Some((*name).to_owned()),
            ..Frame::default()
        };
        let frames: Vec<Frame> = functions.iter().map(frame).collect();
        let stacks = [&frames[..]].into_iter();
        used_as(LockKind::Futex, &Calls::default(), stacks)
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
        // What the program's own functions are called says nothing.
        assert_eq!(futex(&[wait, "app::Condvar::spin", "main"]), Use::Lock);
        assert_eq!(futex(&[]), Use::Lock);
    }

    #[test]
    fn a_semaphore_is_a_lock_where_holders_give_it_back() {
        let mut calls = Calls::default();
        let use_now = |calls: &Calls| used_as(LockKind::Semaphore, calls, std::iter::empty());
        assert_eq!(use_now(&calls), Use::Lock);
        calls.add(EntryPoint::Post, 1);
        assert_eq!(use_now(&calls), Use::Signal);
        calls.add(EntryPoint::Release, 1);
        assert_eq!(use_now(&calls), Use::Lock);
    }
}

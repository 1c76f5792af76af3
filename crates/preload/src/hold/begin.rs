//! The beginning of a hold, and the events during it.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{CountRecord, EntryPoint, HoldRecord, LockKind, POOLED};

use super::kept;
use super::period::gap;
use super::record::record;
use crate::fold::add_calls;
use crate::identity;
use crate::order;
use crate::recorder::Recorder;
use crate::tally::add;
use crate::thread::Thread;
use crate::ticks;
use crate::timeline;
use crate::usage::Usage;

/// Holds at least this long are examined for context switches: asking the kernel costs little compared with them.
const EXAMINED_FROM_NS: u64 = 20_000;
/// All timed holds at least this long have their stack walked. Of shorter ones, only a sample has.
const STACK_FROM_NS: u64 = 5_000;
const STACK_ONE_IN: u64 = 8;

/// Begins to time the hold of the lock that `thread` pushed last, if it is this hold's turn.
#[cold]
#[inline(never)]
pub fn begin(thread: &Thread, count: &'static CountRecord) {
    let Some(recorder) = Recorder::get() else {
        return;
    };
    if !recorder.is_on() {
        count.until_timed.store(u16::MAX, Relaxed);
        return;
    }
    if thread.events.keeps_holds() && kept::keep(thread, count, recorder) {
        return;
    }
    if count.acquisitions.load(Relaxed) > 1 || is_first_timed(thread, count, recorder) {
        time(thread, count, recorder);
    }
}

/// Whether the first hold at a place is timed.
#[cold]
#[inline(never)]
fn is_first_timed(
    thread: &Thread,
    count: &'static CountRecord,
    recorder: &'static Recorder,
) -> bool {
    order::keep_stack(thread, count);
    if recorder.is_exact() {
        return true;
    }
    // A thread that uses very many locks times as many of their holds as it would of one
    // lock.
    let period = match record(thread, count, recorder) {
        Some(hold) if hold.lock.load(Relaxed) == POOLED => hold.period.load(Relaxed).max(1),
        _ => 1,
    };
    let is_timed = thread.random().is_multiple_of(period);
    if !is_timed {
        kept::pass(thread, count, gap(period, thread.random()));
    }
    is_timed
}

fn time(thread: &Thread, count: &'static CountRecord, recorder: &'static Recorder) {
    let lock = count.lock.load(Relaxed) as usize;
    while thread.held.times_held(lock) > 1 {
        // SAFETY: the thread holds the lock, and is still inside the call that acquired it.
        if unsafe { may_be_held_again(count) } {
            // The holder acquired the lock again: the hold goes on.
            return;
        }
        // Another thread has released the lock since this one last acquired it.
        thread
            .held
            .drop_stale(|other| other.lock.load(Relaxed) == lock as u64);
    }
    // Looked up now, so that the end of the hold does not have to.
    let hold = record(thread, count, recorder);
    if hold.is_some_and(is_examined)
        && let Some(usage) = Usage::of_thread_exactly()
    {
        thread.examined.set((lock, usage));
    }
    let stack = stack(thread, count, hold, recorder);
    thread.held.time_last(ticks::now(), stack);
}

/// Returns the number of the stack with which the thread acquired the lock of `count`. Returns zero if nobody has ever waited
/// for that lock, or if it is not this hold's turn.
///
/// If one function of a library acquires locks for the whole program, a holder's call site says nothing. The holds that get a
/// stack are chosen like the holds that are timed: by chance and by earlier holds, not by who the holder is. So those that
/// have one represent all of them.
fn stack(
    thread: &Thread,
    count: &CountRecord,
    hold: Option<&HoldRecord>,
    recorder: &'static Recorder,
) -> u32 {
    let lock = count.lock.load(Relaxed) as usize;
    if !recorder.contended.was_waited_for(lock) || thread.is_busy() {
        return 0;
    }
    let is_its_turn = hold.is_some_and(|hold| is_long(hold, STACK_FROM_NS))
        || recorder.is_exact()
        || thread.random().is_multiple_of(STACK_ONE_IN);
    if !is_its_turn {
        return 0;
    }
    recorder.holder_stack(thread, recorder.addresses.get(count.site.load(Relaxed)))
}

/// Whether the thread that has just acquired the lock of `count` may have held it already.
///
/// # Safety
/// N1 of `identity`.
unsafe fn may_be_held_again(count: &CountRecord) -> bool {
    let number = (count.kind.load(Relaxed), count.entry.load(Relaxed));
    match (
        LockKind::from_number(number.0),
        EntryPoint::from_number(number.1),
    ) {
        // SAFETY: the caller's promise.
        (Some(LockKind::Mutex), _) => unsafe {
            identity::is_mutex_held_again(count.lock.load(Relaxed) as usize)
        },
        (Some(LockKind::Spin), _) => false,
        // A writer holds the lock alone.
        (Some(LockKind::RwLock), Some(entry)) => !matches!(
            entry,
            EntryPoint::Lock | EntryPoint::TryLock | EntryPoint::TimedLock
        ),
        _ => true,
    }
}

/// Whether holds at this place are long enough to be examined for context switches.
fn is_examined(hold: &HoldRecord) -> bool {
    is_long(hold, EXAMINED_FROM_NS)
}

/// Whether the mean hold at this place lasts at least `from_ns`.
fn is_long(hold: &HoldRecord, from_ns: u64) -> bool {
    let timed = hold.timed.load(Relaxed);
    timed > 0 && hold.timed_total_ns.load(Relaxed) >= timed.saturating_mul(from_ns)
}

/// Notes that a thread makes a system call while it holds locks.
pub fn note_system_call(thread: &Thread, recorder: &'static Recorder) {
    if !recorder.is_on() {
        // Making a record would take system calls of this library's own.
        return;
    }
    for count in thread.held.iter() {
        if let Some(hold) = record(thread, count, recorder) {
            add(&hold.system_calls, 1);
        }
    }
}

/// Notes that a call of the function with this number has returned, for every lock that the thread holds.
pub fn note_call_end(thread: &Thread, recorder: &'static Recorder, number: u8, took_ns: u64) {
    if !recorder.is_on() {
        return;
    }
    timeline::blocked(thread, recorder, took_ns);
    for count in thread.held.iter() {
        if let Some(hold) = record(thread, count, recorder) {
            add_calls(hold, number, 1, took_ns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_of_twenty_microseconds_in_the_mean_are_examined() {
        // SAFETY: zeros are a valid record.
        let hold: HoldRecord = unsafe { core::mem::zeroed() };
        assert!(!is_examined(&hold), "none has been timed");
        for (timed, total_ns, expected) in [
            (1, 19_999, false),
            (1, 20_000, true),
            (5, 99_999, false),
            (5, 100_000, true),
        ] {
            hold.timed.store(timed, Relaxed);
            hold.timed_total_ns.store(total_ns, Relaxed);
            assert_eq!(is_examined(&hold), expected, "{timed} of {total_ns} ns");
        }
    }

    /// Asks about a lock of this kind and an entry point, by their numbers, at `object`.
    fn may_be_held_again_as(kind: u8, entry: u8, object: &[u32; 10]) -> bool {
        // SAFETY: zeros are a valid record.
        let count: CountRecord = unsafe { core::mem::zeroed() };
        count.lock.store(object.as_ptr() as u64, Relaxed);
        count.kind.store(kind, Relaxed);
        count.entry.store(entry, Relaxed);
        // SAFETY: N1: the object is as long as a mutex, and nobody destroys it.
        unsafe { may_be_held_again(&count) }
    }

    #[test]
    fn a_spin_lock_and_a_writers_lock_are_not_held_again() {
        let shared = EntryPoint::ReadLock.number();
        for entry in EntryPoint::ALL.iter().map(|it| it.number()) {
            let again = |kind: LockKind| may_be_held_again_as(kind.number(), entry, &[0; 10]);
            assert!(!again(LockKind::Spin) && !again(LockKind::Mutex));
            assert!(again(LockKind::Semaphore) && again(LockKind::Futex));
            // Lock, TryLock and TimedLock are a writer's.
            let is_writer = entry <= EntryPoint::TimedLock.number();
            assert_eq!(again(LockKind::RwLock), !is_writer, "{entry}");
        }
        assert!(shared > EntryPoint::TimedLock.number());
        // A lock of an unknown kind may be held again: the hold goes on.
        let unknown = [(0, 1), (LockKind::RwLock.number(), 0), (255, shared)];
        for (kind, entry) in unknown {
            assert!(may_be_held_again_as(kind, entry, &[0; 10]));
        }
    }

    #[test]
    fn a_mutex_is_held_again_if_it_is_recursive_and_says_so() {
        let (recursive, usual) = (libc::PTHREAD_MUTEX_RECURSIVE, libc::PTHREAD_MUTEX_NORMAL);
        let checking = libc::PTHREAD_MUTEX_ERRORCHECK;
        let is_held_again = |kind: i32, count: u32| {
            let mut mutex = [0; 10];
            (mutex[1], mutex[4]) = (count, kind.cast_unsigned());
            may_be_held_again_as(LockKind::Mutex.number(), 1, &mutex)
        };
        // A robust mutex has a bit next to its type.
        for kind in [recursive, recursive | 16] {
            let found = [0, 1, 2, 3].map(|count| is_held_again(kind, count));
            assert_eq!(found, [false, false, true, true]);
        }
        assert!(!is_held_again(usual, 2) && !is_held_again(checking, 2));
    }
}

//! Hooks around system calls on futex words that the program makes by number, futex(2): those of Rust's standard library, of
//! language runtimes and of locks that programs bring along.
//!
//! It is not certain here whether a word is a lock or a signal. The record has the waiting thread, the place, the length and
//! the stack, in which function names show the purpose. For stacks without names, it also has whether the expected value is
//! one that locks use.

use core::ffi::{c_int, c_long};

use libc::{EAGAIN, ETIMEDOUT};
use locktoll_recording::layout::{EntryPoint, LockKind, is_value_of_a_lock};

use super::call::Call;
use crate::ledger::Ledger;
use crate::real;
use crate::recorder::Recorder;
use crate::sys;
use crate::timeline;
use crate::wait::Wait;
use crate::waited::End;

/// Numbers that all architectures share: Linux 5.16 for this one, and 6.7 for the others. The libc crate does not have all of
/// them.
pub const SYS_FUTEX_WAITV: c_long = 449;
/// See above.
pub const SYS_FUTEX_WAKE: c_long = 454;
/// See above.
pub const SYS_FUTEX_WAIT: c_long = 455;

/// `FUTEX_LOCK_PI2`, of Linux 5.14.
const FUTEX_LOCK_PI2: c_int = 13;

/// What a call does to a futex word.
enum Deed {
    Wait(usize, EntryPoint),
    Wake(usize, EntryPoint),
    /// Gives up system calls: seccomp(2), prctl(2).
    GiveUp,
    Other,
}

/// The first page of memory is never mapped, so it has no futex word: the kernel refuses the call.
const FIRST_PAGE_BYTES: usize = 4096;

fn wake(word: usize, most: usize) -> Deed {
    let entry = if most as c_int == 1 {
        EntryPoint::Signal
    } else {
        EntryPoint::Broadcast
    };
    Deed::Wake(word, entry)
}

/// Returns a wait for the word to differ from `value`, of which only the lower half matters.
fn wait_for(word: usize, value: usize) -> Deed {
    let entry = match is_value_of_a_lock(value as u32) {
        true => EntryPoint::Wait,
        false => EntryPoint::EventWait,
    };
    Deed::Wait(word, entry)
}

/// Whether the system call `number`, with this first argument, gives up further system calls.
fn is_giving_up(number: c_long, first: c_int) -> bool {
    const STRICT: c_int = libc::SECCOMP_SET_MODE_STRICT as c_int;
    const FILTER: c_int = libc::SECCOMP_SET_MODE_FILTER as c_int;
    match number {
        libc::SYS_seccomp => matches!(first, STRICT | FILTER),
        libc::SYS_prctl => first == libc::PR_SET_SECCOMP,
        _ => false,
    }
}

/// Returns what the system call `number` does with its first three arguments.
fn deed(number: c_long, arguments: [usize; 3]) -> Deed {
    let [word, second, third] = arguments;
    if is_giving_up(number, word as c_int) {
        return Deed::GiveUp;
    }
    if word < FIRST_PAGE_BYTES {
        return Deed::Other;
    }
    match number {
        libc::SYS_futex => {
            match second as c_int & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) {
                libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET => wait_for(word, third),
                libc::FUTEX_WAIT_REQUEUE_PI => Deed::Wait(word, EntryPoint::EventWait),
                libc::FUTEX_LOCK_PI | FUTEX_LOCK_PI2 => Deed::Wait(word, EntryPoint::Wait),
                libc::FUTEX_WAKE | libc::FUTEX_WAKE_BITSET | libc::FUTEX_WAKE_OP => {
                    wake(word, third)
                }
                libc::FUTEX_REQUEUE | libc::FUTEX_CMP_REQUEUE | libc::FUTEX_CMP_REQUEUE_PI => {
                    Deed::Wake(word, EntryPoint::Broadcast)
                }
                libc::FUTEX_UNLOCK_PI => Deed::Wake(word, EntryPoint::Signal),
                _ => Deed::Other,
            }
        }
        SYS_FUTEX_WAIT => wait_for(word, second),
        SYS_FUTEX_WAITV => Deed::Wait(first_of_many(word), EntryPoint::Wait),
        SYS_FUTEX_WAKE => wake(word, third),
        _ => Deed::Other,
    }
}

/// Returns the first word of a list of them, which represents all. If there is no list, the kernel is left to report that.
fn first_of_many(list: usize) -> usize {
    /// The offset of the address in `struct futex_waitv`: after the value.
    const ADDRESS: usize = 8;
    let mut address = [0; 8];
    match sys::read_memory(list.wrapping_add(ADDRESS) as u64, &mut address) {
        Ok(8) => usize::from_ne_bytes(address),
        _ => list,
    }
}

/// Handles `syscall`, called from `site` with a number that waits at or wakes futex words, or gives up system calls.
pub unsafe extern "C" fn call(
    number: c_long,
    first: usize,
    second: usize,
    third: usize,
    fourth: usize,
    fifth: usize,
    sixth: usize,
    site: usize,
) -> c_long {
    let real = || {
        let syscall = real::SYSCALL.get();
        // SAFETY: H1.
        syscall.map_or(-1, |syscall| unsafe {
            syscall(number, first, second, third, fourth, fifth, sixth)
        })
    };
    match deed(number, [first, second, third]) {
        Deed::Wait(word, entry) => wait(word, entry, site, real),
        Deed::Wake(word, entry) => {
            if let Some(ledger) = Ledger::open() {
                let key = key(&ledger, word, site, entry);
                ledger.counted(key);
                timeline::signalled(ledger.own, ledger.recorder, &key);
            }
            real()
        }
        Deed::Other => real(),
        // A result greater than 0 is the descriptor of a filter.
        Deed::GiveUp => Recorder::giving_up_system_calls(real, |&result| result < 0),
    }
}

fn key(ledger: &Ledger, word: usize, site: usize, entry: EntryPoint) -> crate::index::Key {
    let call = Call {
        kind: LockKind::Futex,
        lock: word,
        site,
        entry,
    };
    // SAFETY: H1; futex words are never marked or examined.
    unsafe { call.key(ledger) }
}

fn wait(word: usize, entry: EntryPoint, site: usize, real: impl FnOnce() -> c_long) -> c_long {
    let Some(ledger) = Ledger::open() else {
        return real();
    };
    let key = key(&ledger, word, site, entry);
    let wait = Wait::for_signal(&ledger, key);
    let result = real();
    // SAFETY: the C library gives every thread its own `errno`.
    let errno = unsafe { *libc::__errno_location() };
    let (end, has_returned) = match result {
        0.. => (End::Done, true),
        // The word had already changed: there was nothing to wait for.
        _ if errno == EAGAIN => (End::Failed, true),
        _ if errno == ETIMEDOUT => (End::TimedOut, true),
        _ => (End::Failed, false),
    };
    // In the child of a fork that a signal handler made meanwhile, the notes no longer exist.
    if let Some(ledger) = Ledger::open() {
        wait.end(&ledger, end);
        if has_returned {
            ledger.counted(key);
        }
    }
    result
}

/// Returns the address of the real function, looked up for the first time.
pub extern "C" fn find() -> *const core::ffi::c_void {
    let found = real::SYSCALL.address();
    if found.is_null() {
        unavailable as *const core::ffi::c_void
    } else {
        found
    }
}

/// Replaces the function while it is being looked up.
extern "C" fn unavailable() -> c_long {
    -1
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: usize = 0x7000;

    /// Returns whether it waits, the word and the entry point; or nothing.
    fn deed_of(number: c_long, arguments: [usize; 3]) -> Option<(bool, usize, EntryPoint)> {
        match deed(number, arguments) {
            Deed::Wait(word, entry) => Some((true, word, entry)),
            Deed::Wake(word, entry) => Some((false, word, entry)),
            Deed::GiveUp => panic!("nothing is given up"),
            Deed::Other => None,
        }
    }

    #[test]
    fn every_operation_waits_or_wakes() {
        let wait = |entry| Some((true, WORD, entry));
        let wake = |entry| Some((false, WORD, entry));
        let (one, all) = (EntryPoint::Signal, EntryPoint::Broadcast);
        let (lock, event) = (EntryPoint::Wait, EntryPoint::EventWait);
        for (operation, third, expected) in [
            (libc::FUTEX_WAIT, 2, wait(lock)),
            (libc::FUTEX_WAIT, 77, wait(event)),
            (libc::FUTEX_WAIT_BITSET, 2, wait(lock)),
            (libc::FUTEX_WAIT_REQUEUE_PI, 2, wait(event)),
            (libc::FUTEX_LOCK_PI, 77, wait(lock)),
            (FUTEX_LOCK_PI2, 77, wait(lock)),
            (libc::FUTEX_WAKE, 1, wake(one)),
            (libc::FUTEX_WAKE, 2, wake(all)),
            (libc::FUTEX_WAKE_BITSET, 1, wake(one)),
            (libc::FUTEX_WAKE_OP, 1, wake(one)),
            (libc::FUTEX_REQUEUE, 1, wake(all)),
            (libc::FUTEX_CMP_REQUEUE, 1, wake(all)),
            (libc::FUTEX_CMP_REQUEUE_PI, 1, wake(all)),
            (libc::FUTEX_UNLOCK_PI, 5, wake(one)),
            (libc::FUTEX_TRYLOCK_PI, 1, None),
        ] {
            for more in [0, libc::FUTEX_PRIVATE_FLAG, libc::FUTEX_CLOCK_REALTIME] {
                let arguments = [WORD, (operation | more) as usize, third];
                let found = deed_of(libc::SYS_futex, arguments);
                assert_eq!(found, expected, "{operation}");
            }
        }
        assert_eq!(deed_of(SYS_FUTEX_WAIT, [WORD, 2, 77]), wait(lock));
        assert_eq!(deed_of(SYS_FUTEX_WAKE, [WORD, 77, 1]), wake(one));
        assert_eq!(deed_of(libc::SYS_getpid, [WORD, 0, 0]), None);
        // A word in the first page, which is never mapped.
        let first = [FIRST_PAGE_BYTES - 1, 0, 2];
        assert_eq!(deed_of(libc::SYS_futex, first), None);
        assert!(deed_of(libc::SYS_futex, [FIRST_PAGE_BYTES, 0, 2]).is_some());
    }

    #[test]
    fn the_first_of_many_words_represents_them() {
        let list = [5, WORD, 6, 0x9000];
        let waits = deed_of(SYS_FUTEX_WAITV, [list.as_ptr().addr(), 2, 0]);
        assert_eq!(waits, Some((true, WORD, EntryPoint::Wait)));
        assert_eq!(
            first_of_many(0x1000),
            0x1000,
            "an address that cannot be read"
        );
    }

    #[test]
    fn filters_and_the_strict_mode_give_calls_up() {
        let gives_up = |number, first: c_int| is_giving_up(number, first);
        let filter = libc::SECCOMP_SET_MODE_FILTER as c_int;
        let strict = libc::SECCOMP_SET_MODE_STRICT as c_int;
        let sizes = libc::SECCOMP_GET_NOTIF_SIZES as c_int;
        let modes = [strict, filter, sizes].map(|mode| gives_up(libc::SYS_seccomp, mode));
        assert_eq!(modes, [true, true, false]);
        assert!(gives_up(libc::SYS_prctl, libc::PR_SET_SECCOMP));
        assert!(!gives_up(libc::SYS_prctl, libc::PR_SET_NAME));
        assert!(!gives_up(libc::SYS_futex, filter));
        let filtered = deed(libc::SYS_seccomp, [filter as usize, 0, 0]);
        assert!(matches!(filtered, Deed::GiveUp));
    }
}

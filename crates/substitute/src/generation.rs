//! The process that wrote the contents of an object: this one, or one from which it was forked.
//!
//! A forked child has its parent's objects and only one of its threads. Threads that waited for a lock in the parent do
//! not exist in the child. So the contents of an object carry the *generation* of the process that wrote them, and each
//! process has a different one from all processes from which it was forked.
//!
//! No function of this library runs in a child between the fork and its first use of a lock, whatever made the fork: fork(3),
//! `_Fork`, clone(2). So the current number lies in a page that the kernel wipes in the child (`MADV_WIPEONFORK`, madvise(2)).
//! vfork(2) shares the memory, including the generation, which is correct: no thread is missing there.
//!
//! # Invariants
//!
//! - **G1** The page's word is [`key_of`] a mark, or zero, which is not the key of any object's contents.
//! - **G2** A number is given out once in a line of processes that were forked from one another (until [`MOST`] of them).

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use core::sync::atomic::{AtomicU32, AtomicU64};

use rustix::mm::{Advice, madvise};

use crate::tally;

/// The size of a page, or a multiple of it.
const PAGE_BYTES: usize = if cfg!(target_arch = "aarch64") {
    65536
} else {
    4096
};

#[repr(C)]
#[cfg_attr(target_arch = "aarch64", repr(align(65536)))]
#[cfg_attr(not(target_arch = "aarch64"), repr(align(4096)))]
struct Page {
    key: AtomicU64,
    _rest: [u8; PAGE_BYTES - size_of::<u64>()],
}

static PAGE: Page = Page {
    key: AtomicU64::new(0),
    _rest: [0; PAGE_BYTES - size_of::<u64>()],
};

/// The last number given out. It is not wiped, so a child continues from where it was forked off.
static LAST: AtomicU32 = AtomicU32::new(0);

/// The number of generations before their numbers repeat.
const MOST: u32 = (1 << 22) - 1;

/// The upper byte of every mark: no initialiser writes it, and the C library never counts that far.
const OURS: u32 = 0x6c << 24;

/// The position of the generation in a mark. The bits below are free.
const SHIFT: u32 = 2;

/// Returns the mark of a generation. It is not zero, but its lower [`SHIFT`] bits are.
fn mark_of(generation: u32) -> u32 {
    OURS | generation << SHIFT
}

/// Whether a word is the mark of any generation, whatever its lower bits.
pub fn is_mark(word: u32) -> bool {
    word >> 24 == OURS >> 24
}

/// Returns the complement, so that the key in a wiped page corresponds to all ones, which is not a mark.
fn key_of(mark: u32) -> u64 {
    !(u64::from(mark) << 32)
}

/// Makes the kernel wipe the page in children, and begins the first generation. Returns `false` if the kernel cannot do that.
pub fn start() -> bool {
    let page = (&raw const PAGE).cast_mut().cast();
    // SAFETY: a page that belongs to this library alone, with zeros or a key: its purpose is to be wiped in a child (G1).
    // Static data of zeros is private anonymous memory, as the kernel requires.
    if unsafe { madvise(page, PAGE_BYTES, Advice::LinuxWipeOnFork) }.is_err() {
        return false;
    }
    current();
    true
}

/// Returns a word whose lower half is zero and whose upper half is the current mark; all ones before the first use in a forked
/// child.
#[inline(always)]
pub fn in_force() -> u64 {
    // Relaxed: it changes before any object is marked with it, and an object's contents are read after the object's own mark.
    !PAGE.key.load(Relaxed)
}

/// Whether a mark is the current one.
#[inline(always)]
pub fn is_current(mark: u32) -> bool {
    mark == (in_force() >> 32) as u32
}

/// Returns the current mark, or makes a new one in a forked child that has none yet.
pub fn current() -> u32 {
    // Acquire: as below.
    let key = PAGE.key.load(Acquire);
    if key != 0 {
        return (!key >> 32) as u32;
    }
    begin()
}

#[cold]
fn begin() -> u32 {
    // Relaxed: only the number itself matters (G2).
    let number = LAST.fetch_add(1, Relaxed).wrapping_add(1) & MOST;
    let mark = mark_of(number.max(1));
    // One thread's number is taken; the number of another that came as early is left out. Release and acquire only serve the
    // tally, which is counted once.
    match PAGE.key.compare_exchange(0, key_of(mark), AcqRel, Acquire) {
        Ok(_) => {
            tally::count_process();
            mark
        }
        Err(key) => (!key >> 32) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_current_in_a_wiped_page() {
        let wiped = !0u64;
        for word in [
            0,
            u64::from(mark_of(1)) << 32,
            u64::from(mark_of(MOST)) << 32,
        ] {
            assert_ne!(word, wiped);
        }
    }

    #[test]
    fn marks_are_told_from_what_the_c_library_writes() {
        // The C library's word counts spins in the lower half, and aborted transactions in the upper half, both from zero.
        for word in [0, 1, 100, 0x7fff, 3 << 16, 0xffff_ffff] {
            assert!(!is_mark(word), "{word:x}");
        }
        assert!(is_mark(mark_of(1)) && is_mark(mark_of(MOST)));
    }

    #[test]
    fn a_forked_child_has_another_mark() {
        assert!(start());
        let before = current();
        assert!(is_current(before) && in_force() == u64::from(before) << 32);
        // SAFETY: the child calls only async-signal-safe functions.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let wiped = !is_current(before) && in_force() == !0;
            let after = current();
            let new = after != before && is_current(after);
            // SAFETY: ends the child here.
            unsafe { libc::_exit(if wiped && new { 42 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: this process's own child.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(libc::WEXITSTATUS(status), 42);
        assert!(is_current(before), "the parent's is as it was");
    }

    #[test]
    fn every_generation_has_a_mark_and_a_key_of_its_own() {
        for (generation, mark) in [(1, 0x6c00_0004), (2, 0x6c00_0008), (MOST, 0x6cff_fffc)] {
            assert_eq!(mark_of(generation), mark);
            // A wiped page has the key of no mark.
            assert_ne!(key_of(mark), 0);
            assert_eq!((!key_of(mark) >> 32) as u32, mark);
        }
    }
}

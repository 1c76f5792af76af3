//! The file as mapped by this process. Without a file nothing is counted, but the locks are still replaced.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU64};

use rustix::fs::{Mode, OFlags, fstat};
use rustix::mm::{MapFlags, ProtFlags, mmap};

use super::counts::{BYTES, Object, Reason, Tally};
use crate::environment::variable;

/// The environment variable with the path of the file.
const TALLY_VARIABLE: &CStr = c"LOCKTOLL_TALLY";

/// The counts of this process, or null if it does not count.
static TALLY: AtomicPtr<Tally> = AtomicPtr::new(null_mut());

/// Maps the file, if there is one and it has not been mapped.
pub fn open() {
    if is_open() {
        return;
    }
    let Some(path) = variable(TALLY_VARIABLE) else {
        return;
    };
    // Only system calls are used: the C library's functions are cancellation points, and change `errno`.
    let Ok(file) = rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()) else {
        return;
    };
    // Counting past the end of a shorter file would kill the program with SIGBUS.
    if !fstat(&file)
        .is_ok_and(|it| u64::try_from(it.st_size).is_ok_and(|size| size >= BYTES as u64))
    {
        return;
    }
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: an address that the kernel chooses; the length is the length of the file (T1).
    let memory = unsafe { mmap(null_mut(), BYTES, protection, MapFlags::SHARED, &file, 0) };
    if let Ok(memory) = memory {
        // Release: pairs with the acquire in `tally`.
        TALLY.store(memory.cast(), Release);
    }
}

pub fn is_open() -> bool {
    tally().is_some()
}

/// Counts one more process that runs with the library.
pub fn count_process() {
    count(|tally| &tally.processes);
}

/// Counts a process in which the library could not do what it was asked to.
pub fn count_failure() {
    count(|tally| &tally.failures);
}

/// Counts one more object that was replaced.
pub fn count_replaced(object: Object) {
    count(|tally| &tally.replaced[object as usize]);
}

/// Counts one more object that was left to the C library.
pub fn count_passed_through(object: Object, reason: Reason) {
    count(|tally| &tally.passed_through[object as usize][reason as usize]);
}

fn count(place: impl FnOnce(&Tally) -> &AtomicU64) {
    if let Some(tally) = tally() {
        // Relaxed: a count.
        place(tally).fetch_add(1, Relaxed);
    }
}

fn tally() -> Option<&'static Tally> {
    // Acquire: the mapping was made before its address was stored.
    let tally = TALLY.load(Acquire);
    // SAFETY: null, or a mapping of the file (T1) that is never unmapped.
    unsafe { tally.as_ref() }
}

//! The file as this process has mapped it. Without a file nothing is counted, and the locks are replaced all the
//! same.

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

/// Where this process counts; null where it does not.
static TALLY: AtomicPtr<Tally> = AtomicPtr::new(null_mut());

/// Maps the file, if there is one and it has not been mapped.
pub fn open() {
    if is_open() {
        return;
    }
    let Some(path) = variable(TALLY_VARIABLE) else {
        return;
    };
    // By system calls alone: the C library's functions are cancellation points, and change `errno`.
    let Ok(file) = rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()) else {
        return;
    };
    // Counting behind the end of a shorter file would be the program's death by SIGBUS.
    if !fstat(&file)
        .is_ok_and(|it| u64::try_from(it.st_size).is_ok_and(|size| size >= BYTES as u64))
    {
        return;
    }
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: an address that the kernel chooses; the length is that of the file (T1).
    let memory = unsafe { mmap(null_mut(), BYTES, protection, MapFlags::SHARED, &file, 0) };
    if let Ok(memory) = memory {
        // Release: pairs with the acquire in `tally`.
        TALLY.store(memory.cast(), Release);
    }
}

pub fn is_open() -> bool {
    tally().is_some()
}

/// One more process runs under the library.
pub fn count_process() {
    count(|tally| &tally.processes);
}

/// The library could not do what it was told in this process.
pub fn count_failure() {
    count(|tally| &tally.failures);
}

/// One more object is ours.
pub fn count_replaced(object: Object) {
    count(|tally| &tally.replaced[object as usize]);
}

/// One more object was left to the C library.
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

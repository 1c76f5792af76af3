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
    if let Some(memory) = map(path) {
        // Release: pairs with the acquire in `tally`.
        TALLY.store(memory, Release);
    }
}

/// Maps the file at `path`, if it is long enough.
fn map(path: &CStr) -> Option<*mut Tally> {
    // Only system calls are used: the C library's functions are cancellation points, and change `errno`.
    let file = rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).ok()?;
    // Counting past the end of a shorter file would kill the program with SIGBUS.
    let length = u64::try_from(fstat(&file).ok()?.st_size).ok()?;
    if length < BYTES as u64 {
        return None;
    }
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: an address that the kernel chooses; the length is the length of the file (T1).
    let memory = unsafe { mmap(null_mut(), BYTES, protection, MapFlags::SHARED, &file, 0) };
    memory.ok().map(|memory| memory.cast())
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

/// Counts a process that has, or is about to have, a thread with a real-time policy.
pub fn count_real_time() {
    count(|tally| &tally.real_time);
}

/// Counts one more object that was replaced.
pub fn count_replaced(object: Object) {
    count(|tally| &tally.replaced[object as usize]);
}

/// Counts one more object that was left to the C library.
pub fn count_passed_through(object: Object, reason: Reason) {
    count(|tally| &tally.passed_through[object as usize][reason as usize]);
}

/// Counts a thread that can, or cannot, request time slice extensions.
pub fn count_thread_with_slice_extension(has_it: bool) {
    count(|tally| &tally.slice_extension_threads[usize::from(!has_it)]);
}

/// Counts a time slice extension that is given back.
pub fn count_slice_extension() {
    count(|tally| &tally.slice_extensions);
}

/// Counts a process in which holds save time.
pub fn count_saving_process() {
    count(|tally| &tally.saving_processes);
}

/// Adds time that a hold has saved.
pub fn add_saved(ns: u64) {
    if let Some(tally) = tally() {
        // Relaxed: a sum.
        tally.saved_ns.fetch_add(ns, Relaxed);
    }
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

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::*;

    fn path_of(file: &tempfile::NamedTempFile) -> CString {
        CString::new(file.path().as_os_str().as_encoded_bytes()).unwrap()
    }

    #[test]
    fn a_file_that_is_long_enough_is_counted_into() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(BYTES as u64 - 1).unwrap();
        assert_eq!(map(&path_of(&file)), None);
        assert_eq!(map(c"/no/such/file"), None);
        file.as_file().set_len(BYTES as u64).unwrap();
        let memory = map(&path_of(&file)).unwrap();
        // No other test sets it, and those that count other things meanwhile do no harm.
        TALLY.store(memory, Release);
        assert!(is_open());
        count_failure();
        count_passed_through(Object::Condition, Reason::PriorityProtected);
        let tally = tally().unwrap();
        let before = [
            &tally.processes,
            &tally.replaced[Object::Condition as usize],
        ];
        let before = before.map(|count| count.load(Relaxed));
        count_process();
        count_replaced(Object::Condition);
        assert!(tally.processes.load(Relaxed) > before[0]);
        assert!(tally.replaced[Object::Condition as usize].load(Relaxed) > before[1]);
        let bytes = std::fs::read(file.path()).unwrap();
        let count = |word: usize| u64::from_le_bytes(*bytes[8 * word..].first_chunk().unwrap());
        assert_eq!(count(1), 1, "failures");
        assert_eq!(
            count(2 + 4 + 6 + 3),
            1,
            "conditions with a priority ceiling"
        );
    }
}

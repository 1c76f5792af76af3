//! NtQuerySystemInformation's list of all processes with their threads.
//!
//! 1. A list is a chain of entries in a buffer that the system has filled up to the length that it reports. Each entry begins
//!    with a SYSTEM_PROCESS_INFORMATION, followed by as many SYSTEM_THREAD_INFORMATION as it states, and gives the offset to the
//!    next entry.

use std::ffi::c_void;

use windows_sys::Wdk::System::SystemInformation::{
    NtQuerySystemInformation, SystemProcessInformation,
};
use windows_sys::Win32::Foundation::{STATUS_INFO_LENGTH_MISMATCH, STATUS_SUCCESS};
use windows_sys::Win32::System::Threading::{GetCurrentProcessId, GetCurrentThreadId};
use windows_sys::Win32::System::WindowsProgramming::{
    SYSTEM_PROCESS_INFORMATION, SYSTEM_THREAD_INFORMATION,
};

/// More than any list takes: a hundred thousand threads.
const MOST_BYTES: usize = 16 << 20;

/// Returns the context switches of the calling thread since its start, modulo 2^32. Takes a millisecond with a few thousand
/// threads in the system.
pub(super) fn switches_of_this_thread() -> Option<u64> {
    of_this_thread(&list()?)
}

/// Returns the same from a given list.
fn of_this_thread(list: &[u64]) -> Option<u64> {
    // SAFETY: neither has a precondition.
    let (process, thread) = unsafe { (GetCurrentProcessId(), GetCurrentThreadId()) };
    entries(list)
        .find(|(_, entry)| entry.UniqueProcessId as usize == process as usize)
        .and_then(|(at, entry)| {
            threads(list, at, entry.NumberOfThreads)
                .find(|one| one.ClientId.UniqueThread as usize == thread as usize)
        })
        // `Reserved3` is what ntifs.h of the driver kit calls ContextSwitches.
        .map(|one| u64::from(one.Reserved3))
}

/// Returns the list in 64-bit words, so that its first entry is aligned.
fn list() -> Option<Vec<u64>> {
    let mut words = vec![0_u64; 1 << 14];
    loop {
        let bytes = size_of_val(words.as_slice());
        let mut needed = 0;
        // SAFETY: the system writes at most `bytes` bytes to `words`, and one number to `needed`.
        let status = unsafe {
            NtQuerySystemInformation(
                SystemProcessInformation,
                words.as_mut_ptr().cast::<c_void>(),
                bytes as u32,
                &raw mut needed,
            )
        };
        match status {
            STATUS_SUCCESS => return Some(words),
            STATUS_INFO_LENGTH_MISMATCH if bytes < MOST_BYTES => {
                // Threads may be created between the two calls.
                let wanted = (needed as usize).max(bytes) * 2;
                words.resize(wanted.div_ceil(size_of::<u64>()), 0);
            }
            _ => return None,
        }
    }
}

/// Iterates over the processes, each with its offset in bytes.
fn entries(list: &[u64]) -> impl Iterator<Item = (usize, SYSTEM_PROCESS_INFORMATION)> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let at = next?;
        let entry: SYSTEM_PROCESS_INFORMATION = read(list, at)?;
        next = (entry.NextEntryOffset != 0).then(|| at + entry.NextEntryOffset as usize);
        Some((at, entry))
    })
}

/// Iterates over the first `threads` threads of the process at `at`.
fn threads(
    list: &[u64],
    at: usize,
    threads: u32,
) -> impl Iterator<Item = SYSTEM_THREAD_INFORMATION> {
    let start = at + size_of::<SYSTEM_PROCESS_INFORMATION>();
    (0..threads as usize)
        .map_while(move |index| read(list, start + index * size_of::<SYSTEM_THREAD_INFORMATION>()))
}

/// Reads the value at byte offset `at`, if it lies within the list. It need not be aligned: Wine puts an entry directly after the
/// name of the previous one.
fn read<T: Listed>(list: &[u64], at: usize) -> Option<T> {
    let inside = at.checked_add(size_of::<T>())? <= size_of_val(list);
    // SAFETY: the value lies inside the buffer and is read unaligned; any bytes are a valid value (invariant 1 only decides
    // whether they mean something).
    inside.then(|| unsafe {
        list.as_ptr()
            .cast::<u8>()
            .add(at)
            .cast::<T>()
            .read_unaligned()
    })
}

/// Structs of plain numbers and addresses, for which any bytes are valid.
trait Listed {}
impl Listed for SYSTEM_PROCESS_INFORMATION {}
impl Listed for SYSTEM_THREAD_INFORMATION {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_thread_is_listed() {
        let list = list().expect("a list");
        let processes: Vec<_> = entries(&list)
            .map(|(_, it)| (it.UniqueProcessId as usize, it.NumberOfThreads))
            .collect();
        let own = std::process::id();
        assert!(
            of_this_thread(&list).is_some(),
            "{own} with its threads in {processes:?}"
        );
    }

    #[test]
    fn a_list_that_ends_early_has_no_more_entries() {
        assert_eq!(entries(&[0; 4]).count(), 0);
        // The first entry names a next one beyond the end.
        let mut list = vec![0_u64; size_of::<SYSTEM_PROCESS_INFORMATION>() / 8];
        list[0] = 1 << 20;
        assert_eq!(entries(&list).count(), 1);
    }

    #[test]
    fn an_entry_may_begin_anywhere() {
        let mut list = vec![0_u64; size_of::<SYSTEM_PROCESS_INFORMATION>() / 4 + 1];
        // The next entry begins two bytes after the end of the first.
        list[0] = size_of::<SYSTEM_PROCESS_INFORMATION>() as u64 + 2;
        assert_eq!(entries(&list).count(), 2);
    }
}

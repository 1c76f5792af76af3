//! Finds and ends the processes that a run starts.
//!
//! 1. A handle that a call returned is valid until it is closed, once.

use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::{CloseHandle, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
};
use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_TERMINATE, TerminateProcess};

/// How long a busy machine may take to start or end a process.
const PATIENCE: Duration = Duration::from_secs(60);

/// Numbers of the processes that `parent` has started and that still run.
pub fn of(parent: u32) -> Vec<u32> {
    with_threads(parent, 1)
}

/// Numbers of those among them that measure, in threads beside the first. Before that a process may be listed although the
/// call that starts it has not come back to its parent: the call fails if the process is ended, and a process whose
/// parent is ended then never runs.
pub fn at_work(parent: u32) -> Vec<u32> {
    with_threads(parent, 2)
}

/// Those with so many threads at least.
fn with_threads(parent: u32, least: u32) -> Vec<u32> {
    // SAFETY: takes numbers; the handle is closed below (invariant 1).
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0) };
    assert_ne!(snapshot, INVALID_HANDLE_VALUE);
    let mut entry = PROCESSENTRY32W {
        dwSize: size_of::<PROCESSENTRY32W>() as u32,
        ..PROCESSENTRY32W::default()
    };
    let mut found = Vec::new();
    // SAFETY: invariant 1; an entry that says its size.
    let mut more = unsafe { Process32FirstW(snapshot, &raw mut entry) };
    while more != 0 {
        // A console's host may be a child, too.
        let name = String::from_utf16_lossy(&entry.szExeFile);
        let is_child = entry.th32ParentProcessID == parent && name.starts_with("locktoll");
        if is_child && entry.cntThreads >= least {
            found.push(entry.th32ProcessID);
        }
        // SAFETY: as above.
        more = unsafe { Process32NextW(snapshot, &raw mut entry) };
    }
    // SAFETY: invariant 1.
    unsafe { CloseHandle(snapshot) };
    found
}

/// The first process that `parent` starts, once it measures.
pub fn first_of(parent: u32) -> u32 {
    until("a child measures", || at_work(parent).first().copied())
}

/// Waits for something, with patience.
pub fn until<T>(what: &str, mut it: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = it() {
            return found;
        }
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Ends a process with an exit code, as an exception would; one that is gone by now is left alone.
pub fn end(process: u32, code: u32) {
    // SAFETY: takes numbers; the handle is closed below (invariant 1).
    let handle = unsafe { OpenProcess(PROCESS_TERMINATE, 0, process) };
    if handle.is_null() {
        return;
    }
    // SAFETY: invariant 1.
    unsafe { TerminateProcess(handle, code) };
    // SAFETY: invariant 1.
    unsafe { CloseHandle(handle) };
}

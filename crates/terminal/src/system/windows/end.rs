//! The end of a process whose other threads may be in any state.

use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

/// Ends this process at once with an exit code. Handlers and destructors of libraries are not run: they may fail when threads
/// were stopped inside a lock, and ExitProcess waits for some of those.
pub fn end_with(code: u32) -> ! {
    // SAFETY: a pseudo-handle of this process, which is always valid and has all rights.
    unsafe { TerminateProcess(GetCurrentProcess(), code) };
    // TerminateProcess does not return for the process itself.
    std::process::abort()
}

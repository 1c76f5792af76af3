//! The child's side.

use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};
use windows_sys::core::BOOL;

/// The child's first step: events of the console are its parent's to act on. That it ends with its parent is the parent's
/// doing.
pub fn begin() {
    unsafe extern "system" fn ignore(_event: u32) -> BOOL {
        1
    }
    // SAFETY: a function of the required type that lives as long as the program. Without a console there is nothing to
    // ignore, and the call's refusal is no loss.
    unsafe { SetConsoleCtrlHandler(Some(ignore), 1) };
}

/// The child's last step: ends the process at once, and with it every thread that is still in a lock.
pub fn leave(status: i32) -> ! {
    leave_with(status as u32)
}

/// Ends this process at once with an exit code. Handlers and destructors of libraries are not run: threads that are cut off
/// within a lock could not bear them, and ExitProcess waits for some of those.
pub fn leave_with(code: u32) -> ! {
    // SAFETY: a pseudo-handle of this process, which is always valid and has all rights.
    unsafe { TerminateProcess(GetCurrentProcess(), code) };
    // TerminateProcess does not return for the process itself.
    std::process::abort()
}

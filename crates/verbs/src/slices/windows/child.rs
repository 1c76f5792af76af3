//! The child's side.

use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
use windows_sys::core::BOOL;

use locktoll_terminal::system::end::end_with;

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
    end_with(status as u32)
}

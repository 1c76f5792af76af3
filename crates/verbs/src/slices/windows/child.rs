//! The child's side.

use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
use windows_sys::core::BOOL;

use locktoll_terminal::system::end::end_with;

/// The child's first step: ignores console events, which are for its parent to handle. The parent makes sure that the child ends
/// with it.
pub fn begin() {
    unsafe extern "system" fn ignore(_event: u32) -> BOOL {
        1
    }
    // SAFETY: the function has the required type and lives as long as the program. Without a console there is nothing to ignore,
    // so a failure of the call does no harm.
    unsafe { SetConsoleCtrlHandler(Some(ignore), 1) };
}

/// The child's last step: ends the process at once, including every thread that is still in a lock.
pub fn leave(status: i32) -> ! {
    end_with(status as u32)
}

//! Ctrl-C and Ctrl-Break of the console.
//!
//! 1. A handler runs on a thread of its own that the console starts for it, so it may do anything.

use std::io;
use std::sync::{Mutex, PoisonError};

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

use super::end::end_with;

/// 128 and the number of SIGINT: what scripts know an interrupted program by, wherever it runs.
const INTERRUPTED: u32 = 130;

type Asked = Box<dyn Fn() -> bool + Send>;

/// The functions to call.
static LISTENERS: Mutex<Vec<Asked>> = Mutex::new(Vec::new());

/// Calls `asked` whenever the user asks to stop, from now on. Where that says true, the program ends at once.
///
/// # Errors
/// The system's, if it takes no handler.
pub fn listen(asked: impl Fn() -> bool + Send + Sync + 'static) -> io::Result<()> {
    let mut listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    // Once: a handler is called as often as it was added. The lock is free of the console's own then: before the call nothing
    // calls the handler, and afterwards nobody who has the lock calls the console.
    if listeners.is_empty() {
        // SAFETY: a function of the required type that lives as long as the program.
        if unsafe { SetConsoleCtrlHandler(Some(on_event), 1) } == 0 {
            return Err(io::Error::last_os_error());
        }
    }
    listeners.push(Box::new(asked));
    Ok(())
}

/// No read can be delayed here: nothing of other programs is read.
///
/// # Errors
/// None.
pub fn end_soon_after() -> io::Result<()> {
    Ok(())
}

/// By invariant 1 it may lock. A closed window and the system's end are left to the system.
unsafe extern "system" fn on_event(event: u32) -> BOOL {
    if event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT {
        return 0;
    }
    let listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    // Each is told, whatever those before it said.
    let mut at_once = false;
    for asked in listeners.iter() {
        at_once |= asked();
    }
    if at_once {
        end_with(INTERRUPTED);
    }
    1
}

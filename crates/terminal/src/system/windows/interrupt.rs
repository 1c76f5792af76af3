//! Ctrl-C and Ctrl-Break of the console.
//!
//! 1. A handler runs on a thread of its own that the console starts for it, so it may do anything.

use std::io;
use std::sync::{Mutex, PoisonError};

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

use super::end::end_with;

/// 128 plus the number of SIGINT. Scripts recognise an interrupted program by this code, wherever it runs.
const INTERRUPTED: u32 = 130;

type Asked = Box<dyn Fn() -> bool + Send>;

/// The functions to call.
static LISTENERS: Mutex<Vec<Asked>> = Mutex::new(Vec::new());

/// Calls `asked` whenever the user asks to stop, from now on. If it returns true, the program ends at once.
///
/// # Errors
/// The system's error, if it does not accept a handler.
pub fn listen(asked: impl Fn() -> bool + Send + Sync + 'static) -> io::Result<()> {
    let mut listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    // Only once, since a handler is called as often as it was added. This cannot deadlock with the console's lock: before the
    // call nothing calls the handler, and afterwards no thread calls the console while it has our lock.
    if listeners.is_empty() {
        // SAFETY: a function of the required type that lives as long as the program.
        if unsafe { SetConsoleCtrlHandler(Some(on_event), 1) } == 0 {
            return Err(io::Error::last_os_error());
        }
    }
    listeners.push(Box::new(asked));
    Ok(())
}

/// Reads cannot be delayed here: nothing is read from other programs.
///
/// # Errors
/// None.
pub fn end_soon_after() -> io::Result<()> {
    Ok(())
}

/// By invariant 1, it may take a lock. A closed window and a system shutdown are left to the system.
unsafe extern "system" fn on_event(event: u32) -> BOOL {
    if event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT {
        return 0;
    }
    let listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner);
    // Each listener is called, whatever those before it returned.
    let mut at_once = false;
    for asked in listeners.iter() {
        at_once |= asked();
    }
    if at_once {
        end_with(INTERRUPTED);
    }
    1
}

//! Around dlclose(3): another library may come to the addresses of one that has gone.

use core::ffi::{c_int, c_void};

use crate::real::Function;
use crate::recorder::{Recorder, State};

type CloseFn = unsafe extern "C" fn(*mut c_void) -> c_int;

static CLOSE: Function<CloseFn> = Function::named(c"dlclose");

/// `dlclose`.
///
/// # Safety
/// H1.
pub unsafe fn close(handle: *mut c_void) -> c_int {
    let Some(close) = CLOSE.get() else {
        return 0;
    };
    // SAFETY: H1.
    let result = unsafe { close(handle) };
    if result == 0
        && matches!(Recorder::state(), State::On(_))
        && let Some(recorder) = Recorder::get()
    {
        recorder.lock().forget_code_that_has_gone();
    }
    result
}

//! The C library's clean-up handlers, which run when the frames that registered them are unwound.

use core::ffi::{c_int, c_void};

/// The C library's `struct _pthread_cleanup_buffer`.
#[repr(C)]
#[derive(Debug, Default)]
pub struct CleanUp([usize; 4]);

unsafe extern "C" {
    /// Pushes a handler.
    pub fn _pthread_cleanup_push(
        buffer: *mut CleanUp,
        routine: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
    );
    /// Pops the handler that was pushed last.
    pub fn _pthread_cleanup_pop(buffer: *mut CleanUp, execute: c_int);
}

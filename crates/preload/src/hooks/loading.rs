//! Hooks around dlclose(3): another library may be loaded at the addresses of one that was unloaded.

use core::ffi::{c_int, c_void};
use core::ptr::from_mut;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use libc::dl_phdr_info;

use crate::real::Function;
use crate::recorder::{Recorder, State};

type CloseFn = unsafe extern "C" fn(*mut c_void) -> c_int;

static CLOSE: Function<CloseFn> = Function::named(c"dlclose");

type LookFn = unsafe extern "C" fn(*mut dl_phdr_info, usize, *mut c_void) -> c_int;
type IterateFn = unsafe extern "C" fn(LookFn, *mut c_void) -> c_int;

/// Not linked by its name, because a program may define a function of that name.
static ITERATE: Function<IterateFn> = Function::named(c"dl_iterate_phdr");

/// The number of libraries unloaded when the mappings were last read.
static GONE: AtomicU64 = AtomicU64::new(0);

pub unsafe fn close(handle: *mut c_void) -> c_int {
    let Some(close) = CLOSE.get() else {
        return 0;
    };
    // SAFETY: H1.
    let result = unsafe { close(handle) };
    if result == 0
        && matches!(Recorder::state(), State::On(_))
        && let Some(recorder) = Recorder::get()
        && has_one_gone()
    {
        recorder.lock().forget_code_that_has_gone();
    }
    result
}

/// Whether a library has been unloaded since the last call. Mostly others still use the library, and reading the mappings of a
/// process with many of them takes a millisecond. This takes the dynamic linker's lock, which dlclose(3) itself took just now.
fn has_one_gone() -> bool {
    let Some(iterate) = ITERATE.get() else {
        return true;
    };
    let mut gone = u64::MAX;
    // SAFETY: `look` is given `gone`, which lives as long as the call.
    unsafe { iterate(look, from_mut(&mut gone).cast()) };
    // Relaxed: a thread that comes second finds that the first is reading the mappings.
    GONE.swap(gone, Relaxed) != gone
}

/// Takes the count that applies to all libraries from the first one of the list.
unsafe extern "C" fn look(library: *mut dl_phdr_info, _: usize, gone: *mut c_void) -> c_int {
    // SAFETY: the first pointer is the dynamic linker's, and the second is this library's, as `has_one_gone` passed it.
    unsafe { *gone.cast() = (*library).dlpi_subs };
    1
}

//! Keeps the stacks of modelled threads for the threads that come after them.
//!
//! loom gives each thread of each interleaving a new stack, by the crate `generator`. Mapping, guarding, touching and unmapping
//! those took the kernel two thirds of the time of all models. The program's own functions come before the C library's, so
//! that `generator` calls these; everything but stacks they pass on to the kernel.
//!
//! A model's threads are coroutines of one thread of the system, which maps and unmaps all their stacks (S1).

use std::cell::RefCell;
use std::ffi::{c_int, c_long, c_void};
use std::ptr;

use libc::{MAP_FAILED, MAP_STACK, PROT_NONE, SYS_mmap, SYS_mprotect, SYS_munmap, off_t, syscall};

/// A thread keeps so many; loom's threads are at most four.
const MOST: usize = 16;

#[derive(Clone, Copy)]
struct Stack {
    lowest: *mut c_void,
    bytes: usize,
    is_used: bool,
    is_guarded: bool,
}

const NONE: Stack = Stack {
    lowest: ptr::null_mut(),
    bytes: 0,
    is_used: false,
    is_guarded: false,
};

thread_local! {
    static STACKS: RefCell<[Stack; MOST]> = const { RefCell::new([NONE; MOST]) };
}

/// What `f` makes of the first stack of this thread for which `is_it`.
fn with_first<T>(is_it: impl Fn(&Stack) -> bool, f: impl FnOnce(&mut Stack) -> T) -> Option<T> {
    STACKS.with_borrow_mut(|stacks| stacks.iter_mut().find(|stack| is_it(stack)).map(f))
}

/// Makes the linker take these functions before the C library's: they are in a library, of which it takes only what is named.
pub fn link() {
    std::hint::black_box((
        mmap as *const (),
        mprotect as *const (),
        munmap as *const (),
    ));
}

/// mmap(2), and for a stack one of the same size that is not used any more, its guard in place.
#[unsafe(no_mangle)]
extern "C" fn mmap(
    at: *mut c_void,
    bytes: usize,
    access: c_int,
    flags: c_int,
    file: c_int,
    offset: off_t,
) -> *mut c_void {
    let is_stack = at.is_null() && flags & MAP_STACK != 0;
    if is_stack {
        let again = with_first(
            |it| it.bytes == bytes && !it.is_used,
            |it| {
                it.is_used = true;
                it.lowest
            },
        );
        if let Some(lowest) = again {
            return lowest;
        }
    }
    // SAFETY: the caller's own call. The C library's function returns an address or `MAP_FAILED`, and so does this.
    let lowest =
        unsafe { syscall(SYS_mmap, at, bytes, access, flags, file, offset) } as *mut c_void;
    if is_stack && lowest != MAP_FAILED {
        let new = Stack {
            lowest,
            bytes,
            is_used: true,
            is_guarded: false,
        };
        // Without room for it, it is unmapped when its time has come.
        let _ = with_first(|it| it.lowest.is_null(), |it| *it = new);
    }
    lowest
}

/// mprotect(2), unless it is the guard of a stack that has it.
#[unsafe(no_mangle)]
extern "C" fn mprotect(at: *mut c_void, bytes: usize, access: c_int) -> c_int {
    let has_it = |it: &mut Stack| {
        access == PROT_NONE && std::mem::replace(&mut it.is_guarded, access == PROT_NONE)
    };
    if with_first(|it| !at.is_null() && it.lowest == at, has_it) == Some(true) {
        return 0;
    }
    // SAFETY: the caller's own call.
    let done: c_long = unsafe { syscall(SYS_mprotect, at, bytes, access) };
    done as c_int
}

/// munmap(2), unless it is a stack, which is kept.
#[unsafe(no_mangle)]
extern "C" fn munmap(at: *mut c_void, bytes: usize) -> c_int {
    let is_it = |it: &Stack| !at.is_null() && (it.lowest, it.bytes) == (at, bytes);
    // By S1 nobody else takes it meanwhile.
    if with_first(is_it, |it| it.is_used = false).is_some() {
        return 0;
    }
    // SAFETY: the caller's own call.
    let done: c_long = unsafe { syscall(SYS_munmap, at, bytes) };
    done as c_int
}

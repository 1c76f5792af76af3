//! Hooks around the functions that start threads: a thread is seen from its first moment on, even if it never takes a lock.
//!
//! The function and the argument of the new thread are passed to it in a *start*. The number of starts is fixed; if none is
//! free, the thread is started without the recorder, which sees it at its first lock. Starts are taken and returned without a
//! lock and without an allocation, since allocators call pthread_create(3), too.
//!
//! # Invariants
//!
//! - **B1** The thread that has set the bit of a start owns it, until it has passed it on to the new thread. The new thread
//!   clears the bit once it has read the start.
//! - **B2** Starts lie in ordinary memory, not in memory that a fork wipes: the child of a fork that a signal handler makes
//!   within `pthread_create` continues and starts its thread. Starts that other threads were passing on at that moment stay
//!   taken in the child.

use core::ffi::{c_int, c_void};
use core::ptr::{from_ref, null_mut};
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use libc::{EAGAIN, pthread_attr_t, pthread_t};

use crate::ledger::Ledger;
use crate::real::{self, Opaque};
use crate::recorder::Recorder;

/// The number of words of bits.
const WORDS: usize = 16;
/// The number of threads that can be starting at the same time.
const STARTS: usize = 64 * WORDS;

/// The function that a new thread is to run.
struct Start {
    /// A pointer to a function, in a type that can be stored atomically.
    routine: AtomicPtr<c_void>,
    argument: AtomicPtr<c_void>,
}

/// All starts.
struct Starts {
    taken: [AtomicU64; WORDS],
    /// The word that had room most recently.
    hint: AtomicU32,
    starts: [Start; STARTS],
}

static STARTS_OF_THREADS: Starts = Starts::new();

impl Starts {
    const fn new() -> Self {
        Self {
            taken: [const { AtomicU64::new(0) }; WORDS],
            hint: AtomicU32::new(0),
            starts: [const {
                Start {
                    routine: AtomicPtr::new(null_mut()),
                    argument: AtomicPtr::new(null_mut()),
                }
            }; STARTS],
        }
    }

    /// Returns a start that belongs to nobody, or `None`.
    fn take(&self) -> Option<&Start> {
        // Relaxed: any word will do.
        let first = self.hint.load(Relaxed) as usize;
        for step in 0..WORDS {
            let word = (first + step) % WORDS;
            // Acquire: its last user has read it before this thread writes it (B1).
            let taken = self.taken[word].fetch_update(Acquire, Relaxed, |bits| {
                (bits != u64::MAX).then(|| bits | 1 << bits.trailing_ones())
            });
            if let Ok(before) = taken {
                self.hint.store(word as u32, Relaxed);
                return Some(&self.starts[word * 64 + before.trailing_ones() as usize]);
            }
        }
        None
    }

    /// Gives back a start that the caller owns.
    fn give_back(&self, start: &Start) {
        let number = (from_ref(start).addr() - self.starts.as_ptr().addr()) / size_of::<Start>();
        // Release: see `take`.
        self.taken[number / 64].fetch_and(!(1 << (number % 64)), Release);
    }
}

/// Starts a thread by `create`, which gets the first function of the thread and its argument.
unsafe fn start(
    routine: Option<Opaque>,
    argument: *mut c_void,
    first_frame: unsafe extern "C" fn(),
    create: impl FnOnce(Option<Opaque>, *mut c_void) -> c_int,
) -> c_int {
    let start = match routine {
        // Without a routine, the C library does whatever it does.
        Some(routine) if Recorder::running().is_some() => {
            STARTS_OF_THREADS.take().inspect(|start| {
                // Relaxed: creating the thread makes all earlier writes visible to it.
                start.routine.store(routine as *mut c_void, Relaxed);
                start.argument.store(argument, Relaxed);
            })
        }
        _ => None,
    };
    let Some(start) = start else {
        return create(routine, argument);
    };
    let result = create(Some(first_frame), from_ref(start).cast_mut().cast());
    if result != 0 {
        STARTS_OF_THREADS.give_back(start);
    }
    result
}

/// `pthread_create`.
///
/// # Safety
/// H1, and `first_frame` calls [`begin`] with its argument.
pub unsafe fn create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    routine: Option<Opaque>,
    argument: *mut c_void,
    first_frame: unsafe extern "C" fn(),
) -> c_int {
    let Some(create) = real::CREATE.get() else {
        return EAGAIN;
    };
    // SAFETY: H1.
    unsafe {
        start(routine, argument, first_frame, |routine, argument| {
            create(thread, attributes, routine, argument)
        })
    }
}

/// `thrd_create`.
///
/// # Safety
/// As for [`create`].
pub unsafe fn create_c11(
    thread: *mut pthread_t,
    routine: Option<Opaque>,
    argument: *mut c_void,
    first_frame: unsafe extern "C" fn(),
) -> c_int {
    /// `thrd_error`, threads.h.
    const ERROR: c_int = 2;
    let Some(create) = real::C11_CREATE.get() else {
        return ERROR;
    };
    // SAFETY: H1.
    unsafe {
        start(routine, argument, first_frame, |routine, argument| {
            create(thread, routine, argument)
        })
    }
}

/// The function that a thread is to run and its argument, in the two registers that a function returns.
#[repr(C)]
pub struct Begin {
    routine: *mut c_void,
    argument: *mut c_void,
}

/// Called by a thread that has just begun, with a start as its argument.
///
/// # Safety
/// The argument is what [`create`] or [`create_c11`] gave to the C library.
pub unsafe extern "C" fn begin(start: *const c_void) -> Begin {
    // SAFETY: the caller's promise; starts are never unmapped.
    let start = unsafe { &*start.cast::<Start>() };
    let begin = Begin {
        // Relaxed: as in `start`.
        routine: start.routine.load(Relaxed),
        argument: start.argument.load(Relaxed),
    };
    STARTS_OF_THREADS.give_back(start);
    if let Some(ledger) = Ledger::open()
        && let Some(thread) = ledger.own
        && let Some(life) = thread.life()
    {
        let site = thread.site(begin.routine.addr(), ledger.recorder, None);
        life.start_routine.store(site, Relaxed);
    }
    begin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_start_is_one_threads_and_comes_back() {
        static STARTS_UNDER_TEST: Starts = Starts::new();
        let taken: Vec<&Start> = std::iter::from_fn(|| STARTS_UNDER_TEST.take()).collect();
        let mut places: Vec<usize> = taken.iter().map(|start| from_ref(*start).addr()).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), STARTS);
        for number in [0, 63, 64, STARTS - 1] {
            STARTS_UNDER_TEST.give_back(taken[number]);
            assert!(core::ptr::eq(
                STARTS_UNDER_TEST.take().unwrap(),
                taken[number]
            ));
            assert!(STARTS_UNDER_TEST.take().is_none());
        }
    }
}

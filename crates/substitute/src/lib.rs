//! The library that `locktoll try` puts under a program by `LD_PRELOAD` (ld.so(8)), so that the program runs on other
//! locks than the C library's.
//!
//! The other lock lives *in the program's own object*: in the 40 bytes of its `pthread_mutex_t`, and so on. There is no
//! table to look anything up in, and nothing to allocate; an object that was initialised statically works without a
//! call. What cannot be replaced (robust, priority-inheriting, process-shared objects) is passed through to the C
//! library, and counted.
//!
//! The way of one call, and the rooms it passes:
//!
//! 1. `exports`: the names that the dynamic linker finds. One jump, through a table of theirs.
//! 2. `entries`: where each name goes in that table. Filled by `start` at the first call of all, from what the environment says: with
//!    the functions of the C library themselves, or with ours, compiled for the one lock that was chosen. So a choice costs
//!    nothing afterwards.
//! 3. `mutex`, ...: what POSIX asks of each kind of object. That something has been made in an object says its `mark`, which
//!    is of this process's `generation`; `passed` counts what is left to the C library; where only some objects are to be
//!    replaced, `only` decides. All of it works over
//! 4. `in_place`: the locks of `locktoll-locks`, each fitted into the room that an object has.
//!
//! Two things are shared with the program that starts us: [`candidate`], the names of what can be tried, and [`tally`],
//! where this library counts what it replaced.
//!
//! # The environment
//!
//! | variable | meaning |
//! |---|---|
//! | `LOCKTOLL_LOCK` | the candidate's name, as `locktoll try --lock` takes it. Without it nothing is replaced; nor for a name that is none, which is told on standard error |
//! | `LOCKTOLL_ONLY` | which objects are replaced, the others being left to the C library: [`only::line`], one a line. Without it, all |
//! | `LOCKTOLL_TALLY` | the file to count in, an absolute path; made beforehand, [`tally::BYTES`] zeros |
//!
//! # What goes past it
//!
//! An object that is ours must be used by our functions alone: the C library's would find it free, whoever holds it. These
//! ways lead past us, and a program that uses one object by both ways breaks:
//!
//! - a module that was loaded with `RTLD_DEEPBIND`, or by dlmopen(3) into a namespace of its own;
//! - a function that was looked up in the C library itself: dlsym(3) with its handle, and dlvsym(3) with a version, since our
//!   names have none;
//! - a look into the object: `__data.__owner` of a mutex, say, which we write for recursive and error-checking ones only, and
//!   with another identity than the C library's.
//!
//! Objects that were not initialised as shared between processes, and lie in shared memory all the same, are not found out.
//! Spin locks work there with the C library's functions, which never sleep; with ours a thread may sleep for ever, since
//! only its own process can wake it.
//!
//! Lock elision (`glibc.elision.enable`, glibc's tunables) and the gate do not go together: the C library then counts where
//! our mark lies, and a mutex that is elided looks free while it is held.
#![cfg_attr(all(feature = "interpose", panic = "abort", not(test)), no_std)]

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
compile_error!("locks are replaced on 64-bit Linux with the GNU C library");

pub mod candidate;
#[cfg(any(test, feature = "interpose"))]
mod condition;
#[cfg(any(test, feature = "interpose"))]
mod deadline;
#[cfg(any(test, feature = "interpose"))]
mod entries;
#[cfg(any(test, feature = "interpose"))]
mod environment;
#[cfg(all(feature = "interpose", not(test)))]
mod exports;
#[cfg(any(test, feature = "interpose"))]
mod generation;
#[cfg(any(test, feature = "interpose"))]
mod in_place;
#[cfg(any(test, feature = "interpose"))]
mod mark;
#[cfg(any(test, feature = "interpose"))]
mod mutex;
pub mod only;
#[cfg(any(test, feature = "interpose"))]
mod passed;
#[cfg(any(test, feature = "interpose"))]
mod real;
#[cfg(any(test, feature = "interpose"))]
mod rwlock;
#[cfg(any(test, feature = "interpose"))]
mod spin;
#[cfg(any(test, feature = "interpose"))]
mod start;
pub mod tally;
#[cfg(any(test, feature = "interpose"))]
mod thread;
#[cfg(any(test, feature = "interpose"))]
mod waiting;
#[cfg(any(test, feature = "interpose"))]
mod warning;

// Under test there are no exports that lead here.
#[cfg(test)]
pub use start::begin;

/// Reached by no path we know of; if one is reached after all, there is nothing sound left to go on with.
#[cfg(all(feature = "interpose", panic = "abort", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: abort(3) may be called at any time.
    unsafe { libc::abort() }
}

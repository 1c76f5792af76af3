//! The library that `locktoll try` loads into a program by `LD_PRELOAD` (ld.so(8)), so that the program runs on other locks
//! than the C library's.
//!
//! The other lock lives *in the program's own object*: in the 40 bytes of its `pthread_mutex_t`, and so on. There is no table
//! of objects and no allocation, and an object that was initialised statically works without a call. Robust,
//! priority-inheriting and process-shared objects cannot be replaced. They are passed through to the C library, and counted.
//!
//! A call passes through these rooms:
//!
//! 1. `exports`: the names that the dynamic linker finds. One jump through a table.
//! 2. `entries`: that table. At the very first call, `start` fills it as the environment says: with the C library's own
//!    functions, or with functions compiled for the chosen lock. A choice therefore costs nothing afterwards.
//! 3. `mutex`, `condition`, `rwlock`, `spin`: POSIX's rules for each kind of object. The object's `mark` says that this
//!    library has made its contents, in this process's `generation`. `passed` counts objects that are left to the C library,
//!    and `only` decides which are replaced, if not all of them are.
//! 4. `in_place`: the locks of `locktoll-locks`, each fitted into the room of an object.
//!
//! `lengthen` and `speed_up` are other uses of the library, for `locktoll whatif`. With `lengthen`, every lock stays the C library's,
//! and the holds of chosen locks become longer by a known share. With `speed_up`, threads are delayed while chosen locks are held, which
//! has the effect of shorter holds.
//!
//! `sandbox` notices when the program gives up system calls (seccomp(2)). From then on, this library's locks make no system
//! call except futex(2), like the C library's. `real_time` notices threads with a real-time policy: no lock is tried on a
//! program that has them.
//!
//! Three things are shared with the program `locktoll`: [`candidate`], the names of the locks that can be tried; [`tally`], in
//! which this library counts the objects that it replaced; and [`slice_extension`], which says whether the kernel offers the
//! extension that candidates with `+slice` need.
//!
//! # The environment
//!
//! | variable | meaning |
//! |---|---|
//! | `LOCKTOLL_LOCK` | a candidate's name, as `locktoll try --lock` takes it, `lengthen:P` ([`lengthen`]), or `speed-up:P` ([`speed_up`]); otherwise nothing is replaced (an unknown name is reported) |
//! | `LOCKTOLL_ONLY` | which objects are replaced: [`only::line`], one per line; others are left to the C library. Default: all |
//! | `LOCKTOLL_TALLY` | the file to count in, an absolute path to a file of [`tally::BYTES`] zeros |
//!
//! # How a program can bypass it
//!
//! An object that this library has made must be used only by its functions: the C library's functions would find it free even
//! while it is held. A program that uses one object in both ways breaks. The following bypass the library:
//!
//! - a module that was loaded with `RTLD_DEEPBIND`, or by dlmopen(3) into another namespace;
//! - a function that was looked up in the C library itself: dlsym(3) with its handle, and dlvsym(3) with a version, since the
//!   names here have none;
//! - giving up system calls with the program's own instruction, or before the program with this library is started: a filter
//!   that kills for sched_yield(2), nanosleep(2) or membarrier(2) then ends a program whose replaced locks are contended;
//! - reading the object's fields: `__data.__owner` of a mutex, for instance, is written only for recursive and error-checking
//!   mutexes, and with a different identity from the C library's.
//!
//! Objects in shared memory that were not initialised as process-shared are not recognised. Their spin locks work with the C
//! library's functions, which never sleep; with this library a thread may sleep forever, since only its own process can wake
//! it.
//!
//! Do not combine lock elision (`glibc.elision.enable`, glibc's tunables) with the gate: the C library then counts in the place
//! of the mark, and an elided mutex looks free while it is held.
#![cfg_attr(all(feature = "interpose", panic = "abort", not(test)), no_std)]

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
compile_error!("locks are replaced on 64-bit Linux");
#[cfg(all(feature = "interpose", not(target_env = "gnu")))]
compile_error!(
    "locks of programs that use the GNU C library are replaced, by a library that uses it too"
);

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
pub mod lengthen;
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
mod real_time;
#[cfg(any(test, feature = "interpose"))]
mod rwlock;
#[cfg(any(test, feature = "interpose"))]
mod sandbox;
pub mod slice_extension;
pub mod speed_up;
#[cfg(any(test, feature = "interpose"))]
mod spin;
#[cfg(any(test, feature = "interpose"))]
mod start;
pub mod tally;
mod thread;
#[cfg(any(test, feature = "interpose"))]
mod thread_data;
#[cfg(any(test, feature = "interpose"))]
mod waiting;
#[cfg(any(test, feature = "interpose"))]
mod warning;

// Under test there are no exports that lead here.
#[cfg(test)]
pub use start::begin;

/// No known path leads here. If one does after all, no sound state is left to continue with.
#[cfg(all(feature = "interpose", panic = "abort", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: abort(3) may be called at any time.
    unsafe { libc::abort() }
}

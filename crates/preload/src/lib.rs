//! The library that `locktoll record` loads into the recorded program by `LD_PRELOAD` (ld.so(8)).
//!
//! It interposes the C library's functions for locks, signals and threads. It counts every acquisition, times those that had
//! to wait, and writes the figures into a file that the process maps shared: see `locktoll_recording::layout`. A failure in
//! this library ends the recording, never the program.
//!
//! Nothing is recorded unless the environment variable `LOCKTOLL_PARTS` names a directory by an absolute path. Each process
//! image writes its own part there, `PID-SEQUENCE.part`.
//!
//! An acquisition passes through these rooms. No two rooms import each other, and their imports form no cycle:
//!
//! 1. `exports`: the names that the dynamic linker finds. A few instructions that add the caller's return address.
//! 2. `hooks`: the work before and after the real function. No other room decides what is counted.
//! 3. `real`: the functions of the C library, or of the next preloaded library, that do the work.
//! 4. `ledger`, `hold`, `wait`: enter an acquisition, a hold and a wait. `waited` is a wait that is over, and `blame` enters
//!    its causes, if possible after the lock was released. `identity` says which lock it is, with `lineage` after a fork;
//!    `origins` records where the lock was made and which calls led to a wait; `maker` makes a record that does not exist yet.
//!    While other locks are held, `order` notes the order; `chains` knows what has been noted before.
//! 5. `recorder`: state shared by all threads, behind this library's own lock: `part` (the file), `sites`, `modules`,
//!    `numbers`. The `environment` starts it; `attachment` gives each thread one of its `slots`.
//! 6. `thread`: this thread's own tables, found through `tls`; `index` finds the record of a lock and a site, and `recent`
//!    remembers those used recently.
//!    With a timeline, `timeline` enters events into the thread's ring, `events`.
//! 7. `unwind`: the stack of calls, by the program's own tables.
//! 8. `sys` and `clock`: system calls and the time without the C library, so that `errno` and interposed functions are not
//!    touched.
//!
//! # Promises to the program
//!
//! - An acquisition whose lock and site have been seen before makes no system call, no allocation and no atomic
//!   read-modify-write, takes no lock, and reads no clock unless the thread has to wait anyway.
//! - The library never calls `malloc`, an interposed lock or the unwinder, and never writes to standard output. (dlsym(3)
//!   allocates if the C library lacks a function: see `real`.)
//! - Every function returns the real function's result.
//!
//! # What it sees
//!
//! POSIX mutexes, condition variables, reader-writer locks, spin locks, barriers and semaphores, with all their attempts,
//! deadlines and clocks; the equivalents in C11's threads.h; futex words at which a program waits with syscall(2), as Rust's
//! standard library does; threads from their start to their end; and, while a lock is held, system calls that may block.
//!
//! # What it does not see
//!
//! - Locks that the C library takes internally: those of stdio streams, of its allocator, of pthread_once(3). Locks in static
//!   executables, and in programs that make system calls without the C library (Go).
//! - Locks made of atomic operations alone, and acquisitions of futex locks that need not wait: they make no call.
//! - System calls that the C library makes for itself, as in fwrite(3).
//! - System V semaphores and locks on files, except for calls that wait for them while another lock is held.
//! - Which thread returns a semaphore's unit to which. A thread that posts is assumed to return the unit that it took, or else
//!   to signal. A signal handler that interrupts the thread that took a unit cannot be distinguished from that thread.
//! - More than 64 locks held by one thread at once: further ones are counted, and their holds are not timed.
//!
//! A thread that was started by clone(2) alone, or while a thousand others were starting, is seen from its first lock on. If
//! that lock is taken in a destructor of thread-specific data, the thread does not return its slot, which costs a page of
//! memory and a page of the file. A thread that is cancelled in a wait leaves no figure for that wait.
#![cfg_attr(all(panic = "abort", not(test)), no_std)]
#![cfg_attr(
    test,
    expect(
        dead_code,
        reason = "exports are switched off under test, or the harness would interpose itself"
    )
)]

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
compile_error!("the preload library is written for 64-bit Linux with the GNU C library");

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("exports, tls and sys need a few lines of assembly for this architecture");

mod attachment;
mod blame;
mod chains;
mod clock;
mod contended;
mod elf;
mod environment;
mod events;
#[cfg(not(test))]
mod exports;
mod failure;
mod fold;
mod generations;
mod held;
mod hold;
mod holders;
mod hooks;
mod identity;
mod index;
mod ledger;
mod lineage;
mod lives;
mod maker;
mod maps;
mod modules;
mod numbers;
mod order;
mod origins;
mod part;
mod place;
mod preemption;
mod real;
mod recent;
mod recorder;
mod signals;
mod sites;
mod slots;
mod start;
mod sys;
mod tally;
mod text;
mod thread;
mod ticks;
mod timeline;
mod tls;
mod unwind;
mod usage;
mod wait;
mod waited;

/// No known path leads here. If one does after all, no sound state is left to continue with.
#[cfg(all(panic = "abort", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    sys::abort()
}

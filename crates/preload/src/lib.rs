//! The library that locktoll puts under a profiled program by `LD_PRELOAD` (ld.so(8)).
//!
//! It stands in front of the C library's functions of locks, signals and threads, counts exactly and times what had to wait, and writes
//! the figures into a file of its process that is mapped shared: see `locktoll_recording::layout`. Whatever goes
//! wrong inside ends the recording, never the program.
//!
//! Nothing is recorded unless the environment variable `LOCKTOLL_PARTS` names a directory by an absolute path. Each
//! process image writes a part of its own there, `PID-SEQUENCE.part`.
//!
//! The way of one acquisition, and the rooms it passes. No two of all rooms import each other, and no imports
//! lead in a circle:
//!
//! 1. `exports`: the names the dynamic linker finds. A few instructions that add the caller's return address.
//! 2. `hooks`: what happens around the real function. Nothing else decides what is counted.
//! 3. `real`: the functions of the C library, or of the next preloaded library, that do the work.
//! 4. `ledger`, `hold`, `wait`: where an acquisition, a hold and a wait are entered. What a lock is called, `identity` says,
//!    with `lineage` after a fork; where it came from and how a wait came about, `origins`; a record that is not there yet, `maker` makes.
//! 5. `recorder`: what all threads share, behind a lock of our own: `part` (the file), `sites`, `modules`, `numbers`. It is
//!    started from the `environment`; `attachment` gives each thread one of its `slots`.
//! 6. `thread`: this thread's own tables, found through `tls`; `index` finds the record of a lock and a site.
//! 7. `unwind`: the stack of calls, by the program's own tables.
//! 8. `sys` and `clock`: system calls and the time without the C library, so that `errno` and interposed functions are
//!    left alone.
//!
//! # What it promises the program
//!
//! - On the way of an acquisition whose lock and site have been seen before: no system call, no allocation, no
//!   lock, no atomic read-modify-write, and no clock unless the thread has to wait anyway.
//! - At no time a call to `malloc`, to an interposed lock or to the unwinder, or output on stdout. (dlsym(3) allocates
//!   where the C library lacks a function: see `real`.)
//! - Every function returns what the real one returned.
//!
//! # What it sees
//!
//! POSIX mutexes, condition variables, reader-writer locks, spin locks, barriers and semaphores, with all their attempts,
//! deadlines and clocks; what C11's threads.h has of these; futex words that a program waits at by syscall(2), as Rust's
//! standard library does; threads from their start to their end; and, while a lock is held, system calls that may block.
//!
//! # What it does not see
//!
//! - Locks that the C library takes inside itself: those of stdio streams, of its allocator, of pthread_once(3). Locks in
//!   static executables, and of programs that make system calls without the C library (Go).
//! - Locks made of atomic operations alone, and the acquisitions of futex locks that need not wait: no call is made then.
//! - System calls that the C library makes for itself, as in fwrite(3).
//! - System V semaphores and locks on files, but for the calls that wait for them while another lock is held.
//! - Who gives a semaphore's unit back to whom. A thread that posts is taken to give back what it had taken, and else to
//!   signal; a handler that interrupts the thread which has taken a unit cannot be told from that thread.
//! - More than 64 locks that a thread holds at once: further ones are counted, and their holds are not timed.
//!
//! A thread that was started by clone(2) alone, or when a thousand others were on their way, is seen from its first lock on. If
//! that is taken in a destructor of thread-specific data, it does not give its slot back, which costs a page of memory and
//! one of the file. A thread that is cancelled in a wait leaves no figure for that wait.
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
mod clock;
mod contended;
mod elf;
mod environment;
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
mod origins;
mod part;
mod place;
mod preemption;
mod real;
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
mod tls;
mod unwind;
mod usage;
mod wait;

/// Reached by no path we know of; if one is reached after all, there is nothing sound left to go on with.
#[cfg(all(panic = "abort", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    sys::abort()
}

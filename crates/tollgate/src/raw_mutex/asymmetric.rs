//! A release that is a plain store, made safe by the waiters.
//!
//! A release must check whether a thread asks for attention, and free the lock if none does. As one atomic step, this costs as
//! much as an acquisition. As a load and then a store, it costs next to nothing, but a request that comes between the two is
//! lost, and the thread that made it sleeps forever. A load *after* the store would not lose it, if there were a barrier
//! between the two; but by then the lock may be gone, since another thread may have acquired, released and freed it.
//!
//! So the load and the store are a restartable sequence (rseq(2), Linux 4.18): if the kernel preempts or migrates a thread
//! between the two, or delivers a signal to it, the kernel aborts the sequence, and the release is an exchange instead. A thread
//! that asks for attention makes the kernel interrupt all running threads of the process (membarrier(2),
//! `PRIVATE_EXPEDITED_RSEQ`, Linux 5.10). Afterwards every release has either freed the lock or is going to see the request.
//! The release pays a handful of plain instructions; the rare thread that is about to sleep pays for both.
//!
//! The abort handler must not start the sequence again: each step of a debugger aborts it, and the release would never end.
//!
//! If the kernel or the C library does not support this (Windows, other processors), or a thread is not registered for it, a
//! release is one atomic exchange. Both kinds may be used on the same lock, as long as no waiter omits the barrier while any
//! thread may release by a store.
//!
//! # Invariants
//!
//! - **A1** A thread releases by a store only in a process in which [`prepare`] has succeeded, and only if the kernel knows
//!   the thread's rseq area (its processor's number is not negative). A child of fork(2) inherits both, and execve(2) ends
//!   both. A child that shares memory and thread pointer (vfork(2)) writes to its parent's area, which the kernel does not
//!   know as the child's: a release there may miss a request of that very moment. POSIX does not allow such a child to acquire
//!   anything.
//! - **A2** [`barrier`] returns `true` only if every release that had begun before has either stored or is going to use an
//!   exchange; if A1 permits no release by a store, this is true anyway.
//! - **A3** The descriptor of the sequence is forgotten when the sequence is left, since the code may be unloaded (dlclose(3)).
//! - **A4** The kernel may withdraw the barrier: a sandbox that was closed after [`prepare`] (seccomp(2)) refuses it. Then
//!   a release that had begun may miss the request, for as long as its store takes; the kernel still aborts a sequence that
//!   it interrupts. From the first refusal on, a thread that would rely on the request alone sleeps
//!   only briefly, and checks. A process that announces that it gives up system calls
//!   ([`wait_by_futex_alone`](crate::wait_by_futex_alone)) is treated as refused, and the kernel is not asked.
//! - **A5** A debugger may execute an instruction of the sequence at another address (gdb's displaced stepping, when it goes on
//!   from a breakpoint). The kernel takes the sequence for left, and neither a stop nor a barrier interrupts the store that
//!   follows, so it may miss a request. The heir therefore never sleeps for longer than [`longest_sleep_ns`] without checking.
//!
//! Source: M. Desnoyers, rseq(2) and membarrier(2); the aim is the same as that of biased locks: D. Dice, M. Moir, W. Scherer,
//! "Quickly Reacquirable Locks" (2003).

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(locktoll_loom))))]
mod exchange;
#[cfg(locktoll_loom)]
mod modelled;
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(locktoll_loom)))]
mod restartable;

#[cfg(not(any(all(target_arch = "x86_64", target_os = "linux"), locktoll_loom)))]
pub(super) use exchange::{barrier, try_release};
#[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(locktoll_loom))))]
pub(super) use exchange::{is_here, longest_sleep_ns, own_mark, prepare, try_acquire};
#[cfg(locktoll_loom)]
pub(super) use modelled::{Sequences, barrier, try_release};
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(locktoll_loom)))]
pub(super) use restartable::{
    barrier, is_here, longest_sleep_ns, own_mark, prepare, try_acquire, try_release,
};

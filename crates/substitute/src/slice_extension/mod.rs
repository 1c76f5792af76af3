//! The time slice extension (Linux 7.0): a thread that is preempted while it holds a lock makes all others wait for its next time
//! slice. So a thread may set a request in its area for restartable sequences (rseq(2)) while it is in a critical section. If
//! the kernel is about to preempt it, it clears the request, notes the grant, and lets the thread run for some microseconds
//! longer. A thread that finds a grant when it leaves the section gives the processor back (`rseq_slice_yield`).
//!
//! Candidates with `+slice` behind their names do this while they hold a mutex of the program. A thread that holds several makes
//! one request, from the first acquisition to the last release. A wait for a condition releases its mutex, and so ends the
//! request.
//!
//! The kernel offers it to a thread whose area was registered with the size of the kernel's features, as newer C libraries do;
//! an area of the original 32 bytes has no such offer. Where there is no offer, nothing is done.
//!
//! | file | contents |
//! |---|---|
//! | `area` | the fields of a thread's area, and whether the extension is offered in it |
//! | `calls` | the two system calls |
//! | `find` | where the C library has put the areas |
//! | `hold` | what a thread does when it begins and ends to hold mutexes |
//!
//! # Invariants
//!
//! - **E1** The kernel reads and writes a thread's area only on behalf of that thread, which runs no other code meanwhile. So
//!   plain accesses in the order of the program are enough.
//! - **E2** A thread's area lives as long as the thread.
//!
//! Source: "Restartable Sequences" in the kernel's documentation (docs.kernel.org/userspace-api/rseq.html);
//! `include/uapi/linux/rseq.h`, Linux 7.0.

mod area;
#[cfg(any(test, feature = "interpose"))]
mod calls;
#[cfg(any(test, feature = "interpose"))]
mod find;
#[cfg(any(test, feature = "interpose"))]
mod hold;

pub use area::{Area, LEAST_BYTES};
#[cfg(any(test, feature = "interpose"))]
pub use hold::{begin, end};

//! System calls without the C library.
//!
//! The C library's wrappers set `errno`, are cancellation points, and can be interposed; a hook must do none of these to the
//! program. Errors are returned as errno(3) numbers.
//!
//! # Invariants
//!
//! - **S1** `call` changes no memory of this process except through pointers given to the kernel.
//! - **S2** Every pointer passed to the kernel here is valid for the length that goes with it.

mod call;
mod files;
mod memory;
mod process;

pub use call::{Errno, GIVEN_UP, are_calls_given_up};
pub use files::{Fd, file_size_limit, open, write_stderr};
pub use memory::{discard, map_private_wiped_on_fork, prefer_large_pages, read_memory, unmap};
#[cfg(all(panic = "abort", not(test)))]
pub use process::abort;
pub use process::{
    block_signals, clock_gettime, effective_user, exit, futex_wait, futex_wake_one, parent_pid,
    pid, resource_usage, restore_signals, thread_name, tid,
};

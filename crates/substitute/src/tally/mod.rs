//! The counts that this library keeps for the program that started it, in a file that every process maps shared.
//!
//! Objects are counted at their first use, never in the course of an acquisition, so counting costs the program nothing.
//!
//! # Invariants
//!
//! - **T1** The file has [`BYTES`] bytes, which are zero at the beginning, and is written only through the atomics of
//!   [`Tally`].

mod counts;
#[cfg(any(test, feature = "interpose"))]
mod process;

pub use counts::{BYTES, OBJECTS, Object, REASONS, Reason, Tally};
#[cfg(any(test, feature = "interpose"))]
pub(crate) use process::{
    add_saved, count_failure, count_passed_through, count_process, count_real_time, count_replaced,
    count_saving_process, count_slice_extension, count_thread_with_slice_extension, is_open, open,
};

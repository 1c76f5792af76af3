//! The recording of a program's locks: its layout, the half that writes it and the half that reads it.
//!
//! A recording is one *part* or several laid end to end. A part is the file that one process mapped shared
//! and wrote in place while it ran, so that whatever ended the process, the figures up to then are in the file.
//! A part is a header page and *segments*; a segment holds records of one kind and one size. `record` merges the
//! parts of child processes by appending them, and anything learned later (names of symbols, say) is appended
//! as one more segment or part: nothing that was written is ever rewritten.
//!
//! - [`layout`]: every byte of the format, and how it may grow without a new reader.
//! - [`writer`]: the half without the standard library, for the library inside the profiled program.
//! - `reader` (feature `reader`): turns bytes, all of them taken as hostile, into plain Rust values.
//! - `appendix` (feature `reader`): names that are added to a part after the run.
//! - [`histogram`]: the power-of-two buckets that both halves agree on.
//!
//! ```
//! # #[cfg(feature = "reader")] {
//! use locktoll_recording::reader::{Recording, ReadError};
//!
//! let error = Recording::from_bytes(b"#!/bin/sh\n").unwrap_err();
//! assert!(matches!(error, ReadError::NotARecording { .. }));
//! # }
//! ```
#![no_std]

#[cfg(feature = "reader")]
extern crate std;

#[cfg(feature = "reader")]
pub mod appendix;
pub mod histogram;
pub mod layout;
#[cfg(feature = "reader")]
pub mod reader;
pub mod writer;

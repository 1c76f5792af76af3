//! The recording of a program's locks: its layout, its writer and its reader.
//!
//! A recording is one *part*, or several laid end to end. A part is the file that one process mapped shared and wrote in
//! place while it ran, so the figures up to the end of the process are in the file, however it ended. A part has a header
//! page and *segments*; a segment holds records of one kind and one size. `record` merges the parts of child processes by
//! appending them. Facts that are learned later, such as names of symbols, are appended as another segment or part. Written
//! bytes are never rewritten.
//!
//! - [`layout`]: every byte of the format, and how it may grow without a new reader.
//! - [`writer`]: without the standard library, for the library inside the recorded program.
//! - `reader` (feature `reader`): turns bytes, none of which it trusts, into plain Rust values.
//! - `appendix` (feature `reader`): names that are added to a part after the run.
//! - [`histogram`]: the power-of-two buckets of writer and reader.
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

//! The writer, for the library inside the profiled program: no standard library, no allocation, no lock.
//!
//! It gets memory and does not use files: the code that maps the file decides where segments lie.
//!
//! # Invariants
//!
//! The callers guarantee these, and the functions here rely on them:
//!
//! - **W1** The memory passed is zero, aligned to 8, as long as stated, and stays mapped and writable for as long as
//!   the writer or a reference from it lives.
//! - **W2** All others write it only through the atomics of [`layout`](crate::layout).
//! - **W3** One thread at a time appends to a segment: its owner, or the holder of the recorder's lock.

mod part;
mod ring;
mod segment;

pub use part::{PartStart, begin_part, end_part, stop_part, store_bytes};
pub use ring::RingSegment;
pub use segment::{SegmentWriter, capacity_of, segment_bytes};

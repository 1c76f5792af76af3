//! The half that writes, for the library inside the profiled program: no standard library, no allocation, no lock.
//!
//! It is given memory and knows nothing of files: whoever maps the file decides where segments lie.
//!
//! # Invariants
//!
//! The callers promise, the functions here rely on:
//!
//! - **W1** The memory handed over is zero, aligned to 8, as long as said, and stays mapped and writable for as long
//!   as the writer or a reference from it lives.
//! - **W2** Nobody else writes it through anything but the atomics of [`layout`](crate::layout).
//! - **W3** One thread at a time appends to a segment: its owner, or who holds the recorder's lock.

mod part;
mod segment;

pub use part::{PartStart, begin_part, end_part, stop_part, store_bytes};
pub use segment::{SegmentWriter, capacity_of, segment_bytes};

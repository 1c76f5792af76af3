//! The writer tested with the reader, and the reader with any input.

mod builder;
mod compact;
#[path = "../../../../tests/hostile/src/recording.rs"]
mod exercise;
mod growth;
mod header;
mod hostile;
mod live_rings;
mod places;
mod round_trip;
mod segments;

//! The writer and the reader against each other, and the reader against the world.

mod builder;
mod compact;
#[path = "../../../../tests/hostile/src/recording.rs"]
mod exercise;
mod growth;
mod hostile;
mod round_trip;

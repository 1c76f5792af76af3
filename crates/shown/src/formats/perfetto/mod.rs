//! Traces for Perfetto (ui.perfetto.dev) and its trace processor: protos/perfetto/trace of github.com/google/perfetto.
//!
//! A trace may have ten million slices, so it is written packet by packet. `message` writes fields; `sequence` writes the packets
//! of one thread, which refer to names by numbers; `lanes` lets slices nest, as the format requires; `trace` puts them together.

mod lanes;
mod message;
mod sequence;
#[cfg(test)]
mod tests;
mod trace;

pub use trace::FORMAT;

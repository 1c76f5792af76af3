//! Traces for Perfetto (ui.perfetto.dev) and its trace processor: protos/perfetto/trace of github.com/google/perfetto.
//!
//! A trace may have ten million slices, so it is written packet by packet. `message` writes fields; `sequence` writes the packets
//! of one thread, which refer to names by numbers (`seen`: those that it has used); `lanes` lets slices nest, as the format
//! requires; `off_cpu` writes the times without a CPU, `blocks` the calls that may block; `trace` puts them together.

mod blocks;
mod lanes;
mod message;
mod off_cpu;
mod seen;
mod sequence;
#[cfg(test)]
mod tests;
mod trace;

pub use trace::FORMAT;

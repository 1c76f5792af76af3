//! Profiles for the Firefox Profiler (profiler.firefox.com): its processed format, which `fxprof-processed-profile` writes,
//! gzip-compressed.
//!
//! Each thread has a marker for each wait, hold, signal, call that may block, and time without a CPU. Each wait is a sample with
//! its stack too, so that the call tree counts waits. `marker` describes the kinds of markers; `names` numbers their texts;
//! `document` puts them together.

mod document;
mod marker;
mod names;
#[cfg(test)]
mod tests;

pub use document::FORMAT;

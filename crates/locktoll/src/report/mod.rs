//! What people and scripts read: one file a form.

mod bench_json;
mod bench_result;
mod bench_text;
mod profile_json;
mod profile_text;
pub mod quantity;
mod tour;

#[cfg(test)]
mod bench_snapshots;
#[cfg(test)]
pub mod mock;

pub use bench_json::bench_json;
pub use bench_result::BenchResult;
pub use bench_text::bench_text;
pub use profile_json::json;
pub use profile_text::{TextOptions, text};
pub use tour::{TourResult, tour_json, tour_text};

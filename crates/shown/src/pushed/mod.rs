//! Profiles of an interval, as servers of profiles take them: `interval` as pprof, `otlp` as OTLP.

mod interval;
mod otlp;

pub use interval::Interval;
pub use otlp::{PATH as OTLP_PATH, Resource};

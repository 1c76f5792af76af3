//! Profiles of an interval, as servers of profiles take them: `interval` as pprof, `otlp` as OTLP. `otlp_answer`: what servers of OTLP answer.

mod interval;
mod otlp;
mod otlp_answer;

pub use interval::Interval;
pub use otlp::{GRPC_PATH as OTLP_GRPC_PATH, PATH as OTLP_PATH, Resource, VERSION as OTLP_VERSION};
pub use otlp_answer::{Refusal, Remark};

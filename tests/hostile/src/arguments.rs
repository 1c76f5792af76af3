//! The languages of flags, compiled here from the verbs' own files: all that they need of the verbs is each other, and the verbs with
//! all that they are made of would be most of a build of the fuzz targets.

#[expect(dead_code, reason = "not every flag's language is fuzzed")]
#[path = "../../../crates/verbs/src/arguments"]
mod inner {
    pub mod arrival;
    pub mod list;
    pub mod live;
    pub mod time;
}

#[path = "../../../crates/verbs/src/compare/rule/parse.rs"]
pub mod rule;

#[expect(dead_code, reason = "a server is also awaited without a flag")]
#[path = "../../../crates/verbs/src/trial/process"]
pub mod trial {
    pub mod pattern;
    pub mod ready;
}

pub use inner::arrival::parse_arrival;
pub use inner::list::{List, Numbers};
pub use inner::live::parse_interval;
pub use inner::time::{Times, UNITS_OF_TIME};

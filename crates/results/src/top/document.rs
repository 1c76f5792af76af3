//! One line.

use serde::Serialize;

use super::Interval;

/// An interval with the name of its schema.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Top<'a> {
    /// `locktoll.top/1`.
    pub schema: &'static str,
    /// The interval.
    #[serde(flatten)]
    pub interval: &'a Interval,
}

impl<'a> Top<'a> {
    /// Names the schema of an interval.
    pub fn of(interval: &'a Interval) -> Self {
        Self {
            schema: "locktoll.top/1",
            interval,
        }
    }
}

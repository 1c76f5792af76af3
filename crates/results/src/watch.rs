//! What `machine --watch` saw in an interval: the schema `locktoll.watch/1`, a line of JSON for each.

use locktoll_lab::watch::{Interval, Limits};
use serde::Serialize;

/// An interval, and what was watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Watch<'a> {
    /// `locktoll.watch/1`.
    pub schema: &'static str,
    /// The watched process; absent if the machine is watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// How often `/proc` was read in the interval.
    pub looks: u32,
    /// The interval.
    #[serde(flatten)]
    pub interval: &'a Interval,
    /// The limits of the sources here; only in the first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<&'a Limits>,
}

//! The reasons why a setting cannot run.

use std::fmt;

/// Longest hold, think time or slice: an hour, in nanoseconds.
const MAX_TIME_NS: u64 = 3_600_000_000_000;

/// A setting that cannot run; the text says which values are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// One line without knobs, such as one about an unknown lock.
    Text(String),
    /// One line with knobs in braces: `{hold} 2h is out of range`.
    Knobs(String),
}

impl Invalid {
    /// Returns the line, with each knob named by `called`: the lab does not know how users set it.
    pub fn text(&self, called: impl Fn(&str) -> String) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Knobs(text) => {
                let mut line = String::new();
                let mut rest = text.as_str();
                while let Some((before, after)) = rest.split_once('{')
                    && let Some((knob, after)) = after.split_once('}')
                {
                    line.push_str(before);
                    line.push_str(&called(knob));
                    rest = after;
                }
                line + rest
            }
        }
    }
}

/// Writes the knobs by their own names.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(str::to_owned))
    }
}

impl std::error::Error for Invalid {}

pub(crate) fn wrong<T>(text: impl Into<String>) -> Result<T, Invalid> {
    Err(Invalid::Knobs(text.into()))
}

/// Checks that a time is from `low_ns` to an hour.
pub(super) fn within_time(knob: &str, ns: u64, low_ns: u64) -> Result<(), Invalid> {
    let seconds = |ns: u64| match ns {
        0 => "0".to_owned(),
        1..1_000_000_000 => format!("{}ms", ns as f64 / 1e6),
        _ => format!("{}s", ns / 1_000_000_000),
    };
    match (low_ns..=MAX_TIME_NS).contains(&ns) {
        true => Ok(()),
        false => wrong(format!(
            "{{{knob}}} {} is out of range; accepted: {} to {}",
            seconds(ns),
            seconds(low_ns),
            seconds(MAX_TIME_NS)
        )),
    }
}

/// Checks that a value is in `low..=high`.
pub(crate) fn within<T: PartialOrd + Copy + fmt::Display>(
    knob: &str,
    value: T,
    low: T,
    high: T,
) -> Result<(), Invalid> {
    // Written so that a NaN is refused too.
    match low <= value && value <= high {
        true => Ok(()),
        false => wrong(format!(
            "{{{knob}}} {value} is out of range; accepted: {low} to {high}"
        )),
    }
}

//! Times and reasons in words.

use std::time::Duration;

use crate::report::WhyDropped;
use crate::report::quantity::duration;

/// A stretch of time as people say it: `40 s`, `4 min`, `2.5 h`; rounded up, since it is promised.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..1.0 => duration(seconds * 1e9),
        ..9.95 => format!("{} s", (seconds * 10.0).ceil() / 10.0),
        ..100.0 => format!("{} s", seconds.ceil()),
        ..6000.0 => format!("{} min", (seconds / 60.0).ceil()),
        _ => format!("{} h", (seconds / 360.0).ceil() / 10.0),
    }
}

/// What happened to a candidate, or to bare, as the rest of a sentence.
pub fn why_dropped(why: &WhyDropped) -> String {
    match why {
        WhyDropped::ClearlyWorse => "it is clearly worse".to_owned(),
        WhyDropped::Signal { number, name, .. } => {
            format!("the program was ended by {name} (signal {number})")
        }
        WhyDropped::ExitCode { code, .. } => {
            format!("the program ended with exit code {code}, which it does not on its own locks")
        }
        WhyDropped::TimeLimit { limit_ns } => {
            format!(
                "the program was not done within {} and was ended",
                span(Duration::from_nanos(*limit_ns))
            )
        }
        WhyDropped::Load { reason } | WhyDropped::NotReplaced { reason } => reason.clone(),
    }
}

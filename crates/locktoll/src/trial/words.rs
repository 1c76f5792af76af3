//! Times and reasons in words.

use std::time::Duration;

use crate::profile::shown_text;
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
        WhyDropped::Load { reason } | WhyDropped::NotReplaced { reason } => shown_text(reason),
    }
}

/// The same, with the last line that the program said.
pub fn why_and_last_words(why: &WhyDropped) -> String {
    let said = match why {
        WhyDropped::Signal { said, .. } | WhyDropped::ExitCode { said, .. } => said.as_deref(),
        _ => None,
    };
    let last = said.and_then(|said| said.lines().rev().find(|line| !line.trim().is_empty()));
    match last {
        Some(line) => format!(
            "{}; it said last: {}",
            why_dropped(why),
            shown_text(line.trim())
        ),
        None => why_dropped(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_rounded_up() {
        for (milliseconds, expected) in [
            (0, "0"),
            (20, "20.0 ms"),
            (1_000, "1 s"),
            (4_210, "4.3 s"),
            (42_000, "42 s"),
            (99_001, "100 s"),
            (101_000, "2 min"),
            (600_000, "10 min"),
            (9_000_001, "2.6 h"),
        ] {
            assert_eq!(span(Duration::from_millis(milliseconds)), expected);
        }
    }

    #[test]
    fn last_words_obey_no_terminal() {
        let why = WhyDropped::ExitCode {
            code: 1,
            said: Some("first\n\x1b[2Jlast\n\n".to_owned()),
        };
        let words = why_and_last_words(&why);
        assert!(words.ends_with("it said last: \\u{1b}[2Jlast"), "{words}");
    }
}

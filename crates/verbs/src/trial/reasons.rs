//! The reason why a candidate was dropped or bare failed, as the rest of a sentence.

use locktoll_results::trial::WhyDropped;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::duration;

/// Says what happened to a candidate or to bare, as the rest of a sentence.
pub fn why_dropped(why: &WhyDropped) -> String {
    match why {
        WhyDropped::ClearlyWorse => "it is clearly worse".to_owned(),
        WhyDropped::Signal { number, name, .. } => {
            format!("the program was killed by {name} (signal {number})")
        }
        WhyDropped::ExitCode { code, .. } => {
            format!("the program exited with code {code}; unmodified, it does not")
        }
        WhyDropped::TimeLimit { limit_ns } => {
            format!(
                "the program did not finish within {} and was killed",
                duration(*limit_ns as f64)
            )
        }
        WhyDropped::Load { reason } | WhyDropped::NotReplaced { reason } => shown_text(reason),
    }
}

/// The same, with the last line that the program printed.
pub fn why_and_last_words(why: &WhyDropped) -> String {
    let said = match why {
        WhyDropped::Signal { said, .. } | WhyDropped::ExitCode { said, .. } => said.as_deref(),
        _ => None,
    };
    let last = said.and_then(|said| said.lines().rev().find(|line| !line.trim().is_empty()));
    match last {
        Some(line) => format!(
            "{}; its last output: {}",
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
    fn last_words_obey_no_terminal() {
        let why = WhyDropped::ExitCode {
            code: 1,
            said: Some("first\n\x1b[2Jlast\n\n".to_owned()),
        };
        let words = why_and_last_words(&why);
        assert!(
            words.ends_with("its last output: \\u{1b}[2Jlast"),
            "{words}"
        );
    }
}

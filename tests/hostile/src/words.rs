//! Values of flags, whose languages have files (`--fail-if` in a job's script) and people behind them.

use crate::arguments::rule::Rule;
use crate::arguments::{List, Numbers, Times, parse_arrival, parse_interval};
use locktoll_lab::cell::Arrival;
use locktoll_terminal::escape::{quoted, shown_text};

/// Takes `bytes` for the value of each flag that has a language of its own.
pub fn exercise(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    if let Ok(rule) = text.parse::<Rule>() {
        assert!(!rule.conditions.is_empty());
        // As messages quote it.
        assert_eq!(rule.text.parse::<Rule>().as_ref(), Ok(&rule));
    }
    if let Ok(numbers) = text.parse::<Numbers>() {
        assert!(!numbers.0.is_empty());
    }
    if let Ok(times) = text.parse::<Times>() {
        assert!(!times.0.is_empty());
    }
    let _ = text.parse::<List<f64>>();
    let _ = text.parse::<List<String>>();
    let _ = parse_interval(text);
    if let Ok(Arrival::Open { per_second }) = parse_arrival(text) {
        assert!(per_second.is_finite() && per_second > 0.0);
    }
    // As one word of a command that a message proposes, or of the one that `--load` hands to a shell.
    assert_eq!(unquoted(&quoted(text)).as_deref(), Some(text));
    assert!(!shown_text(text).chars().any(char::is_control));
}

/// The one word that a POSIX shell makes of `text`; `None` if it makes something else of it.
fn unquoted(text: &str) -> Option<String> {
    let mut word = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => loop {
                match characters.next()? {
                    '\'' => break,
                    within => word.push(within),
                }
            },
            '\\' => word.push(characters.next()?),
            // Separates, expands, redirects, or ends a command.
            special if special.is_whitespace() || "|&;<>()$`\"*?[]#~{}!".contains(special) => {
                return None;
            }
            plain => word.push(plain),
        }
    }
    (!text.is_empty()).then_some(word)
}

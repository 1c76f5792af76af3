//! Values of flags, whose languages have files (`--fail-if` in a job's script) and people behind them.

use crate::arguments::rule::Rule;
use crate::arguments::{List, Numbers, Times, parse_interval};

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
}

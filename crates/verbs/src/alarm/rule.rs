//! The language of `--alert`.

use crate::arguments::time_of;
use locktoll_results::profile::AlertKind;
use locktoll_sources::alerts::Rule;

/// Reads an alert's condition: `hold>100ms`, `wait>1s`.
pub fn parse_rule(text: &str) -> Result<Rule, String> {
    const ACCEPTED: &str = "hold or wait, > and a time with a unit, such as hold>100ms or wait>1s";
    let (word, time) = text
        .split_once('>')
        .ok_or_else(|| format!("'{text}' is not a condition; accepted: {ACCEPTED}"))?;
    let kind = match word.trim() {
        "hold" => AlertKind::Hold,
        "wait" => AlertKind::Wait,
        other => return Err(format!("'{other}' is not known; accepted: {ACCEPTED}")),
    };
    let longer_than_ns = time_of(time, ACCEPTED)?;
    if longer_than_ns == 0 {
        return Err(format!(
            "a time of zero would report everything; accepted: {ACCEPTED}"
        ));
    }
    Ok(Rule {
        kind,
        longer_than_ns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_a_word_and_a_time() {
        let hold = parse_rule("hold>100ms").unwrap();
        assert_eq!(
            (hold.kind, hold.longer_than_ns),
            (AlertKind::Hold, 100_000_000)
        );
        let wait = parse_rule("wait > 1s").unwrap();
        assert_eq!(
            (wait.kind, wait.longer_than_ns),
            (AlertKind::Wait, 1_000_000_000)
        );
        for wrong in [
            "hold>5", "sleep>1s", "hold>0", "hold>0ms", "hold", "hold<1s", "hold>-1s", "",
        ] {
            let refusal = parse_rule(wrong).unwrap_err();
            assert!(refusal.contains("hold>100ms"), "{wrong}: {refusal}");
        }
    }
}

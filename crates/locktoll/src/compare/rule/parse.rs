//! From words to a rule.

use std::str::FromStr;

use crate::report::RowVerdict;

/// What is accepted, for messages.
const ACCEPTED: &str = "accepted: a figure and a bound such as wait_ns>1.2x, p99_ns>50us, wait_ns[journal_lock]>1.2x, \
                        several joined by `and`; or one of slower, faster, changed, only_a, only_b";

/// Accepted units of time and what each is in nanoseconds.
const UNITS: [(&str, f64); 5] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
];

/// Something that must not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// As it was given.
    pub text: String,
    /// Which rows it is about; `None` is about all.
    pub rows: Option<String>,
    /// What breaks it when all are true of one row. Never empty.
    pub conditions: Vec<Condition>,
}

/// One condition of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A figure lies beyond a bound.
    Beyond {
        /// Its name.
        figure: String,
        /// On which side of the bound.
        side: Side,
        /// The bound.
        amount: Amount,
    },
    /// A row has this verdict.
    Is(RowVerdict),
}

/// On which side of a bound a figure breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `>`
    Above,
    /// `<`
    Below,
}

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Of B over A.
    Factor(f64),
    /// Of B, nanoseconds.
    Ns(f64),
    /// Of B, in the figure's own unit, which is no time.
    Plain(f64),
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rule = Self {
            text: text.trim().to_owned(),
            rows: None,
            conditions: Vec::new(),
        };
        for part in conditions(text) {
            let (condition, rows) = condition(part)?;
            if rows.is_some() && rule.rows.is_some() {
                return Err(format!(
                    "'{}' chooses its rows twice; one [..] is for all of its conditions",
                    rule.text
                ));
            }
            rule.rows = rule.rows.or(rows);
            rule.conditions.push(condition);
        }
        Ok(rule)
    }
}

/// The pieces between `and`s; what is in brackets is a name, whatever words it has.
fn conditions(text: &str) -> Vec<&str> {
    const AND: &str = "and";
    let mut pieces = Vec::new();
    let (mut begin, mut depth) = (0, 0_u32);
    for (at, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_word = at >= begin
            && depth == 0
            && text[at..].starts_with(AND)
            && text[..at].ends_with(char::is_whitespace)
            && text[at + AND.len()..].starts_with(char::is_whitespace);
        if is_word {
            pieces.push(&text[begin..at]);
            begin = at + AND.len();
        }
    }
    pieces.push(&text[begin..]);
    pieces
}

/// One condition, and the rows it names.
fn condition(text: &str) -> Result<(Condition, Option<String>), String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("a condition is empty; {ACCEPTED}"));
    }
    let name_ends = text
        .find(|it: char| !(it.is_ascii_alphanumeric() || it == '_'))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(name_ends);
    if name.is_empty() {
        return Err(format!("'{text}' begins with no name; {ACCEPTED}"));
    }
    let (rows, rest) = rows(rest.trim_start())?;
    let rest = rest.trim();
    if let Some(verdict) = RowVerdict::NAMED.into_iter().find(|it| it.word() == name) {
        if !rest.is_empty() {
            return Err(format!(
                "'{name}' is a verdict and stands alone, without '{rest}'; {ACCEPTED}"
            ));
        }
        return Ok((Condition::Is(verdict), rows));
    }
    let side = match rest.chars().next() {
        Some('>') => Side::Above,
        Some('<') => Side::Below,
        _ => return Err(format!("'{text}' says neither > nor <; {ACCEPTED}")),
    };
    let amount = amount(rest[1..].trim())?;
    let figure = name.to_owned();
    Ok((
        Condition::Beyond {
            figure,
            side,
            amount,
        },
        rows,
    ))
}

/// The text in the brackets at the beginning, if there are any, and what follows. Names may have brackets of their own.
fn rows(text: &str) -> Result<(Option<String>, &str), String> {
    if !text.starts_with('[') {
        return Ok((None, text));
    }
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let inside = text[1..at].trim();
            if inside.is_empty() {
                return Err(format!(
                    "'{text}' names no rows between its brackets; {ACCEPTED}"
                ));
            }
            return Ok((Some(inside.to_owned()), &text[at + 1..]));
        }
    }
    Err(format!(
        "'{text}' has a bracket that is not closed; {ACCEPTED}"
    ))
}

/// `1.2x`, `50us`, `100`.
fn amount(text: &str) -> Result<Amount, String> {
    let unit_at = text
        .find(|it: char| !(it.is_ascii_digit() || it == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let number: f64 = number
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| format!("'{text}' is no bound; {ACCEPTED}"))?;
    let unit = unit.trim();
    if unit == "x" {
        return if number > 0.0 {
            Ok(Amount::Factor(number))
        } else {
            Err("a factor of 0x is no bound; give one above 0, such as 1.2x".to_owned())
        };
    }
    if unit.is_empty() {
        return Ok(Amount::Plain(number));
    }
    let known = UNITS.into_iter().find(|(name, _)| *name == unit);
    known
        .map(|(_, ns)| Amount::Ns(number * ns))
        .ok_or_else(|| format!("'{unit}' is no unit; accepted: x for a ratio, ns, us, ms, s for a time, none for a number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Rule {
        text.parse().unwrap()
    }

    fn beyond(figure: &str, side: Side, amount: Amount) -> Condition {
        Condition::Beyond {
            figure: figure.to_owned(),
            side,
            amount,
        }
    }

    #[test]
    fn every_sort_of_rule_reads() {
        let rule = read("wait_ns>1.2x");
        assert_eq!(
            rule.conditions,
            [beyond("wait_ns", Side::Above, Amount::Factor(1.2))]
        );
        assert_eq!(rule.rows, None);
        let rule = read(" p99_ns [pthread, list, 8 threads] > 1.5 us ");
        assert_eq!(
            rule.conditions,
            [beyond("p99_ns", Side::Above, Amount::Ns(1500.0))]
        );
        assert_eq!(rule.rows.as_deref(), Some("pthread, list, 8 threads"));
        let rule = read("ops_per_second<0.9x and contended[slots[]]>100");
        assert_eq!(
            rule.conditions,
            [
                beyond("ops_per_second", Side::Below, Amount::Factor(0.9)),
                beyond("contended", Side::Above, Amount::Plain(100.0))
            ]
        );
        assert_eq!(rule.rows.as_deref(), Some("slots[]"));
        assert_eq!(
            read("slower").conditions,
            [Condition::Is(RowVerdict::Slower)]
        );
        assert_eq!(
            read("only_a[read and write]").rows.as_deref(),
            Some("read and write")
        );
    }

    #[test]
    fn what_is_no_rule_says_what_is() {
        for (text, expected) in [
            ("", "empty"),
            ("wait_ns", "neither > nor <"),
            ("wait_ns=1.2x", "neither > nor <"),
            ("wait_ns>", "no bound"),
            ("wait_ns>fast", "no bound"),
            ("wait_ns>1.2.3x", "no bound"),
            ("wait_ns>-1x", "no bound"),
            ("wait_ns>1.2y", "no unit"),
            ("wait_ns>0x", "above 0"),
            ("wait_ns[x>1.2x", "not closed"),
            ("wait_ns[]>1.2x", "names no rows"),
            (">1.2x", "no name"),
            ("slower>1.2x", "stands alone"),
            ("wait_ns>1x and ", "empty"),
            ("wait_ns[a]>1x and wait_ns[b]>1ms", "twice"),
        ] {
            let error = text.parse::<Rule>().unwrap_err();
            assert!(error.contains(expected), "{text:?}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_rule_or_one_line(text in "\\PC{0,40}") {
            if let Err(error) = text.parse::<Rule>() {
                prop_assert!(!error.is_empty() && !error.contains('\n'));
            }
        }

        #[test]
        fn nearly_rules_are_rules_or_one_line(text in "(wait_ns|slower|and| |\\[|\\]|>|<|1|\\.|x|us|é){0,12}") {
            if let Err(error) = text.parse::<Rule>() {
                prop_assert!(!error.is_empty() && !error.contains('\n'));
            }
        }

        #[test]
        fn what_is_written_is_read_back(
            figure in "[a-z][a-z0-9_]{0,20}",
            rows in prop::option::of("[a-z:+#.][a-z :+#.]{0,10}[a-z]"),
            above in any::<bool>(),
            number in 0.001f64..1e6,
            unit in prop::sample::select(vec!["x", "", "ns", "us", "ms", "s"]),
        ) {
            prop_assume!(RowVerdict::NAMED.iter().all(|it| it.word() != figure));
            let number: f64 = format!("{number:.3}").parse().unwrap();
            prop_assume!(number > 0.0);
            let chosen = rows.as_ref().map_or_else(String::new, |rows| format!("[{rows}]"));
            let rule = read(&format!("{figure}{chosen}{}{number:.3}{unit}", if above { '>' } else { '<' }));
            let amount = match unit {
                "x" => Amount::Factor(number),
                "" => Amount::Plain(number),
                "ns" => Amount::Ns(number),
                "us" => Amount::Ns(number * 1e3),
                "ms" => Amount::Ns(number * 1e6),
                _ => Amount::Ns(number * 1e9),
            };
            prop_assert_eq!(rule.rows, rows);
            prop_assert_eq!(
                &rule.conditions[..],
                &[beyond(&figure, if above { Side::Above } else { Side::Below }, amount)]
            );
        }
    }
}

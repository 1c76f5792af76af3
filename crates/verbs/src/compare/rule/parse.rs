//! Parses rules.

use std::str::FromStr;

use crate::arguments::UNITS_OF_TIME;
use locktoll_results::comparison::RowVerdict;

/// What is accepted, for messages.
const ACCEPTED: &str = "accepted: slower, faster, changed, only_a, only_b, or a figure and a bound, in quotes for the shell: \
                        'ns_per_op>1.2x' for a bench, 'wait_ns[journal_lock]>50us' for recordings; join several with `and`";

/// A rule: a change that must not happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The text of the rule.
    pub text: String,
    /// The rows that it applies to; `None` for all rows.
    pub rows: Option<String>,
    /// The conditions; the rule is broken if all are true of one row. Never empty.
    pub conditions: Vec<Condition>,
}

/// One condition of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A figure lies beyond a bound.
    Beyond {
        /// The name of the figure.
        figure: String,
        /// The side of the bound that breaks the rule.
        side: Side,
        /// The bound.
        amount: Amount,
    },
    /// A row has this verdict.
    Is(RowVerdict),
}

/// The side of a bound on which a figure breaks a rule.
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
    /// For the ratio of B to A.
    Factor(f64),
    /// For the figure in B, nanoseconds.
    Ns(f64),
    /// For the figure in B, in its own unit, which is not a time.
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
                    "'{}' selects rows twice; one [..] applies to all of its conditions",
                    rule.text
                ));
            }
            rule.rows = rule.rows.or(rows);
            rule.conditions.push(condition);
        }
        Ok(rule)
    }
}

/// Splits a rule at each `and`; text in brackets is a name, whatever words it contains.
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

/// Parses one condition and the rows it names.
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
        return Err(format!("'{text}' does not begin with a name; {ACCEPTED}"));
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
        None => return Err(format!("'{text}' is not a rule; {ACCEPTED}")),
        Some(_) => {
            return Err(format!(
                "'{text}' is not a rule: neither > nor < follows '{name}'; {ACCEPTED}"
            ));
        }
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

/// Returns the text in brackets at the beginning, if there is any, and the rest. Names may contain brackets.
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

/// Parses an amount: `1.2x`, `50us`, `100`.
fn amount(text: &str) -> Result<Amount, String> {
    let unit_at = text
        .find(|it: char| !(it.is_ascii_digit() || it == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let number: f64 = number
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| format!("'{text}' is not a bound; {ACCEPTED}"))?;
    let unit = unit.trim();
    if unit == "x" {
        return if number > 0.0 {
            Ok(Amount::Factor(number))
        } else {
            Err("0x is not a bound; accepted: a factor above 0, such as 1.2x".to_owned())
        };
    }
    if unit.is_empty() {
        return Ok(Amount::Plain(number));
    }
    let known = UNITS_OF_TIME.into_iter().find(|(name, _)| *name == unit);
    known
        .map(|(_, ns)| Amount::Ns(number * ns))
        .ok_or_else(|| format!("'{unit}' is not a unit; accepted: x for a ratio, ns, us, ms, s for a time, none for a number"))
}

#[cfg(test)]
mod tests;

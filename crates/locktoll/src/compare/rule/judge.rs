//! Which rows break a rule.

use super::{Amount, Condition, Rule, Side};
use crate::compare::between::{metrics, names};
use crate::compare::measure::Metric;
use crate::exit::Failure;
use crate::profile::shown_text;
use crate::report::{Comparison, Figure, Row, RuleOutcome, Unit, amount, ratio};

/// What became of a rule.
#[derive(Debug)]
pub struct Judged {
    /// For the document.
    pub outcome: RuleOutcome,
    /// For each row that broke it, a line that says how.
    pub lines: Vec<String>,
}

/// What a condition says of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// It is true.
    Yes,
    /// It is not.
    No,
    /// One side does not have the figure.
    Unknown,
    /// The row is of another sort, and has no such figure on either side.
    NotAbout,
}

/// Judges a rule.
///
/// # Errors
/// [`Failure::Usage`] for a figure that such results do not have, a unit that it is not counted in, or a choice of rows
/// that chooses none: such a rule could never be broken.
pub fn judge(rule: &Rule, comparison: &Comparison) -> Result<Judged, Failure> {
    check(rule, comparison)?;
    let mut judged = Judged {
        outcome: RuleOutcome {
            rule: rule.text.clone(),
            broken_by: Vec::new(),
            unjudged: Vec::new(),
        },
        lines: Vec::new(),
    };
    for row in chosen(rule, comparison)? {
        let answers: Vec<Answer> = rule
            .conditions
            .iter()
            .map(|condition| answer(condition, row))
            .collect();
        if answers.contains(&Answer::No) || answers.contains(&Answer::NotAbout) {
            continue;
        }
        if answers.contains(&Answer::Unknown) {
            judged.outcome.unjudged.push(row.key.clone());
        } else {
            judged.outcome.broken_by.push(row.key.clone());
            judged.lines.push(line(rule, row));
        }
    }
    Ok(judged)
}

fn check(rule: &Rule, comparison: &Comparison) -> Result<(), Failure> {
    let known = metrics(comparison.kind);
    for condition in &rule.conditions {
        let Condition::Beyond { figure, amount, .. } = condition else {
            continue;
        };
        let metric: Option<&Metric> = known.iter().find(|metric| metric.name == figure);
        let Some(metric) = metric else {
            return Err(Failure::Usage(format!(
                "--fail-if '{}': '{figure}' is no figure of {}; accepted: {}",
                rule.text,
                comparison.kind.described(),
                names(&known)
            )));
        };
        let wrong = match (amount, metric.unit) {
            (Amount::Ns(_), Unit::Ns) | (Amount::Factor(_), _) => None,
            (Amount::Ns(_), _) => {
                Some("is no time; give a number without a unit, or a factor such as 1.2x")
            }
            (Amount::Plain(_), Unit::Ns) => {
                Some("is a time; give a number with a unit, such as 50us, or a factor such as 1.2x")
            }
            (Amount::Plain(_), _) => None,
        };
        if let Some(wrong) = wrong {
            return Err(Failure::Usage(format!(
                "--fail-if '{}': {figure} {wrong}",
                rule.text
            )));
        }
    }
    Ok(())
}

/// The rows that a rule is about: those whose key or name is what it says, else those that have it in them.
fn chosen<'c>(rule: &Rule, comparison: &'c Comparison) -> Result<Vec<&'c Row>, Failure> {
    let all = comparison.rows.iter();
    let Some(asked) = &rule.rows else {
        return Ok(all.collect());
    };
    let whole: Vec<&Row> = all
        .clone()
        .filter(|row| row.key == *asked || row.name == *asked)
        .collect();
    if !whole.is_empty() {
        return Ok(whole);
    }
    let part: Vec<&Row> = all
        .filter(|row| row.key.contains(asked.as_str()) || row.name.contains(asked.as_str()))
        .collect();
    if !part.is_empty() {
        return Ok(part);
    }
    /// Names in a message.
    const NAMED: usize = 5;
    let there: Vec<&str> = comparison
        .rows
        .iter()
        .take(NAMED)
        .map(|row| row.key.as_str())
        .collect();
    Err(Failure::Usage(format!(
        "--fail-if '{}': no row of A or B has '{}' in its name; there are, among others: {}",
        shown_text(&rule.text),
        shown_text(asked),
        there.join(", ")
    )))
}

fn answer(condition: &Condition, row: &Row) -> Answer {
    let yes = |it: bool| if it { Answer::Yes } else { Answer::No };
    match condition {
        Condition::Is(verdict) => yes(row.verdict == *verdict),
        Condition::Beyond {
            figure,
            side,
            amount,
        } => {
            let found = row.metrics.iter().find(|it| it.name == *figure);
            match (found, amount) {
                (None, _) => Answer::NotAbout,
                (Some(found), Amount::Factor(factor)) => of_ratio(found, *side, *factor, row.noise),
                (Some(found), Amount::Ns(bound) | Amount::Plain(bound)) => match found.b {
                    None => Answer::Unknown,
                    // All of the interval, which of one run is the figure itself.
                    Some(b) => yes(match side {
                        Side::Above => b.low > *bound,
                        Side::Below => b.high < *bound,
                    }),
                },
            }
        }
    }
}

/// Whether B over A lies beyond a factor, and beyond what equal things differed by.
fn of_ratio(figure: &Figure, side: Side, factor: f64, noise: f64) -> Answer {
    let (Some(a), Some(b), Some(ratio)) = (figure.a, figure.b, &figure.ratio) else {
        return Answer::Unknown;
    };
    let beyond = match side {
        // From nothing to something: any factor, though there is no number for it.
        Side::Above if a.high == 0.0 && b.low > 0.0 => true,
        Side::Above => ratio.lies_above(factor.max(noise)),
        Side::Below => ratio.lies_below(factor.min(1.0 / noise)),
    };
    if beyond { Answer::Yes } else { Answer::No }
}

/// How a row broke a rule.
fn line(rule: &Rule, row: &Row) -> String {
    let name = match row.name.is_empty() || row.key.contains(&row.name) {
        true => row.key.clone(),
        false => format!("{} ({})", row.name, row.key),
    };
    let figures: Vec<String> = rule
        .conditions
        .iter()
        .filter_map(|condition| match condition {
            Condition::Is(_) => Some((row.metrics.iter().find(|it| it.name == row.metric))?),
            Condition::Beyond { figure, .. } => row.metrics.iter().find(|it| it.name == *figure),
        })
        .map(|figure| {
            let side = |it: Option<_>| {
                it.map_or_else(|| "nothing".to_owned(), |it| amount(figure.unit, it))
            };
            let (a, b) = (side(figure.a), side(figure.b));
            let ratio = figure.ratio.as_ref().map(|it| format!(", {}", ratio(it)));
            format!(
                "{} from {a} to {b}{}",
                figure.name,
                ratio.unwrap_or_default()
            )
        })
        .collect();
    format!(
        "'{}' is broken by {name}: {}",
        rule.text,
        figures.join(", ")
    )
}

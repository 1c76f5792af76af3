//! The rows that break a rule.

use super::answer::{Answer, says_by_itself, together};
use super::chance::remaining;
use super::rows::chosen;
use super::why::Why;
use super::{Amount, Condition, Rule};
use crate::compare::between::{metrics, names};
use crate::compare::measure::Metric;
use locktoll_results::comparison::{Comparison, Row, RowVerdict, RuleOutcome, Unit};
use locktoll_shown::{amount, ratio};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::quantity::counted;

/// The result of judging a rule.
#[derive(Debug)]
pub struct Judged {
    /// The part for the document.
    pub outcome: RuleOutcome,
    /// For each row that broke the rule, a line that says how.
    pub lines: Vec<String>,
}

/// Judges a rule.
///
/// # Errors
/// [`Failure::Usage`] for a figure that such results, or the selected rows, do not have, for a unit that does not fit the figure,
/// and for a selection that matches no row: such a rule could never be broken.
pub fn judge(rule: &Rule, comparison: &Comparison) -> Result<Judged, Failure> {
    check(rule, comparison)?;
    let mut judged = Judged {
        outcome: RuleOutcome {
            rule: rule.text.clone(),
            broken_by: Vec::new(),
            unjudged: Vec::new(),
            unjudged_why: Vec::new(),
            judged: 0,
        },
        lines: Vec::new(),
    };
    let chosen = chosen(rule, comparison)?;
    let stand_in = comparison.a.stand_in.is_some() || comparison.b.stand_in.is_some();
    let mut answers: Vec<(&Row, Answer)> = chosen
        .iter()
        .map(|row| (*row, together(rule, row, comparison.kind)))
        .map(|(row, answer)| match (answer, stand_in) {
            (Answer::NotAbout | Answer::Unknown(Why::Missing), _) | (_, false) => (row, answer),
            // A stand-in is a more fundamental reason than any that more runs or another bound would remove.
            (_, true) => (row, Answer::Unknown(Why::StandIn)),
        })
        .collect();
    if !chosen.is_empty() && answers.iter().all(|(_, it)| *it == Answer::NotAbout) {
        return Err(Failure::Usage(format!(
            "--fail-if '{}': none of the matching rows ({} of {}) has this figure, so the rule can never fail",
            shown_text(&rule.text),
            chosen.len(),
            comparison.rows.len()
        )));
    }
    if rule.conditions.iter().any(is_of_chance) {
        let rows: Vec<&mut (&Row, Answer)> = answers
            .iter_mut()
            .filter(|(_, it)| matches!(it, Answer::Yes | Answer::No))
            .filter(|(row, _)| row.ratio.is_some() && !says_by_itself(row, comparison.kind))
            .collect();
        let remain = remaining(&rows.iter().map(|(row, _)| *row).collect::<Vec<_>>());
        for ((_, answer), remains) in rows.into_iter().zip(remain) {
            if *answer == Answer::Yes && !remains {
                *answer = Answer::Unknown(Why::Chance);
            }
        }
    }
    let mut causes: Vec<(Why, usize)> = Vec::new();
    for (row, answer) in answers {
        match answer {
            Answer::NotAbout => {}
            Answer::No => judged.outcome.judged += 1,
            Answer::Yes => {
                judged.outcome.judged += 1;
                judged.outcome.broken_by.push(row.key.clone());
                judged.lines.push(line(rule, row));
            }
            Answer::Unknown(why) => {
                judged.outcome.unjudged.push(row.key.clone());
                match causes.iter_mut().find(|(cause, _)| *cause == why) {
                    Some((_, rows)) => *rows += 1,
                    None => causes.push((why, 1)),
                }
            }
        }
    }
    judged.outcome.unjudged_why = causes
        .into_iter()
        .map(|(why, rows)| format!("{}: {}", counted(rows as u64, "row", "rows"), why.words()))
        .collect();
    Ok(judged)
}

/// Whether the condition is a verdict that a row may have by chance.
fn is_of_chance(condition: &Condition) -> bool {
    matches!(condition, Condition::Is(it) if !matches!(it, RowVerdict::OnlyA | RowVerdict::OnlyB))
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
                "--fail-if '{}': '{figure}' is not a figure of {}; accepted: {}",
                rule.text,
                comparison.kind.described(),
                names(&known)
            )));
        };
        let wrong = match (amount, metric.unit) {
            (Amount::Ns(_), Unit::Ns) | (Amount::Factor(_), _) => None,
            (Amount::Ns(_), _) => {
                Some("is not a time; give a number without a unit, or a factor such as 1.2x")
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

/// Describes how a row broke a rule.
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

//! Which rows break a rule.

use locktoll_lab::stats::least_confidence;

use super::chance::remaining;
use super::why::Why;
use super::{Amount, Condition, Rule, Side};
use crate::compare::between::{metrics, names};
use crate::compare::measure::Metric;
use crate::compare::reproduction::is_decided;
use crate::exit::Failure;
use crate::profile::shown_text;
use crate::report::quantity::counted;
use crate::report::{
    Better, Comparison, Figure, Row, RowVerdict, RuleOutcome, Unit, amount, ratio,
};
use crate::saved::Kind;

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
    /// Nothing can be said.
    Unknown(Why),
    /// The row is of another sort, and has no such figure on either side.
    NotAbout,
}

/// Judges a rule.
///
/// # Errors
/// [`Failure::Usage`] for a figure that such results, or the rows chosen, do not have, a unit that it is not counted in, or
/// a choice of rows that chooses none: such a rule could never be broken.
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
            // Before all that more runs or another bound would mend.
            (_, true) => (row, Answer::Unknown(Why::StandIn)),
        })
        .collect();
    if !chosen.is_empty() && answers.iter().all(|(_, it)| *it == Answer::NotAbout) {
        return Err(Failure::Usage(format!(
            "--fail-if '{}': none of the rows it is about ({} of {}) has what it asks for, so it could never be broken",
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

/// What all conditions say of a row.
fn together(rule: &Rule, row: &Row, kind: Kind) -> Answer {
    let answers: Vec<Answer> = rule
        .conditions
        .iter()
        .map(|condition| answer(rule, condition, row, kind))
        .collect();
    let unknown = answers.iter().find(|it| matches!(it, Answer::Unknown(_)));
    match unknown {
        _ if answers.contains(&Answer::NotAbout) => Answer::NotAbout,
        _ if answers.contains(&Answer::No) => Answer::No,
        Some(unknown) => *unknown,
        None => Answer::Yes,
    }
}

/// Whether the condition is a verdict that rows may have by chance.
fn is_of_chance(condition: &Condition) -> bool {
    matches!(condition, Condition::Is(it) if !matches!(it, RowVerdict::OnlyA | RowVerdict::OnlyB))
}

/// Whether the row's verdict is a claim's, which follows from no ratio.
fn says_by_itself(row: &Row, kind: Kind) -> bool {
    kind == Kind::Reproduce && row.note.is_some()
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

fn answer(rule: &Rule, condition: &Condition, row: &Row, kind: Kind) -> Answer {
    let (figure, side, amount) = match condition {
        Condition::Is(verdict) => return of_verdict(*verdict, row, kind),
        Condition::Beyond {
            figure,
            side,
            amount,
        } => (figure, *side, amount),
    };
    let Some(found) = row.metrics.iter().find(|it| it.name == *figure) else {
        return Answer::NotAbout;
    };
    match (amount, found.b) {
        (Amount::Factor(factor), _) => {
            of_ratio(found, side, *factor, row.noise, bounded(rule, figure))
        }
        (_, None) => Answer::Unknown(Why::Missing),
        // All of the interval, which of one run is the figure itself.
        (Amount::Ns(bound) | Amount::Plain(bound), Some(b)) => {
            let beyond = match side {
                Side::Above => b.low > *bound,
                Side::Below => b.high < *bound,
            };
            if beyond { Answer::Yes } else { Answer::No }
        }
    }
}

/// Whether the rule also says how much of a figure there must be.
fn bounded(rule: &Rule, name: &str) -> bool {
    rule.conditions.iter().any(|condition| {
        matches!(condition, Condition::Beyond { figure, side: Side::Above, amount: Amount::Ns(_) | Amount::Plain(_) }
            if figure == name)
    })
}

fn of_verdict(verdict: RowVerdict, row: &Row, kind: Kind) -> Answer {
    use RowVerdict::{Changed, Faster, NoDifference, OnlyA, OnlyB, Slower};
    if row.verdict == verdict {
        return Answer::Yes;
    }
    if matches!(verdict, OnlyA | OnlyB) {
        return Answer::No;
    }
    if says_by_itself(row, kind) {
        return match row.verdict {
            Faster | Slower => Answer::No,
            NoDifference if is_decided(row) => Answer::No,
            _ => Answer::Unknown(Why::Claim),
        };
    }
    if matches!(row.verdict, OnlyA | OnlyB) {
        return Answer::Unknown(Why::Missing);
    }
    let Some(figure) = row.metrics.iter().find(|it| it.name == row.metric) else {
        return Answer::NotAbout;
    };
    if (figure.better == Better::Neither) != (verdict == Changed) {
        return Answer::NotAbout;
    }
    let Some(ratio) = &figure.ratio else {
        return Answer::Unknown(Why::Missing);
    };
    match ratio.confidence {
        None => Answer::Unknown(Why::Few),
        Some(it) if it < least_confidence() => Answer::Unknown(Why::Few),
        _ if (ratio.low, ratio.high) == (None, None) => Answer::Unknown(Why::NoBound),
        _ => Answer::No,
    }
}

/// Whether B over A lies beyond a factor, and beyond what equal things differed by; `bounded` is whether the rule bounds the
/// amount, too.
fn of_ratio(figure: &Figure, side: Side, factor: f64, noise: f64, bounded: bool) -> Answer {
    let (Some(a), Some(b), Some(ratio)) = (figure.a, figure.b, &figure.ratio) else {
        return Answer::Unknown(Why::Missing);
    };
    let enough = ratio.confidence.is_some_and(|it| it >= least_confidence());
    // From nothing to something is any factor, though there is no number for it; and it may be a single short wait.
    if a.high == 0.0 && b.low > 0.0 {
        return match side {
            Side::Above if bounded || enough => Answer::Yes,
            Side::Above => Answer::Unknown(Why::FromNothing),
            Side::Below => Answer::No,
        };
    }
    let (low, high) = match ratio.confidence {
        Some(_) => (ratio.low, ratio.high),
        None => (ratio.median, ratio.median),
    };
    // Seen from the side of the bound: what is below is above, upside down.
    let (near, far, factor) = match side {
        Side::Above => (low, high, factor),
        Side::Below => (high.map(f64::recip), low.map(f64::recip), factor.recip()),
    };
    // Equal things differ by `noise`, and whatever is not equal may be dearer or cheaper by it.
    let needed = if factor >= 1.0 {
        factor.max(noise)
    } else {
        factor * noise
    };
    let widened = needed > factor;
    let kept = if widened { factor / noise } else { factor };
    match near {
        Some(near) if near > needed => Answer::Yes,
        _ if far.is_some_and(|far| far <= kept) => Answer::No,
        None => Answer::Unknown(Why::NoBound),
        Some(_) if widened => Answer::Unknown(Why::Noise),
        Some(_) => Answer::No,
    }
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

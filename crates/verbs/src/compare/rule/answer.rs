//! The answers of a rule's conditions about a row.

use locktoll_lab::stats::least_confidence;

use super::why::Why;
use super::{Amount, Condition, Rule, Side};
use crate::compare::reproduction::is_decided;
use locktoll_results::Kind;
use locktoll_results::comparison::{Better, Figure, Row, RowVerdict};

/// The answer of a condition about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The condition is true.
    Yes,
    /// The condition is false.
    No,
    /// The condition cannot be judged.
    Unknown(Why),
    /// The condition does not apply: the row has no such figure on either side.
    NotAbout,
}

/// Combines the answers of all conditions about a row.
pub(super) fn together(rule: &Rule, row: &Row, kind: Kind) -> Answer {
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

/// Whether the row's verdict is a verdict on a claim, which does not depend on a ratio.
pub(super) fn says_by_itself(row: &Row, kind: Kind) -> bool {
    kind == Kind::Reproduce && row.note.is_some()
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
        // The whole interval must lie beyond the bound; with one run, the interval is the figure itself.
        (Amount::Ns(bound) | Amount::Plain(bound), Some(b)) => {
            let beyond = match side {
                Side::Above => b.low > *bound,
                Side::Below => b.high < *bound,
            };
            if beyond { Answer::Yes } else { Answer::No }
        }
    }
}

/// Whether the rule also has a lower bound for the amount of this figure.
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

/// Whether the ratio of B to A lies beyond a factor, and beyond the difference between equal things. `bounded` says whether the
/// rule also bounds the amount.
fn of_ratio(figure: &Figure, side: Side, factor: f64, noise: f64, bounded: bool) -> Answer {
    let (Some(a), Some(b), Some(ratio)) = (figure.a, figure.b, &figure.ratio) else {
        return Answer::Unknown(Why::Missing);
    };
    let enough = ratio.confidence.is_some_and(|it| it >= least_confidence());
    // A quotient with zero is not a number, yet it exceeds every limit. The other figure may still be a single short wait.
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
    // Look from the side of the bound: for `<`, use the reciprocals.
    let (near, far, factor) = match side {
        Side::Above => (low, high, factor),
        Side::Below => (high.map(f64::recip), low.map(f64::recip), factor.recip()),
    };
    // Equal things differ by `noise`, and other things may cost more or less by the same factor.
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

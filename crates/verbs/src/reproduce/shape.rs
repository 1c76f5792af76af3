//! Reduces figures to the one number that a check bounds.

use locktoll_lab::stats::{Estimate, estimate_missing};

use super::curve::{beyond_line, exponent};
use super::description::{CheckDescription, Ratio};
use super::evidence::{Evidence, Quantity};
use super::figure::Figure;
use super::selection::Select;

/// A number, with what is known about its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The median and its interval.
    pub estimate: Estimate,
    /// Whether the number was counted rather than timed: one sample is then enough.
    pub exact: bool,
    /// How far equal things were apart in the same run.
    pub apart: Apart,
}

/// The difference that the A/A pairs of a run show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Apart {
    /// A factor, 1 or more.
    Factor(f64),
    /// A distance, 0 or more.
    Shift(f64),
}

/// Computes the number of `check` from `evidence`.
///
/// # Errors
/// The reason why there is none, as a sentence.
pub fn number(check: &CheckDescription, evidence: &Evidence) -> Result<Number, String> {
    let figure = check.figure.unwrap_or_default();
    let net = evidence.net(&check.selections());
    let ratio = |of: &Select, over: &Select| ratio(evidence, of, over, figure, net);
    if let Some(select) = &check.value {
        return value(
            evidence.quantity(select, figure, net)?,
            evidence.shift(select, figure, net),
            evidence.look.misses(),
        );
    }
    if let Some(Ratio { of, over }) = &check.ratio {
        return ratio(of, over);
    }
    if let Some(steps) = &check.order {
        let quotients = steps
            .windows(2)
            .map(|pair| ratio(&pair[1], &pair[0]))
            .collect::<Result<Vec<_>, _>>()?;
        return least(&quotients).ok_or_else(|| "order of nothing".to_owned());
    }
    if let Some(selects) = &check.spread {
        return spread(evidence, selects, figure, net);
    }
    if let Some(along) = &check.exponent {
        return exponent(evidence, along, figure, net);
    }
    if let Some(bend) = &check.beyond_line {
        return beyond_line(evidence, bend, figure, net);
    }
    Err("the check has no shape".to_owned())
}

fn value(quantity: Quantity, shift: f64, misses: f64) -> Result<Number, String> {
    Ok(Number {
        estimate: quantity
            .estimate_missing(misses)
            .ok_or("a figure is not a finite number")?,
        exact: matches!(quantity, Quantity::Exact(_)),
        apart: Apart::Shift(shift),
    })
}

/// Divides round by round if both figures were measured in the same rounds, otherwise by the bounds of the two intervals. Those
/// bounds are wider than a 95 % interval of the quotient, never narrower, unless the two figures move in opposite directions.
fn ratio(
    evidence: &Evidence,
    of: &Select,
    over: &Select,
    figure: Figure,
    net: bool,
) -> Result<Number, String> {
    let (above, below) = (
        evidence.quantity(of, figure, net)?,
        evidence.quantity(over, figure, net)?,
    );
    let misses = evidence.look.misses();
    let none = || "a figure is zero or not finite, so there is no quotient".to_owned();
    let estimate = match (&above, &below) {
        (
            Quantity::Rounds {
                rounds: a,
                values: x,
            },
            Quantity::Rounds {
                rounds: b,
                values: y,
            },
        ) if a == b => {
            // No round may be left out: it might be evidence against the claim.
            if y.iter().any(|below| *below <= 0.0) {
                return Err(none());
            }
            let quotients: Vec<f64> = x
                .iter()
                .zip(y)
                .map(|(above, below)| above / below)
                .collect();
            estimate_missing(&quotients, misses)
                .filter(|quotient| quotient.n == x.len().max(y.len()))
                .ok_or_else(none)?
        }
        _ => {
            let (a, b) = (
                above.estimate_missing(misses).ok_or_else(none)?,
                below.estimate_missing(misses).ok_or_else(none)?,
            );
            Estimate {
                n: samples_of(&above, &a).min(samples_of(&below, &b)),
                ..quotient(&a, &b).ok_or_else(none)?
            }
        }
    };
    Ok(Number {
        estimate,
        exact: matches!((&above, &below), (Quantity::Exact(_), Quantity::Exact(_))),
        apart: Apart::Factor(evidence.factor(&[of, over], figure, net)),
    })
}

/// Returns a quotient computed from the bounds of two intervals; `None` if the divisor's interval reaches zero or the dividend's
/// goes below zero.
pub(super) fn quotient(above: &Estimate, below: &Estimate) -> Option<Estimate> {
    (below.low > 0.0 && above.low >= 0.0).then(|| Estimate {
        median: above.median / below.median,
        low: above.low / below.high,
        high: above.high / below.low,
        n: above.n.min(below.n),
    })
}

/// Returns the number of samples; an exact count does not limit the number of samples of the other side.
fn samples_of(quantity: &Quantity, estimate: &Estimate) -> usize {
    match quantity {
        Quantity::Exact(_) => usize::MAX,
        _ => estimate.n,
    }
}

/// Returns the least of several quotients, with the least of their bounds. With the low bound, a claim holds only if each
/// number's own interval says so. The high bound would let a single number decide for all, which is why an order has no upper
/// bound.
pub(super) fn least(numbers: &[Number]) -> Option<Number> {
    let factor = |number: &Number| match number.apart {
        Apart::Factor(factor) => factor,
        Apart::Shift(_) => 1.0,
    };
    numbers.iter().copied().reduce(|a, b| Number {
        estimate: Estimate {
            median: a.estimate.median.min(b.estimate.median),
            low: a.estimate.low.min(b.estimate.low),
            high: a.estimate.high.min(b.estimate.high),
            n: a.estimate.n.min(b.estimate.n),
        },
        exact: a.exact && b.exact,
        apart: Apart::Factor(factor(&a).max(factor(&b))),
    })
}

/// Returns the ratio of the greatest figure to the least in each round. If the bounds were picked from the intervals of several
/// quotients, they would be the bounds of whichever pair happened to be extreme.
fn spread(
    evidence: &Evidence,
    selects: &[Select],
    figure: Figure,
    net: bool,
) -> Result<Number, String> {
    let mut all: Vec<Vec<f64>> = Vec::new();
    let mut first = None;
    for select in selects {
        match evidence.quantity(select, figure, net)? {
            Quantity::Rounds { rounds, values } if *first.get_or_insert(rounds) == rounds => {
                all.push(values);
            }
            _ => return Err("a spread is one of figures taken in the same rounds".to_owned()),
        }
    }
    let rounds = all.iter().map(Vec::len).min().unwrap_or(0);
    let mut spreads = Vec::new();
    for round in 0..rounds {
        let figures = || all.iter().map(|values| values[round]);
        let least = figures().fold(f64::INFINITY, f64::min);
        if least <= 0.0 {
            return Err("a figure is zero, so there is no quotient".to_owned());
        }
        spreads.push(figures().fold(0.0, f64::max) / least);
    }
    let selects: Vec<&Select> = selects.iter().collect();
    Ok(Number {
        estimate: estimate_missing(&spreads, evidence.look.misses())
            .ok_or("nothing was measured")?,
        exact: false,
        apart: Apart::Factor(evidence.factor(&selects, figure, net)),
    })
}

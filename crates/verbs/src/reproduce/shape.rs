//! From figures to the one number that a check bounds.

use locktoll_lab::stats::{Estimate, estimate};

use super::curve::{beyond_line, exponent};
use super::description::{CheckDescription, Ratio};
use super::evidence::{Evidence, Quantity};
use super::figure::Figure;
use super::selection::Select;

/// A number with what is known of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The median and its interval.
    pub estimate: Estimate,
    /// Counted rather than timed: one sample is enough.
    pub exact: bool,
    /// By how much equal things differed in the same run.
    pub apart: Apart,
}

/// What the A/A pairs of a run came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Apart {
    /// A factor, 1 or more.
    Factor(f64),
    /// A distance, 0 or more.
    Shift(f64),
}

/// Makes the number of `check` out of `evidence`.
///
/// # Errors
/// Why there is none, in a sentence.
pub fn number(check: &CheckDescription, evidence: &Evidence) -> Result<Number, String> {
    let figure = check.figure.unwrap_or_default();
    let net = evidence.net(&check.selections());
    let ratio = |of: &Select, over: &Select| ratio(evidence, of, over, figure, net);
    if let Some(select) = &check.value {
        return value(
            evidence.quantity(select, figure, net)?,
            evidence.shift(select, figure, net),
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

fn value(quantity: Quantity, shift: f64) -> Result<Number, String> {
    Ok(Number {
        estimate: quantity
            .estimate()
            .ok_or("a figure is not a finite number")?,
        exact: matches!(quantity, Quantity::Exact(_)),
        apart: Apart::Shift(shift),
    })
}

/// Round by round where both were measured in the same rounds, else by the corners of the two intervals: those are
/// wider than a 95 % interval of the quotient, never narrower, unless the two move against each other.
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
            // No round may be left out: it might be one that speaks against the claim.
            if y.iter().any(|below| *below <= 0.0) {
                return Err(none());
            }
            let quotients: Vec<f64> = x
                .iter()
                .zip(y)
                .map(|(above, below)| above / below)
                .collect();
            estimate(&quotients)
                .filter(|quotient| quotient.n == x.len().max(y.len()))
                .ok_or_else(none)?
        }
        _ => {
            let (a, b) = (
                above.estimate().ok_or_else(none)?,
                below.estimate().ok_or_else(none)?,
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

/// A quotient by the corners of two intervals; `None` where one of them reaches zero or below.
pub(super) fn quotient(above: &Estimate, below: &Estimate) -> Option<Estimate> {
    (below.low > 0.0 && above.low >= 0.0).then(|| Estimate {
        median: above.median / below.median,
        low: above.low / below.high,
        high: above.high / below.low,
        n: above.n.min(below.n),
    })
}

/// An exact count takes nothing from what the other side's samples are worth.
fn samples_of(quantity: &Quantity, estimate: &Estimate) -> usize {
    match quantity {
        Quantity::Exact(_) => usize::MAX,
        _ => estimate.n,
    }
}

/// The least of several quotients, with the least of their bounds: the low one says that a claim holds only if each number's own
/// interval says so. The high one would let a single number speak for all, which is why an order has no upper bound.
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

/// The greatest over the least in each round. Bounds picked from several quotients, each with an interval of its own, would be those
/// of whichever pair had the luck.
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
        estimate: estimate(&spreads).ok_or("nothing was measured")?,
        exact: false,
        apart: Apart::Factor(evidence.factor(&selects, figure, net)),
    })
}

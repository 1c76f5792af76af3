//! From figures to the one number that a check bounds.

use locktoll_lab::stats::{Estimate, estimate};

use super::description::{Along, Bend, CheckDescription, Ratio};
use super::evidence::{Evidence, Quantity};
use super::figure::Figure;
use super::select::Select;

/// A number with what is known of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The median and its interval.
    pub estimate: Estimate,
    /// Counted rather than timed: one sample is enough.
    pub exact: bool,
    /// By which factor, 1 or more, equal things differed in the same run.
    pub noise: f64,
}

/// Makes the number of `check` out of `evidence`.
///
/// # Errors
/// Why there is none, in a sentence.
pub fn number(check: &CheckDescription, evidence: &Evidence) -> Result<Number, String> {
    let figure = check.figure.unwrap_or_default();
    if let Some(select) = &check.value {
        return value(evidence.quantity(select, figure)?);
    }
    if let Some(Ratio { of, over }) = &check.ratio {
        return ratio(evidence, of, over, figure);
    }
    if let Some(steps) = &check.order {
        let quotients = steps
            .windows(2)
            .map(|pair| ratio(evidence, &pair[1], &pair[0], figure))
            .collect::<Result<Vec<_>, _>>()?;
        return all(&quotients, f64::min).ok_or_else(|| "order of nothing".to_owned());
    }
    if let Some(selects) = &check.spread {
        let mut quotients = Vec::new();
        for (index, one) in selects.iter().enumerate() {
            for other in &selects[index + 1..] {
                quotients.push(ratio(evidence, one, other, figure)?);
                quotients.push(ratio(evidence, other, one, figure)?);
            }
        }
        return all(&quotients, f64::max).ok_or_else(|| "spread of nothing".to_owned());
    }
    if let Some(along) = &check.exponent {
        return exponent(evidence, along, figure);
    }
    if let Some(bend) = &check.beyond_line {
        return beyond_line(evidence, bend, figure);
    }
    Err("the check has no shape".to_owned())
}

fn value(quantity: Quantity) -> Result<Number, String> {
    Ok(Number {
        estimate: quantity
            .estimate()
            .ok_or("a figure is not a finite number")?,
        exact: matches!(quantity, Quantity::Exact(_)),
        noise: 1.0,
    })
}

/// Round by round where both were measured in the same rounds, else by the corners of the two intervals: those are
/// wider than a 95 % interval of the quotient, never narrower, unless the two move against each other.
fn ratio(
    evidence: &Evidence,
    of: &Select,
    over: &Select,
    figure: Figure,
) -> Result<Number, String> {
    let (above, below) = (
        evidence.quantity(of, figure)?,
        evidence.quantity(over, figure)?,
    );
    let none = || "a figure is zero, or not finite, so that there is no quotient".to_owned();
    let estimate = match (&above, &below) {
        (Quantity::Rounds { run: a, values: x }, Quantity::Rounds { run: b, values: y })
            if a == b =>
        {
            // No round may be left out: it might be one that speaks against the claim.
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
            if b.low <= 0.0 || a.low < 0.0 {
                return Err(none());
            }
            Estimate {
                median: a.median / b.median,
                low: a.low / b.high,
                high: a.high / b.low,
                n: samples_of(&above, &a).min(samples_of(&below, &b)),
            }
        }
    };
    Ok(Number {
        estimate,
        exact: matches!((&above, &below), (Quantity::Exact(_), Quantity::Exact(_))),
        noise: evidence.noise(&[of, over]),
    })
}

/// An exact count takes nothing from what the other side's samples are worth.
fn samples_of(quantity: &Quantity, estimate: &Estimate) -> usize {
    match quantity {
        Quantity::Exact(_) => usize::MAX,
        _ => estimate.n,
    }
}

/// The least, or the greatest, of several numbers, with the same of their bounds: such an interval says that a claim
/// holds only if each number's own interval says so.
fn all(numbers: &[Number], pick: fn(f64, f64) -> f64) -> Option<Number> {
    let combined = numbers.iter().copied().reduce(|a, b| Number {
        estimate: Estimate {
            median: pick(a.estimate.median, b.estimate.median),
            low: pick(a.estimate.low, b.estimate.low),
            high: pick(a.estimate.high, b.estimate.high),
            n: a.estimate.n.min(b.estimate.n),
        },
        exact: a.exact && b.exact,
        noise: a.noise.max(b.noise),
    })?;
    Some(combined)
}

/// A fit in every round, and the median of what the rounds give: no assumption about how figures scatter.
fn fit_rounds(
    points: &[(f64, Vec<f64>)],
    fit: impl Fn(&[(f64, f64)]) -> Option<f64>,
) -> Result<Number, String> {
    let rounds = points
        .iter()
        .map(|(_, values)| values.len())
        .min()
        .unwrap_or(0);
    let mut fitted = Vec::new();
    for round in 0..rounds {
        let curve: Vec<(f64, f64)> = points
            .iter()
            .map(|(x, values)| (*x, values[round]))
            .collect();
        fitted.push(fit(&curve).ok_or("a curve with a figure of zero in it has no such shape")?);
    }
    Ok(Number {
        estimate: estimate(&fitted).ok_or("nothing was measured")?,
        exact: false,
        noise: 1.0,
    })
}

fn exponent(
    evidence: &Evidence,
    Along { of, along }: &Along,
    figure: Figure,
) -> Result<Number, String> {
    let points = evidence.curve(of, *along, figure)?;
    fit_rounds(&points, |curve| {
        let positive = curve.iter().all(|(x, y)| *x > 0.0 && *y > 0.0);
        let logs: Vec<(f64, f64)> = curve.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        Some(line(&logs)?.slope).filter(|_| positive)
    })
}

fn beyond_line(evidence: &Evidence, bend: &Bend, figure: Figure) -> Result<Number, String> {
    let points = evidence.curve(&bend.of, bend.along, figure)?;
    fit_rounds(&points, |curve| {
        let near: Vec<(f64, f64)> = curve
            .iter()
            .copied()
            .filter(|(x, _)| *x <= bend.up_to)
            .collect();
        let (far, measured) = *curve.last()?;
        let line = line(&near)?;
        let expected = line.offset + line.slope * far;
        (expected > 0.0).then(|| measured / expected)
    })
}

/// A straight line.
struct Line {
    slope: f64,
    offset: f64,
}

/// The line of least squares; `None` for fewer than two places on the axis.
fn line(points: &[(f64, f64)]) -> Option<Line> {
    let n = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / n;
    let across: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let along: f64 = points
        .iter()
        .map(|(x, y)| (x - mean_x) * (y - mean_y))
        .sum();
    let slope = along / across;
    slope.is_finite().then_some(Line {
        slope,
        offset: mean_y - slope * mean_x,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::made_up::{MadeUp, check, evidence};
    use super::*;

    /// The same figure in nine rounds, a little more in each.
    fn cell(lock: &str, threads: u32, ns: f64) -> MadeUp<'_> {
        let ns = (0..9)
            .map(|round| ns * (1.0 + 0.01 * f64::from(round)))
            .collect();
        MadeUp { lock, threads, ns }
    }

    fn median(text: &str, cells: &[MadeUp<'_>]) -> Result<f64, String> {
        let check = check(&format!("{text}\nat_least = 0"));
        number(&check, &evidence(cells, None)).map(|number| number.estimate.median)
    }

    fn near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
            "{found}, not {expected}"
        );
    }

    #[test]
    fn a_drift_cancels_in_a_ratio_of_the_same_rounds() {
        let cells = [cell("a", 1, 10.0), cell("b", 1, 30.0)];
        let check =
            check("ratio = { of = { lock = \"b\" }, over = { lock = \"a\" } }\nat_least = 0");
        let found = number(&check, &evidence(&cells, None)).unwrap().estimate;
        near(found.low, 3.0);
        near(found.high, 3.0);
    }

    #[test]
    fn order_is_the_least_step_and_spread_the_greatest_distance() {
        let cells = [cell("a", 1, 10.0), cell("b", 1, 30.0), cell("c", 1, 45.0)];
        let three = "[{ lock = \"a\" }, { lock = \"b\" }, { lock = \"c\" }]";
        near(median(&format!("order = {three}"), &cells).unwrap(), 1.5);
        near(median(&format!("spread = {three}"), &cells).unwrap(), 4.5);
    }

    #[test]
    fn a_zero_has_no_quotient_but_is_one() {
        let cells = [cell("a", 1, 0.0), cell("b", 1, 30.0)];
        near(
            median(
                "ratio = { of = { lock = \"a\" }, over = { lock = \"b\" } }",
                &cells,
            )
            .unwrap(),
            0.0,
        );
        let none = median(
            "ratio = { of = { lock = \"b\" }, over = { lock = \"a\" } }",
            &cells,
        );
        assert!(none.unwrap_err().contains("no quotient"));
    }

    #[test]
    fn the_pair_of_equal_locks_is_told_where_its_setting_is_used() {
        let same = Estimate {
            median: 1.0,
            low: 0.8,
            high: 1.1,
            n: 9,
        };
        let cells = [
            cell("a", 1, 10.0),
            cell("b", 1, 30.0),
            cell("a", 2, 10.0),
            cell("b", 2, 9.0),
        ];
        let noise = |threads: u32| {
            let text = format!(
                "ratio = {{ of = {{ lock = \"b\", threads = {threads} }}, over = {{ lock = \"a\", threads = {threads} }} }}\nat_least = 0"
            );
            number(&check(&text), &evidence(&cells, Some(same)))
                .unwrap()
                .noise
        };
        near(noise(1), 1.25);
        near(noise(2), 1.0);
    }

    #[test]
    fn a_selection_that_means_two_things_means_none() {
        let cells = [cell("a", 1, 10.0), cell("a", 2, 30.0)];
        assert!(
            median("value = { lock = \"a\" }", &cells)
                .unwrap_err()
                .contains("several")
        );
        assert!(
            median("value = { lock = \"b\" }", &cells)
                .unwrap_err()
                .contains("none")
        );
    }

    #[test]
    fn dramatic_loss_lies_beyond_the_line() {
        let times = [10.0, 20.0, 30.0, 40.0, 90.0, 160.0];
        let cells: Vec<MadeUp<'_>> = (1..)
            .zip(times)
            .map(|(threads, ns)| cell("a", threads, ns))
            .collect();
        near(
            median(
                "beyond_line = { of = {}, along = \"threads\", up_to = 4 }",
                &cells,
            )
            .unwrap(),
            160.0 / 60.0,
        );
        let flat: Vec<MadeUp<'_>> = (1..=5).map(|threads| cell("a", threads, 70.0)).collect();
        near(
            median(
                "beyond_line = { of = {}, along = \"threads\", up_to = 3 }",
                &flat,
            )
            .unwrap(),
            1.0,
        );
    }

    proptest! {
        #[test]
        fn a_power_has_its_exponent(exponent in -2.0..3.0f64, factor in 1.0..1e3f64) {
            let powers = (1..6).map(|threads| cell("a", threads, factor * 1e3 * f64::from(threads).powf(exponent)));
            let cells: Vec<MadeUp<'_>> = powers.collect();
            let found = median("exponent = { of = {}, along = \"threads\" }", &cells).unwrap();
            prop_assert!((found - exponent).abs() < 1e-3, "{found}");
        }

        #[test]
        fn a_straight_line_ends_where_it_was_expected(offset in 1.0..1e4f64, slope in 0.0..1e3f64) {
            let cells: Vec<MadeUp<'_>> = (1..8).map(|threads| cell("a", threads, offset + slope * f64::from(threads))).collect();
            let found = median("beyond_line = { of = {}, along = \"threads\", up_to = 4 }", &cells).unwrap();
            prop_assert!((found - 1.0).abs() < 1e-3, "{found}");
        }
    }
}

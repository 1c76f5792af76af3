//! Checks of whole curves.

use locktoll_lab::stats::{Estimate, estimate_missing};

use super::description::{Along, Bend};
use super::evidence::Evidence;
use super::figure::Figure;
use super::shape::{Apart, Number};

/// Fits each round separately and returns the median of the results. This assumes no distribution of the figures. The result of a
/// round that cannot be fitted is unknown, so it widens the interval on both sides.
fn fit_rounds(
    points: &[(f64, Vec<f64>)],
    misses: f64,
    fit: impl Fn(&[(f64, f64)]) -> Option<f64>,
) -> Result<Estimate, String> {
    let rounds = points
        .iter()
        .map(|(_, values)| values.len())
        .min()
        .unwrap_or(0);
    let fitted: Vec<Option<f64>> = (0..rounds)
        .map(|round| {
            let curve: Vec<(f64, f64)> = points
                .iter()
                .map(|(x, values)| (*x, values[round]))
                .collect();
            fit(&curve)
        })
        .collect();
    let known: Vec<f64> = fitted.iter().copied().flatten().collect();
    let with = |unknown: f64| {
        let all: Vec<f64> = fitted.iter().map(|it| it.unwrap_or(unknown)).collect();
        estimate_missing(&all, misses)
    };
    let ends = with(f64::MIN).zip(with(f64::MAX));
    let (low, high) = ends.ok_or("nothing was measured")?;
    let middle = estimate_missing(&known, misses);
    match middle.filter(|_| low.low > f64::MIN && high.high < f64::MAX) {
        Some(middle) => Ok(Estimate {
            median: middle.median,
            low: low.low.min(middle.low),
            high: high.high.max(middle.high),
            n: middle.n,
        }),
        None => Err("a curve with a figure of zero in it has no such shape".to_owned()),
    }
}

/// Returns the exponent p in figure ~ axis^p.
pub fn exponent(
    evidence: &Evidence,
    Along { of, along }: &Along,
    figure: Figure,
    net: bool,
) -> Result<Number, String> {
    let points = evidence.curve(of, *along, figure, net)?;
    let estimate = fit_rounds(&points, evidence.look.misses(), |curve| {
        let positive = curve.iter().all(|(x, y)| *x > 0.0 && *y > 0.0);
        let logs: Vec<(f64, f64)> = curve.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        Some(line(&logs)?.slope).filter(|_| positive)
    })?;
    // The last point is the one that is run twice: a tilt of the curve by as much as its two runs differ proves nothing.
    let ends = points.first().zip(points.last());
    let length = ends.map_or(0.0, |(first, last)| (last.0 / first.0).ln());
    Ok(Number {
        estimate,
        exact: false,
        apart: Apart::Shift(evidence.factor(&[of], figure, net).ln() / length),
    })
}

/// Returns the ratio of the last point to the straight line through the first ones.
pub fn beyond_line(
    evidence: &Evidence,
    bend: &Bend,
    figure: Figure,
    net: bool,
) -> Result<Number, String> {
    let points = evidence.curve(&bend.of, bend.along, figure, net)?;
    let estimate = fit_rounds(&points, evidence.look.misses(), |curve| {
        let near: Vec<(f64, f64)> = curve
            .iter()
            .copied()
            .filter(|(x, _)| *x <= bend.up_to)
            .collect();
        let (far, measured) = *curve.last()?;
        let line = line(&near)?;
        let expected = line.offset + line.slope * far;
        (expected > 0.0).then(|| measured / expected)
    })?;
    Ok(Number {
        estimate,
        exact: false,
        apart: Apart::Factor(evidence.factor(&[&bend.of], figure, net)),
    })
}

/// A straight line.
struct Line {
    slope: f64,
    offset: f64,
}

/// Returns the least-squares line; `None` for fewer than two distinct positions on the axis.
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

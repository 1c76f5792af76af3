//! From rounds to the response of a program to longer holds.
//!
//! In each round, the time with longer holds divided by the time without a change is `1 + s p + c p^2`, where `p` is the share by
//! which holds were lengthened. With `c` left out, `s` is the slope of a straight line through the point without a change, which has
//! no error of its own since it is the unit. With two lengths, `c` shows whether the line is straight. Each round gives a figure of
//! its own, and the medians over rounds have the intervals of order statistics: whatever the noise, as long as the order of the
//! runs within a round was drawn.

use locktoll_lab::stats::{Estimate, confidence, estimate};
use locktoll_results::trial::Better;

use super::rounds::{Round, Rounds};

/// The confidence below which nothing is judged.
const WANTED: f64 = 0.95;

/// The response of a program to longer holds of one lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The time's increase, as a share, per share of longer holds, at zero.
    pub slope: Estimate,
    /// The coefficient of the square; `None` with one length.
    pub bend: Option<Estimate>,
    /// Whether the bend is certain.
    pub is_bent: bool,
    /// The time with each length divided by the time without a change.
    pub ratios: Vec<Estimate>,
    /// The second run without a change divided by the first.
    pub noise: Estimate,
}

/// Computes the response. `None` without a round.
pub fn response(measured: &Rounds, better: Better) -> Option<Response> {
    let shares: Vec<f64> = measured
        .percents
        .iter()
        .map(|percent| f64::from(*percent) / 100.0)
        .collect();
    let rounds: Vec<Vec<f64>> = measured
        .rounds
        .iter()
        .map(|round| ratios(round, better))
        .filter(|ratios| ratios.iter().all(|ratio| ratio.is_finite() && *ratio > 0.0))
        .collect();
    let of_each = |figure: &dyn Fn(&[f64]) -> f64| {
        let figures: Vec<f64> = rounds.iter().map(|round| figure(round)).collect();
        estimate(&figures)
    };
    let line = of_each(&|ratios| straight(&shares, ratios))?;
    let curved = (shares.len() > 1).then(|| {
        let bend = of_each(&|ratios| curve(&shares, ratios).1);
        let at_zero = of_each(&|ratios| curve(&shares, ratios).0);
        bend.zip(at_zero)
    });
    let curved = curved.flatten();
    let bent = curved
        .filter(|(bend, _)| confidence(bend.n) >= WANTED && (bend.low > 0.0 || bend.high < 0.0));
    let pairs = measured.rounds.iter().map(|round| {
        let [first, second] = round.base.map(|run| run.time(better));
        second / first
    });
    Some(Response {
        slope: bent.map_or(line, |(_, at_zero)| at_zero),
        bend: curved.map(|(bend, _)| bend),
        is_bent: bent.is_some(),
        ratios: (0..shares.len())
            .filter_map(|index| of_each(&|ratios| ratios[index]))
            .collect(),
        noise: estimate(&pairs.collect::<Vec<_>>())?,
    })
}

/// Returns the time with each change divided by the time without one: the geometric mean of both runs.
pub fn ratios(round: &Round, better: Better) -> Vec<f64> {
    let [first, second] = round.base.map(|run| run.time(better));
    let base = (first * second).sqrt();
    let changed = round.changed.iter();
    changed.map(|run| run.time(better) / base).collect()
}

/// Returns the slope of the straight line through (0, 1) with the least squares.
fn straight(shares: &[f64], ratios: &[f64]) -> f64 {
    let pairs = || shares.iter().zip(ratios);
    let up: f64 = pairs().map(|(p, ratio)| p * (ratio - 1.0)).sum();
    up / shares.iter().map(|p| p * p).sum::<f64>()
}

/// Returns the slope at zero and the coefficient of the square of the parabola through (0, 1) with the least squares.
fn curve(shares: &[f64], ratios: &[f64]) -> (f64, f64) {
    let power = |exponent: i32| shares.iter().map(|p| p.powi(exponent)).sum::<f64>();
    let (two, three, four) = (power(2), power(3), power(4));
    let moment = |exponent: i32| -> f64 {
        let pairs = shares.iter().zip(ratios);
        pairs
            .map(|(p, ratio)| p.powi(exponent) * (ratio - 1.0))
            .sum()
    };
    let (first, second) = (moment(1), moment(2));
    let determinant = two * four - three * three;
    (
        (first * four - second * three) / determinant,
        (second * two - first * three) / determinant,
    )
}

#[cfg(test)]
mod tests {
    use super::super::change::Direction;
    use super::super::rounds::Measured;
    use super::*;

    fn run(metric: f64) -> Measured {
        Measured {
            metric,
            wall_ns: 1,
            cpu_ns: 1,
            delays: 0.0,
        }
    }

    /// Rounds with this response; each has another speed, and `noise` of the round's number.
    fn rounds(of: impl Fn(f64) -> f64, noise: impl Fn(usize) -> f64) -> Rounds {
        let round = |number: usize| {
            let speed = 1.0 + number as f64;
            Round {
                base: [run(speed), run(speed)],
                changed: vec![
                    run(speed * (of(0.2) + noise(number))),
                    run(speed * (of(0.5) + noise(number + 1))),
                ],
            }
        };
        Rounds {
            rounds: (0..9).map(round).collect(),
            ..Rounds::new(0, Direction::Slow, vec![20, 50])
        }
    }

    #[test]
    fn a_straight_response_gives_its_slope() {
        let response = response(&rounds(|p| 1.0 + 0.6 * p, |_| 0.0), Better::Lower).unwrap();
        assert!((response.slope.median - 0.6).abs() < 1e-9, "{response:?}");
        assert!(response.bend.unwrap().median.abs() < 1e-9);
    }

    #[test]
    fn a_bent_response_gives_the_slope_at_zero() {
        // Nothing happens until the lock becomes the bottleneck.
        let bent = rounds(|p| 1.0 + (p - 0.2f64).max(0.0), |_| 0.0);
        let response = response(&bent, Better::Lower).unwrap();
        assert!(
            response.is_bent && response.slope.high <= 0.0,
            "{response:?}"
        );
    }

    #[test]
    fn noise_does_not_bend_a_line_and_widens_its_slope() {
        let noise = |number: usize| [0.03, -0.02, 0.0, -0.03, 0.02][number % 5];
        let response = response(&rounds(|p| 1.0 + p, noise), Better::Lower).unwrap();
        assert!(!response.is_bent, "{response:?}");
        assert!(response.slope.low < 1.0 && response.slope.high > 1.0);
    }

    #[test]
    fn throughput_is_the_inverse_of_time() {
        let mut measured = rounds(|p| 1.0 + 0.6 * p, |_| 0.0);
        for round in &mut measured.rounds {
            let all = round.base.iter_mut().chain(&mut round.changed);
            all.for_each(|run| run.metric = 1.0 / run.metric);
        }
        let response = response(&measured, Better::Higher).unwrap();
        assert!((response.slope.median - 0.6).abs() < 1e-9);
        let none = Rounds::new(0, Direction::Slow, vec![20, 50]);
        assert!(super::response(&none, Better::Lower).is_none());
    }
}

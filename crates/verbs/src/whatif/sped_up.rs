//! From rounds with holds that were sped up to gains.
//!
//! In each round, the time without a change divided by the time with one, which does not contain the delays, is the gain. Between two
//! changes, and between no change and the smallest, times lie on a straight line; beyond the largest, the last line is continued.

use std::collections::BTreeMap;

use locktoll_lab::stats::{Estimate, estimate};
use locktoll_results::trial::Better;
use locktoll_results::whatif::Method;

use super::gains::{Gains, SHORTER, inverse, limited, verdict};
use super::limit::Limit;
use super::response::ratios;
use super::rounds::Rounds;

/// Computes the gains. `None` without a round.
pub fn gains(measured: &Rounds, better: Better, limit: &Limit) -> Option<Gains> {
    let rounds: Vec<Vec<f64>> = measured
        .rounds
        .iter()
        .map(|round| ratios(round, better))
        .filter(|ratios| ratios.iter().all(|ratio| ratio.is_finite() && *ratio > 0.0))
        .collect();
    let mut method = vec![Method::Fast];
    let mut gains = BTreeMap::new();
    for percent in SHORTER {
        let each = rounds.iter();
        let each = each.map(|times| inverse(time(&measured.percents, times, percent)));
        let gain = estimate(&each.collect::<Vec<_>>())?;
        let (gain, is_limited) = limited(&gain, limit, f64::from(percent) / 100.0);
        if is_limited && !method.contains(&Method::Bound) {
            method.push(Method::Bound);
        }
        gains.insert(percent.to_string(), gain);
    }
    let half = gains[&SHORTER[2].to_string()];
    Some(Gains {
        verdict: verdict(&gains, half.low > 1.0),
        detectable_percent: 100.0 * seen(&half),
        gains,
        method,
    })
}

/// Returns the smallest gain, as a share, whose interval would not reach 1.
fn seen(half: &Estimate) -> f64 {
    inverse(1.0 - (1.0 / half.low - 1.0 / half.high).abs() / 2.0) - 1.0
}

/// Returns the time with holds shorter by `percent`, as a share of the time without a change, from the times at `percents`.
fn time(percents: &[u32], times: &[f64], percent: u32) -> f64 {
    let mut before = (0.0, 1.0);
    let mut after = before;
    let wanted = f64::from(percent);
    for (measured, time) in percents.iter().zip(times) {
        before = after;
        after = (f64::from(*measured), *time);
        if after.0 >= wanted {
            break;
        }
    }
    let slope = (after.1 - before.1) / (after.0 - before.0);
    before.1 + slope * (wanted - before.0)
}

#[cfg(test)]
mod tests {
    use locktoll_results::whatif::WhatIfVerdict;

    use super::super::change::Direction;
    use super::super::rounds::{Measured, Round};
    use super::*;

    /// Rounds in which a tenth of each run with a change is delays.
    fn rounds(times: [f64; 2]) -> Rounds {
        let run = |metric: f64, delays| Measured {
            metric,
            wall_ns: 1_000,
            cpu_ns: 0,
            delays,
        };
        let round = |number: u32| {
            let speed = 1.0 + f64::from(number);
            Round {
                base: [run(speed, 0.0), run(speed, 0.0)],
                changed: times.map(|time| run(speed * time / 0.9, 0.1)).to_vec(),
            }
        };
        Rounds {
            rounds: (0..9).map(round).collect(),
            ..Rounds::new(0, Direction::Fast, vec![20, 50])
        }
    }

    #[test]
    fn delays_do_not_count_and_times_lie_on_lines() {
        let gains = gains(&rounds([0.8, 0.7]), Better::Lower, &Limit::default()).unwrap();
        let gain = |percent: &str| gains.gains[percent].median;
        assert!((gain("10") - 1.0 / 0.9).abs() < 1e-9);
        assert!((gain("25") - 1.0 / (0.8 - 0.1 / 6.0)).abs() < 1e-9);
        assert!((gain("50") - 1.0 / 0.7).abs() < 1e-9);
        assert_eq!(gains.verdict, WhatIfVerdict::Gains);
        assert_eq!(gains.method, [Method::Fast]);
    }

    #[test]
    fn what_changes_nothing_has_no_effect() {
        let gains = gains(&rounds([1.0, 1.0]), Better::Lower, &Limit::default()).unwrap();
        assert_eq!(gains.verdict, WhatIfVerdict::NoEffect);
        assert!(gains.detectable_percent < 1e-9);
    }

    #[test]
    fn beyond_the_largest_change_the_line_continues() {
        assert!((time(&[20], &[0.9], 50) - 0.75).abs() < 1e-12);
        assert!((time(&[20, 30], &[0.9, 0.8], 50) - 0.6).abs() < 1e-12);
    }
}

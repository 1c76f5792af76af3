//! From the slope of longer holds to the gains of shorter ones, and the verdict.

use std::collections::BTreeMap;

use locktoll_lab::stats::{Estimate, confidence};
use locktoll_results::whatif::{Method, WhatIfVerdict};

use super::limit::Limit;
use super::response::Response;

/// By how much holds are shortened, in per cent.
pub const SHORTER: [u32; 3] = [10, 25, 50];

/// A gain below this, with holds of half the length, counts as no effect.
const SMALL: f64 = 1.05;

/// How exactly the time of the CPUs is known.
const TOLERANCE: f64 = 0.03;

/// The error of the experiments themselves, as a share of the effect: in most of the programs of `cargo xtask whatifs` and in memcached, the
/// truth was within this share of the prediction. The intervals of the rounds do not contain it.
const OF_METHOD: f64 = 0.15;

/// No program becomes slower than this by shorter holds.
const LEAST: f64 = 0.01;

/// What is known of one lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Gains {
    /// By the percentage by which holds are shortened: the metric, turned so that above 1 is better, divided by today's.
    pub gains: BTreeMap<String, Estimate>,
    /// How they were found.
    pub method: Vec<Method>,
    /// The verdict.
    pub verdict: WhatIfVerdict,
    /// The smallest gain in per cent, with holds of half the length, that could have been shown.
    pub detectable_percent: f64,
}

/// Computes the gains.
pub fn gains(response: &Response, limit: &Limit) -> Gains {
    let mut method = vec![Method::Slow];
    let mut gains = BTreeMap::new();
    for percent in SHORTER {
        let shorter = f64::from(percent) / 100.0;
        let (gain, is_limited) = gain(&response.slope, limit, shorter);
        if is_limited && !method.contains(&Method::Bound) {
            method.push(Method::Bound);
        }
        gains.insert(percent.to_string(), gain);
    }
    // A slope is seen if its interval, whose half is this wide, does not reach zero.
    let seen = (response.slope.high - response.slope.low) / 2.0;
    Gains {
        verdict: verdict(&gains, response.slope.low > 0.0),
        gains,
        method,
        detectable_percent: 100.0 * (inverse(1.0 - 0.5 * seen) - 1.0),
    }
}

/// Judges the gains; `is_certain`: holds of half the length gain something for certain.
pub fn verdict(gains: &BTreeMap<String, Estimate>, is_certain: bool) -> WhatIfVerdict {
    let half = gains.get(&SHORTER[2].to_string());
    match half.filter(|it| confidence(it.n) >= 0.95) {
        None => WhatIfVerdict::CannotTell,
        Some(half) if half.high < SMALL => WhatIfVerdict::NoEffect,
        Some(_) if is_certain => WhatIfVerdict::Gains,
        Some(_) => WhatIfVerdict::CannotTell,
    }
}

/// Adds the error of the method to the interval of a gain, and limits the gain with holds that are shorter by a share. Returns whether the
/// limit changes it.
pub fn limited(gain: &Estimate, limit: &Limit, shorter: f64) -> (Estimate, bool) {
    let least = limit.least_time(shorter);
    let error = OF_METHOD * (gain.median - 1.0).abs();
    let (low, high) = ((gain.low - error).max(LEAST), gain.high + error);
    // Each bound of the time is limited by itself: the limit is a time that cannot be undercut.
    let time = |gain: f64, least: f64| (1.0 / gain).max(least);
    let median = time(gain.median, least);
    let found = Estimate {
        median: inverse(median),
        low: inverse(time(low, least * (1.0 + TOLERANCE)).max(median)),
        high: inverse(time(high, least * (1.0 - TOLERANCE))),
        n: gain.n,
    };
    (found, 1.0 / gain.median < least)
}

/// Returns the gain with holds that are shorter by a share, and whether the processors limit it.
fn gain(slope: &Estimate, limit: &Limit, shorter: f64) -> (Estimate, bool) {
    let of = |slope: f64| inverse(1.0 - slope * shorter);
    let straight = Estimate {
        median: of(slope.median),
        low: of(slope.low),
        high: of(slope.high),
        n: slope.n,
    };
    limited(&straight, limit, shorter)
}

/// Returns the inverse of a time as a share of today's; a program never takes less than a hundredth because of one lock.
pub fn inverse(time: f64) -> f64 {
    1.0 / time.max(0.01)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(low: f64, median: f64, high: f64, n: usize) -> Response {
        let slope = Estimate {
            median,
            low,
            high,
            n,
        };
        Response {
            slope,
            bend: None,
            is_bent: false,
            ratios: vec![slope],
            noise: slope,
        }
    }

    #[test]
    fn a_lock_that_is_all_of_the_time_doubles_the_speed_if_it_is_halved() {
        let gains = gains(&response(0.9, 1.0, 1.1, 9), &Limit::default());
        assert_eq!(gains.verdict, WhatIfVerdict::Gains);
        assert_eq!(gains.method, [Method::Slow]);
        let half = gains.gains["50"];
        assert!((half.median - 2.0).abs() < 1e-9 && half.low < 2.0 && half.high > 2.0);
        assert!((gains.gains["10"].median - 1.0 / 0.9).abs() < 1e-9);
    }

    /// The rounds of a quiet machine agree with each other more closely than with the truth.
    #[test]
    fn the_error_of_the_method_is_part_of_the_interval() {
        let half = gains(&response(1.0, 1.0, 1.0, 9), &Limit::default()).gains["50"];
        assert!((half.low - 1.85).abs() < 1e-9 && (half.high - 2.15).abs() < 1e-9);
        let none = gains(&response(0.0, 0.0, 0.0, 9), &Limit::default()).gains["50"];
        assert_eq!((none.low, none.median, none.high), (1.0, 1.0, 1.0));
        // However large the effect is, the low end is a gain.
        let much = gains(&response(-99.0, -20.0, 1.9, 9), &Limit::default()).gains["50"];
        assert!(
            much.low > 0.0 && much.low <= much.median && much.median <= much.high,
            "{much:?}"
        );
    }

    #[test]
    fn a_slope_around_zero_is_no_effect_only_if_it_is_narrow() {
        let narrow = gains(&response(-0.02, 0.0, 0.02, 9), &Limit::default());
        assert_eq!(narrow.verdict, WhatIfVerdict::NoEffect);
        let wide = gains(&response(-0.5, 0.1, 0.5, 9), &Limit::default());
        assert_eq!(wide.verdict, WhatIfVerdict::CannotTell);
        assert!(
            (wide.detectable_percent - 100.0 / 3.0).abs() < 0.1,
            "{wide:?}"
        );
        // Too few rounds show nothing, whatever they show.
        let few = gains(&response(0.9, 1.0, 1.1, 3), &Limit::default());
        assert_eq!(few.verdict, WhatIfVerdict::CannotTell);
    }
}

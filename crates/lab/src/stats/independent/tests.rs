use proptest::prelude::*;

use super::*;
use crate::stats::estimate;

/// Returns numbers from a fixed generator (xorshift64*), so that a simulation is the same in every run.
fn uniform(state: &mut u64) -> f64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
}

/// A time drawn from two uniform numbers.
type Draw = fn(f64, f64) -> f64;

/// Typical distributions of times: smooth, skewed, heavy-tailed, with two peaks.
const TIMES: [(&str, Draw); 5] = [
    ("uniform", |u, _| 1.0 + u),
    ("exponential", |u, _| -(1.0 - u).ln()),
    ("log-normal", |u, v| {
        let normal = (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        (0.1 * normal).exp()
    }),
    ("pareto", |u, _| (1.0 - u).powf(-1.0 / 1.2)),
    ("two peaks", |u, v| {
        if u < 0.35 {
            3.0 + 0.2 * v
        } else {
            1.0 + 0.1 * v
        }
    }),
];

fn draw(time: Draw, n: usize, state: &mut u64) -> Vec<f64> {
    (0..n)
        .map(|_| {
            let u = uniform(state);
            time(u, uniform(state))
        })
        .collect()
}

/// Returns how often the interval of `ratio` contains `factor` when b is a's distribution times `factor`.
fn coverage(
    time: fn(f64, f64) -> f64,
    (n, m): (usize, usize),
    factor: f64,
    ratio: impl Fn(&[f64], &[f64]) -> Ratio,
) -> f64 {
    const RUNS: u32 = 4_000;
    let mut state = 0x1234_5678_9abc_def1;
    let held = (0..RUNS)
        .filter(|_| {
            let a = draw(time, n, &mut state);
            let b: Vec<f64> = draw(time, m, &mut state)
                .iter()
                .map(|it| it * factor)
                .collect();
            let ratio = ratio(&a, &b);
            ratio.low.unwrap() <= factor && factor <= ratio.high.unwrap()
        })
        .count();
    held as f64 / f64::from(RUNS)
}

#[test]
fn medians_are_covered_as_often_as_documented() {
    for (name, time) in TIMES {
        for rounds in [(5, 5), (6, 6), (7, 7), (9, 9), (5, 20), (15, 15), (30, 30)] {
            let held = coverage(time, rounds, 1.7, |a, b| {
                Ratio::of_medians(&estimate(a).unwrap(), &estimate(b).unwrap())
            });
            assert!(held >= 0.955, "{name} {rounds:?}: {held}");
        }
        let few = coverage(time, (3, 3), 1.7, |a, b| {
            Ratio::of_medians(&estimate(a).unwrap(), &estimate(b).unwrap())
        });
        assert!(few >= 0.75, "{name}: {few}");
    }
}

#[test]
fn runs_are_covered_exactly_whatever_the_distribution() {
    for (name, time) in TIMES {
        for runs in [(2, 2), (3, 3), (3, 4), (4, 4), (5, 5), (3, 10), (12, 9)] {
            let (_, confidence) = rank_sum_interval(runs.0, runs.1);
            let held = coverage(time, runs, 0.6, Ratio::of_runs);
            assert!(
                (held - confidence).abs() < 0.02,
                "{name} {runs:?}: {held} against {confidence}"
            );
        }
    }
}

#[test]
fn ranks_match_the_published_table() {
    // Critical values of U, two-sided 5 % (Mann and Whitney's table): U <= the value is significant.
    for ((n, m), critical) in [
        ((4, 4), 0),
        ((5, 5), 2),
        ((4, 6), 2),
        ((6, 7), 6),
        ((8, 8), 13),
        ((10, 10), 23),
        ((20, 20), 127),
    ] {
        assert_eq!(rank_sum_interval(n, m).0, critical, "{n} {m}");
    }
    let three = rank_sum_interval(3, 3);
    assert_eq!(three.0, 0);
    assert!((three.1 - 0.9).abs() < 1e-12);
}

#[test]
fn ways_add_up_to_all_orders() {
    // 10 choose 4.
    assert_eq!(rank_sum_ways(4, 6).iter().sum::<f64>(), 210.0);
    assert_eq!(rank_sum_ways(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
}

fn of(median: f64, low: f64, high: f64, n: usize) -> Estimate {
    Estimate {
        median,
        low,
        high,
        n,
    }
}

#[test]
fn one_run_each_has_a_ratio_and_no_interval() {
    for ratio in [
        Ratio::of_runs(&[2.0], &[3.0]),
        Ratio::of_medians(&of(2.0, 2.0, 2.0, 1), &of(3.0, 3.0, 3.0, 1)),
    ] {
        assert_eq!((ratio.median, ratio.confidence), (Some(1.5), None));
        assert_eq!((ratio.low, ratio.high), (None, None));
        assert_eq!(ratio.verdict(1.0), Verdict::NoDifference);
        // A gate has only the value.
        assert!(ratio.lies_above(1.2) && !ratio.lies_above(1.6));
    }
}

#[test]
fn a_side_that_may_be_zero_leaves_a_bound_open() {
    let ratio = Ratio::of_medians(&of(1.0, 0.0, 2.0, 9), &of(8.0, 7.0, 9.0, 9));
    assert_eq!((ratio.low, ratio.high), (Some(3.5), None));
    assert_eq!(ratio.verdict(1.0), Verdict::Slower);
    let ratio = Ratio::of_medians(&of(8.0, 7.0, 9.0, 9), &of(0.0, 0.0, 0.0, 9));
    assert_eq!(ratio.verdict(1.0), Verdict::Faster);
    let nothing = of(0.0, 0.0, 0.0, 9);
    assert_eq!(
        Ratio::of_medians(&nothing, &nothing).verdict(1.0),
        Verdict::NoDifference
    );
    let from_nothing = Ratio::of_runs(&[0.0; 5], &[1.0; 5]);
    assert_eq!((from_nothing.median, from_nothing.low), (None, None));
    assert_eq!(
        Ratio::of_runs(&[0.0; 5], &[0.0; 5]).median,
        Some(1.0),
        "nothing is as much as nothing"
    );
}

#[test]
fn three_runs_each_are_not_enough_for_a_difference() {
    let three = Ratio::of_runs(&[1.0, 1.1, 1.2], &[3.0, 3.1, 3.2]);
    assert!(three.low.unwrap() > 2.0);
    assert_eq!(three.verdict(1.0), Verdict::NoDifference);
    let four = Ratio::of_runs(&[1.0, 1.1, 1.2, 1.1], &[3.0, 3.1, 3.2, 3.3]);
    assert_eq!(four.verdict(1.0), Verdict::Slower);
    assert_eq!(four.verdict(4.0), Verdict::NoDifference);
}

/// Makes an estimate as a file may contain it, valid or not.
fn any_estimate() -> impl Strategy<Value = Estimate> {
    let figure = || prop_oneof![Just(0.0), Just(1e300), Just(-1.0), 1e-3..1e9f64];
    (figure(), figure(), figure(), 0usize..40).prop_map(|(m, l, h, n)| of(m, l, h, n))
}

proptest! {
    #[test]
    fn any_figures_give_finite_bounds_or_none(a in any_estimate(), b in any_estimate()) {
        let ratio = Ratio::of_medians(&a, &b);
        for it in [ratio.median, ratio.low, ratio.high].into_iter().flatten() {
            prop_assert!(it.is_finite() && it >= 0.0, "{:?}", ratio);
        }
    }

    #[test]
    fn bounds_hold_the_ratio_and_turn_round_with_it(
        a in prop::collection::vec(0.1..10.0f64, 2..30),
        b in prop::collection::vec(0.1..10.0f64, 2..30),
    ) {
        let of_medians = |a: &[f64], b: &[f64]| Ratio::of_medians(&estimate(a).unwrap(), &estimate(b).unwrap());
        for (there, back) in [
            (of_medians(&a, &b), of_medians(&b, &a)),
            (Ratio::of_runs(&a, &b), Ratio::of_runs(&b, &a)),
        ] {
            let (low, high) = (there.low.unwrap(), there.high.unwrap());
            let median = there.median.unwrap();
            prop_assert!(low <= median * 1.000_001 && median <= high * 1.000_001, "{:?}", there);
            prop_assert!((low * back.high.unwrap() - 1.0).abs() < 1e-9);
            let turned = match there.verdict(1.0) {
                Verdict::Faster => Verdict::Slower,
                Verdict::Slower => Verdict::Faster,
                Verdict::NoDifference => Verdict::NoDifference,
            };
            prop_assert_eq!(back.verdict(1.0), turned);
        }
    }

    #[test]
    fn a_run_against_itself_never_differs(a in prop::collection::vec(0.0..10.0f64, 1..40)) {
        let own = estimate(&a).unwrap();
        prop_assert_eq!(Ratio::of_medians(&own, &own).verdict(1.0), Verdict::NoDifference);
        prop_assert_eq!(Ratio::of_runs(&a, &a).verdict(1.0), Verdict::NoDifference);
    }
}

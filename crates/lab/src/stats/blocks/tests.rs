use proptest::prelude::*;

use super::*;
use crate::random::Random;
use crate::stats::{confidence, estimate};

fn blocks(rounds: &[(f64, f64, f64)]) -> Blocks {
    let block = |&(one, two, other): &(f64, f64, f64)| Block {
        base: vec![one, two],
        other,
    };
    Blocks::new(&rounds.iter().map(block).collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_distribution_is_that_of_counting_all_orders() {
    // Three blocks of two base runs: 27 ways, of which 1, 3, 6, 7, 6, 3, 1 give the sums 0 to 6.
    let three = blocks(&[(1.0, 1.0, 1.0); 3]);
    let ways = [1.0, 4.0, 10.0, 17.0, 23.0, 26.0, 27.0];
    for (sum, ways) in ways.into_iter().enumerate() {
        assert!((three.at_most[sum] - ways / 27.0).abs() < 1e-12, "{sum}");
    }
}

#[test]
fn five_blocks_of_two_leave_one_wild_ratio_out() {
    let mut rounds = vec![(1.0, 1.0, 2.0); 5];
    rounds[3].0 = 0.01;
    let e = blocks(&rounds).estimate();
    assert_eq!((e.low, e.median, e.high, e.n), (2.0, 2.0, 2.0, 5));
    // P(sum <= 1) is 6 of 243: twice that is under 5 %.
    assert!(blocks(&rounds).p_above(1.0) <= 6.0 / 243.0 + 1e-12);
}

#[test]
fn equal_figures_prove_nothing() {
    let same = blocks(&[(3.0, 3.0, 3.0); 15]);
    assert!(same.p_below(1.0) > 0.999 && same.p_above(1.0) > 0.999);
    assert_eq!(same.estimate().median, 1.0);
}

#[test]
fn what_is_no_figure_is_left_out() {
    let rounds = [
        (1.0, 1.0, 0.0),
        (1.0, f64::NAN, 1.0),
        (0.0, 1.0, 1.0),
        (1.0, 2.0, 1.0),
    ];
    assert_eq!(blocks(&rounds).estimate().n, 1);
    let none = Block {
        base: Vec::new(),
        other: 1.0,
    };
    assert_eq!(Blocks::new(&[none]), None);
    let huge = Block {
        base: vec![1e-300],
        other: 1e300,
    };
    assert_eq!(Blocks::new(&[huge]), None);
}

#[test]
fn holm_stops_at_the_first_that_fails() {
    // 0.01 x 4, 0.015 x 3 hold at 0.05; 0.03 x 2 does not, and so 0.04 x 1 does not count.
    let p = [0.04, 0.01, 0.03, 0.015];
    assert_eq!(holm(&p, 0.05), [false, true, false, true]);
    assert_eq!(holm(&[], 0.05), [false; 0]);
}

#[test]
fn holds_the_true_ratio_as_often_as_it_says_whatever_the_noise() {
    // Skewed times with a machine state that lasts for rounds; the contender takes 1.3 times as long.
    let mut random = Random::new(7);
    let mut uniform = move || (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    for n in [4, 5, 7, 15] {
        let runs = 4_000;
        let mut held = 0;
        for _ in 0..runs {
            let mut slow = false;
            let rounds: Vec<_> = (0..n)
                .map(|_| {
                    slow ^= uniform() < 0.2;
                    let mut run = || if slow { 3.0 } else { 1.0 } * (0.5 - (1.0 - uniform()).ln());
                    (run(), run(), 1.3 * run())
                })
                .collect();
            let e = blocks(&rounds).estimate();
            held += usize::from((e.low..=e.high).contains(&1.3));
        }
        let share = f64::from(u32::try_from(held).unwrap()) / f64::from(runs);
        assert!(share > 0.945, "{n} blocks: {share}");
    }
}

proptest! {
    #[test]
    fn with_one_base_run_it_is_the_interval_of_the_median(
        rounds in prop::collection::vec((0.1..10.0f64, 0.1..10.0f64), 6..40)
    ) {
        let of_blocks: Vec<Block> = rounds.iter().map(|&(base, other)| Block { base: vec![base], other }).collect();
        let ratios: Vec<f64> = rounds.iter().map(|(base, other)| other / base).collect();
        prop_assert!(confidence(ratios.len()) >= 0.95);
        prop_assert_eq!(Some(Blocks::new(&of_blocks).unwrap().estimate()), estimate(&ratios));
    }

    #[test]
    fn bounds_and_probabilities_are_sound(
        rounds in prop::collection::vec((0.01..100.0f64, 0.01..100.0f64, 0.01..100.0f64), 1..40),
        factor in 0.01..100.0f64,
    ) {
        let it = blocks(&rounds);
        let e = it.estimate();
        prop_assert!(it.least() <= e.low && e.low <= e.median && e.median <= e.high);
        prop_assert_eq!(e.n, rounds.len());
        for p in [it.p_below(factor), it.p_above(factor)] {
            prop_assert!((0.0..=1.0).contains(&p));
        }
        // The two tests and the interval agree.
        prop_assert!(rounds.len() < 4 || (it.p_above(factor) <= 0.025) == (e.low > factor));
        prop_assert!(rounds.len() < 4 || (it.p_below(factor) <= 0.025) == (e.high < factor));
    }
}

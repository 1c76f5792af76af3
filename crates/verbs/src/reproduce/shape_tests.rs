//! Tests of [`super::shape`] and [`super::curve`].

use locktoll_lab::stats::Estimate;
use proptest::prelude::*;

use super::description::{Ratio, Run};
use super::evidence::{Gathered, LiveRun, SystemLook};
use super::figure::Figure;
use super::made_up::{MadeUp, check, evidence, evidence_with_loop};
use super::selection::{Select, When};
use super::shape::{Apart, Number, least, number, quotient};
use locktoll_made_up::made_up;

/// Returns a cell with nearly the same figure in nine rounds, a little more in each.
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
    let check = check("ratio = { of = { lock = \"b\" }, over = { lock = \"a\" } }\nat_least = 0");
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
fn an_exponent_is_no_surer_than_the_tilt_of_two_equal_slices() {
    let cells = [cell("a", 1, 10.0), cell("a", 4, 40.0), cell("a", 16, 160.0)];
    let check = check("exponent = { of = {}, along = \"threads\" }\nat_least = 0");
    let twice: Vec<f64> = cells[0].ns.iter().map(|ns| ns * 2.0).collect();
    let found = number(&check, &evidence(&cells, Some(&twice))).unwrap();
    near(found.estimate.median, 1.0);
    // Twice as much at one end of a curve over a factor of sixteen: a quarter of a power.
    let Apart::Shift(shift) = found.apart else {
        panic!("{:?}", found.apart);
    };
    near(shift, 0.25);
}

/// No line may fit one noisy round of many. Its shape is unknown.
#[test]
fn a_round_without_a_shape_widens_the_interval_and_is_no_reason_to_give_up() {
    let mut cells = [cell("a", 1, 10.0), cell("a", 4, 40.0), cell("a", 16, 160.0)];
    // The exponent is 1 in seven of the nine rounds, higher in one, lower in one.
    cells[2].ns[0] *= 4.0;
    cells[2].ns[1] /= 4.0;
    let check = check("exponent = { of = {}, along = \"threads\" }\nat_least = 0");
    let whole = number(&check, &evidence(&cells, None)).unwrap().estimate;
    near(whole.low, 1.0);
    near(whole.high, 1.0);
    cells[1].ns[8] = 0.0;
    let found = number(&check, &evidence(&cells, None)).unwrap().estimate;
    near(found.median, 1.0);
    // The interval of nine rounds omits one at each end: now, the unknown round is one of them.
    assert!(found.low < 0.9 && found.high > 1.1, "{found:?}");
    cells[1].ns[7] = 0.0;
    let refused = number(&check, &evidence(&cells, None)).unwrap_err();
    assert!(refused.contains("no such shape"), "{refused}");
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
    let cells = [
        cell("a", 1, 10.0),
        cell("b", 1, 30.0),
        cell("a", 2, 10.0),
        cell("b", 2, 9.0),
    ];
    // The interval of nine rounds omits one at each end.
    let quotients = [0.5, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 3.0];
    let again: Vec<f64> = cells[0]
        .ns
        .iter()
        .zip(quotients)
        .map(|(ns, q)| ns * q)
        .collect();
    let apart = |threads: u32| {
        let text = format!(
            "ratio = {{ of = {{ lock = \"b\", threads = {threads} }}, over = {{ lock = \"a\", threads = {threads} }} }}\nat_least = 0"
        );
        match number(&check(&text), &evidence(&cells, Some(&again)))
            .unwrap()
            .apart
        {
            Apart::Factor(factor) => factor,
            Apart::Shift(_) => panic!("a quotient is off by a factor"),
        }
    };
    near(apart(1), 1.25);
    near(apart(2), 1.0);
    let curve = check(
        "beyond_line = { of = { lock = \"a\" }, along = \"threads\", up_to = 1 }\nat_least = 0",
    );
    assert!(
        number(&curve, &evidence(&cells, Some(&again))).is_err(),
        "one point is no line"
    );
    let single = check("value = { lock = \"a\", threads = 1 }\nat_least = 0");
    let apart = number(&single, &evidence(&cells, Some(&again)))
        .unwrap()
        .apart;
    // The second of nine: 10.1 * 0.2.
    let Apart::Shift(shift) = apart else {
        panic!("a value is off by a distance")
    };
    near(shift, 2.02);
}

#[test]
fn a_lucky_pair_does_not_make_a_spread() {
    // Each of the three pairs differs in a third of the rounds, by a factor of ten: their own intervals reach from 1/10 to 10.
    let ns = |high: usize| {
        (0..9)
            .map(|round| if round % 3 == high { 100.0 } else { 10.0 })
            .collect()
    };
    let cells = ["a", "b", "c"]
        .iter()
        .enumerate()
        .map(|(index, lock)| MadeUp {
            lock,
            threads: 2,
            ns: ns(index),
        });
    let cells: Vec<MadeUp<'_>> = cells.collect();
    let three = "[{ lock = \"a\" }, { lock = \"b\" }, { lock = \"c\" }]";
    near(median(&format!("spread = {three}"), &cells).unwrap(), 10.0);
    // Two cells that are equal except in a single round are not far apart, whichever way that round deviates.
    let mut two = [cell("a", 2, 10.0), cell("b", 2, 10.0)];
    two[1].ns[4] *= 50.0;
    let check = check("spread = [{ lock = \"a\" }, { lock = \"b\" }]\nat_least = 1.5");
    let spread = number(&check, &evidence(&two, None)).unwrap().estimate;
    near(spread.low, 1.0);
    near(spread.high, 1.0);
}

#[test]
fn the_empty_loop_is_taken_off_both_sides_or_neither() {
    // Made-up empty loops take 4 ns.
    let cells = [
        cell("a", 1, 10.0),
        cell("b", 1, 16.0),
        cell("b", 2, 16.0),
        cell("c", 1, 3.0),
    ];
    let ratio = |of: &str, over: &str| {
        let text = format!("ratio = {{ of = {{ {of} }}, over = {{ {over} }} }}\nat_least = 0");
        let found = number(&check(&text), &evidence_with_loop(&cells, None, 4.0));
        found.map(|number| number.estimate.high)
    };
    let a = "lock = \"a\", threads = 1";
    assert!(ratio("lock = \"b\", threads = 1", a).unwrap() > 1.9);
    near(ratio("lock = \"b\", threads = 2", a).unwrap(), 1.6);
    // A negative figure stays negative in the numerator, and gives no quotient in the denominator.
    assert!(ratio("lock = \"c\"", a).unwrap() < 0.0);
    assert!(ratio(a, "lock = \"c\"").is_err());
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

#[test]
fn a_quotient_is_worth_the_fewer_rounds_and_a_count_takes_none_away() {
    let looks = vec![
        SystemLook {
            switches_per_second: 100.0,
            user_share: 0.0,
            system_share: 0.0,
            idle_share: 0.0,
            causes: Err("not looked for".to_owned()),
        };
        6
    ];
    let live = LiveRun {
        causes_from: None,
        before: Vec::new(),
        during: looks,
    };
    let prices = made_up::machine_result().prices;
    let part = prices
        .parts
        .iter()
        .find(|part| part.switches_counted.is_some());
    let counted = part.unwrap().name.clone();
    let mut evidence = evidence(&[cell("a", 1, 10.0)], None);
    let mut add = |name: &str, gathered| {
        let run = Run {
            name: Some(name.to_owned()),
            ..evidence.runs[0].0.clone()
        };
        evidence.runs.push((run, Ok(gathered)));
    };
    add("live", Gathered::Live(live));
    add("machine", Gathered::Machine(Box::new(prices)));
    evidence.runs[0].0.name = Some("bench".to_owned());

    let select = |run: &str, figure, part: Option<&String>| Select {
        run: Some(run.to_owned()),
        figure: Some(figure),
        when: Some(When::During),
        part: part.cloned(),
        ..Select::default()
    };
    let nine = select("bench", Figure::NsPerOp, None);
    let six = select("live", Figure::SwitchesPerSecond, None);
    let count = select("machine", Figure::SwitchesCounted, Some(&counted));
    let mut check = check("value = {}\nat_least = 0");
    check.value = None;
    let mut found = |of: &Select, over: &Select| {
        let (of, over) = (of.clone(), over.clone());
        check.ratio = Some(Ratio { of, over });
        let number = number(&check, &evidence).unwrap();
        (number.estimate.n, number.exact)
    };
    assert_eq!(found(&nine, &six), (6, false));
    assert_eq!(found(&six, &nine), (6, false));
    assert_eq!(found(&nine, &count), (9, false));
    assert_eq!(found(&count, &nine), (9, false));
    assert!(found(&count, &count).1);
}

fn estimate(low: f64, median: f64, high: f64) -> Estimate {
    Estimate {
        median,
        low,
        high,
        n: 9,
    }
}

#[test]
fn a_quotient_of_intervals_reaches_from_corner_to_corner() {
    let few = |n| Estimate {
        n,
        ..estimate(1.0, 2.0, 4.0)
    };
    let found = quotient(&estimate(6.0, 8.0, 10.0), &few(7)).unwrap();
    assert_eq!((found.low, found.median, found.high), (1.5, 4.0, 10.0));
    assert_eq!((found.n, quotient(&few(5), &few(7)).unwrap().n), (7, 5));
    let from_zero = estimate(0.0, 1.0, 2.0);
    assert_eq!(
        quotient(&from_zero, &estimate(1.0, 1.0, 1.0)).unwrap().low,
        0.0
    );
    assert_eq!(quotient(&estimate(1.0, 1.0, 1.0), &from_zero), None);
    assert_eq!(
        quotient(&estimate(-1.0, 1.0, 2.0), &estimate(1.0, 1.0, 1.0)),
        None
    );
}

#[test]
fn the_least_has_the_least_of_the_medians_of_both_bounds_and_of_the_rounds() {
    let with = |n, low, median, high| Number {
        estimate: Estimate {
            n,
            ..estimate(low, median, high)
        },
        exact: false,
        apart: Apart::Factor(1.0),
    };
    // Each number has some of them.
    let numbers = [
        with(8, 1.0, 5.0, 9.0),
        with(6, 2.0, 4.0, 8.0),
        with(7, 3.0, 6.0, 7.0),
    ];
    let expected = with(6, 1.0, 4.0, 7.0);
    for first in 0..numbers.len() {
        let mut numbers = numbers;
        numbers.rotate_left(first);
        assert_eq!(least(&numbers), Some(expected));
    }
}

#[test]
fn the_least_is_exact_only_if_all_are_and_as_uncertain_as_the_worst() {
    let number = |exact, factor| Number {
        estimate: estimate(1.0, 2.0, 3.0),
        exact,
        apart: Apart::Factor(factor),
    };
    for (one, other) in [((true, 1.1), (false, 1.3)), ((false, 1.3), (true, 1.1))] {
        let found = least(&[number(one.0, one.1), number(other.0, other.1)]).unwrap();
        assert!(!found.exact);
        assert_eq!(found.apart, Apart::Factor(1.3));
    }
    assert!(
        least(&[number(true, 1.0), number(true, 1.0)])
            .unwrap()
            .exact
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

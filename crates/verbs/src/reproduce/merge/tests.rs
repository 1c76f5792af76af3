//! Tests of merging, on made-up results.

use locktoll_lab::stats::Estimate;
use locktoll_made_up::made_up;
use locktoll_results::merged::{DifferenceKind, Merged};
use locktoll_results::reproduction::{ClaimVerdict, Reproduction};
use proptest::prelude::*;

use super::combine::{alone, keep, merged};
use super::files::Result as File;

/// Returns a made-up result of a machine with this processor.
fn on(cpu: &str) -> Reproduction {
    let mut result = made_up::reproduction();
    result.machine.cpu_model = Some(cpu.to_owned());
    result
}

fn merge(results: Vec<Reproduction>) -> std::result::Result<Merged, String> {
    let file = |(at, result)| File {
        file: format!("{at}.json"),
        result,
    };
    merged(results.into_iter().enumerate().map(file).collect())
}

fn kinds(merged: &Merged) -> Vec<(&str, DifferenceKind)> {
    let all = merged.differences.iter();
    all.map(|it| (it.claim.as_str(), it.kind)).collect()
}

#[test]
fn equal_results_have_a_column_each_and_no_differences() {
    let merged = merge(vec![on("A"), on("B")]).unwrap();
    assert_eq!(merged.machines.len(), 2);
    assert!(merged.claims.iter().all(|it| it.results.len() == 2));
    assert_eq!(kinds(&merged), []);
    assert!(alone(&merged).is_none());
    // A single result is shown as it is: its page needs no measurement.
    let one = alone(&merge(vec![on("A")]).unwrap()).unwrap();
    assert_eq!(
        serde_json::to_value(one).unwrap(),
        serde_json::to_value(on("A")).unwrap()
    );
}

#[test]
fn unequal_verdicts_and_intervals_apart_are_pointed_out() {
    let (a, mut b) = (on("A"), on("B"));
    assert_eq!(b.claims[0].verdict, ClaimVerdict::DoesNotHold);
    b.claims[0].verdict = ClaimVerdict::Holds;
    let apart = |from: Estimate| Estimate {
        median: from.median * 100.0,
        low: from.low * 100.0,
        high: from.high * 100.0,
        n: from.n,
    };
    b.claims[0].checks[1].measured = b.claims[0].checks[1].measured.map(apart);
    assert_eq!(b.claims[1].verdict, ClaimVerdict::Holds);
    b.claims[1].verdict = ClaimVerdict::CannotBeJudgedHere;
    let merged = merge(vec![a, b]).unwrap();
    let first = &merged.claims[0].id;
    let second = &merged.claims[1].id;
    assert_eq!(
        kinds(&merged),
        [
            (first.as_str(), DifferenceKind::Verdict),
            (first, DifferenceKind::Interval),
            (second, DifferenceKind::Unjudged),
        ]
    );
    let said = &merged.differences;
    assert!(
        said[0]
            .what
            .ends_with("does not hold on A, 8 CPUs; holds on B, 8 CPUs"),
        "{said:?}"
    );
    assert_eq!(
        said[1].check,
        Some(
            merged.claims[0].results[0].as_ref().unwrap().checks[1]
                .what
                .clone()
        )
    );
    assert!(said[1].what.contains("do not overlap: 11.9 ("), "{said:?}");
}

#[test]
fn a_number_that_was_counted_has_no_interval_to_compare() {
    let (mut a, mut b) = (on("A"), on("B"));
    for (result, value) in [(&mut a, 1.0), (&mut b, 2.0)] {
        let counted = Estimate {
            median: value,
            low: value,
            high: value,
            n: 1,
        };
        result.claims[0].checks[0].measured = Some(counted);
    }
    assert_eq!(kinds(&merge(vec![a, b]).unwrap()), []);
}

#[test]
fn what_does_not_belong_together_is_refused_in_one_line() {
    let refused = |results| {
        let said = merge(results).unwrap_err();
        assert!(!said.contains('\n'), "{said}");
        said
    };
    let said = refused(vec![on("A"), on("B"), on("A")]);
    assert!(
        said.starts_with("0.json and 2.json were measured on the same machine"),
        "{said}"
    );

    let mut other = on("B");
    other.claims[0].claim.push('!');
    let said = refused(vec![on("A"), other]);
    assert!(
        said.contains("in 0.json and 1.json: they differ in the claim"),
        "{said}"
    );

    let mut other = on("B");
    other.claims[0].checks[0].at_least = Some(1.0);
    let said = refused(vec![on("A"), other]);
    assert!(
        said.contains("they differ in the bounds of 'kernel lock over"),
        "{said}"
    );

    let mut twice = on("A");
    twice.claims.push(twice.claims[0].clone());
    assert!(refused(vec![twice]).contains("two results of"));
}

#[test]
fn the_same_machine_at_another_moment_is_another_column() {
    let mut later = on("A");
    later.made.as_mut().unwrap().date = Some("2031-01-01T00:00:00Z".to_owned());
    let merged = merge(vec![on("A"), later]).unwrap();
    let names: Vec<&str> = merged.machines.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["A, 8 CPUs (#1)", "A, 8 CPUs (#2)"]);
}

#[test]
fn claims_are_chosen_by_id() {
    let (a, mut b) = (on("A"), on("B"));
    b.claims[0].verdict = ClaimVerdict::Holds;
    let mut merged = merge(vec![a, b]).unwrap();
    let second = merged.claims[1].id.clone();
    assert_eq!(merged.differences.len(), 1);
    keep(&mut merged, &[&second]).unwrap();
    assert_eq!((merged.claims.len(), merged.differences.len()), (1, 0));
    let said = keep(&mut merged, &["Z9"]).unwrap_err();
    assert_eq!(
        said,
        format!("no file has a result of Z9; accepted: {second}")
    );
}

proptest! {
    #[test]
    fn each_result_stays_in_its_column_and_claims_are_in_order(
        chosen in proptest::collection::vec(proptest::collection::vec(any::<bool>(), 5), 1..5),
    ) {
        let all = made_up::reproduction().claims.len();
        prop_assert_eq!(all, 5);
        let results = chosen.iter().enumerate().map(|(at, chosen)| {
            let mut result = on(&format!("CPU{at}"));
            let mut there = chosen.iter();
            result.claims.retain(|_| *there.next().unwrap());
            result.claims.reverse();
            result
        });
        let merged = merge(results.collect()).unwrap();
        let place = |id: &String| (id.chars().next(), id[1..].parse::<u32>().unwrap());
        prop_assert!(merged.claims.is_sorted_by_key(|it| place(&it.id)));
        for claim in &merged.claims {
            let at = made_up::reproduction().claims.iter().position(|it| it.id == claim.id).unwrap();
            let there: Vec<bool> = claim.results.iter().map(Option::is_some).collect();
            let expected: Vec<bool> = chosen.iter().map(|it| it[at]).collect();
            prop_assert_eq!(there, expected);
        }
        let given = (0..all).filter(|at| chosen.iter().any(|it| it[*at])).count();
        prop_assert_eq!(merged.claims.len(), given);
    }

    #[test]
    fn intervals_are_apart_whatever_the_order_of_the_machines(
        values in proptest::collection::vec((1.0..9.0_f64, 0.0..3.0_f64), 2..5),
    ) {
        let result = |(at, (low, width)): (usize, &(f64, f64))| {
            let mut result = on(&format!("CPU{at}"));
            result.claims.truncate(1);
            let check = &mut result.claims[0].checks[0];
            check.measured = Some(Estimate { median: low + width / 2.0, low: *low, high: low + width, n: 9 });
            result
        };
        let merged = merge(values.iter().enumerate().map(result).collect()).unwrap();
        let apart = values.iter().any(|a| values.iter().any(|b| a.0 > b.0 + b.1));
        let found = merged.differences.iter().any(|it| it.kind == DifferenceKind::Interval);
        prop_assert_eq!(found, apart);
    }
}

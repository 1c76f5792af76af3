//! Rules for rows about which little is known.

use locktoll_lab::stats::{Estimate, Ratio, least_confidence};

use super::Rule;
use super::answer::says_by_itself;
use super::judge::{Judged, judge};
use crate::compare::measure::{Entry, Measured, Metric, row};
use crate::compare::{Results, between};
use locktoll_made_up::made_up;
use locktoll_results::Kind;
use locktoll_results::comparison::{Comparison, Row, RowVerdict, Unit};
use locktoll_results::saved::Saved;
use locktoll_terminal::failure::Failure;

const WAIT: Metric = Metric::less("wait_ns", Unit::Ns);
const HOLD: Metric = Metric::less("hold_ns", Unit::Ns);

/// Returns a comparison of recordings with these rows.
fn of(rows: Vec<Row>) -> Comparison {
    let bench = || Results::of("x.json", vec![Saved::Bench(Box::new(made_up::contended()))]);
    let mut comparison = between(&bench(), &bench(), None).unwrap();
    comparison.kind = Kind::Profile;
    comparison.metric = WAIT.name.to_owned();
    comparison.rows = rows;
    comparison
}

fn entry(metric: Metric, runs: &[f64]) -> Entry {
    Entry {
        key: "lock".to_owned(),
        name: "lock".to_owned(),
        figures: vec![(metric, Measured::Runs(runs.to_vec()))],
    }
}

fn waits(a: &[f64], b: &[f64], noise: f64) -> Row {
    row(Some(entry(WAIT, a)), Some(entry(WAIT, b)), WAIT.name, noise).unwrap()
}

fn judged(rule: &str, rows: Vec<Row>) -> Judged {
    judge(&rule.parse::<Rule>().unwrap(), &of(rows)).unwrap()
}

/// Returns how many rows break a rule, keep it, and are not judged.
fn counts(rule: &str, rows: Vec<Row>) -> (usize, usize, usize) {
    let outcome = judged(rule, rows).outcome;
    let broken = outcome.broken_by.len();
    (broken, outcome.judged - broken, outcome.unjudged.len())
}

#[test]
fn noise_beyond_the_bound_judges_only_what_is_clear_of_it() {
    for (ratio, expected) in [
        (1.6, (1, 0, 0)),
        (1.4, (0, 0, 1)),
        (1.0, (0, 0, 1)),
        (0.7, (0, 1, 0)),
    ] {
        let rows = |noise| vec![waits(&[100.0], &[100.0 * ratio], noise)];
        assert_eq!(counts("wait_ns>1.2x", rows(1.5)), expected, "{ratio}");
        let clear = if ratio > 1.2 { (1, 0, 0) } else { (0, 1, 0) };
        assert_eq!(counts("wait_ns>1.2x", rows(1.0)), clear, "{ratio}");
    }
    let why = judged("wait_ns>1.2x", vec![waits(&[100.0], &[100.0], 1.5)]);
    assert!(why.outcome.unjudged_why[0].contains("noise floor"));
    // The same with the ratio inverted.
    assert_eq!(
        counts("wait_ns<0.9x", vec![waits(&[100.0], &[80.0], 1.5)]),
        (0, 0, 1)
    );
    assert_eq!(
        counts("wait_ns<0.9x", vec![waits(&[100.0], &[60.0], 1.5)]),
        (1, 0, 0)
    );
    assert_eq!(
        counts("wait_ns<0.9x", vec![waits(&[100.0], &[200.0], 1.5)]),
        (0, 1, 0)
    );
    // A rule that demands an improvement.
    assert_eq!(
        counts("wait_ns>0.9x", vec![waits(&[100.0], &[100.0], 1.0)]),
        (1, 0, 0)
    );
}

#[test]
fn a_ratio_at_the_bound_is_not_beyond_it() {
    let rows = |b| vec![waits(&[100.0], &[b], 1.0)];
    assert_eq!(counts("wait_ns>1.5x", rows(150.0)), (0, 1, 0));
    assert_eq!(counts("wait_ns>1.5x", rows(151.0)), (1, 0, 0));
    assert_eq!(counts("wait_ns<0.5x", rows(50.0)), (0, 1, 0));
    assert_eq!(counts("wait_ns<0.5x", rows(49.0)), (1, 0, 0));
}

#[test]
fn one_condition_that_does_not_hold_keeps_the_rule_whatever_the_others_leave_open() {
    let noisy = || vec![waits(&[100.0], &[140.0], 1.5)];
    assert_eq!(counts("wait_ns>1.2x", noisy()), (0, 0, 1));
    assert_eq!(counts("wait_ns>1.2x and wait_ns>1ms", noisy()), (0, 1, 0));
    assert_eq!(counts("wait_ns>1ms and wait_ns>1.2x", noisy()), (0, 1, 0));
    assert_eq!(counts("wait_ns>1.2x and wait_ns>30ns", noisy()), (0, 0, 1));
}

#[test]
fn a_row_without_one_of_the_figures_is_not_what_a_rule_is_about() {
    let rule = "wait_ns>1.2x and hold_ns>1.2x";
    let both = |hold_ns| {
        let holds = |ns: f64| Some(entry(HOLD, &[ns]));
        let held = row(holds(10.0), holds(hold_ns), HOLD.name, 1.0).unwrap();
        let mut both = waits(&[100.0], &[200.0], 1.0);
        both.metrics.extend(held.metrics);
        both
    };
    let without = || waits(&[100.0], &[200.0], 1.0);
    assert_eq!(counts(rule, vec![both(20.0), without()]), (1, 0, 0));
    assert_eq!(counts(rule, vec![both(10.0), without()]), (0, 1, 0));
}

#[test]
fn an_amount_is_beyond_its_bound_with_all_of_its_interval() {
    let rows = |low, high| {
        let mut row = waits(&[100.0], &[100.0], 1.0);
        row.metrics[0].b = Some(Estimate {
            median: (low + high) / 2.0,
            low,
            high,
            n: 9,
        });
        vec![row]
    };
    for (low, high, above, below) in [
        (60.0, 90.0, 1, 0),
        (50.0, 90.0, 0, 0),
        (40.0, 60.0, 0, 0),
        (10.0, 50.0, 0, 0),
        (10.0, 40.0, 0, 1),
    ] {
        let expected = |broken| (broken, 1 - broken, 0);
        assert_eq!(counts("wait_ns>50ns", rows(low, high)), expected(above));
        assert_eq!(counts("wait_ns<50ns", rows(low, high)), expected(below));
    }
}

#[test]
fn from_nothing_to_something_takes_more_than_one_run_or_an_amount() {
    let one = || vec![waits(&[0.0], &[40.0], 1.0)];
    assert_eq!(counts("wait_ns>1.2x", one()), (0, 0, 1));
    assert_eq!(counts("wait_ns>1.2x and wait_ns>1ms", one()), (0, 1, 0));
    assert_eq!(counts("wait_ns>1.2x and wait_ns>30ns", one()), (1, 0, 0));
    let five = vec![waits(&[0.0; 5], &[40.0; 5], 1.0)];
    assert_eq!(counts("wait_ns>1.2x", five), (1, 0, 0));
    // More is not less, whatever the number of runs.
    assert_eq!(counts("wait_ns<0.9x", one()), (0, 1, 0));
    // Two zeros are equal, so no row breaks the rule.
    for runs in [1, 5] {
        let zeros = vec![0.0; runs];
        let still = vec![waits(&zeros, &zeros, 1.0)];
        assert_eq!(counts("wait_ns>1.2x", still), (0, 1, 0), "{runs}");
    }
}

#[test]
fn noise_within_the_bound_changes_nothing_and_beyond_it_widens_a_bound_below_one() {
    let rows = |b, noise| vec![waits(&[100.0], &[b], noise)];
    assert_eq!(counts("wait_ns>1.5x", rows(140.0, 1.2)), (0, 1, 0));
    assert_eq!(counts("wait_ns>1.5x", rows(151.0, 1.2)), (1, 0, 0));
    // 0.9 times the noise is 1.35, and 0.9 divided by it is 0.6.
    assert_eq!(counts("wait_ns>0.9x", rows(140.0, 1.5)), (1, 0, 0));
    assert_eq!(counts("wait_ns>0.9x", rows(130.0, 1.5)), (0, 0, 1));
    assert_eq!(counts("wait_ns>0.9x", rows(61.0, 1.5)), (0, 0, 1));
    assert_eq!(counts("wait_ns>0.9x", rows(59.0, 1.5)), (0, 1, 0));
}

#[test]
fn a_verdict_needs_enough_confidence_and_a_bound() {
    let rows = |confidence, low| {
        let mut row = waits(&[100.0], &[100.0], 1.0);
        row.metrics[0].ratio = Some(Ratio {
            median: Some(1.0),
            low,
            high: None,
            confidence,
            n: 9,
        });
        vec![row]
    };
    let least = least_confidence();
    for (confidence, low, expected, why) in [
        (None, Some(0.9), (0, 0, 1), "too few runs"),
        (Some(least - 0.01), Some(0.9), (0, 0, 1), "too few runs"),
        (Some(least), None, (0, 0, 1), "does not reach the bound"),
        (Some(least), Some(0.9), (0, 1, 0), ""),
        (Some(0.99), Some(0.9), (0, 1, 0), ""),
    ] {
        assert_eq!(counts("slower", rows(confidence, low)), expected);
        let outcome = judged("slower", rows(confidence, low)).outcome;
        let said = outcome.unjudged_why.concat();
        assert!(said.contains(why), "{said}");
        assert_eq!(said.is_empty(), why.is_empty());
    }
}

#[test]
fn what_is_neither_better_nor_worse_can_only_change() {
    const TAKEN: Metric = Metric::neither("acquisitions", Unit::Count);
    let taken = |b: f64| {
        let side = |scale: f64| entry(TAKEN, &[1.0, 1.1, 1.2, 1.3, 1.4].map(|it| it * scale));
        row(Some(side(1.0)), Some(side(b)), TAKEN.name, 1.0).unwrap()
    };
    assert_eq!(counts("changed", vec![taken(9.0)]), (1, 0, 0));
    assert_eq!(counts("changed", vec![taken(1.0)]), (0, 1, 0));
    let waits = waits(&[100.0; 4], &[100.0; 4], 1.0);
    for (rule, row) in [("slower", taken(9.0)), ("changed", waits)] {
        let refused = judge(&rule.parse::<Rule>().unwrap(), &of(vec![row]));
        assert!(matches!(refused, Err(Failure::Usage(_))), "{refused:?}");
    }
}

#[test]
fn causes_are_counted_and_a_row_is_described_by_its_name_and_its_key() {
    let mut rows = vec![waits(&[100.0], &[100.0], 1.5); 2];
    rows.push(row(None, Some(entry(WAIT, &[1.0])), WAIT.name, 1.0).unwrap());
    let why = judged("wait_ns>1.2x", rows).outcome.unjudged_why;
    assert!(why[0].starts_with("2 rows: the noise floor"), "{why:?}");
    assert_eq!(why[1], "1 row: on one side only");
    assert_eq!(why.len(), 2);

    let line = |key: &str, name: &str| {
        let mut row = waits(&[100.0], &[200.0], 1.0);
        row.metrics.insert(0, row.metrics[0].clone());
        row.metrics[0].name = "other".to_owned();
        (row.key, row.name) = (key.to_owned(), name.to_owned());
        judged("wait_ns>1.2x", vec![row]).lines.remove(0)
    };
    let begins = |it: &str, with: &str| {
        let begin = format!("'wait_ns>1.2x' is broken by {with}: wait_ns from ");
        assert!(it.starts_with(&begin), "{it}");
    };
    begins(&line("mutex:p:x", "x"), "mutex:p:x");
    begins(&line("mutex:p:x", ""), "mutex:p:x");
    begins(&line("mutex:p:x", "slots"), "slots (mutex:p:x)");
}

#[test]
fn a_rule_names_whole_rows_or_else_parts_of_them() {
    let named = |key: &str, name: &str| {
        let mut row = waits(&[100.0], &[200.0], 1.0);
        (row.key, row.name) = (key.to_owned(), name.to_owned());
        row
    };
    let rows = || {
        vec![
            named("mutex:p:log", "log"),
            named("mutex:p:log_pool", "pool"),
            named("mutex:p:other", "catalog"),
        ]
    };
    let broken = |rule: &str| judged(rule, rows()).outcome.broken_by;
    assert_eq!(broken("wait_ns[log]>1.2x"), ["mutex:p:log"]);
    assert_eq!(broken("wait_ns[mutex:p:other]>1.2x"), ["mutex:p:other"]);
    assert_eq!(
        broken("wait_ns[lo]>1.2x"),
        ["mutex:p:log", "mutex:p:log_pool", "mutex:p:other"]
    );
    assert_eq!(broken("wait_ns[_pool]>1.2x"), ["mutex:p:log_pool"]);
    assert_eq!(broken("wait_ns[cata]>1.2x"), ["mutex:p:other"]);
}

#[test]
fn a_claim_keeps_a_rule_if_it_was_judged_on_both_sides() {
    let judged = |verdict, note: &str| {
        let mut row = waits(&[1.0], &[1.0], 1.0);
        (row.verdict, row.note) = (verdict, Some(note.to_owned()));
        let mut claims = of(vec![row]);
        claims.kind = Kind::Reproduce;
        let outcome = judge(&"slower".parse().unwrap(), &claims).unwrap().outcome;
        (
            outcome.broken_by.len(),
            outcome.judged,
            outcome.unjudged.len(),
        )
    };
    assert_eq!(judged(RowVerdict::Slower, "worse"), (1, 1, 0));
    assert_eq!(judged(RowVerdict::Faster, "better"), (0, 1, 0));
    assert_eq!(judged(RowVerdict::NoDifference, "holds"), (0, 1, 0));
    let open = "cannot be judged";
    assert_eq!(judged(RowVerdict::NoDifference, open), (0, 0, 1));
    assert_eq!(judged(RowVerdict::Changed, open), (0, 0, 1));
}

#[test]
fn only_the_note_of_a_claim_says_by_itself_what_became_of_it() {
    let without = waits(&[1.0], &[2.0], 1.0);
    let mut noted = without.clone();
    noted.note = Some("holds".to_owned());
    assert!(says_by_itself(&noted, Kind::Reproduce));
    assert!(!says_by_itself(&without, Kind::Reproduce));
    assert!(!says_by_itself(&noted, Kind::Profile));
}

#[test]
fn a_ratio_without_the_bound_that_decides_is_not_kept() {
    let with = |low, high| {
        let mut row = waits(&[100.0], &[100.0], 1.0);
        row.metrics[0].ratio = Some(Ratio {
            median: Some(1.0),
            low,
            high,
            confidence: Some(0.95),
            n: 9,
        });
        vec![row]
    };
    assert_eq!(counts("wait_ns>1.2x", with(None, None)), (0, 0, 1));
    assert_eq!(counts("wait_ns>1.2x", with(None, Some(1.1))), (0, 1, 0));
    assert_eq!(counts("wait_ns>1.2x", with(None, Some(1.2))), (0, 1, 0));
    assert_eq!(counts("wait_ns>1.2x", with(None, Some(1.3))), (0, 0, 1));
    assert_eq!(counts("wait_ns>1.2x", with(Some(0.9), None)), (0, 1, 0));
    assert_eq!(counts("wait_ns<0.8x", with(Some(0.5), None)), (0, 0, 1));
}

#[test]
fn a_verdict_that_no_row_can_have_is_not_kept() {
    let one = || vec![waits(&[100.0], &[900.0], 1.0)];
    assert_eq!(counts("slower", one()), (0, 0, 1));
    let renamed = || vec![row(Some(entry(WAIT, &[1.0; 4])), None, WAIT.name, 1.0).unwrap()];
    assert_eq!(counts("slower", renamed()), (0, 0, 1));
    assert_eq!(counts("wait_ns>1.2x", renamed()), (0, 0, 1));
    assert_eq!(counts("only_a", renamed()), (1, 0, 0));
    assert_eq!(counts("slower", Vec::new()), (0, 0, 0));
    let four = vec![waits(&[100.0; 4], &[900.0; 4], 1.0)];
    assert_eq!(counts("slower", four), (1, 0, 0));
}

#[test]
fn a_figure_that_no_chosen_row_has_is_wrong_use() {
    let rule: Rule = "duration_ns[lock]>1.2x".parse().unwrap();
    let refused = judge(&rule, &of(vec![waits(&[1.0], &[2.0], 1.0)]));
    assert!(matches!(refused, Err(Failure::Usage(_))), "{refused:?}");
}

#[test]
fn a_row_without_the_leading_figure_has_no_verdict() {
    let five = |scale: f64| [1.0, 1.1, 1.2, 1.3, 1.4].map(|it| it * scale);
    let (a, b) = (entry(HOLD, &five(1.0)), entry(HOLD, &five(9.0)));
    let row = row(Some(a), Some(b), WAIT.name, 1.0).unwrap();
    assert_eq!(
        row.verdict,
        locktoll_results::comparison::RowVerdict::NoDifference
    );
    assert!(row.ratio.is_none() && row.a.is_none());
    assert_eq!(
        row.metrics[0].verdict,
        locktoll_results::comparison::RowVerdict::Slower
    );
    assert_eq!(counts("hold_ns>2x", vec![row]), (1, 0, 0));
}

#[test]
fn one_price_that_did_change_is_a_difference_and_does_not_mute_the_others() {
    let of = |changed: Option<usize>| {
        let mut result = made_up::machine_result();
        let estimate = |median: f64| Estimate {
            median,
            low: median * 0.999,
            high: median * 1.001,
            n: 9,
        };
        let part = result.prices.parts[0].clone();
        result.prices.parts = (0..10)
            .map(|number| {
                let mut part = part.clone();
                part.name = format!("part-{number}");
                part.group = match number {
                    9 => locktoll_lab::probe::Group::KernelEntry,
                    _ => locktoll_lab::probe::Group::Memory,
                };
                let factor = if changed == Some(number) { 3.0 } else { 1.0 };
                part.value = Some(estimate(10.0 * factor));
                part
            })
            .collect();
        Results::of("m.json", vec![Saved::Machine(Box::new(result))])
    };
    for changed in [0, 9] {
        let comparison = between(&of(None), &of(Some(changed)), None).unwrap();
        let slower: Vec<&str> = comparison
            .rows
            .iter()
            .filter(|row| row.verdict == locktoll_results::comparison::RowVerdict::Slower)
            .map(|row| row.key.as_str())
            .collect();
        assert_eq!(slower, [format!("part-{changed}")]);
    }
}

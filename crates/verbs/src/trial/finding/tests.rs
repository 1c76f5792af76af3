//! The words for factors and shares, at the figures where they change.

use super::*;
use locktoll_made_up::made_up;

fn ratio(median: f64, low: f64, high: f64, n: usize) -> Estimate {
    Estimate {
        median,
        low,
        high,
        n,
    }
}

/// Returns a row of a lock with this verdict and interval.
fn row(lock: &str, verdict: Verdict, low: f64, high: f64, n: usize) -> TrialRow {
    let mut row = made_up::trial::won().results[2].clone();
    row.lock = lock.to_owned();
    row.verdict = Some(verdict);
    row.ratio_to_bare = Some(ratio((low + high) / 2.0, low, high, n));
    row.is_finalist = false;
    row
}

fn time() -> Metric {
    made_up::trial::won().metric
}

#[test]
fn a_factor_has_three_digits_or_is_a_power() {
    for (factor, expected) in [
        (0.05, "5.0e-2"),
        (0.1, "0.10"),
        (9.99, "9.99"),
        (9.995, "10.0"),
        (99.9, "99.9"),
        (99.95, "100"),
        (999_999.0, "999999"),
        (1e6, "1.0e6"),
    ] {
        assert_eq!(times(factor), expected);
    }
    assert_eq!(more(1.32), "32 % more");
    assert_eq!(more(2.0), "2.00 times as much");
}

#[test]
fn what_may_be_unseen_is_the_furthest_end_of_an_interval() {
    let unseen = |low, high| unseen(&[&row("x", Verdict::NoDifference, low, high, 9)]);
    assert_eq!(unseen(1.0, 1.005), "1 %");
    assert_eq!(unseen(0.95, 1.02), "5.3 %");
    assert_eq!(unseen(0.99, 1.09), "9.0 %");
    assert_eq!(unseen(0.8, 1.02), "25 %");
    assert_eq!(unseen(0.9, 1.6), "60 %");
    assert_eq!(unseen(0.4, 1.0), "a factor of 2.50");
}

#[test]
fn an_interval_of_few_rounds_is_told_as_such() {
    let interval = |n| interval(&ratio(1.0, 0.9, 1.1, n));
    assert_eq!(interval(1), "0.90 .. 1.10 in 1 round");
    assert_eq!(interval(LEAST_ROUNDS - 1), "0.90 .. 1.10 in 4 rounds");
    assert_eq!(interval(LEAST_ROUNDS), "95 %: 0.90 .. 1.10");
}

#[test]
fn the_best_is_told_with_its_processor_time() {
    let best = |cpu: Option<(f64, f64)>| Best {
        lock: "ticket".to_owned(),
        ratio_to_bare: ratio(0.5, 0.4, 0.8, 9),
        cpu_ratio: cpu.map(|(low, high)| ratio((low + high) / 2.0, low, high, 9)),
    };
    let speed =
        "The program ran 2.00 times as fast with ticket as with its own locks (95 %: 1.25 .. 2.50";
    let told = |cpu, in_final| found(&time(), &best(cpu), in_final);
    assert_eq!(told(None, false), format!("{speed})."));
    assert_eq!(told(None, true), format!("{speed}, in the final)."));
    let less = told(Some((0.7, 0.9)), false);
    assert_eq!(less, format!("{speed}) and used 20 % less CPU time."));
    let more = told(Some((1.1, 1.5)), false);
    assert_eq!(more, format!("{speed}), but used 30 % more CPU time."));
    // An interval that contains 1 shows no difference.
    for cpu in [(1.0, 1.5), (0.7, 1.0), (0.9, 1.1)] {
        let same = told(Some(cpu), false);
        assert!(same.contains("no detectable difference in CPU"), "{same}");
    }
}

fn told(rows: Vec<TrialRow>) -> String {
    let won = made_up::trial::won();
    finding(&Played {
        metric: won.metric,
        rounds: 9,
        final_rounds: 0,
        taken_ns: 1,
        ended_early: None,
        same_against_same: None,
        results: rows,
        best: None,
        promising: None,
        remarks: Vec::new(),
    })
}

#[test]
fn bare_and_the_control_are_no_locks_that_were_tried() {
    let slower = |lock| row(lock, Verdict::Slower, 1.2, 1.4, 9);
    let rows = vec![slower("bare"), slower(PASS_THROUGH), slower("ticket")];
    let told = told(rows);
    assert!(
        told.starts_with("ticket is slower than the program's own locks: it takes 1.30"),
        "{told}"
    );
}

#[test]
fn without_enough_rounds_there_is_no_verdict_unless_others_have_one() {
    let few = || row("few", Verdict::NotJudged, 0.5, 1.5, LEAST_ROUNDS - 1);
    let enough = || row("enough", Verdict::NotJudged, 0.8, 1.1, LEAST_ROUNDS);
    assert_eq!(
        told(vec![few()]),
        "No verdict: 4 rounds are too few to judge 1 lock by; give --rounds 5 or more."
    );
    assert!(told(vec![few(), enough()]).ends_with("by more than about 25 %."));
    for verdict in [Verdict::Slower, Verdict::Faster, Verdict::NoDifference] {
        let judged = row("judged", verdict, 0.9, 1.1, 9);
        let told = told(vec![few(), judged]);
        assert!(!told.starts_with("No verdict"), "{told}");
    }
    let rows = [few(), enough(), row("x", Verdict::Slower, 1.1, 1.2, 2)];
    let locks: Vec<&str> = too_few(&rows).iter().map(|it| it.lock.as_str()).collect();
    assert_eq!(locks, ["few"]);
    assert_eq!(told(Vec::new()), "Nothing could be compared.");
}

#[test]
fn what_was_faster_without_a_final_is_told_with_the_reason() {
    let faster = |lock| row(lock, Verdict::Faster, 0.5, 0.7, 9);
    let two = told(vec![faster("a"), faster("b")]);
    assert!(
        two.starts_with(
            "a and b were faster than the program's own locks in the main rounds: a takes 0.60"
        ),
        "{two}"
    );
    assert!(two.ends_with("the final did not finish."), "{two}");
    let mut finalist = row("c", Verdict::NoDifference, 0.9, 1.1, 9);
    finalist.is_finalist = true;
    let one = told(vec![faster("a"), finalist]);
    assert!(one.starts_with("a was faster"), "{one}");
    assert!(
        one.ends_with("but the final, of c, showed no difference."),
        "{one}"
    );
}

//! Comparisons of fixed results.

use locktoll_lab::stats::Estimate;

use super::rule::{Rule, judge};
use super::{Results, between};
use locktoll_made_up::made_up;
use locktoll_made_up::sample;
use locktoll_results::bench::BenchResult;
use locktoll_results::comparison::{Comparison, Row, RowVerdict};
use locktoll_results::profile::Profile;
use locktoll_results::saved::Saved;
use locktoll_results::trial::TrialResult;
use locktoll_terminal::failure::Failure;

fn bench(change: impl Fn(&mut BenchResult)) -> Results {
    let mut result = made_up::contended();
    change(&mut result);
    Results::of("bench.json", vec![Saved::Bench(Box::new(result))])
}

fn profiles(runs: usize, change: impl Fn(usize, &mut Profile)) -> Results {
    let run = |number| {
        let mut profile = sample::job_server();
        change(number, &mut profile);
        Saved::Profile(Box::new(profile))
    };
    Results::of("x.locktoll", (0..runs).map(run).collect())
}

fn compare(a: &Results, b: &Results) -> Comparison {
    between(a, b, None).unwrap()
}

fn row<'c>(comparison: &'c Comparison, name: &str) -> &'c Row {
    let mut rows = comparison.rows.iter();
    rows.find(|row| row.name == name)
        .unwrap_or_else(|| panic!("no {name} in {:#?}", comparison.rows))
}

/// Multiplies the time per operation of each cell of this lock by a factor.
fn dearer(result: &mut BenchResult, lock: &str, factor: f64) {
    for cell in result.cells.iter_mut().filter(|cell| cell.lock == lock) {
        cell.ns_per_op = cell.ns_per_op.map(|it| it.scaled(factor));
    }
}

/// Returns a current result with `lock` as its first lock, and the same result as written by an earlier version, which called
/// that lock `earlier`.
fn under_two_spellings(lock: &str, earlier: &str) -> (Results, Results) {
    let mut today = made_up::contended();
    let first = today.cells[0].lock.clone();
    for cell in today.cells.iter_mut().filter(|cell| cell.lock == first) {
        lock.clone_into(&mut cell.lock);
    }
    let mut pairs = today.noise.same_lock_twice.iter_mut();
    if let Some(pair) = pairs.find(|pair| pair.lock == first) {
        lock.clone_into(&mut pair.lock);
    }
    let written = serde_json::to_string(&today).unwrap();
    let written = written.replace(&format!("\"{lock}\""), &format!("\"{earlier}\""));
    assert!(written.contains(earlier));
    let saved: BenchResult = serde_json::from_str(&written).unwrap();
    let results = |name: &str, it| Results::of(name, vec![Saved::Bench(Box::new(it))]);
    (results("earlier.json", saved), results("today.json", today))
}

#[test]
fn a_result_of_an_earlier_version_has_the_rows_of_today() {
    for (lock, earlier) in [
        ("futex3:100", "futex3-spin100"),
        ("futex2:0", "futex2-spin0"),
        ("gate", "gate-pthread"),
        ("critical-section:4000", "critical-section-spin4000"),
    ] {
        let (saved, today) = under_two_spellings(lock, earlier);
        let comparison = compare(&saved, &today);
        let alone = [RowVerdict::OnlyA, RowVerdict::OnlyB];
        let lost = |row: &&Row| alone.contains(&row.verdict);
        assert_eq!(comparison.rows.iter().filter(lost).count(), 0, "{earlier}");
        assert!(comparison.rows.iter().any(|row| row.name == lock));
        // Rules written for the earlier version still find their rows.
        for rows in [earlier, lock] {
            let rule: Rule = format!("ns_per_op[{rows}]>2x").parse().unwrap();
            judge(&rule, &comparison).unwrap();
        }
    }
}

/// Sets the intervals of the A/A pairs.
fn noisy(result: &mut BenchResult, low: f64, high: f64) {
    for pair in &mut result.noise.same_lock_twice {
        pair.ratio = Estimate {
            median: 1.0,
            low,
            high,
            n: 7,
        };
    }
}

#[test]
fn a_cell_that_got_dearer_comes_first_and_breaks_the_gate() {
    let a = bench(|it| noisy(it, 0.99, 1.01));
    let b = bench(|it| {
        noisy(it, 0.99, 1.01);
        dearer(it, "std", 2.0);
        dearer(it, "pthread", 0.5);
    });
    let comparison = compare(&a, &b);
    assert_eq!(row(&comparison, "std").verdict, RowVerdict::Slower);
    assert_eq!(row(&comparison, "pthread").verdict, RowVerdict::Faster);
    assert_eq!(row(&comparison, "futex3").verdict, RowVerdict::NoDifference);
    let first: Vec<&str> = comparison.rows[..2].iter().map(|it| &*it.name).collect();
    assert!(first.contains(&"std") && first.contains(&"pthread"));
    assert_eq!(broken(&comparison, "ns_per_op>1.2x"), ["std"]);
    assert_eq!(broken(&comparison, "slower"), ["std"]);
    assert_eq!(broken(&comparison, "faster"), ["pthread"]);
    assert_eq!(broken(&comparison, "ns_per_op>2.5x"), [""; 0]);
    assert_eq!(broken(&comparison, "ns_per_op[pthread]>1.2x"), [""; 0]);
}

/// Returns the names of the rows that break a rule.
fn broken(comparison: &Comparison, rule: &str) -> Vec<String> {
    let rule: Rule = rule.parse().unwrap();
    let judged = judge(&rule, comparison).unwrap();
    assert_eq!(judged.lines.len(), judged.outcome.broken_by.len());
    let name = |key: &String| {
        let mut rows = comparison.rows.iter();
        rows.find(|row| row.key == *key).unwrap().name.clone()
    };
    judged.outcome.broken_by.iter().map(name).collect()
}

#[test]
fn nothing_is_a_difference_that_the_same_lock_shows_too() {
    let quiet = bench(|it| noisy(it, 0.99, 1.01));
    let loud = bench(|it| {
        noisy(it, 0.5, 1.1);
        dearer(it, "std", 1.8);
    });
    for (a, b) in [(&quiet, &loud), (&loud, &quiet)] {
        let comparison = compare(a, b);
        assert_eq!(row(&comparison, "std").verdict, RowVerdict::NoDifference);
        assert_eq!(broken(&comparison, "ns_per_op>1.2x"), [""; 0]);
        assert!(comparison.noise.factor >= 2.0);
    }
}

#[test]
fn cells_are_matched_by_their_knobs_and_not_by_their_place() {
    let a = bench(|it| noisy(it, 0.99, 1.01));
    let b = bench(|it| {
        noisy(it, 0.99, 1.01);
        it.cells.reverse();
        it.cells.retain(|cell| cell.lock != "futex3");
        let mut other = it.cells[0].clone();
        other.threads = 3;
        it.cells.push(other);
        for cell in &mut it.cells {
            cell.cpus = vec![0, 1];
        }
    });
    let comparison = compare(&a, &b);
    assert_eq!(row(&comparison, "futex3").verdict, RowVerdict::OnlyA);
    let new = comparison
        .rows
        .iter()
        .filter(|it| it.verdict == RowVerdict::OnlyB);
    assert_eq!(
        new.map(|it| it.key.contains("3 threads"))
            .collect::<Vec<_>>(),
        [true]
    );
    assert!(
        comparison
            .differs
            .iter()
            .any(|it| it.what == "CPUs of the threads")
    );
    assert_eq!(broken(&comparison, "only_a"), ["futex3"]);
    let rule: Rule = "ns_per_op[futex3]>1.2x".parse().unwrap();
    let judged = judge(&rule, &comparison).unwrap().outcome;
    assert_eq!((judged.broken_by.len(), judged.unjudged.len()), (0, 1));
}

#[test]
fn one_recording_each_has_ratios_and_no_verdicts() {
    let a = profiles(1, |_, _| {});
    let b = profiles(1, |_, it| it.locks[0].wait_ns.total *= 3);
    let comparison = compare(&a, &b);
    let first = &comparison.rows[0];
    assert_eq!(first.verdict, RowVerdict::NoDifference);
    let lock = row(&comparison, &sample::job_server().locks[0].name);
    assert!(lock.ratio.unwrap().median.unwrap() > 2.0);
    assert!(
        comparison
            .notes
            .iter()
            .any(|it| it.contains("With one run per side"))
    );
    // With one run, a rule has only the value itself to judge.
    assert_eq!(broken(&comparison, "wait_ns[log_lock]>2x"), ["log_lock"]);
    assert_eq!(broken(&comparison, "wait_ns[log_lock]>4x"), [""; 0]);
}

#[test]
fn several_recordings_each_have_intervals() {
    // Runs differ a little; in B, the waits for the first lock double.
    let vary = |number: usize, it: &mut Profile| {
        for lock in &mut it.locks {
            lock.wait_ns.total += lock.wait_ns.total / 100 * number as u64;
        }
    };
    let a = profiles(4, vary);
    let b = profiles(4, |number, it| {
        vary(number, it);
        it.locks[0].wait_ns.total *= 2;
    });
    let comparison = compare(&a, &b);
    let name = sample::job_server().locks[0].name.clone();
    let lock = row(&comparison, &name);
    assert_eq!(lock.verdict, RowVerdict::Slower);
    let ratio = lock.ratio.unwrap();
    assert!(ratio.confidence.unwrap() >= 0.95);
    assert!(ratio.low.unwrap() > 1.8 && ratio.high.unwrap() < 2.2);
    assert_eq!(broken(&comparison, "wait_ns[program]>1.001x").len(), 1);
    assert!(broken(&comparison, "slower").contains(&name));
    let others = comparison
        .rows
        .iter()
        .filter(|it| it.name != name && it.key != "program");
    assert!(others.clone().count() > 3);
    for other in others {
        assert_eq!(other.verdict, RowVerdict::NoDifference, "{}", other.key);
    }
}

#[test]
fn a_claim_that_does_not_hold_any_more_is_worse() {
    let of = |it| Results::of("r.json", vec![Saved::Reproduce(Box::new(it))]);
    let now = made_up::reproduction();
    let mut later = now.clone();
    let held = locktoll_results::reproduction::ClaimVerdict::Holds;
    let turned = later
        .claims
        .iter_mut()
        .find(|it| it.verdict == held)
        .unwrap();
    turned.verdict = locktoll_results::reproduction::ClaimVerdict::DoesNotHold;
    let id = turned.id.clone();
    let comparison = compare(&of(now), &of(later));
    assert_eq!(comparison.rows[0].key, id);
    assert_eq!(comparison.rows[0].verdict, RowVerdict::Slower);
    let rule: Rule = "slower".parse().unwrap();
    assert_eq!(judge(&rule, &comparison).unwrap().outcome.broken_by, [id]);
}

#[test]
fn a_result_against_itself_shows_no_difference() {
    let machine = || {
        Results::of(
            "m",
            vec![Saved::Machine(Box::new(made_up::machine_result()))],
        )
    };
    let tour = || {
        Results::of(
            "t",
            vec![Saved::Tour(Box::new(crate::documents::tour::tour()))],
        )
    };
    let pairs = [
        (bench(|_| {}), bench(|_| {})),
        (profiles(1, |_, _| {}), profiles(1, |_, _| {})),
        (profiles(5, |_, _| {}), profiles(5, |_, _| {})),
        (machine(), machine()),
        (tour(), tour()),
    ];
    for (a, b) in &pairs {
        let comparison = compare(a, b);
        assert!(comparison.rows.len() > 3);
        assert!(comparison.differs.is_empty(), "{:?}", comparison.differs);
        for row in &comparison.rows {
            assert_eq!(row.verdict, RowVerdict::NoDifference, "{}", row.key);
        }
    }
}

#[test]
fn rules_that_could_never_be_broken_are_refused() {
    let comparison = compare(&bench(|_| {}), &bench(|_| {}));
    for (rule, expected) in [
        ("wait_ns>1.2x", "p99_ns"),
        ("ns_per_op[ptread]>1.2x", "no row"),
        ("ns_per_op>50", "unit"),
        ("voluntary_switches_per_op>5ms", "not a time"),
    ] {
        match judge(&rule.parse().unwrap(), &comparison) {
            Err(Failure::Usage(words)) => assert!(words.contains(expected), "{words}"),
            other => panic!("{rule}: {other:?}"),
        }
    }
    assert!(matches!(
        between(&bench(|_| {}), &profiles(1, |_, _| {}), None),
        Err(Failure::Usage(_))
    ));
    assert!(matches!(
        between(&bench(|_| {}), &bench(|_| {}), Some("wait")),
        Err(Failure::Usage(_))
    ));
}

fn trial(change: impl Fn(&mut TrialResult)) -> Results {
    let mut result = made_up::trial::won();
    change(&mut result);
    Results::of("try.json", vec![Saved::Try(Box::new(result))])
}

#[test]
fn trials_are_compared_by_what_each_lock_is_to_bare_of_its_own_run() {
    let a = trial(|_| {});
    // In B, the whole machine is half as fast, and one lock has lost its lead over bare.
    let b = trial(|it| {
        for row in &mut it.results {
            row.metric = row.metric.map(|it| it.scaled(2.0));
            if row.lock == "mcs-park" {
                row.ratio_to_bare = row.ratio_to_bare.map(|it| it.scaled(1.62));
            }
        }
        it.results.pop();
    });
    let comparison = compare(&a, &b);
    assert_eq!(comparison.metric, "times_as_good_as_bare");
    let verdict = |name| row(&comparison, name).verdict;
    assert_eq!(verdict("mcs-park"), RowVerdict::Slower);
    assert_eq!(verdict("futex3:100"), RowVerdict::NoDifference);
    assert_eq!(verdict("ticket"), RowVerdict::OnlyA);
    assert!(comparison.rows.iter().all(|row| row.key != "bare"));
    assert!(comparison.noise.factor > 1.0 && comparison.noise.evidence.len() == 2);

    let by_time = between(&a, &b, Some("wall_time_ns")).unwrap();
    assert_eq!(row(&by_time, "bare").verdict, RowVerdict::Slower);
}

#[test]
fn trials_of_two_metrics_say_so_and_both_directions_are_one() {
    let time = trial(|_| {});
    let served = Results::of(
        "served.json",
        vec![Saved::Try(Box::new(made_up::trial::served()))],
    );
    let comparison = compare(&time, &served);
    let differs: Vec<&str> = comparison
        .differs
        .iter()
        .map(|it| it.what.as_str())
        .collect();
    assert_eq!(differs, ["command", "load", "metric", "only"]);
    // One has more requests, the other less time: mcs-park gains equally in both.
    assert_eq!(
        row(&comparison, "mcs-park").verdict,
        RowVerdict::NoDifference
    );
}

#[test]
fn figures_of_a_stand_in_are_shown_and_nothing_follows_from_them() {
    let real = bench(|it| noisy(it, 0.99, 1.01));
    let stand_in = bench(|it| {
        noisy(it, 0.99, 1.01);
        dearer(it, "std", 5.0);
        it.machine.stand_in = Some("Wine 8.0, not Windows".to_owned());
    });
    for (a, b) in [
        (&real, &stand_in),
        (&stand_in, &real),
        (&stand_in, &stand_in),
    ] {
        let comparison = compare(a, b);
        let differs = |it: &Row| it.verdict != RowVerdict::NotJudged;
        assert!(!comparison.rows.iter().any(differs), "{comparison:#?}");
        assert!(row(&comparison, "std").ratio.is_some());
        // The bound of the last rule lies within the difference between equal things.
        for rule in ["slower", "faster", "ns_per_op>1.2x", "ns_per_op>1.001x"] {
            let judged = judge(&rule.parse().unwrap(), &comparison).unwrap();
            assert_eq!(
                (judged.outcome.judged, judged.lines.len()),
                (0, 0),
                "{rule}"
            );
            let why = &judged.outcome.unjudged_why;
            assert!(
                why.len() == 1 && why[0].contains("stand-in"),
                "{rule}: {why:?}"
            );
        }
    }
    let comparison = compare(&real, &stand_in);
    assert_eq!(comparison.a.stand_in, None);
    assert_eq!(
        comparison.b.stand_in.as_deref(),
        Some("Wine 8.0, not Windows")
    );
    assert!(comparison.differs.iter().any(|it| it.what == "stand-in"));
}

/// Five recordings on each side, the number that a verdict needs.
#[test]
fn busy_waiting_has_a_verdict_of_its_own_also_if_a_remedy_ends_it() {
    let spun = |ns: f64| {
        profiles(5, move |number, profile| {
            let median = ns * (1.0 + 0.01 * number as f64);
            profile.spin_cpu_ns = Some(Estimate {
                median,
                low: median * 0.9,
                high: median * 1.1 + 1e6,
                n: (ns / 4e6) as usize,
            });
        })
    };
    let program = |a: &Results, b: &Results| {
        let comparison = between(a, b, Some("spin_cpu_ns")).unwrap();
        row(&comparison, "the whole program").clone()
    };
    let (long, short, none) = (spun(1.5e9), spun(0.3e9), spun(0.0));
    assert_eq!(program(&long, &short).verdict, RowVerdict::Faster);
    assert_eq!(program(&short, &long).verdict, RowVerdict::Slower);
    assert_eq!(program(&long, &none).verdict, RowVerdict::Faster);
    assert_eq!(program(&long, &none).ratio.unwrap().median, Some(0.0));
    assert_eq!(program(&long, &long).verdict, RowVerdict::NoDifference);
    assert_eq!(program(&none, &none).verdict, RowVerdict::NoDifference);
}

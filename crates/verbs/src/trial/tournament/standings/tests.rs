//! The boundary between a difference and chance.

use super::*;
use crate::trial::made_up::settings;

fn figures(metric: f64) -> Figures {
    Figures {
        metric,
        wall_ns: 1,
        cpu_ns: 1,
        exit_code: 0,
        said: None,
        coverage: None,
    }
}

/// Makes a round of `pass-through`, `lock-1` and `lock-2`; a lock without a figure did not run.
fn round(stage: Stage, bare: [f64; 2], locks: [Option<f64>; 2]) -> Round {
    let locks = locks.map(|it| it.map(figures));
    Round {
        stage,
        bare: bare.map(figures),
        candidates: std::iter::once(None).chain(locks).collect(),
    }
}

/// Passes on the standings after these rounds. With `has_final`, `lock-2` is the finalist.
fn standing<T>(rounds: &[Round], has_final: bool, look: impl FnOnce(&Standings<'_>) -> T) -> T {
    let settings = settings(2, 1);
    let states = vec![CandidateState::default(); 3];
    look(&Standings {
        settings: &settings,
        rounds,
        states: &states,
        in_final: has_final.then_some(2),
        plan: Some(Plan {
            candidates: 3,
            rounds: 5,
            final_rounds: if has_final { 5 } else { 0 },
            about: Duration::ZERO,
        }),
    })
}

/// Returns the verdict on `lock-1`. With `has_final`, `lock-2` is the finalist.
fn verdict(rounds: &[Round], has_final: bool) -> Option<Verdict> {
    standing(rounds, has_final, |it| it.verdicts(LEAST_FACTOR)[1])
}

#[test]
fn the_times_of_a_row_are_from_the_same_rounds_as_its_ratio() {
    let mut rounds = vec![round(Stage::Qualifying, [100.0; 2], [Some(50.0), Some(40.0)]); 4];
    let in_final = round(Stage::Final, [300.0; 2], [None, Some(150.0)]);
    rounds.extend(std::iter::repeat_n(in_final, 9));
    let played = standing(&rounds, true, |it| {
        it.result(None, Duration::ZERO, Vec::new())
    });
    for (lock, median, runs) in [
        ("bare", 100.0, 8),
        ("lock-1", 50.0, 4),
        ("lock-2", 150.0, 9),
    ] {
        let row = played.results.iter().find(|row| row.lock == lock);
        let metric = row.and_then(|row| row.metric).unwrap();
        assert_eq!((metric.median, metric.n), (median, runs), "{lock}");
    }
}

#[test]
fn bare_differs_from_itself_by_as_much_whichever_run_came_out_greater() {
    let same = |median| Estimate {
        median,
        low: median,
        high: median,
        n: 9,
    };
    assert_eq!(margin(None), LEAST_FACTOR);
    assert_eq!(margin(Some(&same(1.001))), LEAST_FACTOR);
    assert_eq!(margin(Some(&same(1.25))), 1.25);
    assert_eq!(margin(Some(&same(0.8))), 1.25);
}

#[test]
fn where_a_final_is_to_come_the_others_have_half_of_the_errors() {
    // Best in four rounds, second in one: 6 of 3^5 orders are at least as good; twice that probability is 0.049.
    let mut rounds = vec![round(Stage::Qualifying, [100.0; 2], [Some(50.0), None]); 4];
    rounds.push(round(Stage::Qualifying, [40.0, 100.0], [Some(50.0), None]));
    assert_eq!(verdict(&rounds, false), Some(Verdict::Faster));
    assert_eq!(verdict(&rounds, true), Some(Verdict::NoDifference));
}

#[test]
fn the_candidate_of_the_final_takes_nothing_from_the_others() {
    // Best in all four rounds: 1 of 3^4 orders; twice that probability is 0.0247.
    let mut rounds = vec![round(Stage::Qualifying, [100.0; 2], [Some(50.0), None]); 4];
    assert_eq!(verdict(&rounds, true), Some(Verdict::Faster));
    let in_final = round(Stage::Final, [100.0; 2], [None, Some(100.0)]);
    rounds.extend(std::iter::repeat_n(in_final, 5));
    assert_eq!(verdict(&rounds, true), Some(Verdict::Faster));
}

#[test]
fn with_too_few_rounds_nothing_is_judged_however_far_apart() {
    let rounds = vec![round(Stage::Qualifying, [100.0; 2], [Some(6700.0), Some(6700.0)]); 3];
    assert_eq!(verdict(&rounds, false), Some(Verdict::NotJudged));
    let rounds = vec![round(Stage::Qualifying, [100.0; 2], [Some(6700.0), Some(6700.0)]); 5];
    assert_eq!(verdict(&rounds, false), Some(Verdict::Slower));
    let rounds = vec![round(Stage::Qualifying, [100.0; 2], [Some(100.0), Some(100.0)]); 5];
    assert_eq!(verdict(&rounds, false), Some(Verdict::NoDifference));
}

#[test]
fn the_rounds_that_are_needed_are_the_fewest_that_can_be_significant() {
    for (candidates, level, rounds) in [
        (1, 0.05, 4),
        (2, 0.05, 4),
        (3, 0.05, 5),
        (11, 0.05, 6),
        (11, 0.025, 7),
    ] {
        assert_eq!(rounds_needed(candidates, level), rounds, "{candidates}");
        let p = |rounds: usize| 2.0 / 3_f64.powi(rounds as i32);
        assert!(holm(&vec![p(rounds); candidates], level)[0]);
        assert!(!holm(&vec![p(rounds - 1); candidates], level)[0]);
    }
}

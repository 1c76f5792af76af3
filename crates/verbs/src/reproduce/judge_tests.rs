//! Tests of [`super::judge`].

use locktoll_lab::noise::Noise;
use locktoll_lab::stats::{Estimate, Look};
use proptest::prelude::*;

use super::description::CheckDescription;
use super::judge::{self, against_published, claim, disturbed, on_stand_in};
use super::made_up::{MadeUp, described, evidence};
use super::shape;
use super::shape::{Apart, Number};
use locktoll_results::reproduction::{Check, ClaimVerdict};

fn number(low: f64, median: f64, high: f64, noise: f64) -> Number {
    Number {
        estimate: Estimate {
            median,
            low,
            high,
            n: 9,
        },
        exact: false,
        apart: Apart::Factor(noise),
    }
}

/// Judges a check that is looked at once.
fn check(
    described: &CheckDescription,
    number: Result<Number, String>,
    disturbed: Option<&str>,
) -> Check {
    judge::check(Look::Only, described, number, disturbed)
}

fn verdict(bounds: &str, number: Number) -> ClaimVerdict {
    let described = described(&format!("value = {{}}\n{bounds}"));
    check(&described.checks[0], Ok(number), None).verdict
}

#[test]
fn only_a_whole_interval_speaks() {
    use ClaimVerdict::{CannotBeJudgedHere, DoesNotHold, Holds};
    for (bounds, low, high, says) in [
        ("at_least = 2", 2.0, 9.0, Holds),
        ("at_least = 2", 1.9, 9.0, CannotBeJudgedHere),
        ("at_least = 2", 1.0, 1.9, DoesNotHold),
        ("at_most = 2", 1.0, 2.0, Holds),
        ("at_most = 2", 1.0, 2.1, CannotBeJudgedHere),
        ("at_most = 2", 2.1, 9.0, DoesNotHold),
        ("at_least = 0.8\nat_most = 1.25", 0.9, 1.1, Holds),
        (
            "at_least = 0.8\nat_most = 1.25",
            0.7,
            1.3,
            CannotBeJudgedHere,
        ),
        ("at_least = 0.8\nat_most = 1.25", 1.3, 1.4, DoesNotHold),
    ] {
        let given = number(low, (low + high) / 2.0, high, 1.0);
        assert_eq!(verdict(bounds, given), says, "{bounds}: {low} to {high}");
    }
}

#[test]
fn a_figure_differs_from_the_published_one_only_with_its_whole_interval() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let against = |bounds: &str, given| {
        let described = described(&format!("value = {{}}\nat_least = 1\n{bounds}"));
        against_published(&described.checks[0], &given)
    };
    let published = "published = 5.2";
    for (low, high, noise, says) in [
        (5.3, 9.0, 1.0, Greater),
        (5.2, 9.0, 1.0, Equal),
        (3.0, 5.2, 1.0, Equal),
        (3.0, 5.1, 1.0, Less),
        // The A/A pair differs by more than the figure from the published one.
        (5.3, 9.0, 1.1, Equal),
        (3.0, 5.1, 1.1, Equal),
    ] {
        let given = number(low, (low + high) / 2.0, high, noise);
        assert_eq!(against(published, given), says, "{low} to {high}");
    }
    assert_eq!(against("", number(5.3, 6.0, 9.0, 1.0)), Equal);
}

#[test]
fn what_equal_things_show_too_proves_nothing() {
    let cannot = ClaimVerdict::CannotBeJudgedHere;
    assert_eq!(
        verdict("at_least = 1", number(1.1, 1.2, 1.3, 1.05)),
        ClaimVerdict::Holds
    );
    assert_eq!(verdict("at_least = 1", number(1.1, 1.2, 1.3, 1.2)), cannot);
    assert_eq!(
        verdict("at_least = 1", number(0.8, 0.85, 0.9, 1.05)),
        ClaimVerdict::DoesNotHold
    );
    assert_eq!(verdict("at_least = 1", number(0.8, 0.85, 0.9, 1.2)), cannot);
}

#[test]
fn a_factor_between_equal_things_widens_below_zero_too() {
    let of = |low, high| {
        let given = number(low, (low + high) / 2.0, high, 1.5);
        verdict("at_least = -0.25\nat_most = 0.25", given)
    };
    assert_eq!(of(-0.1, 0.1), ClaimVerdict::Holds);
    assert_eq!(of(-0.2, 0.1), ClaimVerdict::CannotBeJudgedHere);
    assert_eq!(of(-0.1, 0.2), ClaimVerdict::CannotBeJudgedHere);
    // A division would move this one back above the lower bound.
    assert_eq!(of(-0.4, -0.3), ClaimVerdict::CannotBeJudgedHere);
    assert_eq!(of(-0.6, -0.5), ClaimVerdict::DoesNotHold);
}

#[test]
fn a_distance_between_equal_things_widens_by_as_much() {
    let with = |apart| Number {
        apart,
        ..number(0.02, 0.03, 0.04, 1.0)
    };
    let of = |apart| verdict("at_most = 0.05", with(apart));
    assert_eq!(of(Apart::Shift(0.01)), ClaimVerdict::Holds);
    assert_eq!(of(Apart::Shift(0.02)), ClaimVerdict::CannotBeJudgedHere);
    let of_least = |shift| verdict("at_least = 0.01", with(Apart::Shift(shift)));
    assert_eq!(of_least(0.005), ClaimVerdict::Holds);
    assert_eq!(of_least(0.015), ClaimVerdict::CannotBeJudgedHere);
    assert_eq!(
        of(Apart::Factor(f64::INFINITY)),
        ClaimVerdict::CannotBeJudgedHere
    );
}

#[test]
fn few_rounds_prove_nothing_but_a_count_needs_one() {
    let mut few = number(5.0, 5.0, 5.0, 1.0);
    few.estimate.n = 5;
    assert_eq!(
        verdict("at_least = 1", few),
        ClaimVerdict::CannotBeJudgedHere
    );
    few.estimate.n = 1;
    few.exact = true;
    assert_eq!(verdict("at_least = 1", few), ClaimVerdict::Holds);
    assert_eq!(verdict("at_least = 6", few), ClaimVerdict::DoesNotHold);
}

#[test]
fn on_a_machine_that_others_keep_busy_only_counts_speak() {
    let quiet = Noise {
        steal_share: Some(0.02),
        other_load_share: Some(0.2),
        runnable_others: None,
        throttled_ns: Some(0),
        duration_ns: 1,
        warnings: Vec::new(),
    };
    let busy = |other, steal| Noise {
        other_load_share: other,
        steal_share: steal,
        ..quiet.clone()
    };
    assert_eq!(disturbed(&quiet, 2), None);
    let by = disturbed(&busy(Some(0.8), Some(0.0)), 2).unwrap();
    assert_eq!(by, "other processes used 80 % of the machine's CPU time");
    assert!(disturbed(&busy(Some(0.0), Some(0.2)), 2).is_some());
    for unknown in [busy(None, Some(0.0)), busy(Some(0.0), None)] {
        assert!(disturbed(&unknown, 2).unwrap().contains("not known"));
    }
    let throttled = Noise {
        throttled_ns: Some(1_500_000),
        ..quiet.clone()
    };
    assert!(disturbed(&throttled, 2).unwrap().contains("for 1.5 ms"));
    // A fifth of two CPUs is less than half a CPU; a fifth of 64 CPUs is far more.
    assert!(disturbed(&quiet, 64).is_some());
    assert_eq!(disturbed(&busy(Some(0.015), Some(0.0)), 64), None);

    let described = described("value = {}\nat_least = 1");
    let with = |exact, low| {
        let number = Number {
            exact,
            ..number(low, low, low, 1.0)
        };
        check(&described.checks[0], Ok(number), Some(&by))
    };
    for low in [0.5, 2.0] {
        let judged = with(false, low);
        assert_eq!(judged.verdict, ClaimVerdict::CannotBeJudgedHere);
        assert_eq!(judged.reason.as_ref(), Some(&by));
        assert_eq!(judged.measured.unwrap().median, low);
    }
    assert_eq!(with(true, 2.0).verdict, ClaimVerdict::Holds);
    assert_eq!(with(true, 0.5).verdict, ClaimVerdict::DoesNotHold);
}

#[test]
fn one_check_that_fails_fails_the_claim_and_one_that_is_open_leaves_it_open() {
    let described = described("value = {}\nat_least = 1");
    let with = |low: f64| check(&described.checks[0], Ok(number(low, low, 3.0, 1.0)), None);
    let (good, open) = (with(2.0), with(0.5));
    let bad = Check {
        verdict: ClaimVerdict::DoesNotHold,
        ..good.clone()
    };
    let of = |checks: &[&Check]| {
        claim(
            &described,
            &checks.iter().copied().cloned().collect::<Vec<_>>(),
        )
        .0
    };
    assert_eq!(of(&[&good, &good]), ClaimVerdict::Holds);
    assert_eq!(of(&[&good, &open]), ClaimVerdict::CannotBeJudgedHere);
    assert_eq!(of(&[&open, &bad, &good]), ClaimVerdict::DoesNotHold);
    assert_eq!(of(&[]), ClaimVerdict::CannotBeJudgedHere);
}

#[test]
fn on_a_stand_in_figures_are_shown_and_nothing_is_judged() {
    let described = described("value = {}\nat_least = 1");
    let wine = "Wine 8.0, not Windows";
    for exact in [true, false] {
        for low in [0.5, 2.0] {
            let number = Number {
                exact,
                ..number(low, low, low, 1.0)
            };
            let here = check(&described.checks[0], Ok(number), None);
            assert_ne!(here.verdict, ClaimVerdict::CannotBeJudgedHere);
            assert_eq!(on_stand_in(here.clone(), None), here);
            let judged = on_stand_in(here.clone(), Some(wine));
            assert_eq!(judged.measured, here.measured);
            let (verdict, because) = claim(&described, &[judged]);
            assert_eq!(verdict, ClaimVerdict::CannotBeJudgedHere);
            assert!(
                because.ends_with("this is Wine 8.0, not Windows"),
                "{because}"
            );
        }
    }
    // If nothing was measured, the reason for that is more informative.
    let none = check(
        &described.checks[0],
        Err("needs Linux: futexes".to_owned()),
        None,
    );
    let judged = on_stand_in(none.clone(), Some(wine));
    assert_eq!(judged, none);
}

/// A deterministic generator (xorshift64*), so that the simulation is the same in every run.
fn uniform(state: &mut u64) -> f64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn noise_alone_hardly_ever_makes_a_claim_hold() {
    // The truth lies just on the wrong side of the bound; the noise is a factor of up to 3 either way.
    let described =
        described("ratio = { of = { lock = \"b\" }, over = { lock = \"a\" } }\nat_least = 2");
    let mut state = 0x1234_5678_9abc_def1;
    let mut held = 0;
    let runs = 2_000;
    for _ in 0..runs {
        let mut noisy = |ns: f64| -> Vec<f64> {
            (0..9)
                .map(|_| ns * 9f64.powf(uniform(&mut state) - 0.5))
                .collect()
        };
        let (a, b) = (noisy(1000.0), noisy(1999.0));
        let cells = [("a", a), ("b", b)].map(|(lock, ns)| MadeUp {
            lock,
            threads: 2,
            ns,
        });
        let evidence = evidence(&cells, None);
        let judged = check(
            &described.checks[0],
            shape::number(&described.checks[0], &evidence),
            None,
        );
        held += u32::from(judged.verdict == ClaimVerdict::Holds);
    }
    // One side of a 95 % interval: 2.5 %, or 1.95 % for 9 rounds.
    assert!(held <= runs / 25, "{held} of {runs}");
}

proptest! {
    #[test]
    fn a_claim_that_holds_lies_within_its_bounds(
        rounds in prop::collection::vec((1.0..1e6f64, 1.0..1e6f64), 1..30),
        least in 0.01..100.0f64,
        wider in 1.0..10.0f64,
    ) {
        let text = format!(
            "ratio = {{ of = {{ lock = \"b\" }}, over = {{ lock = \"a\" }} }}\nat_least = {least:?}\nat_most = {:?}",
            least * wider
        );
        let described = described(&text);
        let (a, b) = rounds.iter().copied().unzip();
        let cells = [("a", a), ("b", b)].map(|(lock, ns)| MadeUp { lock, threads: 2, ns });
        let number = shape::number(&described.checks[0], &evidence(&cells, None)).unwrap();
        let judged = check(&described.checks[0], Ok(number), None);
        let measured = judged.measured.unwrap();
        if judged.verdict == ClaimVerdict::Holds {
            prop_assert!(rounds.len() >= 6);
            prop_assert!(least <= measured.low && measured.high <= least * wider);
        }
        if judged.verdict == ClaimVerdict::DoesNotHold {
            prop_assert!(rounds.len() >= 6);
            prop_assert!(measured.high < least || measured.low > least * wider);
        }
        // On a stand-in the verdict is always this one.
        let stood_in = on_stand_in(judged.clone(), Some("an emulator"));
        prop_assert_eq!(claim(&described, std::slice::from_ref(&stood_in)).0, ClaimVerdict::CannotBeJudgedHere);
        prop_assert_eq!(stood_in.measured, judged.measured);
        // More noise can only change the verdict to "cannot be judged".
        let noisier = check(&described.checks[0], Ok(Number { apart: Apart::Factor(3.0), ..number }), None);
        prop_assert!(noisier.verdict == judged.verdict || noisier.verdict == ClaimVerdict::CannotBeJudgedHere);
    }
}

#[test]
fn the_limits_themselves_do_not_disturb_and_lie_within_bounds() {
    let noise = |others, steal| Noise {
        other_load_share: Some(others),
        steal_share: Some(steal),
        throttled_ns: Some(0),
        ..locktoll_made_up::made_up::contended().noise.seen
    };
    assert_eq!(disturbed(&noise(0.25, 0.1), 2), None);
    assert!(disturbed(&noise(0.26, 0.1), 2).is_some());
    assert!(disturbed(&noise(0.25, 0.11), 2).is_some());
    // Half of one CPU among eight, and at least a fiftieth of all.
    assert_eq!(disturbed(&noise(0.0625, 0.0), 8), None);
    assert!(disturbed(&noise(0.07, 0.0), 8).is_some());
    assert_eq!(disturbed(&noise(0.02, 0.0), 1000), None);
    let holds = |bounds| verdict(bounds, number(2.0, 3.0, 4.0, 1.0));
    assert_eq!(holds("at_least = 2\nat_most = 4"), ClaimVerdict::Holds);
    // An interval that touches the bound is not beyond it.
    for bounds in ["at_least = 4", "at_most = 2"] {
        assert_eq!(holds(bounds), ClaimVerdict::CannotBeJudgedHere, "{bounds}");
    }
    for bounds in ["at_least = 4.1", "at_most = 1.9"] {
        assert_eq!(holds(bounds), ClaimVerdict::DoesNotHold, "{bounds}");
    }
}

/// The same rounds are judged by a stricter interval at a later look, which a few rounds do not give at all.
#[test]
fn each_look_is_stricter_and_needs_more_rounds() {
    let described = described("value = {}\nat_least = 1");
    let at = |look, rounds| {
        let given = Number {
            estimate: Estimate {
                median: 3.0,
                low: 2.0,
                high: 4.0,
                n: rounds,
            },
            ..number(0.0, 0.0, 0.0, 1.0)
        };
        judge::check(look, &described.checks[0], Ok(given), None)
    };
    assert_eq!(at(Look::Only, 6).verdict, ClaimVerdict::Holds);
    assert_eq!(at(Look::OfSeveral(1), 7).verdict, ClaimVerdict::Holds);
    let few = at(Look::OfSeveral(1), 6);
    assert_eq!(few.verdict, ClaimVerdict::CannotBeJudgedHere);
    assert_eq!(
        few.reason.as_deref(),
        Some("6 rounds give no 97.5 % interval; 7 do")
    );
    assert_eq!(
        at(Look::OfSeveral(6), 11).verdict,
        ClaimVerdict::CannotBeJudgedHere
    );
    assert_eq!(at(Look::OfSeveral(6), 12).verdict, ClaimVerdict::Holds);
}

//! The notes around the rows, at the limits from which they are worth a sentence.

use super::*;
use locktoll_made_up::{made_up, sample};
use locktoll_results::saved::Saved;

fn recordings(runs: usize, change: impl Fn(&mut Profile)) -> Results {
    let run = |_| {
        let mut profile = sample::job_server();
        profile.duration_ns = 1_000_000_000;
        profile.recorder.ns_per_pair = Some(20.0);
        change(&mut profile);
        Saved::Profile(Box::new(profile))
    };
    Results::of("x.locktoll", (0..runs).map(run).collect())
}

fn bench(change: impl Fn(&mut BenchResult)) -> Results {
    let mut bench = made_up::contended();
    change(&mut bench);
    Results::of("x.json", vec![Saved::Bench(Box::new(bench))])
}

/// Whether a note about two sides begins like this or contains it.
fn noted(a: &Results, b: &Results, words: &str) -> bool {
    let notes = Around::of(a, b).notes;
    notes.iter().any(|note| note.contains(words))
}

#[test]
fn recordings_of_other_lengths_are_noted() {
    let of = |ns| recordings(1, |it| it.duration_ns = ns);
    let noted = |a, b| noted(&of(a), &of(b), "Totals (wait, contended");
    let second = 1_000_000_000;
    for (other, expected) in [
        (1_000_000_000, false),
        (1_090_000_000, false),
        (1_120_000_000, true),
        (920_000_000, false),
        (890_000_000, true),
        (3_000_000_000, true),
    ] {
        assert_eq!(noted(second, other), expected, "{other}");
        assert_eq!(noted(other, second), expected, "{other}");
    }
    // Nothing can be said about a length that is not known.
    assert!(!noted(second, 0));
}

#[test]
fn another_cost_of_recording_is_noted_if_both_are_known() {
    let of = |ns| recordings(1, |it| it.recorder.ns_per_pair = ns);
    let noted = |a, b| noted(&of(a), &of(b), "Recording added ");
    for (a, b, expected) in [
        (Some(20.0), Some(20.0), false),
        (Some(20.0), Some(29.0), false),
        (Some(20.0), Some(31.0), true),
        (Some(20.0), Some(13.0), true),
        (Some(20.0), Some(14.0), false),
        (Some(20.0), None, false),
        (None, Some(20.0), false),
        (None, None, false),
    ] {
        assert_eq!(noted(a, b), expected, "{a:?} {b:?}");
    }
}

#[test]
fn locks_that_are_known_by_an_address_are_noted_on_either_side() {
    let named = || recordings(1, |_| {});
    let bare = || recordings(1, |it| it.locks[0].id = "mutex:server:0x4010".to_owned());
    let noted = |a: &Results, b: &Results| noted(a, b, "known only by their address");
    assert!(!noted(&named(), &named()));
    assert!(noted(&named(), &bare()));
    assert!(noted(&bare(), &named()));
    assert!(noted(&bare(), &bare()));
}

#[test]
fn what_runs_are_too_few_for_is_noted() {
    let noted = |runs, words| {
        let side = || recordings(runs, |_| {});
        noted(&side(), &side(), words)
    };
    let (one, few) = ("With one run per side", "too little to claim a difference");
    let enough = "one after the other";
    for (runs, expected) in [(1, one), (2, few), (3, few), (4, enough), (5, enough)] {
        for words in [one, few, enough] {
            assert_eq!(noted(runs, words), words == expected, "{runs} {words}");
        }
    }
    assert!(noted(2, "2 and 2 runs: "));
}

#[test]
fn recordings_that_do_not_name_their_machine_are_noted() {
    let unknown = || recordings(1, |it| it.made = None);
    let known = || {
        recordings(1, |it| {
            it.made = Some(locktoll_results::Made::now_on(
                &made_up::computer::computer(),
            ));
        })
    };
    let noted = |a: &Results, b: &Results| noted(a, b, "Not every recording says which machine");
    assert!(noted(&unknown(), &unknown()));
    assert!(noted(&known(), &unknown()));
    assert!(!noted(&known(), &known()));
}

#[test]
fn rounds_that_are_too_few_are_noted() {
    let of = |rounds: usize| bench(|it| it.repeat = rounds as u32);
    let noted = |a, b| noted(&of(a), &of(b), "Fewer than ");
    assert!(!noted(MIN_ROUNDS, MIN_ROUNDS));
    assert!(noted(MIN_ROUNDS - 1, MIN_ROUNDS));
    assert!(noted(MIN_ROUNDS, MIN_ROUNDS - 1));
    assert!(!noted(MIN_ROUNDS + 1, MIN_ROUNDS));
}

#[test]
fn a_loop_that_became_slower_on_one_machine_is_noise() {
    let empty = |median: f64, low: f64| {
        move |it: &mut BenchResult| {
            it.noise.same_lock_twice.clear();
            it.empty_loop_ns = Some(Estimate {
                median,
                low,
                high: median,
                n: 9,
            });
        }
    };
    let around = |b: &dyn Fn(&mut BenchResult)| {
        let around = Around::of(&bench(empty(10.0, 10.0)), &bench(b));
        (
            around.drift,
            around.noise.factor,
            around.noise.evidence.len(),
        )
    };
    assert_eq!(around(&empty(20.0, 20.0)), (2.0, 2.0, 1));
    assert_eq!(around(&empty(5.0, 5.0)), (2.0, 2.0, 1));
    // A loop that may take no time has no ratio, and another machine another loop.
    assert_eq!(around(&empty(20.0, 0.0)), (1.0, 1.0, 0));
    let elsewhere = |it: &mut BenchResult| {
        empty(20.0, 20.0)(it);
        it.machine.cpu_model = Some("another".to_owned());
    };
    assert_eq!(around(&elsewhere), (1.0, 1.0, 0));
}

use std::fmt::Write;
use std::time::Duration;

use super::*;
use crate::trial::made_up::{Clock, MadeUp, Noise as Shape, Onlooker, settings, silence};
use crate::trial::{Settings, play};
use locktoll_results::trial::{Better as TrialBetter, MetricSource};

/// Plays a tournament with these ratios, changed by `change`, and returns the lines printed before its conclusion, and the
/// conclusion.
fn told(
    title: &str,
    ratios: &[f64],
    noise: Shape,
    change: impl FnOnce(&mut MadeUp, &mut Settings, &mut Onlooker),
) -> String {
    let clock = Clock::default();
    let (mut runner, mut settings) = (MadeUp::new(noise, 11, &clock), settings(ratios.len(), 11));
    let mut onlooker = Onlooker::new(&clock);
    for (number, ratio) in ratios.iter().enumerate() {
        runner.ratio.insert(format!("lock-{}", number + 1), *ratio);
    }
    change(&mut runner, &mut settings, &mut onlooker);
    let mut text = format!("# {title}\n");
    match play(&mut runner, &settings, &mut onlooker) {
        Ok(played) => {
            for line in onlooker.lines {
                writeln!(text, "locktoll: {line}").unwrap();
            }
            writeln!(text, "{}", conclusion(&played, &silence())).unwrap();
            for remark in &played.remarks {
                writeln!(text, "({remark})").unwrap();
            }
        }
        Err(error) => writeln!(text, "locktoll: {error}").unwrap(),
    }
    text
}

const QUIET: Shape = Shape::Normal(0.02);

fn as_it_is(_: &mut MadeUp, _: &mut Settings, _: &mut Onlooker) {}

#[test]
fn what_is_said_when_it_comes_to_its_end() {
    let metric = |better| {
        move |runner: &mut MadeUp, settings: &mut Settings, _: &mut Onlooker| {
            settings.metric.source = MetricSource::Output;
            settings.metric.better = better;
            runner.cpu_ratio.insert("lock-1".to_owned(), 1.4);
        }
    };
    let all = [
        told("a lock wins", &[0.62, 0.9, 1.0, 1.3], QUIET, as_it_is),
        told(
            "a lock wins, for more processor time",
            &[0.62, 1.0],
            QUIET,
            |runner, _, _| {
                runner.cpu_ratio.insert("lock-1".to_owned(), 1.3);
            },
        ),
        told(
            "more of a metric is better",
            &[1.62, 1.0],
            QUIET,
            metric(TrialBetter::Higher),
        ),
        told(
            "less of a metric is better",
            &[0.62, 1.0],
            QUIET,
            metric(TrialBetter::Lower),
        ),
        told("nothing differs", &[1.0; 10], QUIET, as_it_is),
        told(
            "nothing can be seen",
            &[1.0; 10],
            Shape::LogNormal(0.5),
            as_it_is,
        ),
        told("one of two is slower", &[1.0, 1.2], QUIET, as_it_is),
        told("some are slower", &[1.0, 1.1, 1.0, 1.2], QUIET, as_it_is),
        told("all are slower", &[1.3, 1.1, 5.0], QUIET, as_it_is),
        told("the only one is slower", &[1.3], QUIET, as_it_is),
        told(
            "loading the library costs",
            &[0.8, 1.0],
            QUIET,
            |runner, _, _| {
                runner.ratio.insert("pass-through".to_owned(), 1.1);
            },
        ),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn what_is_said_when_something_is_in_the_way() {
    let crash = || WhyDropped::Signal {
        number: 11,
        name: "SIGSEGV".to_owned(),
        said: None,
    };
    let hang = || WhyDropped::TimeLimit {
        limit_ns: 15_000_000_000,
    };
    let all = [
        told(
            "one crashes, one hangs, one is far slower",
            &[0.62, 1.0, 1.0, 4.0],
            QUIET,
            |runner, _, _| {
                runner.fails.insert("lock-2".to_owned(), (0, crash()));
                runner.fails.insert("lock-3".to_owned(), (3, hang()));
            },
        ),
        told("all crash", &[1.0, 1.0], QUIET, |runner, _, _| {
            for name in ["pass-through", "lock-1", "lock-2"] {
                runner.fails.insert(name.to_owned(), (0, crash()));
            }
        }),
        told("bare crashes at once", &[1.0], QUIET, |runner, _, _| {
            runner.fails.insert("bare".to_owned(), (0, crash()));
        }),
        told("bare crashes later", &[0.6, 1.0], QUIET, |runner, _, _| {
            runner.fails.insert("bare".to_owned(), (13, crash()));
        }),
        told(
            "its exit code varies",
            &[1.0, 1.0],
            QUIET,
            |runner, _, _| runner.exit_codes = vec![0, 3],
        ),
        told(
            "stopped before the final",
            &[0.62, 1.0, 1.0, 1.0],
            QUIET,
            |_, _, onlooker| onlooker.stops_after = Some(60),
        ),
        told(
            "stopped in the warm-up",
            &[0.62, 1.0],
            QUIET,
            |_, _, onlooker| onlooker.stops_after = Some(2),
        ),
        told("long runs", &[1.0; 10], QUIET, |runner, _, _| {
            runner.base_s = 4.0
        }),
        told("not all fit", &[1.0; 10], QUIET, |runner, _, _| {
            runner.base_s = 8.0
        }),
        told(
            "candidates take longer than thought",
            &[2.0; 10],
            QUIET,
            |runner, _, _| runner.base_s = 2.0,
        ),
        told("nothing fits", &[1.0; 10], QUIET, |runner, _, _| {
            runner.base_s = 90.0
        }),
        told(
            "not even one run fits",
            &[1.0; 10],
            QUIET,
            |runner, _, _| runner.base_s = 900.0,
        ),
        told(
            "wanted rounds that do not fit",
            &[1.0; 4],
            QUIET,
            |runner, settings, _| {
                settings.rounds = Some(100);
                settings.time_limit = Duration::from_secs(120);
                runner.base_s = 0.9;
            },
        ),
        told(
            "wanted rounds that prove nothing",
            &[0.6, 1.0],
            QUIET,
            |_, settings, _| settings.rounds = Some(2),
        ),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

/// Covers both bare runs of a round: the runner numbers them consecutively.
#[test]
fn what_a_program_said_before_it_crashed_on_its_own_locks_is_told() {
    for run in 12..16 {
        let crash = WhyDropped::Signal {
            number: 6,
            name: "SIGABRT".to_owned(),
            said: Some("begun\nfree(): invalid pointer\n".to_owned()),
        };
        let text = told("a crash", &[0.6, 1.0], QUIET, |runner, _, _| {
            runner.fails.insert("bare".to_owned(), (run, crash));
        });
        assert!(
            text.contains(
                "because the unmodified program failed: the program was killed by SIGABRT (signal 6); its last output: free(): invalid pointer."
            ),
            "{text}"
        );
    }
}

#[test]
fn a_machine_that_is_not_quiet_is_told() {
    let clock = Clock::default();
    let mut runner = MadeUp::new(QUIET, 1, &clock);
    let played = play(&mut runner, &settings(2, 1), &mut Onlooker::new(&clock)).unwrap();
    let mut noise = silence();
    noise.warnings = vec!["one thing".to_owned(), "another".to_owned()];
    assert!(
        conclusion(&played, &noise).ends_with(" The machine was not quiet: one thing; another.")
    );
}

#[test]
fn locks_that_are_not_replaced_are_named_once_for_each_reason() {
    let text = told("two reasons", &[1.0; 4], QUIET, |runner, _, _| {
        for (lock, reason) in [("lock-1", "one"), ("lock-2", "other"), ("lock-4", "one")] {
            let reason = reason.to_owned();
            let why = WhyDropped::NotReplaced { reason };
            runner.fails.insert(lock.to_owned(), (0, why));
        }
    });
    let sentences = "No result for lock-1, lock-4: one. No result for lock-2: other.";
    assert!(text.contains(sentences), "{text}");
    assert!(!text.contains("failed under"), "{text}");
}

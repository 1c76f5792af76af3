//! The course of a tournament: the order of runs, dropped candidates, and its end.

use std::time::Duration;

use locktoll_results::trial::Verdict;
use proptest::prelude::*;

use crate::trial::made_up::{Clock, MadeUp, Noise, Onlooker, settings};
use crate::trial::{
    Contestant, EndedEarly, Figures, Outcome, Played, Runner, Settings, Unplayable, conclusion,
    play,
};
use locktoll_results::trial::{Better as TrialBetter, Dropped, TrialRow, WhyDropped};

/// A quiet machine.
const QUIET: Noise = Noise::Normal(0.02);

struct Table {
    clock: Clock,
    runner: MadeUp,
    onlooker: Onlooker,
    settings: Settings,
}

impl Table {
    fn new(locks: usize) -> Self {
        let clock = Clock::default();
        Self {
            runner: MadeUp::new(QUIET, 1, &clock),
            onlooker: Onlooker::new(&clock),
            settings: settings(locks, 1),
            clock,
        }
    }

    fn ratio(mut self, lock: &str, ratio: f64) -> Self {
        self.runner.ratio.insert(lock.to_owned(), ratio);
        self
    }

    fn fails(mut self, lock: &str, from_run: u32, why: WhyDropped) -> Self {
        self.runner.fails.insert(lock.to_owned(), (from_run, why));
        self
    }

    fn play(&mut self) -> Result<Played, Unplayable> {
        play(&mut self.runner, &self.settings, &mut self.onlooker)
    }
}

fn row<'a>(played: &'a Played, lock: &str) -> &'a TrialRow {
    played.results.iter().find(|row| row.lock == lock).unwrap()
}

fn crash() -> WhyDropped {
    WhyDropped::Signal {
        number: 11,
        name: "SIGSEGV".to_owned(),
        said: None,
    }
}

fn hang() -> WhyDropped {
    WhyDropped::TimeLimit { limit_ns: 0 }
}

#[test]
fn the_best_wins_by_rounds_that_did_not_choose_it() {
    let mut table = Table::new(4).ratio("lock-2", 0.6).ratio("lock-3", 0.62);
    let played = table.play().unwrap();
    let best = played.best.as_ref().unwrap();
    assert_eq!(best.lock, "lock-2");
    assert!((best.ratio_to_bare.low..best.ratio_to_bare.high).contains(&0.6));
    assert_eq!(
        (played.rounds, played.final_rounds, best.ratio_to_bare.n),
        (15, 15, 15)
    );
    assert_eq!(played.ended_early, None);
    let names: Vec<&str> = played.results.iter().map(|row| row.lock.as_str()).collect();
    assert_eq!(names[..4], ["bare", "pass-through", "lock-2", "lock-3"]);
    assert_eq!(row(&played, "lock-3").verdict, Some(Verdict::Faster));
    assert!(row(&played, "lock-2").is_finalist && !row(&played, "lock-3").is_finalist);
}

#[test]
fn every_round_has_bare_twice_and_everyone_once_in_an_order_of_its_own() {
    let mut table = Table::new(3);
    table.settings.rounds = Some(6);
    table.play().unwrap();
    let log: Vec<String> = table
        .runner
        .log
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    // The first bare run is followed by the warm-up: one run each of the four candidates.
    let rounds: Vec<&[String]> = log[5..5 + 6 * 6].chunks(6).collect();
    for round in &rounds {
        let mut sorted = round.to_vec();
        sorted.sort();
        assert_eq!(
            sorted,
            ["bare", "bare", "lock-1", "lock-2", "lock-3", "pass-through"]
        );
    }
    assert!(rounds.windows(2).any(|pair| pair[0] != pair[1]));
}

#[test]
fn what_crashes_or_hangs_is_out_and_the_rest_goes_on() {
    let exit = WhyDropped::ExitCode {
        code: 3,
        said: None,
    };
    let mut table = Table::new(4)
        .ratio("lock-4", 0.7)
        .fails("lock-1", 0, crash())
        .fails("lock-2", 5, hang())
        .fails("lock-3", 0, exit.clone());
    let played = table.play().unwrap();
    assert_eq!(played.best.as_ref().unwrap().lock, "lock-4");
    let dropped = |lock| row(&played, lock).dropped.clone();
    assert_eq!(
        dropped("lock-1"),
        Some(Dropped {
            round: 0,
            why: crash()
        })
    );
    assert_eq!(
        dropped("lock-2"),
        Some(Dropped {
            round: 5,
            why: hang()
        })
    );
    assert_eq!(
        dropped("lock-3"),
        Some(Dropped {
            round: 0,
            why: exit
        })
    );
    assert_eq!(row(&played, "lock-2").verdict, None);
    let runs = |lock: &str| {
        table
            .runner
            .log
            .iter()
            .filter(|(name, _)| name == lock)
            .count()
    };
    assert_eq!((runs("lock-1"), runs("lock-2")), (1, 6));
    // At most ten times the longest bare run plus five seconds.
    let longest = |lock: &str| {
        table
            .runner
            .log
            .iter()
            .filter(|(name, _)| name == lock)
            .map(|it| it.1)
            .max()
            .unwrap()
    };
    assert!(longest("lock-2") <= longest("bare") * 10 + Duration::from_secs(5));
    assert!(
        table
            .onlooker
            .lines
            .iter()
            .any(|line| line.starts_with("lock-1 is out in the warm-up: "))
    );
}

#[test]
fn what_is_clearly_worse_is_out_after_four_rounds_and_called_slower() {
    let mut table = Table::new(3)
        .ratio("lock-1", 3.0)
        .ratio("pass-through", 2.0);
    let played = table.play().unwrap();
    let slow = row(&played, "lock-1");
    assert_eq!(
        slow.dropped,
        Some(Dropped {
            round: 4,
            why: WhyDropped::ClearlyWorse
        })
    );
    assert_eq!(slow.verdict, Some(Verdict::Slower));
    // The control stays, and its verdict is reported.
    assert_eq!(row(&played, "pass-through").dropped, None);
    assert_eq!(row(&played, "pass-through").verdict, Some(Verdict::Slower));
}

#[test]
fn more_is_better_where_the_user_says_so() {
    let mut table = Table::new(3).ratio("lock-1", 1.5).ratio("lock-2", 0.5);
    table.settings.metric.better = TrialBetter::Higher;
    let played = table.play().unwrap();
    assert_eq!(played.best.as_ref().unwrap().lock, "lock-1");
    assert!(played.best.as_ref().unwrap().ratio_to_bare.low > 1.0);
    assert_eq!(
        row(&played, "lock-2").dropped.as_ref().unwrap().why,
        WhyDropped::ClearlyWorse
    );
}

#[test]
fn a_finalist_that_fails_makes_room_for_the_next() {
    // 16 runs before the final: the warm-up and 15 rounds.
    let mut table = Table::new(3)
        .ratio("lock-1", 0.5)
        .ratio("lock-2", 0.8)
        .fails("lock-1", 18, crash());
    let played = table.play().unwrap();
    assert_eq!(
        row(&played, "lock-1").dropped,
        Some(Dropped {
            round: 18,
            why: crash()
        })
    );
    assert_eq!(played.best.as_ref().unwrap().lock, "lock-2");
    assert_eq!(played.final_rounds, 15);
}

#[test]
fn one_lock_alone_needs_no_final() {
    let played = Table::new(1).ratio("lock-1", 0.9).play().unwrap();
    assert_eq!((played.rounds, played.final_rounds), (15, 0));
    assert_eq!(played.best.as_ref().unwrap().lock, "lock-1");
    // The only lock of `try`, without a control.
    let mut table = Table::new(1).ratio("lock-1", 0.9);
    table.settings.candidates.remove(0);
    assert_eq!(table.play().unwrap().best.unwrap().lock, "lock-1");
}

#[test]
fn it_never_takes_longer_than_announced() {
    for base_s in [0.1, 1.0, 3.0, 7.0, 12.0] {
        // Half of the candidates are nine times as slow, which was not known beforehand.
        let mut table = Table::new(10);
        table.runner.base_s = base_s;
        for lock in 1..=5 {
            table = table.ratio(&format!("lock-{lock}"), 9.0);
        }
        let played = table.play().unwrap();
        assert!(
            table.clock.now() <= table.settings.time_limit,
            "{base_s}: {:?}",
            table.clock.now()
        );
        assert_eq!(played.taken_ns, table.clock.now().as_nanos() as u64);
        assert!(played.best.is_none());
    }
}

#[test]
fn a_program_that_takes_too_long_is_refused_with_what_would_help() {
    let error = |base_s| {
        let mut table = Table::new(10);
        table.runner.base_s = base_s;
        table.play().unwrap_err().to_string()
    };
    let too_long = error(60.0);
    assert!(
        too_long.contains("--time-limit") && too_long.contains("needs at least"),
        "{too_long}"
    );
    assert!(
        error(700.0).contains("one run of the program takes longer than the time limit of 10 min"),
        "{}",
        error(700.0)
    );
}

#[test]
fn a_slow_first_run_costs_nobody_its_place() {
    // A cold start of 12 s, followed by runs of 2 s: judged by the first run alone, most candidates would be left out.
    struct Cold(MadeUp, Clock, bool);
    impl Runner for Cold {
        fn run(&mut self, contestant: &Contestant, limit: Duration) -> anyhow::Result<Outcome> {
            if !std::mem::replace(&mut self.2, true) {
                self.1.pass(Duration::from_secs(10));
            }
            self.0.run(contestant, limit)
        }
    }
    let mut table = Table::new(10);
    table.runner.base_s = 2.0;
    let mut cold = Cold(table.runner, table.clock.clone(), false);
    let played = play(&mut cold, &table.settings, &mut table.onlooker).unwrap();
    assert_eq!(played.remarks, [] as [&str; 0]);
    assert!(played.rounds >= 7, "{}", played.rounds);
}

/// Ten locks that are slightly slower than the program's own: no final takes place.
fn none_better() -> Table {
    (1..=10).fold(Table::new(10), |table, lock| {
        table.ratio(&format!("lock-{lock}"), 1.04)
    })
}

#[test]
fn time_that_no_final_needs_goes_to_those_left_out() {
    let mut table = none_better();
    table.runner.base_s = 7.0;
    let played = table.play().unwrap();
    let has_figures = |row: &&TrialRow| row.ratio_to_bare.is_some();
    // Six are planned, with a final, and three more play in its place.
    assert_eq!(played.results.iter().filter(has_figures).count(), 9);
    assert_eq!(played.rounds, 10);
    assert_eq!(
        played.remarks,
        [
            "run in the time that was left, in 5 rounds of their own: lock-6, lock-7, lock-8",
            "left out because not all fit into 10 min (--time-limit): lock-9, lock-10"
        ]
    );
    assert!(table.clock.now() > table.settings.time_limit.mul_f64(0.85));
    assert!(table.clock.now() <= table.settings.time_limit);
}

#[test]
fn a_final_that_takes_place_keeps_its_time() {
    let mut table = Table::new(10).ratio("lock-2", 0.8);
    table.runner.base_s = 7.0;
    let played = table.play().unwrap();
    assert_eq!(played.best.as_ref().unwrap().lock, "lock-2");
    assert_eq!((played.rounds, played.final_rounds), (5, 9));
    assert!(table.clock.now() <= table.settings.time_limit);
}

#[test]
fn a_latecomer_is_promising_at_most_if_no_final_fits() {
    let mut table = none_better().ratio("lock-8", 0.6);
    table.runner.base_s = 7.0;
    let played = table.play().unwrap();
    assert_eq!(played.ended_early, Some(EndedEarly::OutOfTime));
    assert_eq!(played.best, None);
    assert_eq!(played.promising.as_ref().unwrap().0, "lock-8");
}

#[test]
fn where_one_lock_was_planned_latecomers_play_too() {
    // 47 runs: 23 are planned, for the control and one lock, and 16 are for another lock.
    let mut table = none_better();
    table.runner.base_s = 60.0 / 47.0;
    table.settings.time_limit = Duration::from_secs(60);
    let played = table.play().unwrap();
    assert!(row(&played, "lock-2").ratio_to_bare.is_some());
    assert!(played.best.is_none());
    assert!(table.clock.now() <= table.settings.time_limit);
}

#[test]
fn stopping_keeps_what_is_known() {
    for runs in [0, 1, 5, 20, 70, 120] {
        let mut table = Table::new(4).ratio("lock-1", 0.6);
        table.onlooker.stops_after = Some(runs);
        let played = table.play().unwrap();
        assert_eq!(
            played.ended_early,
            Some(EndedEarly::Interrupted),
            "after {runs}"
        );
        assert_eq!(table.runner.log.len(), runs);
        assert_eq!(played.results.len(), 6);
        // Before the final has decided, it is promising at most.
        assert!(
            played.best.is_none() || played.final_rounds >= 4,
            "after {runs}"
        );
        assert_eq!(
            played.promising.is_some(),
            (20..=120).contains(&runs),
            "after {runs}"
        );
    }
}

#[test]
fn a_program_that_fails_by_itself_cannot_be_compared() {
    let error = Table::new(2).fails("bare", 0, crash()).play().unwrap_err();
    assert!(error.to_string().contains("SIGSEGV"), "{error}");
    let played = Table::new(2)
        .ratio("lock-1", 0.5)
        .fails("bare", 9, crash())
        .play()
        .unwrap();
    assert_eq!(played.ended_early, Some(EndedEarly::BareFailed(crash())));
    assert_eq!(played.rounds, 4);
}

#[test]
fn an_exit_code_of_bare_s_own_is_no_failure() {
    let mut table = Table::new(2).ratio("lock-1", 0.7);
    table.runner.exit_codes = vec![4];
    let played = table.play().unwrap();
    assert_eq!(played.best.unwrap().lock, "lock-1");
    assert!(
        played.remarks[0].contains("exit code 4"),
        "{:?}",
        played.remarks
    );
}

#[test]
fn all_crash_and_nothing_is_claimed() {
    let played = Table::new(2)
        .fails("pass-through", 0, crash())
        .fails("lock-1", 0, crash())
        .fails("lock-2", 2, hang())
        .play();
    let played = played.unwrap();
    assert!(played.best.is_none() && played.promising.is_none());
    assert!(played.results.iter().all(|row| row.verdict.is_none()));
}

/// Gives arbitrary outcomes in arbitrary order.
struct Wild {
    outcomes: Vec<Outcome>,
    next: usize,
    clock: Clock,
}

impl Runner for Wild {
    fn run(&mut self, _: &Contestant, limit: Duration) -> anyhow::Result<Outcome> {
        let outcome = self.outcomes[self.next % self.outcomes.len()].clone();
        self.next += 1;
        self.clock.pass(match &outcome {
            Outcome::Done(figures) => Duration::from_nanos(figures.wall_ns).min(limit),
            _ => Duration::from_millis(1),
        });
        Ok(outcome)
    }
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let metric = prop_oneof![
        20 => 0.1..10.0f64,
        1 => prop::num::f64::ANY,
    ];
    let wall_ns = prop_oneof![20 => 1u64..2_000_000_000, 1 => any::<u64>()];
    let done = (
        metric,
        wall_ns,
        prop_oneof![0u64..1_000_000_000, any::<u64>()],
        prop_oneof![30 => Just(0), 1 => any::<i32>()],
    );
    prop_oneof![
        60 => done.prop_map(|(metric, wall_ns, cpu_ns, exit_code)| Outcome::Done(Figures {
            metric,
            wall_ns,
            cpu_ns,
            exit_code,
            said: None,
            coverage: None,
        })),
        1 => Just(Outcome::Failed(crash())),
        1 => Just(Outcome::Failed(hang())),
        1 => Just(Outcome::Interrupted),
    ]
}

proptest! {
    #[test]
    fn nothing_that_a_program_does_makes_it_panic_or_yields_nonsense(
        outcomes in prop::collection::vec(outcome(), 1..200),
        locks in 0usize..6,
        rounds in prop::option::of(1usize..20),
        higher: bool,
        seconds in 0u64..2_000,
    ) {
        let mut table = Table::new(locks);
        table.settings.rounds = rounds;
        table.settings.time_limit = Duration::from_secs(seconds);
        if higher {
            table.settings.metric.better = TrialBetter::Higher;
        }
        let mut wild = Wild { outcomes, next: 0, clock: table.clock.clone() };
        let Ok(played) = play(&mut wild, &table.settings, &mut table.onlooker) else {
            return Ok(());
        };
        prop_assert_eq!(played.results.len(), locks + 2);
        prop_assert!(table.clock.now() <= table.settings.time_limit || wild.next <= 1);
        for row in &played.results {
            for it in [row.metric, row.ratio_to_bare, row.cpu_ns, row.cpu_ratio].into_iter().flatten() {
                prop_assert!(it.low <= it.median && it.median <= it.high && it.high.is_finite(), "{:?}", it);
            }
        }
        let sentence = conclusion(&played, &crate::trial::made_up::silence());
        prop_assert!(!sentence.contains("NaN") && !sentence.contains("inf"), "{}", sentence);
        prop_assert!(sentence.ends_with('.'));
    }
}

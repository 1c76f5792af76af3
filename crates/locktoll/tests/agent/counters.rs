//! The counters of recorded programs, compared with what the programs are known to have done.

use std::collections::BTreeMap;

use crate::bench::Bench;
use crate::metrics::Metrics;
use crate::program::Program;
use crate::running::Agent;

/// How many programs are recorded.
const RECORDED: &str = r#"locktoll_agent_watched_processes{source="recorder"}"#;

/// The name of the programs of one test.
const NAME: &str = "steps_in_turn";

#[test]
fn acquisitions_are_those_of_the_programs_and_carry_on_from_one_to_the_next() {
    let bench = Bench::new();
    let mut first = Program::named(&bench, NAME, "first.locktoll");
    let agent = Agent::start(&["--name", "^steps_in_turn$"]);
    let counted = |metrics: &Metrics, metric: &str| metrics.of_lock(metric, "counted_lock");
    first.step("500");
    first.step("200");
    let acquired = |count: f64| {
        agent.until("acquisitions", |it| {
            counted(it, "lock_acquisitions_total") == Some(count)
        })
    };
    let metrics = acquired(1400.0);
    // The number of holds is scaled to that of acquisitions once some are timed.
    assert!(counted(&metrics, "lock_hold_seconds_count") <= Some(1400.0));
    let waits = counted(&metrics, "lock_contended_total").unwrap();
    assert!(counted(&metrics, "lock_wait_seconds_count") <= Some(waits));
    // The last figures of a program that ends are not lost.
    first.step("100");
    first.end();
    acquired(1600.0);
    let mut second = Program::named(&bench, NAME, "second.locktoll");
    second.step("7");
    acquired(1614.0);
    let mut third = Program::named(&bench, NAME, "third.locktoll");
    third.step("1000");
    let metrics = acquired(3614.0);
    assert_eq!(
        metrics.of(r#"locktoll_agent_watched_processes{source="recorder"}"#),
        Some(2.0)
    );
    second.end();
    third.end();
    let metrics = agent.until("nobody left", |it| it.of(RECORDED) == Some(0.0));
    assert_eq!(counted(&metrics, "lock_acquisitions_total"), Some(3614.0));
}

#[test]
fn no_counter_ever_falls_while_programs_come_and_go() {
    let bench = Bench::new();
    let agent = Agent::start(&["--name", "^steps_that_grow$", "--max-series", "3"]);
    let mut highest: BTreeMap<String, f64> = BTreeMap::new();
    for round in 0..4 {
        let recording = format!("{round}.locktoll");
        let mut program = Program::named(&bench, "steps_that_grow", &recording);
        let is_seen = |it: &Metrics| it.of(RECORDED) == Some(1.0);
        for step in ["50", "hold", "release", "20"] {
            program.step(step);
            compare(&mut highest, &agent.until("the program", is_seen));
        }
        program.end();
        let is_gone = |it: &Metrics| it.of(RECORDED) == Some(0.0);
        compare(&mut highest, &agent.until("its end", is_gone));
    }
    let all = highest
        .iter()
        .filter(|(series, _)| series.starts_with("locktoll_lock_acquisitions_total"));
    assert_eq!(
        all.map(|(_, value)| value).sum::<f64>(),
        4.0 * 142.0,
        "{highest:?}"
    );
}

/// No counter is below its highest value so far.
fn compare(highest: &mut BTreeMap<String, f64>, metrics: &Metrics) {
    for (series, value) in metrics.counters() {
        let known = highest.entry(series.to_owned()).or_insert(value);
        assert!(value >= *known, "{series} fell from {known} to {value}");
        *known = value;
    }
}

#[test]
fn who_waits_and_for_how_long_it_has_been_held() {
    let bench = Bench::new();
    let mut program = Program::recorded(&bench, "out.locktoll");
    let agent = Agent::start(&["--pid", &program.pid.to_string()]);
    program.step("hold");
    agent.until("a waiting thread", |it| {
        it.of_lock("lock_waiting_threads", "held_lock") == Some(1.0)
    });
    agent.until("its holder", |it| {
        it.of_lock("lock_held_seconds", "held_lock") > Some(0.1)
    });
    program.step("release");
    let metrics = agent.until("nobody waits", |it| {
        it.of_lock("lock_waiting_threads", "held_lock") == Some(0.0)
    });
    assert_eq!(metrics.of_lock("lock_held_seconds", "held_lock"), None);
    let metrics = agent.until("one wait", |it| {
        it.of_lock("lock_contended_total", "held_lock") == Some(1.0)
    });
    assert!(metrics.of_lock("lock_wait_seconds_sum", "held_lock") > Some(0.1));
    assert_eq!(
        metrics.of_lock("lock_wait_seconds_count", "held_lock"),
        Some(1.0)
    );
}

#[test]
fn a_thread_that_releases_a_lock_and_acquires_it_again_begins_a_new_hold() {
    let bench = Bench::new();
    let mut program = Program::recorded(&bench, "out.locktoll");
    let agent = Agent::start(&["--pid", &program.pid.to_string()]);
    let held = |it: &Metrics| it.of_lock("lock_held_seconds", "held_lock");
    program.step("hold");
    let before = agent.until("a hold", |it| held(it) > Some(0.5));
    program.step("retake");
    // If both were taken for one hold, this would only grow.
    agent.until("a new hold", |it| {
        held(it).is_some_and(|seconds| Some(seconds) < held(&before))
    });
    program.step("release");
}

#[test]
fn a_deadlock_is_seen_while_it_lasts() {
    let bench = Bench::new();
    let mut program = Program::recorded(&bench, "out.locktoll");
    let agent = Agent::start(&["--pid", &program.pid.to_string()]);
    let deadlocks = r#"locktoll_deadlocks{process="counted_steps",container="",pod=""}"#;
    assert_eq!(agent.metrics().of(deadlocks), Some(0.0));
    program.step("deadlock");
    agent.until("a deadlock", |it| it.of(deadlocks) == Some(1.0));
    program.end();
    agent.until("its end", |it| it.of(deadlocks).is_none());
}

#[test]
fn beyond_the_bound_locks_share_one_series() {
    let bench = Bench::new();
    let mut program = Program::recorded(&bench, "out.locktoll");
    program.step("10");
    program.step("hold");
    program.step("release");
    let agent = Agent::start(&["--pid", &program.pid.to_string(), "--max-series", "1"]);
    let metrics = agent.until("locks", |it| it.all("lock_acquisitions_total").count() == 2);
    let other =
        r#"locktoll_lock_acquisitions_total{process="other",container="",pod="",lock="other"}"#;
    let sum: f64 = metrics
        .all("lock_acquisitions_total")
        .map(|(_, value)| value)
        .sum();
    assert_eq!(sum, 22.0, "{}", metrics.text);
    assert_eq!(
        (
            metrics.of(other).is_some(),
            metrics.of("locktoll_agent_folded_locks")
        ),
        (true, Some(1.0))
    );
    assert_eq!(metrics.of("locktoll_agent_lock_series"), Some(1.0));
}

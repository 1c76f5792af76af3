//! Threads: their names, and their time by cause.

use serde_json::Value;

use crate::bench::answers::undisturbed;
use crate::bench::{Bench, number};

fn named<'a>(profile: &'a Value, name: &str) -> &'a Value {
    let threads = profile["per_thread"].as_array().unwrap();
    let mut found = threads.iter().filter(|thread| thread["name"] == name);
    found
        .next()
        .unwrap_or_else(|| panic!("no {name} in {threads:#?}"))
}

#[test]
fn each_thread_has_its_last_name_and_its_own_times() {
    undisturbed(|times| {
        let bench = Bench::new();
        let program = bench.c("known_threads", &[]);
        let (answers, profile) = bench.answers(&[], &[&program]);

        let early = named(&profile, "early");
        let waited_ns = answers.number("busy_wait");
        times.between(
            "early",
            number(early, "/lock_wait_ns"),
            waited_ns,
            waited_ns,
        );
        assert_eq!(early["started_with"]["function"], "wait_for_mutex");

        let late = named(&profile, "late");
        let waited_ns = answers.number("told_wait");
        times.between(
            "late",
            number(late, "/signal_wait_ns"),
            waited_ns,
            waited_ns,
        );
        assert_eq!(number(late, "/lock_wait_ns"), 0.0);

        let renamed = named(&profile, "renamed");
        let spun_ns = answers.number("spun");
        // And what the thread did besides.
        assert!(number(renamed, "/cpu_ns") >= spun_ns, "{renamed:#}");
        assert!(number(renamed, "/cpu_ns") < 2.0 * spun_ns, "{renamed:#}");

        let all = profile["per_thread"].as_array().unwrap();
        let unnamed = all
            .iter()
            .find(|thread| thread["started_with"]["function"] == "sleep_only")
            .unwrap();
        assert_eq!(unnamed["name"], "known_threads");
        assert!(number(unnamed, "/voluntary_switches") >= 1.0);
        // It slept for most of its life, and was neither running nor waiting for anything that is ours to see.
        assert!(
            number(unnamed, "/cpu_ns") < 0.5 * number(unnamed, "/duration_ns"),
            "{unnamed:#}"
        );
    });
}

#[test]
fn what_is_done_while_a_lock_is_held_is_told() {
    let bench = Bench::new();
    let program = bench.c("while_held", &[]);
    let (_, profile) = bench.answers(&["--exact"], &[&program]);
    let while_held = |name: &str, what: &str| {
        number(
            crate::bench::lock(&profile, name),
            &format!("/while_held/{what}"),
        )
    };
    assert_eq!(while_held("asleep", "system_calls"), 20.0);
    assert_eq!(while_held("reading", "system_calls"), 40.0);
    assert_eq!(while_held("computing", "system_calls"), 0.0);
    assert_eq!(
        while_held("calling", "system_calls"),
        0.0,
        "none of these may block"
    );
    // Where the first hold showed that they are long, the kernel is asked what happened in them.
    for name in ["asleep", "reading"] {
        let examined = while_held(name, "examined");
        assert!((10.0..=20.0).contains(&examined), "{name}: {examined}");
        assert!(
            while_held(name, "voluntary_switches") >= while_held(name, "blocked"),
            "{name}"
        );
        // The answer to read may be there already if this process had to wait for its processor.
        assert!(while_held(name, "blocked") >= 0.5 * examined, "{name}");
    }
    assert_eq!(
        while_held("asleep", "blocked"),
        while_held("asleep", "examined")
    );
    assert_eq!(while_held("computing", "blocked"), 0.0);
}

#[test]
fn switches_that_the_program_asked_for_are_told_from_preemptions() {
    told_from_preemptions(&[]);
}

/// Debian's sysbench calls it.
#[cfg(target_arch = "x86_64")]
#[test]
fn switches_by_pthread_yield_are_told_from_preemptions() {
    told_from_preemptions(&["-DBY_PTHREAD_YIELD"]);
}

fn told_from_preemptions(flags: &[&str]) {
    let bench = Bench::new();
    let program = bench.c("yielding", flags);
    let (answers, profile) = bench.answers(&[], &[&program]);
    let yields = answers.number("yields");
    let of_threads: f64 = profile["per_thread"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thread| number(thread, "/yields"))
        .sum();
    // A call need not switch: never more of them than switches.
    let involuntary = number(&profile, "/involuntary_switches");
    let all = number(&profile, "/yields");
    assert!(all <= involuntary && all <= yields, "{all} of {yields}");
    assert!(
        of_threads >= all && of_threads <= yields,
        "{of_threads} of {yields}"
    );
    assert!(
        all * 2.0 > yields.min(involuntary),
        "{all} of {yields} yields, {involuntary} switches"
    );
}

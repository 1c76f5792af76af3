//! What the timeline of a program with a known pattern says in words, and in which order it has the holds.

use serde_json::Value;

use crate::bench::{Bench, text};
use crate::preemption::watched_with;

/// Records a case of `timeline_cases` with these options. Returns the program's output and the profile.
fn case(bench: &Bench, case: &str, options: &[&str]) -> (String, Value) {
    case_of("timeline_cases", bench, case, options)
}

fn case_of(program: &str, bench: &Bench, case: &str, options: &[&str]) -> (String, Value) {
    let program = bench.c(program, &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "-o", "out.locktoll"]);
    command.args(options).arg("--").arg(&program).arg(case);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (
        text(&output.stdout).to_owned(),
        bench.profile("out.locktoll"),
    )
}

/// Returns the findings of one kind.
fn findings<'p>(profile: &'p Value, kind: &str) -> Vec<&'p Value> {
    let all = profile["timeline"]["findings"].as_array();
    let all = all.map(Vec::as_slice).unwrap_or_default().iter();
    all.filter(|it| it["kind"] == kind).collect()
}

fn lock_of(profile: &Value, finding: &Value) -> String {
    let lock = finding["lock"].as_u64().unwrap() as usize;
    let name = &profile["timeline"]["locks"][lock]["name"];
    name.as_str().unwrap().to_owned()
}

fn numbers(column: &Value) -> Vec<u64> {
    let column = column.as_array().unwrap().iter();
    column.map(|it| it.as_u64().unwrap_or(u64::MAX)).collect()
}

#[test]
fn a_convoy_a_herd_and_a_chain_are_found_where_they_are() {
    let bench = Bench::new();
    for (name, kind, lock, threads) in [
        ("convoy", "convoy", "journal", 5),
        ("herd", "thundering_herd", "queue", 6),
        ("chain", "chain_of_waits", "outer", 4),
    ] {
        let (_, profile) = case(&bench, name, &["--timeline"]);
        let found = findings(&profile, kind);
        assert_eq!(
            found.len(),
            1,
            "{name}: {}",
            profile["timeline"]["findings"]
        );
        assert_eq!(lock_of(&profile, found[0]), lock);
        // A herd has the thread that broadcast, too, and perhaps not the first thread that it woke.
        let number = found[0]["threads"].as_array().unwrap().len();
        assert!((threads..=threads + 1).contains(&number), "{found:?}");
        for other in ["convoy", "thundering_herd", "chain_of_waits"] {
            let is_silent = findings(&profile, other).is_empty();
            assert!(is_silent || other == kind, "{name} is no {other}");
        }
        let report = bench.locktoll().args(["report", "out.locktoll"]).output();
        let report = report.unwrap();
        let (report, sentence) = (text(&report.stdout), found[0]["sentence"].as_str());
        assert!(
            words(&report).contains(&words(sentence.unwrap())),
            "{report}"
        );
    }
}

/// Returns the only finding of one kind about a lock.
fn only_finding<'p>(profile: &'p Value, kind: &str, lock: &str) -> &'p Value {
    let found = findings(profile, kind);
    let all = &profile["timeline"]["findings"];
    assert_eq!(found.len(), 1, "{all}");
    assert_eq!(lock_of(profile, found[0]), lock);
    found[0]
}

/// The beginnings and ends of the waits for a lock, in their order.
fn waits_for(profile: &Value, lock: &str) -> Vec<[u64; 2]> {
    let timeline = &profile["timeline"];
    let column = |name: &str| numbers(&timeline["waits"][name]);
    let times = column("begin_ns").into_iter().zip(column("end_ns"));
    let waits = column("lock").into_iter().zip(times);
    let is_for_it =
        |it: &(u64, (u64, u64))| timeline["locks"][it.0 as usize]["name"].as_str() == Some(lock);
    let times = waits
        .filter(is_for_it)
        .map(|(_, (begin, end))| [begin, end]);
    times.collect()
}

#[test]
fn a_burst_is_found_where_it_is() {
    let bench = Bench::new();
    let (_, profile) = case_of("timeline_moments", &bench, "burst", &["--timeline"]);
    let burst = only_finding(&profile, "burst", "rush");
    let waits = waits_for(&profile, "rush");
    assert_eq!(waits.len(), 92);
    // The six before it, and the six after it, are not in it. On a busy machine, nor may be its first and last waits.
    let inside = &waits[6..86];
    let [begin_ns, end_ns] = ["begin_ns", "end_ns"].map(|it| burst[it].as_u64().unwrap());
    assert!(inside[0][0] <= begin_ns && end_ns <= inside[79][1]);
    let is_in_it = |it: &&[u64; 2]| begin_ns <= it[0] && it[1] <= end_ns;
    let found: Vec<&[u64; 2]> = inside.iter().filter(is_in_it).collect();
    assert!(found.len() >= 50, "{burst}");
    let waited: u64 = found.iter().map(|it| it[1] - it[0]).sum();
    assert_eq!(burst["wait_ns"].as_u64(), Some(waited));
    let sentence = burst["sentence"].as_str().unwrap();
    let count = format!("Burst: {} of the 92 waits for rush (", found.len());
    assert!(sentence.starts_with(&count), "{sentence}");
    assert!(findings(&profile, "worst_second").is_empty());
}

#[test]
fn the_worst_second_is_the_one_with_the_long_wait() {
    let bench = Bench::new();
    let (_, profile) = case_of("timeline_moments", &bench, "second", &["--timeline"]);
    let second = only_finding(&profile, "worst_second", "slow");
    let waits = waits_for(&profile, "slow");
    assert_eq!(waits.len(), 11);
    let [begin_ns, end_ns] = ["begin_ns", "end_ns"].map(|it| second[it].as_u64().unwrap());
    assert_eq!(end_ns - begin_ns, 1_000_000_000);
    let overlap = |it: &[u64; 2]| end_ns.min(it[1]).saturating_sub(begin_ns.max(it[0]));
    let waited: u64 = waits.iter().map(overlap).sum();
    assert_eq!(second["wait_ns"].as_u64(), Some(waited));
    // The fifth wait is the long one.
    assert!(overlap(&waits[4]) > waited / 2, "{second}");
    assert!(findings(&profile, "burst").is_empty());
}

#[test]
fn a_holder_that_an_urgent_thread_keeps_from_its_cpu_is_found() {
    let bench = Bench::new();
    let program = bench.c("timeline_moments", &[]);
    let words = [program.into(), "inversion".into()];
    let Some((answers, profile)) = watched_with(&bench, &["--timeline"], &words) else {
        return;
    };
    if answers.number("refused") != 0.0 {
        locktoll_needs::refused("this user may not begin threads with a real-time policy");
        return;
    }
    let inversion = only_finding(&profile, "priority_inversion", "shared");
    let threads = numbers(&inversion["threads"]).into_iter();
    let tids = threads.map(|it| profile["timeline"]["threads"][it as usize]["tid"].as_f64());
    let expected = ["holder", "waiter"].map(|it| Some(answers.number(it)));
    assert_eq!(tids.collect::<Vec<_>>(), expected);
    let sentence = inversion["sentence"].as_str().unwrap();
    assert!(sentence.contains("since other threads ran"), "{sentence}");
    let [begin_ns, end_ns] = ["begin_ns", "end_ns"].map(|it| inversion[it].as_u64().unwrap());
    // The other thread computes for 40 ms, and the holder waits for its CPU all that time.
    assert!(end_ns - begin_ns >= 40_000_000, "{inversion}");
}

/// Lines may end anywhere.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The program notes which thread has the lock, while that thread has it. The holds must be in that order, and apart.
#[test]
fn holds_are_in_the_order_in_which_the_program_made_them() {
    let bench = Bench::new();
    for of in ["waits", "everything"] {
        let (output, profile) = case(&bench, "order", &["--timeline", "--timeline-of", of]);
        let order: Vec<u64> = output.lines().map(|it| it.parse().unwrap()).collect();
        assert_eq!(order.len(), 1_200);
        let timeline = &profile["timeline"];
        let column = |name: &str| numbers(&timeline["holds"][name]);
        let (threads, locks) = (column("thread"), column("lock"));
        let times = column("begin_ns").into_iter().zip(column("end_ns"));
        let mut holds: Vec<(u64, u64, u64)> = Vec::new();
        for ((thread, lock), (begin_ns, end_ns)) in threads.into_iter().zip(locks).zip(times) {
            if timeline["locks"][lock as usize]["name"] == "notes" {
                let tid = &timeline["threads"][thread as usize]["tid"];
                holds.push((begin_ns, end_ns, tid.as_u64().unwrap()));
            }
        }
        assert!(holds.is_sorted_by_key(|it| it.0));
        let apart = holds.windows(2).all(|pair| pair[0].1 <= pair[1].0);
        assert!(apart, "two holds at once");
        let tids: Vec<u64> = holds.iter().map(|it| it.2).collect();
        if of == "everything" {
            assert_eq!(tids, order);
        } else {
            // Those that threads waited for are a part of all, in the same order. The program sleeps in some holds, so threads do wait.
            assert!(!tids.is_empty());
            let mut rest = order.iter();
            assert!(tids.iter().all(|tid| rest.any(|it| it == tid)));
        }
        assert_eq!(timeline["kept"]["lost"]["overwritten"], 0);
    }
}

/// Nothing but the two ends of the hold tells how fast the processor's counter runs.
#[test]
fn a_hold_without_another_is_as_long_as_the_program_says() {
    let bench = Bench::new();
    let (output, profile) = case(
        &bench,
        "alone",
        &["--timeline", "--timeline-of", "everything"],
    );
    let lengths: Vec<u64> = output.lines().map(|it| it.parse().unwrap()).collect();
    let timeline = &profile["timeline"];
    let holds = &timeline["holds"];
    let of_own = |lock: &u64| timeline["locks"][*lock as usize]["name"] == "own";
    let row = numbers(&holds["lock"]).iter().position(of_own).unwrap();
    let length = numbers(&holds["end_ns"])[row] - numbers(&holds["begin_ns"])[row];
    // Readings of two clocks at one moment differ by less.
    let slack = lengths[0] / 100_000;
    assert!(
        (lengths[0] - slack..=lengths[1] + slack).contains(&length),
        "{length} of {lengths:?}"
    );
}

//! Preempted holders: the kernel's data, and the estimate, compared with the program's own account.
//!
//! If the kernel does not take locktoll's programs, the tests that need them are skipped.

use std::ffi::OsString;
use std::process::Command;

use serde_json::Value;

use crate::bench::answers::{Answers, Times, undisturbed};
use crate::bench::{Bench, function, lock, number, text};

/// A jump of the clock shorter than this is none for the program.
const JUMP_NS: f64 = 500_000.0;

/// Records `words` with `--preemption`; `None`, and the test is skipped, if the kernel was not allowed to watch.
fn watched(bench: &Bench, words: &[OsString]) -> Option<(Answers, Value)> {
    watched_with(bench, &[], words)
}

/// The same with further options.
pub fn watched_with(
    bench: &Bench,
    options: &[&str],
    words: &[OsString],
) -> Option<(Answers, Value)> {
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "--preemption", "-o", "out.locktoll"]);
    command.args(options);
    let out = command.arg("--").args(words).output().unwrap();
    let errors = text(&out.stderr);
    assert!(out.status.success(), "{errors}");
    if errors.contains("are an estimate") {
        assert!(!is_allowed(), "{errors}");
        locktoll_needs::refused(&errors);
        return None;
    }
    Some((Answers::of(&out.stdout), bench.profile("out.locktoll")))
}

/// Whether `doctor` finds that the kernel can be asked. It calls the estimate limited, and ends as well as it does then.
fn is_allowed() -> bool {
    let doctor = Command::new(crate::bench::LOCKTOLL)
        .args(["doctor", "record", "--preemption", "--json"])
        .output()
        .unwrap();
    let found: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let verb = &found["verbs"][0];
    assert_eq!(verb["verb"], "record --preemption", "{found:#}");
    verb["works"] == "full"
}

fn words(program: &std::path::Path, mode: &str, number: &str) -> Vec<OsString> {
    vec![program.into(), mode.into(), number.into()]
}

/// What the kernel saw of `contested` is what the program found.
fn compare(times: &mut Times, answers: &Answers, profile: &Value) {
    let contested = lock(profile, "contested");
    let preemption = &contested["preemption"];
    assert_eq!(preemption["source"], "sched_switch");
    let [jumps, jumped_ns] = answers.numbers("preempted")[..] else {
        panic!("two numbers");
    };
    let (count, total_ns) = (
        number(preemption, "/count"),
        number(preemption, "/total_ns"),
    );
    times.check(jumped_ns > 20e6, || {
        format!("hardly anybody was preempted: {jumped_ns}")
    });
    // What is too short for the program, the kernel sees.
    let short_ns = (count - jumps).max(0.0) * JUMP_NS;
    times.between("preempted", total_ns, jumped_ns, jumped_ns + short_ns);
    times.check(count >= jumps, || {
        format!("{count} preemptions in {jumps} jumps")
    });
    let (waited_ns, found_ns) = (answers.number("waited"), answers.number("meanwhile"));
    let meanwhile_ns = number(preemption, "/waited_meanwhile_ns");
    // Three threads wait for the fourth. Some switches are not seen on some machines: what is known of a wait then ends late.
    times.check(
        meanwhile_ns > 0.95 * found_ns && meanwhile_ns < 1.05 * found_ns + 3.0 * short_ns,
        || format!("waited meanwhile: {meanwhile_ns}, not {found_ns}"),
    );
    let share = number(preemption, "/share_of_wait");
    times.check((share - found_ns / waited_ns).abs() < 0.05, || {
        format!("{share} of all waiting, not {found_ns} of {waited_ns}")
    });
}

/// The figures of one preemption are of one piece, whatever they are.
fn adds_up(profile: &Value) {
    let preemption = &lock(profile, "contested")["preemption"];
    let numbers = |list: &str, field: &str| -> f64 {
        let list = preemption[list].as_array().unwrap().iter();
        list.map(|it| it[field].as_f64().unwrap()).sum()
    };
    let lengths: f64 = preemption["log2"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_f64().unwrap())
        .sum();
    assert_eq!(lengths, number(preemption, "/count"));
    assert_eq!(numbers("sites", "count"), number(preemption, "/count"));
    assert_eq!(
        numbers("sites", "total_ns"),
        number(preemption, "/total_ns")
    );
    assert_eq!(function(&preemption["sites"][0]["frames"]), "contend");
    for waiter in preemption["waiters"].as_array().unwrap() {
        assert_eq!(function(&waiter["frames"]), "contend");
        let of_thread =
            |thread: &&Value| thread["tid"] == waiter["tid"] && thread["pid"] == waiter["pid"];
        let threads = profile["per_thread"].as_array().unwrap();
        assert!(threads.iter().any(|thread| of_thread(&thread)), "{waiter}");
    }
    let total = &profile["preemption"];
    assert_eq!(total["source"], "sched_switch");
    assert!(number(total, "/count") >= number(preemption, "/count"));
    for what in ["unkept", "waits_unkept", "too_many_held", "unregistered"] {
        assert_eq!(total["dropped"][what], 0, "{what}");
    }
}

#[test]
fn holders_were_preempted_as_long_as_the_program_found_and_others_waited_as_long() {
    let bench = Bench::new();
    let program = bench.c("preempted_holders", &[]);
    undisturbed(|times| {
        if let Some((answers, profile)) = watched(&bench, &words(&program, "gaps", "2500")) {
            compare(times, &answers, &profile);
            adds_up(&profile);
            assert_eq!(number(&profile, "/preemption/threads"), 7.0);
        }
    });
}

#[test]
fn the_child_of_a_fork_and_a_process_with_numbers_of_its_own_are_seen_alike() {
    let bench = Bench::new();
    let program = bench.c("preempted_holders", &[]);
    undisturbed(|times| {
        if let Some((answers, profile)) = watched(&bench, &words(&program, "forked", "1500")) {
            compare(times, &answers, &profile);
            adds_up(&profile);
        }
    });
    let in_namespace = Command::new("unshare")
        .args(["--pid", "--fork", "true"])
        .status();
    if !in_namespace.is_ok_and(|status| status.success()) {
        locktoll_needs::refused("this user may not make a namespace of processes (unshare --pid)");
        return;
    }
    let mut in_namespace: Vec<OsString> = ["unshare", "--pid", "--fork"].map(OsString::from).into();
    in_namespace.extend(words(&program, "gaps", "1500"));
    undisturbed(|times| {
        if let Some((answers, profile)) = watched(&bench, &in_namespace) {
            compare(times, &answers, &profile);
            adds_up(&profile);
        }
    });
}

#[test]
fn who_yields_is_not_preempted() {
    let bench = Bench::new();
    let program = bench.c("preempted_holders", &[]);
    undisturbed(|times| {
        if let Some((answers, profile)) = watched(&bench, &words(&program, "yields", "20000")) {
            yielded(times, &answers, &profile);
        }
    });
}

fn yielded(times: &mut Times, answers: &Answers, profile: &Value) {
    let preemption = &lock(profile, "polite")["preemption"];
    let (yields, involuntary) = (answers.number("yields"), answers.number("involuntary"));
    let (yielded, preempted) = (
        number(preemption, "/yielded/count"),
        number(preemption, "/count"),
    );
    // The kernel counts both as involuntary, and the program asks a moment after it has the lock, and a moment before it gives it back.
    let unasked = 5.0;
    // While other programs want the processor, a time slice may end on the way out of the call, which is a second switch in it.
    times.check(yielded <= yields + unasked, || {
        format!("{yielded} of {yields}")
    });
    assert!(
        yielded + preempted <= involuntary + unasked,
        "{yielded} + {preempted} of {involuntary}"
    );
    assert!(yielded >= 0.9 * involuntary, "{yielded} of {involuntary}");
}

#[test]
fn nobody_is_preempted_who_never_loses_the_processor() {
    let bench = Bench::new();
    let program = bench.c("preempted_holders", &[]);
    let Some((answers, profile)) = watched(&bench, &words(&program, "alone", "200000")) else {
        return;
    };
    let preemption = &lock(&profile, "lonely")["preemption"];
    assert_eq!(preemption["source"], "sched_switch");
    assert!(number(preemption, "/count") <= answers.number("involuntary"));
    assert_eq!(number(preemption, "/waited_meanwhile_ns"), 0.0);
    assert_eq!(preemption["share_of_wait"], Value::Null, "nobody waited");
}

/// A futex of Rust's standard library does not say who holds it.
#[test]
fn nothing_is_said_of_holders_that_are_not_known() {
    let bench = Bench::new();
    let program = bench.rust("rust_std");
    let Some((_, profile)) = watched(&bench, &[program.into()]) else {
        return;
    };
    let preemption = &profile["preemption"];
    assert_eq!(preemption["source"], "sched_switch");
    for unknown in ["count", "total_ns", "waited_meanwhile_ns", "share_of_wait"] {
        assert_eq!(preemption[unknown], Value::Null, "{unknown}: {preemption}");
    }
    assert!(number(preemption, "/unknown_holders_wait_ns") > 0.0);
    let out = bench.locktoll().args(["report", "out.locktoll"]).output();
    let page = text(&out.unwrap().stdout);
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("no lock names its holder"), "{page}");
}

#[test]
fn without_privileges_there_is_an_estimate_that_says_what_it_is() {
    let bench = Bench::new();
    let program = bench.c("preempted_holders", &[]);
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set=-all", "--inh-caps=-all", "true"]);
    let drops = command.status().is_ok_and(|status| status.success());
    undisturbed(|times| {
        let mut recorded = bench.locktoll();
        if drops {
            let locktoll = recorded.get_program().to_owned();
            let mut without = Command::new("setpriv");
            without
                .args(["--bounding-set=-all", "--inh-caps=-all"])
                .arg(locktoll);
            without
                .current_dir(bench.path(""))
                .env("XDG_CACHE_HOME", bench.path("cache"));
            recorded = without;
        }
        recorded.args(["record", "--preemption", "-o", "estimated.locktoll", "--"]);
        let out = recorded
            .arg(&program)
            .args(["gaps", "2500"])
            .output()
            .unwrap();
        let errors = text(&out.stderr);
        assert!(out.status.success(), "{errors}");
        if !errors.contains("are an estimate") {
            locktoll_needs::refused("privileges cannot be given up");
            return;
        }
        assert!(errors.contains("CAP_BPF"), "{errors}");
        let profile = bench.profile("estimated.locktoll");
        let preemption = &lock(&profile, "contested")["preemption"];
        assert_eq!(preemption["source"], "estimate");
        for unknown in [
            "max_ns",
            "log2",
            "yielded",
            "waited_meanwhile_ns",
            "share_of_wait",
        ] {
            assert_eq!(preemption[unknown], Value::Null, "{unknown}");
        }
        let answers = Answers::of(&out.stdout);
        let [jumps, jumped_ns] = answers.numbers("preempted")[..] else {
            panic!("two numbers");
        };
        let (count, total_ns) = (
            number(preemption, "/count"),
            number(preemption, "/total_ns"),
        );
        times.check(jumped_ns > 20e6, || {
            format!("hardly anybody was preempted: {jumped_ns}")
        });
        times.check(count >= 0.9 * jumps, || {
            format!("{count} preemptions in {jumps} jumps")
        });
        let short_ns = (count - jumps).max(0.0) * JUMP_NS;
        times.check(
            total_ns > 0.9 * jumped_ns && total_ns < 1.1 * jumped_ns + short_ns,
            || format!("{total_ns} estimated, {jumped_ns} found"),
        );
        let mut report = bench.locktoll();
        report.args(["report", "estimated.locktoll", "--lock", "contested"]);
        let said = text(&report.output().unwrap().stdout);
        let said: Vec<&str> = said.split_whitespace().collect();
        assert!(said.join(" ").contains("(estimated from "), "{said:?}");
    });
}

/// The column of a table of the timeline; `null` is the largest number.
fn column(timeline: &Value, table: &str, name: &str) -> Vec<u64> {
    let column = timeline[table][name].as_array().unwrap().iter();
    let number = |it: &Value| match it {
        Value::Bool(it) => u64::from(*it),
        it => it.as_u64().unwrap_or(u64::MAX),
    };
    column.map(number).collect()
}

/// A thread that waits for a lock sleeps, until the thread that releases the lock wakes it.
#[test]
fn the_timeline_has_the_times_without_a_cpu_and_the_threads_that_ended_them() {
    let bench = Bench::new();
    let program = bench.c("long_holds", &[]);
    let words = [program.into(), "60".into(), "20".into(), "4".into()];
    let Some((_, profile)) = watched_with(&bench, &["--timeline"], &words) else {
        return;
    };
    let timeline = &profile["timeline"];
    let of = |name: &str| column(timeline, "switches", name);
    let [threads, outs, ins, wakers] = ["thread", "out_ns", "in_ns", "waker"].map(of);
    assert!(outs.iter().zip(&ins).all(|(out, back)| out <= back));
    assert!(outs.is_sorted());
    let is_preempted = of("preempted");
    let of = |name: &str| column(timeline, "waits", name);
    let [waiters, locks, begins, ends] = ["thread", "lock", "begin_ns", "end_ns"].map(of);
    let [released, released_by] = ["released_ns", "released_by"].map(of);
    let id = profile["locks"][0]["id"].as_str().unwrap();
    let of_lock = (0..waiters.len())
        .filter(|&wait| timeline["locks"][locks[wait] as usize]["id"].as_str() == Some(id));
    let mut waits = 0;
    for wait in of_lock {
        waits += 1;
        let is_its_sleep = |&row: &usize| {
            threads[row] == waiters[wait]
                && (begins[wait]..=ends[wait]).contains(&outs[row])
                && (released[wait]..=ends[wait]).contains(&ins[row])
                && wakers[row] == released_by[wait]
                && is_preempted[row] == 0
        };
        let found = (0..threads.len()).find(is_its_sleep);
        assert!(found.is_some(), "wait {wait} in {timeline}");
    }
    assert!(waits > 0);
}

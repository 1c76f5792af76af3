//! The holder of a lock while others wait, also for waits that began before watching; and the threads that yielded.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::watched::{
    LOCKTOLL, Watched, attach_to, built, folder, has_function, lock, profile_of, source, text,
    waited_ns,
};

fn c_program(folder: &tempfile::TempDir, name: &str) -> Option<PathBuf> {
    let program = folder.path().join(name);
    let mut compiler = Command::new("cc");
    compiler
        .args(["-g", "-O1", "-pthread"])
        .arg(source(&format!("{name}.c")));
    built(&compiler, &program)
}

/// What was waited for the lock, by waits that go on, too.
fn all_waited_ns(lock: &Value) -> u64 {
    waited_ns(lock) + lock["still_waiting_ns"].as_u64().unwrap()
}

/// What the lock's holders are charged with, the most first, and who they are.
fn holders(lock: &Value) -> Vec<(u64, Option<u64>)> {
    let blame = lock["blame"].as_array().unwrap();
    let of = |it: &Value| {
        (
            it["wait_ns"].as_u64().unwrap(),
            it["holder_thread"]["tid"].as_u64(),
        )
    };
    blame.iter().map(of).collect()
}

#[test]
fn a_deadlock_that_was_there_before() {
    let folder = folder();
    let Some(program) = c_program(&folder, "stuck") else {
        return;
    };
    let watched = Watched::start(&mut Command::new(&program));
    let kept = folder.path().join("kept.json");
    let kept = kept.to_str().unwrap();
    let Some(profile) = watched.profile("500ms", &["-o", kept]) else {
        return;
    };
    let waiters: Vec<u64> = ["left", "right"]
        .map(|name| {
            let lock = lock(&profile, name);
            assert_eq!(
                (&lock["kind"], &lock["used_as"]),
                (&"mutex".into(), &"lock".into())
            );
            assert_eq!(
                (&lock["contended"], &lock["still_waiting"]),
                (&0.into(), &1.into())
            );
            let waiting = &lock["still_waiting_threads"][0];
            assert_eq!(waiting["wait_ns"], lock["still_waiting_ns"]);
            waiting["tid"].as_u64().unwrap()
        })
        .into();
    // Each waits for what the other holds, all the time.
    for (name, holder, place) in [
        ("left", waiters[1], "right_then_left"),
        ("right", waiters[0], "left_then_right"),
    ] {
        let lock = lock(&profile, name);
        assert!(
            has_function(lock, "still_waiting_threads", "frames", place),
            "{lock:#}"
        );
        let holders = holders(lock);
        assert_eq!(holders.len(), 1, "{lock:#}");
        assert_eq!(holders[0].1, Some(holder), "{lock:#}");
        assert!(
            holders[0].0.abs_diff(all_waited_ns(lock)) * 10 <= all_waited_ns(lock),
            "{lock:#}"
        );
    }
    let said = profile["warnings"].to_string();
    assert!(said.contains("2 waits began before attach"), "{said}");

    // In every form that is made of stacks, too.
    for form in ["folded", "svg"] {
        let report = Command::new(LOCKTOLL)
            .args(["report", kept, "--format", form])
            .output();
        let report = report.unwrap();
        let printed = text(&report.stdout);
        assert!(report.status.success(), "{form}: {}", text(&report.stderr));
        assert!(
            printed.contains("left_then_right") && printed.contains("right_then_left"),
            "{form}: {printed}"
        );
    }
    let opened = Command::new(LOCKTOLL)
        .args(["report", kept, "--lock", "left"])
        .output()
        .unwrap();
    let opened = text(&opened.stdout);
    assert!(
        opened.contains("so far, ") && opened.contains("no wait had ended"),
        "{opened}"
    );
}

#[test]
fn hasty_waiters_are_charged_to_holders_once_and_have_wakers() {
    let folder = folder();
    let Some(program) = c_program(&folder, "hasty_waiters") else {
        return;
    };
    let watched = Watched::start(Command::new(&program).arg("4"));
    let Some(profile) = watched.profile("2s", &[]) else {
        return;
    };
    let locks = profile["locks"].as_array().unwrap();
    let locks = locks
        .iter()
        .filter(|lock| lock["name"].as_str().unwrap().contains("hasty"));
    let (mut waits, mut without_waker) = (0, 0);
    for lock in locks {
        for pair in lock["woken_by"].as_array().unwrap() {
            let count = pair["count"].as_u64().unwrap();
            waits += count;
            without_waker += if pair["waker"].is_array() { 0 } else { count };
        }
        // One waiter that is never taken off again is charged all the time in which nobody waits, which is most of it.
        let (waited, charged) = (
            all_waited_ns(lock),
            holders(lock).iter().map(|it| it.0).sum::<u64>(),
        );
        assert!(charged <= waited + waited / 20, "{lock:#}");
        assert!(charged >= waited / 2, "{lock:#}");
    }
    // Each wait was ended by a release. A few began before watching did, or their waker's stack found no room.
    assert!(waits > 0, "{profile:#}");
    assert!(without_waker * 100 <= waits, "{without_waker} of {waits}");
}

#[test]
fn words_that_only_look_like_locks_have_no_holder() {
    let folder = folder();
    let Some(program) = c_program(&folder, "odd_words") else {
        return;
    };
    let watched = Watched::start(&mut Command::new(&program));
    let Some(profile) = watched.profile("500ms", &[]) else {
        return;
    };
    let locks = profile["locks"].as_array().unwrap();
    let waits: u64 = locks
        .iter()
        .map(|lock| lock["still_waiting"].as_u64().unwrap())
        .sum();
    assert_eq!(waits, 5, "{profile:#}");
    for place in ["at_stale", "at_foreign", "at_edge", "at_gone", "at_event"] {
        let at_place = |lock: &&Value| has_function(lock, "still_waiting_threads", "frames", place);
        let lock = locks
            .iter()
            .find(at_place)
            .unwrap_or_else(|| panic!("{place}: {profile:#}"));
        // Who owns them is not known: nobody is named, neither a thread that is none nor one of another process.
        assert_eq!(lock["blame"], Value::Array(Vec::new()), "{place}: {lock:#}");
        for waiting in lock["still_waiting_threads"].as_array().unwrap() {
            assert_eq!(waiting.get("holder_thread"), None, "{place}: {lock:#}");
            assert!(waiting["wait_ns"].as_u64().unwrap() > 0, "{place}");
        }
        let used_as = if place == "at_event" {
            "signal"
        } else {
            "lock"
        };
        assert_eq!(lock["used_as"], used_as, "{place}");
    }
}

#[test]
fn mutexes_that_nobody_will_release_say_whose_they_are() {
    let folder = folder();
    let Some(program) = c_program(&folder, "never_released") else {
        return;
    };
    let watched = Watched::start(&mut Command::new(&program));
    let Some(of_parent) = watched.profile("300ms", &[]) else {
        return;
    };
    let child = child_of(watched.id());
    let Some(of_child) = profile_of(attach_to(child, "300ms")) else {
        return;
    };
    let field = |profile: &Value, name: &str| {
        let waiting = lock(profile, name)["still_waiting_threads"][0].clone();
        assert_eq!(waiting.get("holder_thread"), None, "{waiting:#}");
        (waiting["owner_field"].clone(), waiting["tid"].clone())
    };
    let (dead, _) = field(&of_parent, "left_by_the_dead");
    assert_eq!(dead["state"], "ended", "{of_parent:#}");
    let (own, waiter) = field(&of_parent, "taken_twice");
    assert_eq!(
        (&own["state"], &own["tid"]),
        (&"the_waiter".into(), &waiter)
    );
    let (parents, _) = field(&of_child, "held_in_a_fork");
    let parent = Value::from(watched.id());
    assert_eq!(parents["state"], "of_another_process", "{of_child:#}");
    assert_eq!((&parents["tid"], &parents["pid"]), (&parent, &parent));
}

/// The child of a process, once it has one.
fn child_of(process: u32) -> u32 {
    let children = format!("/proc/{process}/task/{process}/children");
    let text = std::fs::read_to_string(children).unwrap();
    text.trim().parse().unwrap()
}

#[test]
fn holders_in_a_process_namespace_go_by_their_numbers_there() {
    let folder = folder();
    let Some(program) = c_program(&folder, "stuck") else {
        return;
    };
    let unshare = ["--pid", "--fork", "--kill-child"];
    if !locktoll_needs::programs(&["unshare"]) {
        return;
    }
    let may = Command::new("unshare")
        .args(unshare)
        .arg("true")
        .output()
        .unwrap();
    if !may.status.success() {
        locktoll_needs::refused(&text(&may.stderr));
        return;
    }
    let outer = Watched::start(Command::new("unshare").args(unshare).arg(&program));
    let Some(profile) = profile_of(attach_to(child_of(outer.id()), "500ms")) else {
        return;
    };
    // The first process there, and the two threads that it started.
    for (name, waiter, holder) in [("left", 3, 2), ("right", 2, 3)] {
        let lock = lock(&profile, name);
        assert_eq!(lock["still_waiting_threads"][0]["tid"], waiter, "{lock:#}");
        assert_eq!(holders(lock)[0].1, Some(holder), "{lock:#}");
    }
}

#[test]
fn waiting_is_charged_to_whoever_holds_the_lock_meanwhile() {
    let folder = folder();
    let Some(program) = c_program(&folder, "one_long_holder") else {
        return;
    };
    let watched = Watched::start(&mut Command::new(&program));
    let Some(profile) = watched.profile("2s", &[]) else {
        return;
    };
    let account = lock(&profile, "account");
    let holders = holders(account);
    let charged: u64 = holders.iter().map(|(ns, _)| ns).sum();
    // Whatever else the machine does: a thread that is not run after its sleep holds the lock longer still.
    assert!(holders[0].0 * 10 >= charged * 9, "{account:#}");
    assert!(holders[0].1.is_some(), "{account:#}");
    let waited = all_waited_ns(account);
    assert!(
        charged.abs_diff(waited) * 20 <= waited,
        "{charged} of {waited}: {account:#}"
    );
}

#[test]
fn switches_that_the_program_asked_for_are_told_from_preemptions() {
    let folder = folder();
    let Some(program) = c_program(&folder, "yielding") else {
        return;
    };
    let watched = Watched::start(Command::new(&program).arg("on"));
    let Some(profile) = watched.profile("300ms", &[]) else {
        return;
    };
    let figure = |name: &str| profile[name].as_u64().unwrap();
    let (yields, involuntary) = (figure("yields"), figure("involuntary_switches"));
    assert!(
        yields <= involuntary && yields * 2 > involuntary,
        "{yields} of {involuntary}"
    );
}

//! Events by time: `record --timeline`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::bench::{Bench, text};

/// Records holds of 60 ms for which another thread waits, with these options, and returns the document.
fn record(bench: &Bench, options: &[&str]) -> Value {
    let program = bench.c("long_holds", &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "-o", "out.locktoll"]);
    command.args(options).arg("--").arg(&program);
    let output = command.args(["60", "20", "4"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    json(bench)
}

/// Returns the document of the recording.
fn json(bench: &Bench) -> Value {
    let report = bench
        .locktoll()
        .args(["report", "out.locktoll", "--json"])
        .output()
        .unwrap();
    serde_json::from_slice(&report.stdout).unwrap()
}

fn numbers(column: &Value) -> Vec<u64> {
    let column = column.as_array().unwrap().iter();
    column.map(|it| it.as_u64().unwrap_or(u64::MAX)).collect()
}

/// Returns the rows of a table that are about the lock of this id: the values of these columns.
fn rows<const N: usize>(
    timeline: &Value,
    table: &str,
    id: &str,
    names: [&str; N],
) -> Vec<[u64; N]> {
    let table = &timeline[table];
    let columns = names.map(|name| numbers(&table[name]));
    let locks = numbers(&table["lock"]).into_iter().enumerate();
    locks
        .filter(|(_, lock)| timeline["locks"][*lock as usize]["id"] == id)
        .map(|(row, _)| std::array::from_fn(|column| columns[column][row]))
        .collect()
}

#[test]
fn the_waits_are_those_of_the_profile_and_end_after_the_release() {
    for options in [
        &["--timeline"][..],
        &["--timeline=8MiB", "--timeline-of", "everything"],
    ] {
        let bench = Bench::new();
        let profile = record(&bench, options);
        let timeline = &profile["timeline"];
        let lock = &profile["locks"][0];
        let id = lock["id"].as_str().unwrap();
        let columns = ["begin_ns", "end_ns", "released_ns", "released_by", "thread"];
        let waits = rows(timeline, "waits", id, columns);
        assert_eq!(waits.len() as u64, lock["contended"].as_u64().unwrap());
        let sum: u64 = waits.iter().map(|it| it[1] - it[0]).sum();
        assert_eq!(Some(sum), lock["wait_ns"]["total"].as_u64());
        for [begin_ns, end_ns, released_ns, released_by, thread] in waits {
            assert!(begin_ns <= released_ns && released_ns <= end_ns);
            assert!(released_by != u64::MAX && released_by != thread);
        }
        let holds = rows(timeline, "holds", id, ["begin_ns", "end_ns"]);
        if options.contains(&"everything") {
            assert_eq!(Some(holds.len() as u64), lock["acquisitions"].as_u64());
        }
        let mut ends: Vec<[u64; 2]> = holds;
        ends.sort_unstable();
        let is_apart = |pair: &[[u64; 2]]| pair[0][1] <= pair[1][0];
        assert!(ends.windows(2).all(is_apart), "two holds at once: {ends:?}");
        assert_eq!(timeline["kept"]["lost"]["overwritten"], 0);
    }
}

/// Else a lock for which a thread waits in vain fills the ring, and each release takes longer.
#[test]
fn of_releases_that_admit_nobody_while_a_thread_waits_few_are_kept() {
    for (options, keeps_all) in [
        (&["--timeline"][..], false),
        (&["--timeline", "--timeline-of", "everything"], true),
    ] {
        let bench = Bench::new();
        let program = bench.c("passed_over", &[]);
        let mut command = bench.locktoll();
        command.args(["record", "--quiet", "-o", "out.locktoll"]);
        let output = command.args(options).arg("--").arg(&program).output();
        assert!(output.unwrap().status.success());
        let profile = json(&bench);
        let (timeline, lock) = (&profile["timeline"], &profile["locks"][0]);
        let id = lock["id"].as_str().unwrap();
        assert_eq!(lock["acquisitions"], 20_002);
        let columns = ["thread", "end_ns", "released_by", "released_ns"];
        let [[writer, admitted_ns, reader, released_ns]] = rows(timeline, "waits", id, columns)[..]
        else {
            panic!("not one wait: {}", timeline["waits"]);
        };
        assert!(reader != writer && released_ns <= admitted_ns);
        let holds = rows(timeline, "holds", id, ["thread", "end_ns"]);
        let ends: Vec<u64> = holds
            .iter()
            .filter(|it| it[0] == reader)
            .map(|it| it[1])
            .collect();
        // The release that ended the wait is the last of them.
        assert_eq!(ends.iter().max(), Some(&released_ns));
        // A pause, as when the thread loses its CPU, takes two more.
        assert_eq!(keeps_all, ends.len() > 10_000, "{} are kept", ends.len());
    }
}

#[test]
fn a_recording_without_a_timeline_is_refused_by_its_formats() {
    let bench = Bench::new();
    let profile = record(&bench, &[]);
    assert!(profile.get("timeline").is_none());
    let trace = |file: &str| {
        let mut command = bench.locktoll();
        command.args(["report", file, "-o", "out.pftrace"]);
        command.output().unwrap()
    };
    let refused = trace("out.locktoll");
    assert_eq!(refused.status.code(), Some(2));
    let words = text(&refused.stderr);
    assert!(words.contains("record --timeline"), "{words}");
    record(&bench, &["--timeline"]);
    assert!(trace("out.locktoll").status.success());
    assert!(bench.path("out.pftrace").metadata().unwrap().len() > 100);
}

#[test]
fn a_unit_of_a_semaphore_is_a_hold_if_its_thread_returns_it() {
    let bench = Bench::new();
    let program = bench.c("other_locks", &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "--timeline", "--timeline-of"]);
    command.args(["everything", "-o", "out.locktoll", "--"]);
    let output = command.arg(&program).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let profile = json(&bench);
    let id = |name: &str| {
        let mut locks = profile["locks"].as_array().unwrap().iter();
        locks.find(|it| it["name"] == name).unwrap()["id"]
            .as_str()
            .unwrap()
    };
    let holds = |name: &str| {
        let columns = ["begin_ns", "end_ns", "flags"];
        rows(&profile["timeline"], "holds", id(name), columns)
    };
    let mut held = holds("as_lock");
    held.sort_unstable();
    // Four threads, a hundred times each.
    assert_eq!(held.len(), 400);
    assert!(
        held.iter().all(|it| it[2] & 1 == 0),
        "one is unfinished: {held:?}"
    );
    assert!(holds("as_signal").is_empty());
    let signals = rows(&profile["timeline"], "signals", id("as_signal"), ["kind"]);
    let waits = rows(&profile["timeline"], "waits", id("as_signal"), ["end"]);
    assert!(!waits.is_empty() && !signals.is_empty());
    assert!(signals.iter().all(|it| it == &[2]));
}

/// Returns the names of the locks that a table is about.
fn locks_of(timeline: &Value, table: &str) -> BTreeSet<String> {
    let locks = numbers(&timeline[table]["lock"]).into_iter();
    let name = |lock: u64| timeline["locks"][lock as usize]["name"].as_str().unwrap();
    locks.map(|lock| name(lock).to_owned()).collect()
}

#[test]
fn of_named_locks_there_are_all_waits_and_holds_and_nothing_else() {
    let bench = Bench::new();
    let program = bench.c("other_locks", &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "--timeline", "--timeline-of"]);
    command.args(["as_lock,held_spun", "-o", "out.locktoll", "--"]);
    let output = command.arg(&program).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let profile = json(&bench);
    let timeline = &profile["timeline"];
    let names = ["as_lock", "held_spun"].map(str::to_owned);
    assert_eq!(locks_of(timeline, "holds"), BTreeSet::from(names));
    assert!(locks_of(timeline, "signals").is_empty());
    assert_eq!(
        timeline["kept"]["only"],
        serde_json::json!(["as_lock", "held_spun"])
    );
    for name in ["as_lock", "held_spun"] {
        let mut locks = profile["locks"].as_array().unwrap().iter();
        let lock = locks.find(|it| it["name"] == name).unwrap();
        let id = lock["id"].as_str().unwrap();
        let holds = rows(timeline, "holds", id, ["thread"]).len() as u64;
        assert_eq!(Some(holds), lock["acquisitions"].as_u64());
        let waits = rows(timeline, "waits", id, ["begin_ns", "end_ns"]);
        let waited: u64 = waits.iter().map(|it| it[1] - it[0]).sum();
        assert_eq!(Some(waited), lock["wait_ns"]["total"].as_u64());
    }
}

/// The seconds around a wait are kept, though the ring has forgotten them by the end of the run.
#[test]
fn the_time_around_a_long_wait_survives_what_comes_later() {
    let bench = Bench::new();
    let program = bench.c("rare_wait", &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "--timeline=1MiB", "--timeline-of"]);
    command.args(["everything", "--timeline-when", "wait>50ms"]);
    command.args(["-o", "out.locktoll", "--"]).arg(&program);
    // The last copy is due 2 s after the wait, and the ring is overwritten 1.6 s later: a busy machine may delay the copy.
    let output = command.args(["3600", "90", "200000"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let profile = json(&bench);
    let timeline = &profile["timeline"];
    let kept = &timeline["kept"];
    assert_eq!(kept["when"], "wait>50ms");
    let around_ns = kept["around_ns"].as_u64().unwrap();
    let id = |name: &str| {
        let mut locks = profile["locks"].as_array().unwrap().iter();
        locks.find(|it| it["name"] == name).unwrap()["id"]
            .as_str()
            .unwrap()
    };
    let waits = rows(timeline, "waits", id("slow"), ["begin_ns", "end_ns"]);
    let [[begin_ns, end_ns]] = waits[..] else {
        panic!("one wait: {waits:?}")
    };
    let holds = rows(timeline, "holds", id("paced"), ["begin_ns", "end_ns"]);
    let is_around = |it: &[u64; 2]| it[1] + around_ns >= begin_ns && it[0] <= end_ns + around_ns;
    assert!(holds.iter().all(is_around));
    // The program's own clock says how many there were.
    let log = text(&output.stdout);
    let words = |line: &str| -> Vec<u64> {
        let words = line.split(' ').skip(1);
        words.map(|it| it.parse().unwrap()).collect()
    };
    let waited = log.lines().find(|it| it.starts_with("waited")).unwrap();
    let [began, ended] = words(waited)[..] else {
        panic!("{waited}")
    };
    let held = log.lines().filter(|it| it.starts_with("held"));
    let held = held.map(|line| words(line)[0]);
    let around = held.filter(|&it| it + around_ns >= began && it <= ended + around_ns);
    let expected = around.count();
    assert!(
        expected > 100 && holds.len().abs_diff(expected) <= 2,
        "{} holds were kept, and {expected} are around the wait",
        holds.len()
    );
    assert!(rows(timeline, "holds", id("hasty"), ["thread"]).is_empty());
    assert_eq!(kept["lost"]["overwritten"], 0, "{kept}");
    assert!(kept.get("missed").is_none());
}

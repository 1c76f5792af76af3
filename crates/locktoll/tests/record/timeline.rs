//! Events by time: `record --timeline`.

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

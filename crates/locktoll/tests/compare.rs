//! `compare`, and `report` of saved results, by the built binary: rebuilt programs, real runs, a gate for CI, files that
//! cannot be read.
#![cfg(target_os = "linux")]

#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "record/bench.rs"]
mod bench;

use std::process::Command;

use bench::{Bench, source, text};
use serde_json::Value;

/// Runs the binary in the test's folder.
fn run(bench: &Bench, words: &[&str]) -> (i32, String, String) {
    let out = bench.locktoll().args(words).output().unwrap();
    (
        out.status.code().unwrap(),
        text(&out.stdout),
        text(&out.stderr),
    )
}

/// Builds `known_locks`, changed, as `name`.
fn build(bench: &Bench, name: &str, change: impl Fn(String) -> String) -> String {
    let program = std::fs::read_to_string(source("known_locks.c")).unwrap();
    let file = bench.path(format!("{name}.c"));
    std::fs::write(&file, change(program)).unwrap();
    let built = bench.path(name);
    let flags = ["-g", "-O1", "-pthread", "-o"];
    let out = Command::new("cc")
        .args(flags)
        .arg(&built)
        .arg(&file)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    format!("./{name}")
}

/// Records a program into `name.locktoll`.
fn record(bench: &Bench, program: &str, name: &str) {
    let output = format!("{name}.locktoll");
    let (code, _, said) = run(bench, &["record", "--quiet", "-o", &output, "--", program]);
    assert_eq!(code, 7, "{said}");
}

fn rows(document: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(document).unwrap();
    assert_eq!(document["schema"], "locktoll.compare/1");
    document["rows"].as_array().unwrap().clone()
}

fn verdict(rows: &[Value], name: &str) -> String {
    let row = rows.iter().find(|row| row["name"] == name);
    let row = row.unwrap_or_else(|| panic!("no {name} in {rows:#?}"));
    row["verdict"].as_str().unwrap().to_owned()
}

/// Lines above, another order in memory, another name of the file; one lock more, one less; one held longer.
fn changed(program: String) -> String {
    program
        .replace(
            "#include <unistd.h>",
            "#include <unistd.h>\n/* Lines\n * above. */\nstatic pthread_mutex_t fresh_lock = \
             PTHREAD_MUTEX_INITIALIZER;\nlong more_data[1000] = {1};",
        )
        .replace("&cold_lock", "&fresh_lock")
        .replace(
            "static pthread_mutex_t cold_lock",
            "long even_more[9] = {1};\npthread_mutex_t unused_lock",
        )
        .replace("sleep_ms(200)", "sleep_ms(1500)")
}

#[test]
fn locks_of_a_rebuilt_program_are_the_same_locks() {
    let bench = Bench::new();
    let before = build(&bench, "server", |program| {
        program.replace("sleep_ms(200)", "sleep_ms(50)")
    });
    let after = build(&bench, "server.new", changed);
    record(&bench, &before, "a");
    record(&bench, &after, "b");

    let (code, document, said) = run(&bench, &["compare", "a.locktoll", "b.locktoll", "--json"]);
    assert_eq!(code, 0, "{said}");
    let rows = rows(&document);
    for name in ["hot_lock", "slow_lock", "busy_lock"] {
        assert_eq!(verdict(&rows, name), "no_difference", "{name}");
    }
    assert_eq!(verdict(&rows, "cold_lock"), "only_a");
    assert_eq!(verdict(&rows, "fresh_lock"), "only_b");
    // The locks from malloc, whose row is named by a line that has moved.
    let heap = rows
        .iter()
        .filter(|row| row["key"].as_str().unwrap().contains(":main"));
    let heap: Vec<&str> = heap.map(|row| row["verdict"].as_str().unwrap()).collect();
    assert_eq!(heap, ["no_difference"]);
    let slow = rows.iter().find(|row| row["name"] == "slow_lock").unwrap();
    assert!(slow["ratio"]["median"].as_f64().unwrap() > 2.0, "{slow}");
    assert!(slow["ratio"]["low"].is_null(), "one run each: {slow}");

    let gate = |rule: &str| {
        run(
            &bench,
            &["compare", "a.locktoll", "b.locktoll", "--fail-if", rule],
        )
    };
    let (code, page, said) = gate("wait_ns[slow_lock]>2x and wait_ns>1ms");
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("slow_lock") && page.contains("BROKEN"),
        "{said}{page}"
    );
    assert!(
        page.lines().all(|line| line.chars().count() <= 100),
        "{page}"
    );
    let (code, _, said) = gate("wait_ns[slow_lock]<0.5x");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("cold_lock"), "missing is told: {said}");
    assert_eq!(gate("only_a").0, 1);
    assert_eq!(gate("wait_ns[slow_lcok]>2x").0, 2);
}

#[test]
fn several_runs_of_each_side_have_intervals() {
    let bench = Bench::new();
    let short = build(&bench, "short", |program| {
        program.replace("sleep_ms(200)", "sleep_ms(20)")
    });
    let long = build(&bench, "long", |program| {
        program.replace("sleep_ms(200)", "sleep_ms(900)")
    });
    let mut sides = [String::new(), String::new()];
    for (program, side) in [short, long].iter().zip(&mut sides) {
        let names = ["1", "2", "3", "4"].map(|number| format!("{}{number}", &program[2..]));
        for name in &names {
            record(&bench, program, name);
        }
        *side = names.map(|name| format!("{name}.locktoll")).join(",");
    }
    let [a, b] = &sides;
    let words = [
        "compare",
        a,
        b,
        "--json",
        "--fail-if",
        "wait_ns[slow_lock]>1.5x",
    ];
    let (code, document, said) = run(&bench, &words);
    assert_eq!(code, 1, "{said}");
    let rows = rows(&document);
    assert_eq!(verdict(&rows, "slow_lock"), "slower");
    assert_ne!(verdict(&rows, "hot_lock"), "only_a");
    let (code, _, said) = run(
        &bench,
        &["compare", b, a, "--fail-if", "wait_ns[slow_lock]>1.5x"],
    );
    assert_eq!(code, 0, "{said}");
}

#[test]
fn saved_results_are_compared_and_shown_again() {
    let bench = Bench::new();
    let words = "bench --lock pthread,std --threads 1,2 --duration 20ms --repeat 2 -o bench.json";
    let (code, _, said) = run(&bench, &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 0, "{said}");
    let (code, page, _) = run(&bench, &["compare", "bench.json", "bench.json"]);
    assert_eq!(code, 0);
    assert!(
        page.starts_with("Of 4 measurements in both files, none differs detectably"),
        "{page}"
    );
    let (code, page, _) = run(&bench, &["report", "bench.json"]);
    assert!(code == 0 && page.contains("pthread"), "{page}");
    assert_eq!(
        run(
            &bench,
            &["compare", "bench.json", "bench.json", "-o", "c.json"]
        )
        .0,
        0
    );
    for (file, out) in [
        ("bench.json", "b.html"),
        ("c.json", "c.html"),
        ("bench.json", "b2.json"),
    ] {
        let (code, page, said) = run(&bench, &["report", file, "-o", out]);
        assert!(code == 0 && page.is_empty(), "{said}");
        let written = std::fs::read_to_string(bench.path(out)).unwrap();
        assert!(written.contains("pthread"), "{out}");
    }
    for words in [
        &["report", "bench.json", "-o", "bench.json"][..],
        &["compare", "bench.json", "b2.json", "-o", "b2.json"],
    ] {
        let (code, _, said) = run(&bench, words);
        assert!(
            code == 2 && said.contains("would overwrite the input"),
            "{said}"
        );
    }
    let again = std::fs::read_to_string(bench.path("b2.json")).unwrap();
    assert!(
        again.starts_with("{\n  \"schema\": \"locktoll.bench/1\""),
        "{again}"
    );
}

#[test]
fn what_cannot_be_compared_is_one_line() {
    let bench = Bench::new();
    let write = |name: &str, content: &str| std::fs::write(bench.path(name), content).unwrap();
    write("text", "hello\n");
    write("empty", "");
    write("cut.json", "{\"schema\": \"locktoll.bench/1\"");
    write("newer.json", "{\"schema\": \"locktoll.bench/2\"}");
    write("bare.json", "{\"schema\": \"locktoll.bench/1\"}");
    let known = build(&bench, "known", |program| program);
    record(&bench, &known, "r");
    for (file, code, expected) in [
        ("text", 2, "not a locktoll recording"),
        ("empty", 2, "is truncated"),
        ("cut.json", 2, "is incomplete"),
        ("newer.json", 3, "newer locktoll (format bench/2"),
        ("bare.json", 2, "missing field"),
        ("absent", 2, "does not exist"),
        ("r.locktoll,text", 2, "not a locktoll recording"),
        ("r.locktoll,", 2, "empty name"),
    ] {
        for words in [
            &["compare", "r.locktoll", file][..],
            &["compare", file, "r.locktoll"],
            &["report", file],
        ] {
            if words[0] == "report" && file.contains(',') {
                continue;
            }
            let (found, page, said) = run(&bench, words);
            assert_eq!(found, code, "{words:?}: {said}");
            assert!(
                page.is_empty() && said.contains(expected),
                "{words:?}: {said}"
            );
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }
    for words in [
        &["compare", "r.locktoll"][..],
        &[
            "compare",
            "r.locktoll",
            "r.locktoll",
            "--fail-if",
            "wait_ns",
        ],
        &[
            "compare",
            "r.locktoll",
            "r.locktoll",
            "--fail-if",
            "p99_ns>2x",
        ],
        &["compare", "r.locktoll", "r.locktoll", "--by", "p99_ns"],
        &["compare", "r.locktoll", "r.locktoll", "-o", "r.locktoll"],
    ] {
        let (code, _, said) = run(&bench, words);
        assert_eq!((code, said.lines().count()), (2, 1), "{words:?}: {said}");
    }
}

#[test]
fn a_gate_that_judged_nothing_is_no_pass() {
    let bench = Bench::new();
    for lock in ["pthread", "std"] {
        let words =
            format!("bench --lock {lock} --threads 1 --duration 20ms --repeat 2 -o {lock}.json");
        let (code, _, said) = run(&bench, &words.split(' ').collect::<Vec<_>>());
        assert_eq!(code, 0, "{said}");
    }
    let gate = |more: &[&str]| {
        let words = ["compare", "pthread.json", "std.json", "--fail-if"];
        run(&bench, &[&words[..], more].concat())
    };
    let (code, page, said) = gate(&["ns_per_op>1.2x"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("on one side only") && said.contains("no row could be judged"),
        "{said}"
    );
    assert!(page.contains("NOT JUDGED"), "{page}");
    assert_eq!(gate(&["slower"]).0, 1);
    assert_eq!(gate(&["ns_per_op>1.2x", "--allow-unjudged"]).0, 0);
    // One rule that names what is missing does not keep it from being named for others.
    let (code, _, said) = gate(&["only_b", "--fail-if", "ns_per_op>1.2x"]);
    assert_eq!(code, 1);
    assert!(
        said.contains("only in A") && said.contains("1 rule is broken"),
        "{said}"
    );
    assert_eq!(gate(&["only_a[nothing]"]).0, 2);
}

#[test]
fn flags_and_files_without_effect_are_refused() {
    let bench = Bench::new();
    let words = "bench --lock std --threads 1 --duration 20ms --repeat 2 -o a.json";
    let (code, _, said) = run(&bench, &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, 0, "{said}");
    std::os::unix::fs::symlink("a.json", bench.path("same.json")).unwrap();
    let written = run(&bench, &["compare", "a.json", "a.json", "-o", "c.json"]);
    assert_eq!(written.0, 0, "{}", written.2);
    for words in [
        "compare a.json,same.json a.json",
        "compare a.json a.json,./a.json",
        "compare a.json a.json --top 3 --json",
        "compare a.json a.json --top 3 -o x.html",
        "compare a.json a.json --allow-unjudged",
        "report c.json --top 3 --json",
        "report c.json --top 3 --format html",
        "report a.json --lock x --sort wait",
    ] {
        let (code, page, said) = run(&bench, &words.split(' ').collect::<Vec<_>>());
        assert_eq!((code, page.as_str()), (2, ""), "{words}: {said}");
    }
}

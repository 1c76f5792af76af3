//! `bench` and the general behaviour of the program, by the built binary.
#![cfg(target_os = "linux")]

mod manners;

use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use manners::{interrupted, is_refused, text};
use serde_json::Value;

/// Beside 200 threads that spin, those of another run get no processor for longer than its slices last.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn locktoll(words: &[&str]) -> Output {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(words)
        .output()
        .expect("the program was built")
}

/// A quick run as JSON.
fn bench(words: &[&str]) -> Value {
    let quick = ["bench", "--json", "--duration", "20ms", "--repeat", "2"];
    let output = locktoll(&[&quick[..], words].concat());
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("exactly one JSON document")
}

#[test]
fn every_listed_lock_runs_and_excludes() {
    let document = bench(&["--lock", "all", "--threads", "2", "--workload", "counter"]);
    let listed = text(&locktoll(&["bench", "--list"]).stdout);
    let cells = document["cells"].as_array().unwrap();
    assert!(cells.len() > 40, "{} locks", cells.len());
    for cell in cells {
        let lock = cell["lock"].as_str().unwrap();
        assert!(
            listed.contains(&format!("  {lock} ")),
            "{lock} is not listed"
        );
        assert!(cell["operations"].as_u64() > Some(0), "{cell}");
        assert!(cell["failure"].is_null(), "{cell}");
        assert!(cell["exclusion_broken"].is_null(), "{cell}");
        assert!(cell["acquire_ns"]["p50"]["median"].is_number(), "{cell}");
    }
}

#[test]
fn quick_is_a_length_and_a_number_of_rounds() {
    let words = ["bench", "--quick", "--json", "--lock=std", "--threads=1"];
    let output = locktoll(&words);
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let cell = &document["cells"][0];
    assert_eq!(cell["length"]["time"]["ns"], 20_000_000, "{cell}");
    assert_eq!(cell["ns_per_op"]["n"], 6, "{cell}");
    for flag in ["--duration=1s", "--rounds=9", "--repeat=9"] {
        let words = [&words[..], &[flag]].concat();
        is_refused(
            &locktoll(&words),
            &words,
            "which is short for --duration 20ms --repeat 6; type",
        );
    }
}

#[test]
fn every_knob_reaches_the_cells() {
    // One nicer than this test, which may itself have been started by nice(1): less takes privileges.
    let nice = (rustix::process::getpriority_process(None).unwrap() + 1).min(19);
    let document = bench(&[
        "--lock=pthread-recursive,futex3,gate-mcs",
        "--workload=timemutex",
        "--threads=1..2",
        "--depth=0,2",
        "--nested",
        "--hold=1us",
        "--delay=5",
        "--think=2us",
        "--sleep-points=none,both",
        "--active=1",
        "--spin=7",
        "--pin=compact",
        &format!("--nice={nice}"),
        "--hogs=1",
        "--gate=2",
    ]);
    let cells = document["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 3 * 2 * 2 * 2);
    for (knob, value) in [
        ("workload", Value::from("timemutex")),
        ("nested", true.into()),
        ("hold_ns", 1000.into()),
        ("delay", 5.into()),
        ("think_ns", 2000.into()),
        ("active", 1.into()),
        ("spin", 7.into()),
        ("nice", nice.into()),
        ("hogs", 1.into()),
        ("gate", 2.into()),
    ] {
        assert!(cells.iter().all(|cell| cell[knob] == value), "{knob}");
    }
    assert!(cells.iter().any(|cell| cell["depth"] == 0));
    assert!(cells.iter().any(|cell| cell["sleep_points"] == "both"));
    assert!(
        cells
            .iter()
            .all(|cell| !cell["cpus"].as_array().unwrap().is_empty())
    );
    assert!(
        cells
            .iter()
            .all(|cell| cell["bystander_per_second"]["median"].as_f64() > Some(0.0))
    );
}

#[test]
fn priorities_are_told_of_where_they_are_asked_for_and_refused_where_they_contradict() {
    let words = ["--lock=std", "--workload=timemutex", "--threads=2"];
    let plain = bench(&words);
    for knob in ["background", "raise_while_holding"] {
        assert!(plain["cells"][0].get(knob).is_none(), "{knob}");
    }
    let background = bench(&[&words[..], &["--background", "--hogs=1"]].concat());
    assert_eq!(background["cells"][0]["background"], true);
    assert_eq!(background["cells"][0]["failure"], Value::Null);
    for (flags, says) in [
        (&["--background", "--nice=5"][..], "leave out --nice"),
        (&["--raise-while-holding", "--depth=0"], "--depth 0"),
        (&["--raise-while-holding", "--nice=-15"], "--nice -15"),
        (
            &["--raise-while-holding", "--workload=read-mostly"],
            "read-mostly",
        ),
    ] {
        let all = [&["bench", "--threads=2", "--duration=50ms"][..], flags].concat();
        is_refused(&locktoll(&all), &all, says);
    }
}

#[test]
fn a_raised_priority_is_measured_or_refused_before_anything_starts() {
    let words = [
        "bench",
        "--json",
        "--lock=std",
        "--threads=1",
        "--duration=50ms",
        "--repeat=2",
        "--raise-while-holding",
    ];
    let output = locktoll(&words);
    if output.status.success() {
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let cell = &document["cells"][0];
        assert_eq!(cell["raise_while_holding"], true);
        assert!(cell["operations"].as_u64() > Some(0), "{cell}");
        // Two calls of the kernel an operation, where there was none.
        let plain = bench(&["--lock=std", "--threads=1"]);
        let price = |cell: &Value| cell["ns_per_op"]["median"].as_f64().unwrap();
        assert!(price(cell) > price(&plain["cells"][0]), "{cell}");
    } else {
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(errors.contains("CAP_SYS_NICE"), "{errors}");
        assert_eq!(errors.trim().lines().count(), 1, "{errors}");
    }
}

#[test]
fn samples_are_the_figures_of_each_round_and_a_part_alone_has_no_others() {
    let words = ["--lock=std,pthread", "--threads=2", "--hogs=1", "--samples"];
    let throughput = bench(&[&words[..], &["--part=throughput"]].concat());
    for cell in throughput["cells"].as_array().unwrap() {
        let rounds = &cell["rounds"];
        let ns = rounds["ns_per_op"].as_array().unwrap();
        assert_eq!(ns.len(), 2, "{cell}");
        let mean = (ns[0].as_f64().unwrap() + ns[1].as_f64().unwrap()) / 2.0;
        assert!((mean / cell["ns_per_op"]["median"].as_f64().unwrap() - 1.0).abs() < 1e-9);
        let share = rounds["bystander_cpu_share"][0].as_f64().unwrap();
        assert!(0.0 < share && share < 1.0, "{share}");
        assert!(rounds["acquire_max_ns"].as_array().unwrap().is_empty());
        assert!(cell["acquire_ns"].is_null());
    }
    let waiting = bench(&[&words[..], &["--part=waiting"]].concat());
    for cell in waiting["cells"].as_array().unwrap() {
        assert_eq!(
            cell["rounds"]["acquire_max_ns"].as_array().unwrap().len(),
            2
        );
        assert!(cell["ns_per_op"].is_null() && cell["acquire_ns"]["max"].is_number());
    }
    // Without being asked for, they are not there: most readers want none.
    let plain = bench(&["--lock=std", "--threads=1"]);
    assert!(plain["cells"][0].get("rounds").is_none());
    let words = ["bench", "--samples"];
    is_refused(&locktoll(&words), &words, "--samples");
}

#[test]
fn the_other_workloads_and_arrivals_run() {
    for words in [
        &[
            "--workload=hash-table",
            "--stripes=1,1024",
            "--lock=pthread",
        ][..],
        &[
            "--workload=read-mostly",
            "--read-ratio=0.5",
            "--lock=pthread-rwlock,seqlock",
        ],
        &["--workload=producer-consumer", "--lock=std", "--threads=2"],
        &[
            "--workload=list,thread-id",
            "--arrival=20000/s",
            "--lock=std",
            "--threads=2",
        ],
        &[
            "--rounds=1000",
            "--lock=std,ticket",
            "--threads=2",
            "--align=8",
        ],
    ] {
        // `--rounds` stands in the place of a duration.
        let words: Vec<&str> = ["bench", "--json", "--repeat=1"]
            .into_iter()
            .chain(words.iter().copied())
            .collect();
        let output = locktoll(&words);
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{words:?}: {errors}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        for cell in document["cells"].as_array().unwrap() {
            assert!(cell["operations"].as_u64() > Some(0), "{words:?}: {cell}");
            assert!(cell["exclusion_broken"].is_null(), "{words:?}: {cell}");
        }
    }
}

#[test]
fn wrong_use_is_one_line_with_code_2_and_starts_nothing() {
    for (words, expected) in [
        (&["--lock", "pthred"][..], "pthread"),
        (&["--lock", ""], "a value is missing"),
        (&["--lock", "none"], "--list"),
        (&["--workload", "lst"], "did you mean 'list'"),
        (&["--threads", "0"], "1 to 10000"),
        (&["--threads", "10001"], "1 to 10000"),
        (&["--threads", ""], "a value is missing"),
        (
            &["--threads", "4294967296"],
            "not a number of threads; accepted: 1 to 10000",
        ),
        (
            &["--threads", "-1"],
            "--threads -1 is not a number of threads",
        ),
        (&["--active", "0"], "1 to 10000"),
        (&["--hold", "5"], "unit"),
        (&["--hold", "99999999999999s"], "too long"),
        (&["--duration", "2h"], "accepted"),
        (&["--duration", "0"], "--duration"),
        (&["--pin", "99999"], "99999"),
        (&["--pin", "cpu0"], "usable"),
        (
            &["--read-ratio", "1.5", "--workload", "read-mostly"],
            "0 to 1",
        ),
        (&["--stripes", "4"], "hash-table"),
        (&["--arrival", "never"], "accepted"),
        (&["--sleep-points", "5"], "holding"),
        (&["--nice", "99"], "-20 to 19"),
        (&["--rounds", "10", "--duration", "1s"], "--duration"),
        (
            &["--workload", "producer-consumer", "--threads", "1"],
            "at least 2",
        ),
        (&["--no-such-flag"], "--no-such-flag"),
    ] {
        let output = locktoll(&[&["bench"], words].concat());
        is_refused(&output, words, expected);
    }
}

#[test]
fn a_stuck_cell_is_cut_off_and_reported() {
    // Each thread holds for 50 ms, and a ticket lock serves all 200 in turn: ten seconds.
    let output = locktoll(&[
        "bench",
        "--json",
        "--lock=ticket,pthread",
        "--threads=200",
        "--hold=50ms",
        "--duration=300ms",
        "--repeat=1",
    ]);
    // Cut off is a finding, not a failure of the run.
    assert!(output.status.success(), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let cells = document["cells"].as_array().unwrap();
    let cell = |lock: &str| cells.iter().find(|cell| cell["lock"] == lock).unwrap();
    let ticket = cell("ticket");
    assert!(ticket["cut_off"]["threads"].as_u64() > Some(0), "{ticket}");
    // Its one slice is in the figures, even if nobody got through in it.
    assert_eq!(ticket["ns_per_op"]["n"], 1, "{ticket}");
    // Waiters of a parking lock leave the processor to the holder, so some did get through.
    let pthread = cell("pthread");
    assert!(pthread["operations"].as_u64() > Some(0), "{pthread}");
}

#[test]
fn an_interruption_prints_what_there_is_and_says_that_it_is_partial() {
    let words = [
        "bench",
        "--lock=std,sysv-sem",
        "--threads=2",
        "--duration=100ms",
        "--repeat=1000",
    ];
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let page = interrupted(&words, Duration::from_secs(3));
    assert!(page.contains("sysv-sem"), "{page}");
}

#[test]
fn a_closed_standard_output_is_no_accident() {
    let script = format!(
        "{} bench --list | head -n 1",
        env!("CARGO_BIN_EXE_locktoll")
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn timemutex_is_mapped_in_the_help() {
    let help = text(&locktoll(&["bench", "--help"]).stdout);
    for word in ["Which", "Depth", "Delay", "Threads", "SleepPts", "Active"] {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn completions_the_manual_and_the_version_are_there() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&locktoll(&["completions", shell]).stdout);
        assert!(
            script.contains("bench") && script.contains("workload"),
            "{shell}"
        );
        assert!(
            !script.contains("__demo"),
            "{shell}: inner starts are no verbs"
        );
    }
    let page = text(&locktoll(&["man"]).stdout);
    assert!(
        page.contains(".TH") && page.contains("locktoll bench"),
        "{page}"
    );
    let version = text(&locktoll(&["--version"]).stdout);
    assert!(
        version.starts_with(concat!("locktoll ", env!("CARGO_PKG_VERSION"))),
        "{version}"
    );
    for verb in [
        "tour",
        "machine",
        "bench",
        "record",
        "report",
        "completions",
        "man",
        "licences",
    ] {
        let help = text(&locktoll(&[verb, "--help"]).stdout);
        assert!(help.contains("EXAMPLES"), "{verb}");
    }
    assert_eq!(locktoll(&["no-such-verb"]).status.code(), Some(2));
}

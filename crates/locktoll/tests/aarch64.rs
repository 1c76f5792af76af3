//! The parts that run on an Arm processor or under its emulator: the measuring verbs, and other locks under a program. The
//! recorder's own tests (`record`) run there too.
#![cfg(all(target_os = "linux", target_arch = "aarch64"))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use locktoll_lab::platform::startable;
use serde_json::Value;

/// Beside threads of another run that spin, those of this one get no processor.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The place where a program of another processor finds its loader. It is set whenever this program runs under qemu.
const UNDER_QEMU: &str = "QEMU_LD_PREFIX";

const LABEL: &str = "qemu-aarch64, not an aarch64 machine";

fn locktoll(words: &[&str]) -> Output {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut program = Command::new(env!("CARGO_BIN_EXE_locktoll"));
    program.args(words);
    startable(program, None).output().unwrap()
}

#[track_caller]
fn text(words: &[&str]) -> String {
    let output = locktoll(words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn json(words: &[&str]) -> Value {
    serde_json::from_str(&text(words)).expect("one JSON document")
}

/// The result says what it was measured on, if that is no machine.
#[track_caller]
fn is_labelled(machine: &Value) {
    match std::env::var_os(UNDER_QEMU) {
        Some(_) => assert_eq!(machine["stand_in"], LABEL),
        None => assert!(machine["stand_in"].is_null()),
    }
}

/// A file of this test's own.
fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Builds a program of `tests/programs`.
fn built(name: &str) -> PathBuf {
    let compiler = std::env::var_os("CC_aarch64_unknown_linux_gnu").unwrap_or("cc".into());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let program = place(&format!("aarch64-{name}"));
    let mut compiler = Command::new(compiler);
    compiler.args(["-g", "-O1", "-pthread", "-o"]).arg(&program);
    let status = compiler.arg(source.join(format!("{name}.c"))).status();
    assert!(status.unwrap().success());
    program
}

#[test]
fn every_lock_runs_in_a_process_of_its_own_and_excludes() {
    let words = ["bench", "--json", "--lock=all", "--threads=2", "--repeat=1"];
    let document = json(&[&words[..], &["--rounds=50", "--workload=counter"]].concat());
    is_labelled(&document["machine"]);
    let cells = document["cells"].as_array().unwrap();
    assert!(cells.len() > 40, "{} locks", cells.len());
    for cell in cells {
        assert!(cell["failure"].is_null(), "{cell}");
        assert!(cell["exclusion_broken"].is_null(), "{cell}");
        assert!(cell["operations"].as_u64() > Some(0), "{cell}");
    }
}

#[test]
fn a_quick_bench_is_saved_compared_and_shown() {
    let saved = place("aarch64-bench.json");
    let bench = ["bench", "--quick", "--lock=std,tollgate", "--threads=2"];
    let document = text(&[&bench[..], &["--json"]].concat());
    std::fs::write(&saved, &document).unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    is_labelled(&document["machine"]);
    for cell in document["cells"].as_array().unwrap() {
        assert_eq!(cell["ns_per_op"]["n"], 6, "{cell}");
    }
    let file = saved.to_str().unwrap();
    let compared = json(&["compare", file, file, "--json"]);
    assert_eq!(compared["schema"], "locktoll.compare/1");
    let rows = compared["rows"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        assert_ne!(row["verdict"], "faster", "{row}");
        assert_ne!(row["verdict"], "slower", "{row}");
    }
    let page = place("aarch64-bench.html");
    text(&["report", file, "-o", page.to_str().unwrap()]);
    let page = std::fs::read_to_string(page).unwrap();
    assert_eq!(page.contains(LABEL), std::env::var_os(UNDER_QEMU).is_some());
}

#[test]
fn the_doctor_looks_at_what_is_here() {
    let document = json(&["doctor", "--json"]);
    assert_eq!(document["schema"], "locktoll.doctor/1");
    is_labelled(&document["machine"]);
    let verbs = document["verbs"].as_array().unwrap();
    assert!(
        verbs.iter().any(|verb| verb["verb"] == "bench"),
        "{verbs:?}"
    );
    if std::env::var_os(UNDER_QEMU).is_none() {
        return;
    }
    // What `try` says in the test below; and what is lost of the rest.
    let of = |name: &str| {
        let verb = verbs.iter().find(|verb| verb["verb"] == name);
        verb.unwrap_or_else(|| panic!("no {name}: {verbs:?}"))
    };
    let named = |verb: &Value, by: &str, id: &str| {
        let ids = verb[by].as_array().unwrap();
        ids.iter().any(|it| it == id)
    };
    for (name, works, by, id) in [
        ("try", "not", "blocked_by", "subreaper"),
        ("attach", "not", "blocked_by", "seccomp"),
        ("kernel", "not", "blocked_by", "seccomp"),
        ("machine", "limited", "limited_by", "ptrace"),
        ("record", "limited", "limited_by", "own-memory"),
        ("record", "limited", "limited_by", "wipe-on-fork"),
    ] {
        let verb = of(name);
        assert_eq!(verb["works"], works, "{verb}");
        assert!(named(verb, by, id), "{verb}");
    }
}

#[test]
fn other_locks_run_under_a_program_that_counts() {
    let program = built("tried");
    let words = [
        "try",
        "--json",
        "--lock=tollgate,mcs-park",
        "--rounds=3",
        "--",
    ];
    let program = program.to_str().unwrap();
    let words = [&words[..], &[program, "count", "2", "2000"]].concat();
    if std::env::var_os(UNDER_QEMU).is_some() {
        // It has no prctl(2) by which processes that a program leaves behind become ours.
        let output = locktoll(&words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        return assert!(errors.contains("`try` cannot work here"), "{errors}");
    }
    let document = json(&words);
    let rows = document["results"].as_array().unwrap();
    for lock in ["bare", "pass-through", "tollgate", "mcs-park"] {
        let row = rows.iter().find(|row| row["lock"] == lock);
        let row = row.unwrap_or_else(|| panic!("no {lock}: {document}"));
        assert!(row["dropped"].is_null(), "{row}");
    }
    let replaced = |row: &&Value| row["lock"] == "tollgate";
    let tollgate = rows.iter().find(replaced).unwrap();
    assert_eq!(tollgate["coverage"]["locks_replaced"], 1, "{tollgate}");
}

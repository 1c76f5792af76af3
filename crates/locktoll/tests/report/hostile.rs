//! Names that are commands to a terminal: of a program, its threads and its arguments, in every output that shows them.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Output, Stdio};

use crate::bench::{Bench, text};

/// Sets a terminal's title, moves its cursor, and ends a line.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[1A\r\nb<!--<script>alert(1)";

/// The program, running, in a file with such a name.
fn hostile(bench: &Bench) -> Child {
    let program = bench.path(HOSTILE);
    std::fs::rename(bench.c("hostile_threads", &[]), &program).unwrap();
    started(&program, &[HOSTILE])
}

fn started<S: AsRef<OsStr>>(program: &Path, arguments: &[S]) -> Child {
    let mut command = std::process::Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    let mut running = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    let out = running.stdout.as_mut().unwrap();
    BufReader::new(out).read_line(&mut said).unwrap();
    assert_eq!(said, "ready\n");
    running
}

/// Nothing but text, lines and columns.
fn is_harmless(output: &[u8], what: &[&str]) {
    let output = String::from_utf8(output.to_vec()).unwrap();
    // Styles of our own end in an m.
    let styles = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    let output = styles.replace_all(&output, "");
    let obeyed = output.find(|it: char| it.is_control() && !"\n\t".contains(it));
    let around = |at: usize| output[at..].chars().take(40).collect::<String>();
    assert_eq!(obeyed.map(around), None, "{what:?}");
    assert!(
        !output.lines().any(|line| line.starts_with("b<")),
        "{what:?}"
    );
}

/// Runs it; both outputs are harmless.
fn run(bench: &Bench, words: &[&str]) -> Output {
    let mut command = bench.locktoll();
    // As to a terminal: anything else has commands taken out of what is said there.
    command.env("CLICOLOR_FORCE", "1").args(words);
    let out = command.output().unwrap();
    is_harmless(&out.stdout, words);
    is_harmless(&out.stderr, words);
    out
}

#[test]
fn no_name_reaches_a_terminal_as_it_is() {
    let bench = Bench::new();
    let mut running = hostile(&bench);
    let pid = running.id().to_string();
    let attached = run(
        &bench,
        &["attach", &pid, "--duration", "1s", "-o", "a.json"],
    );
    run(&bench, &["attach", &pid, "--duration", "300ms"]);
    run(
        &bench,
        &["top", "--json", "--count", "1", "--interval", "300ms"],
    );
    run(
        &bench,
        &["top", "--json", "--count", "1", "--interval", "300ms", &pid],
    );
    run(&bench, &["machine", "--watch", &pid, "--count", "1"]);
    run(&bench, &["kernel", "--", "true", HOSTILE]);
    drop(running.stdin.take());
    running.wait().unwrap();
    run(&bench, &["attach", &pid]);

    let program = bench.path(HOSTILE);
    let program = program.to_str().unwrap();
    let mut record = bench.locktoll();
    record.env("CLICOLOR_FORCE", "1");
    record.args(["record", "-o", "r.locktoll", "--", program, HOSTILE]);
    let recorded = record.output().unwrap();
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    is_harmless(&recorded.stderr, &["record"]);
    let mut files = vec!["r.locktoll"];
    match attached.status.code() {
        Some(0) => files.push("a.json"),
        _ => locktoll_needs::refused(&text(&attached.stderr)),
    }
    for file in files {
        for format in ["text", "csv", "folded", "svg", "html", "json"] {
            run(&bench, &["report", file, "--format", format]);
        }
        for table in ["--threads", "--sites", "--blame", "--stacks"] {
            run(&bench, &["report", file, table]);
            run(&bench, &["report", file, "--format", "csv", table]);
        }
    }
}

/// A name that is no text in any encoding that is used.
const NO_TEXT: &[u8] = b"b\xff\xfe) S 1";

#[test]
fn a_program_whose_name_is_no_text_is_watched_all_the_same() {
    let bench = Bench::new();
    let name = OsStr::from_bytes(NO_TEXT);
    let mut running = started(&bench.c("hostile_threads", &[]), &[name, name]);
    let pid = running.id().to_string();
    let words = ["attach", &pid, "--duration", "500ms", "--json"];
    let attached = run(&bench, &words);
    drop(running.stdin.take());
    running.wait().unwrap();
    if attached.status.code() != Some(0) {
        locktoll_needs::refused(&text(&attached.stderr));
        return;
    }
    let said = text(&attached.stderr);
    assert!(!said.contains("has ended"), "{said}");
    let profile: serde_json::Value = serde_json::from_slice(&attached.stdout).unwrap();
    assert!(profile["duration_ns"].as_u64().unwrap() >= 500_000_000);
    let threads = profile["per_thread"].as_array().unwrap();
    assert!(!threads.is_empty());
    for thread in threads {
        assert!(thread["voluntary_switches"].is_u64(), "{thread}");
    }
}

#[test]
fn no_word_of_the_command_line_comes_back_as_it_is() {
    let bench = Bench::new();
    for words in [
        &["record", "--", HOSTILE][..],
        &["try", "--", HOSTILE],
        &["kernel", "--", HOSTILE],
        &["report", HOSTILE],
        &["compare", HOSTILE, HOSTILE],
        &["reproduce", HOSTILE],
        &["bench", "--lock", HOSTILE],
        &["attach", HOSTILE],
        &["top", "--json", HOSTILE],
        &["bench", "--workload", HOSTILE],
        &["bench", "--pin", HOSTILE],
        &["reproduce", "--experiments", HOSTILE],
        &["top", "--save-in", HOSTILE],
        &["doctor", "-o", &format!("{HOSTILE}/x")],
        &["doctor", HOSTILE],
    ] {
        assert_eq!(run(&bench, words).status.code(), Some(2), "{words:?}");
    }
}

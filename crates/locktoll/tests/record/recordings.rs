//! `report` on recordings that are good, truncated, or of others, and on files that are not recordings.

use crate::bench::{Bench, text};

fn refused(bench: &Bench, arguments: &[&str], code: i32, expected: &str) {
    let out = bench
        .locktoll()
        .arg("report")
        .args(arguments)
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(out.stdout.is_empty());
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains(expected),
        "{said:?} does not contain {expected:?}"
    );
}

#[test]
fn what_is_not_a_recording_is_said_to_be_none() {
    let bench = Bench::new();
    std::fs::write(bench.path("empty"), "").unwrap();
    std::fs::write(bench.path("text"), "hello ".repeat(2000)).unwrap();
    std::fs::create_dir(bench.path("folder")).unwrap();
    refused(&bench, &["absent"], 2, "does not exist");
    refused(&bench, &["empty"], 2, "truncated");
    refused(&bench, &["text"], 2, "not a locktoll recording");
    refused(&bench, &["folder"], 2, "is a directory");
    refused(&bench, &["/dev/zero"], 2, "not a regular file");
}

#[test]
fn a_newer_version_is_unsupported_and_a_truncated_one_is_read_as_far_as_it_goes() {
    let bench = Bench::new();
    let program = bench.c("endings", &[]);
    assert!(
        bench
            .record(&[program.to_str().unwrap(), "exit", "0"])
            .status
            .success()
    );
    let whole = std::fs::read(bench.path("out.locktoll")).unwrap();

    let mut newer = whole.clone();
    newer[8] = 99;
    std::fs::write(bench.path("newer"), newer).unwrap();
    refused(&bench, &["newer"], 3, "newer locktoll (format 99.");

    std::fs::write(bench.path("stub"), &whole[..100]).unwrap();
    refused(&bench, &["stub"], 2, "truncated");

    std::fs::write(bench.path("half"), &whole[..whole.len() - 4096]).unwrap();
    let profile = bench.profile("half");
    assert!(
        profile["dropped"]["damaged"].as_u64().unwrap() > 0,
        "{profile:#}"
    );
    assert!(
        profile["warnings"].to_string().contains("truncated"),
        "{profile:#}"
    );
}

#[test]
fn no_byte_of_a_recording_makes_the_report_fail_badly() {
    let bench = Bench::new();
    let program = bench.c("endings", &[]);
    assert!(
        bench
            .record(&[program.to_str().unwrap(), "exit", "0"])
            .status
            .success()
    );
    let whole = std::fs::read(bench.path("out.locktoll")).unwrap();
    // A spread of places over the file, each byte turned to its complement.
    for at in (0..whole.len()).step_by(whole.len() / 40 + 1) {
        let mut damaged = whole.clone();
        damaged[at] = !damaged[at];
        std::fs::write(bench.path("damaged"), damaged).unwrap();
        let out = bench
            .locktoll()
            .args(["report", "damaged"])
            .output()
            .unwrap();
        let code = out.status.code();
        assert!(
            matches!(code, Some(0 | 2 | 3)),
            "byte {at}: {code:?} {}",
            text(&out.stderr)
        );
    }
}

#[test]
fn text_and_json_say_the_same_and_go_to_files() {
    let bench = Bench::new();
    let program = bench.c("known_locks", &[]);
    bench.record(&[&program]);
    let profile = bench.profile("out.locktoll");
    let run = |arguments: &[&str]| {
        let out = bench
            .locktoll()
            .args(["report", "out.locktoll"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let page = run(&["--sort", "acquisitions", "--top", "1"]);
    assert!(
        page.contains("40,000") && page.contains("hot_lock"),
        "{page}"
    );
    assert!(
        !page.contains("cold_lock") && page.contains("more locks"),
        "{page}"
    );

    assert_eq!(run(&["-o", "page.txt"]), "");
    assert_eq!(
        std::fs::read_to_string(bench.path("page.txt")).unwrap(),
        run(&[])
    );
    assert_eq!(run(&["--format", "json", "-o", "page.json"]), "");
    let written = std::fs::read(bench.path("page.json")).unwrap();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&written).unwrap(),
        profile
    );

    refused(
        &bench,
        &["out.locktoll", "-o", "out.locktoll"],
        2,
        "-o out.locktoll would overwrite the input",
    );
    refused(&bench, &["out.locktoll", "-o", "."], 2, "is a directory");
    refused(
        &bench,
        &["out.locktoll", "-o", "nowhere/x"],
        2,
        "does not exist",
    );
    refused(
        &bench,
        &["out.locktoll", "--sort", "alphabet"],
        2,
        "acquisitions",
    );
    refused(&bench, &["out.locktoll", "--top", "0"], 2, "--top");
    assert_eq!(
        bench.profile("out.locktoll"),
        profile,
        "the recording is as it was"
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = Bench::new();
    bench.record(&["true"]);
    let script = format!(
        "{} report --json out.locktoll | true",
        crate::bench::LOCKTOLL
    );
    let out = bench.locktoll();
    drop(out);
    let out = std::process::Command::new("bash")
        .args(["-c", &format!("set -o pipefail; {script}")])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(out.stderr.is_empty(), "{}", text(&out.stderr));
}

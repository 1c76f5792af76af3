//! The options of `record`, and the data that it adds from outside the program.

use std::mem::offset_of;

use locktoll_recording::layout::Header;

use crate::bench::{Bench, lock, text};

/// A field of the header of the first part of `out.locktoll`.
fn header_field(bench: &Bench, offset: usize) -> u64 {
    let recording = std::fs::read(bench.path("out.locktoll")).unwrap();
    u64::from_le_bytes(recording[offset..offset + 8].try_into().unwrap())
}

/// Records `script` run by a shell, with `options`.
fn record_shell(bench: &Bench, options: &[&str], script: &str) -> std::process::Output {
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "-o", "out.locktoll"]);
    command
        .args(options)
        .args(["--", "sh", "-c", script])
        .output()
        .unwrap()
}

#[test]
fn children_that_are_left_out_leave_no_part() {
    let bench = Bench::new();
    bench.c("endings", &[]);
    let locks = |options: &[&str], script| {
        let out = record_shell(&bench, options, script);
        assert!(out.status.success(), "{}", text(&out.stderr));
        let profile = bench.profile("out.locktoll");
        let processes = profile["processes"].as_array().unwrap().len();
        (processes, profile["locks"].as_array().unwrap().len())
    };
    assert_eq!(locks(&[], "./endings exit 0; true"), (2, 1));
    assert_eq!(locks(&["--no-children"], "./endings exit 0; true"), (1, 0));
    // The program itself, whatever it becomes.
    assert_eq!(locks(&["--no-children"], "exec ./endings exit 0"), (2, 1));
    // A child's parts are not even written.
    let left = record_shell(
        &bench,
        &["--no-children"],
        "./endings exit 0; ls \"$LOCKTOLL_PARTS\" | wc -l",
    );
    assert_eq!(text(&left.stdout).trim(), "1");
}

#[test]
fn a_script_is_recorded_under_the_command_that_was_typed() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let script = bench.path("script");
    std::fs::write(&script, "#!/bin/sh\nexit 4\n").unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let out = bench.record(&["./script", "a b", ""]);
    assert_eq!(out.status.code(), Some(4));
    let profile = bench.profile("out.locktoll");
    assert_eq!(
        profile["command"],
        serde_json::json!(["./script", "a b", ""])
    );
}

#[test]
fn what_a_killed_program_could_not_tell_is_filled_in() {
    let bench = Bench::new();
    let spin = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; kill -9 $$";
    let out = record_shell(&bench, &[], spin);
    assert_eq!(out.status.code(), Some(128 + 9));
    let spent = header_field(&bench, offset_of!(Header, user_ns))
        + header_field(&bench, offset_of!(Header, system_ns));
    let end = header_field(&bench, offset_of!(Header, end_monotonic_ns));
    let start = header_field(&bench, offset_of!(Header, start_monotonic_ns));
    assert!(spent > 0 && end > start);
    // One thread cannot use more than there was; a tick more may have been charged to it.
    assert!(spent <= end - start + 20_000_000, "{spent} {start} {end}");
}

#[test]
fn the_price_of_recording_is_measured_in_every_mode() {
    let bench = Bench::new();
    let program = bench.c("endings", &[]);
    let program = program.to_str().unwrap();
    for options in [&[][..], &["--exact"]] {
        // Where the machine is too busy to measure in time, nothing is said; it is not that busy ten times.
        let measured = (0..10).any(|_| {
            let script = format!("{program} exit 0");
            let out = record_shell(&bench, options, &script);
            assert!(out.status.success(), "{}", text(&out.stderr));
            header_field(&bench, offset_of!(Header, added_ps_per_pair)) > 0
        });
        assert!(measured, "{options:?}");
        let profile = bench.profile("out.locktoll");
        assert_eq!(lock(&profile, "ending_lock")["acquisitions"], 10);
    }
    assert_eq!(bench.litter(), Vec::<String>::new());
}

#[test]
fn where_recording_stopped_early_is_said_once() {
    let bench = Bench::new();
    bench.c("locks_alive", &[]);
    // `ulimit -f` counts blocks of 512 bytes: long enough to begin, too short for so many locks.
    let many = "ulimit -f 600; ./locks_alive 100000 1 && ./locks_alive 100000 1";
    let out = record_shell(&bench, &[], many);
    assert_eq!(text(&out.stdout), "done\ndone\n");
    assert!(out.status.success(), "{}", text(&out.stderr));
    let said = text(&out.stderr);
    let ours = said.matches("recording of 2 processes stopped before the end");
    assert_eq!(ours.count(), 1, "{said}");
    assert!(said.contains("ulimit -f"), "{said}");
}

#[test]
fn a_page_goes_beside_the_recording_and_leaves_standard_output_to_the_program() {
    let bench = Bench::new();
    bench.c("endings", &[]);
    let record = |options: &[&str], words: &[&str]| {
        let mut command = bench.locktoll();
        command.arg("record").args(options).args(["-o", "x", "--"]);
        command.args(words).output().unwrap()
    };
    let script = "echo of the program; ./endings exit 5";
    let out = record(&["--format", "html"], &["sh", "-c", script]);
    assert_eq!(out.status.code(), Some(5), "{}", text(&out.stderr));
    assert_eq!(text(&out.stdout), "of the program\n");
    assert!(
        text(&out.stderr).contains("x.html"),
        "{}",
        text(&out.stderr)
    );
    let page = std::fs::read_to_string(bench.path("x.html")).unwrap();
    assert!(page.contains("ending_lock"), "{page}");

    let out = record(&["--format", "json"], &["sh", "-c", script]);
    let document: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(document["schema"], "locktoll.profile/1");
    assert!(text(&out.stderr).contains("of the program"));

    let out = record(&["--format", "text"], &["sh", "-c", script]);
    assert!(text(&out.stdout).contains("ending_lock"));
    std::fs::create_dir(bench.path("y.html")).unwrap();
    for refused in [
        &["record", "-q", "--format", "html", "--", "true"][..],
        &["record", "--json", "--format", "html", "--", "true"],
        &["record", "--format", "svg", "--", "true"],
        &["record", "--format", "html", "-o", "y", "--", "touch", "z"],
    ] {
        let out = bench.locktoll().args(refused).output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{refused:?}");
        assert_eq!(text(&out.stderr).lines().count(), 1, "{refused:?}");
    }
    assert!(!bench.path("z").exists() && !bench.path("y").exists());
}

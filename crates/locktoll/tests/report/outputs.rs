//! The places to which reports can be written, and those to which they cannot.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::recorded::Recorded;

#[test]
fn the_ending_of_the_name_is_the_form() {
    let recorded = Recorded::known_locks();
    for (output, beginning) in [
        ("a.json", &b"{\n  \"schema\": \"locktoll.profile/1\""[..]),
        ("a.csv", b"id,lock,kind,"),
        ("a.svg", b"<?xml"),
        ("a.pb.gz", b"\x1f\x8b"),
        ("a.holders.pb.gz", b"\x1f\x8b"),
    ] {
        if output != "a.holders.pb.gz" {
            assert_eq!(recorded.printed(&["-o", output]), "");
        }
        let written = fs::read(recorded.bench.path(output)).unwrap();
        assert!(written.starts_with(beginning), "{output}");
    }
    assert_eq!(recorded.bench.litter(), Vec::<String>::new());
}

#[test]
fn one_side_alone_goes_where_it_is_told() {
    let recorded = Recorded::known_locks();
    recorded.printed(&["-o", "only.pb.gz", "--by", "holder"]);
    assert!(recorded.bench.path("only.pb.gz").exists());
    assert!(!recorded.bench.path("only.holders.pb.gz").exists());
    let piped = recorded.report(&["--format", "pprof", "--by", "holder"]);
    assert_eq!(
        piped.stdout,
        fs::read(recorded.bench.path("only.pb.gz")).unwrap()
    );
}

#[test]
fn what_cannot_be_written_is_refused_in_every_form() {
    let recorded = Recorded::known_locks();
    fs::create_dir(recorded.bench.path("folder")).unwrap();
    for format in ["text", "json", "csv", "pprof", "folded", "svg"] {
        for (output, expected) in [
            ("folder", "is a directory"),
            ("nowhere/out", "the directory nowhere does not exist"),
            ("out.locktoll", "would overwrite the input"),
            ("/proc/out", "cannot write /proc/out"),
        ] {
            recorded.refused(&["--format", format, "-o", output], 2, expected);
        }
    }
    // The second of two files, of which nobody spoke.
    fs::create_dir(recorded.bench.path("x.holders.pb.gz")).unwrap();
    recorded.refused(&["-o", "x.pb.gz"], 2, "x.holders.pb.gz is a directory");
    assert!(!recorded.bench.path("x.pb.gz").exists());
}

#[test]
fn a_pipe_is_written_to_and_holds_one_profile() {
    let recorded = Recorded::known_locks();
    let pipe = recorded.bench.path("pipe.pb.gz");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    recorded.printed(&["-o", "pipe.pb.gz"]);
    let read = reader.join().unwrap();
    let piped = recorded.report(&["--format", "pprof"]).stdout;
    assert!(read.starts_with(b"\x1f\x8b"));
    assert_eq!(read, piped);
    assert!(!recorded.bench.path("pipe.holders.pb.gz").exists());
}

#[test]
fn a_write_protected_file_stays_as_it_is() {
    let recorded = Recorded::known_locks();
    let output = recorded.bench.path("kept.pb.gz");
    fs::write(&output, "mine").unwrap();
    fs::set_permissions(&output, PermissionsExt::from_mode(0o444)).unwrap();
    if fs::File::options().append(true).open(&output).is_ok() {
        locktoll_needs::refused("permissions do not bind this user");
        return;
    }
    recorded.refused(&["-o", "kept.pb.gz"], 2, "cannot write kept.pb.gz");
    assert_eq!(fs::read(&output).unwrap(), b"mine");
}

#[test]
fn flags_that_would_have_no_effect_are_refused() {
    let recorded = Recorded::known_locks();
    recorded.refused(&["--json", "--threads"], 2, "--threads");
    recorded.refused(&["--by", "holder"], 2, "--by");
    recorded.refused(&["--sites", "--blame"], 2, "--blame");
    recorded.refused(&["--lock", "a", "--top", "3"], 2, "--top");
}

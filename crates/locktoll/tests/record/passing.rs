//! The things that must be as without locktoll: output, exit status, environment.

use std::process::{Command, Stdio};

use crate::bench::{Bench, number, text};

#[test]
fn output_and_status_are_the_programs_own() {
    let bench = Bench::new();
    let program = bench.c("known_locks", &[]);
    let bare = Command::new(&program).output().unwrap();
    let recorded = bench.record(&[&program]);
    assert_eq!(recorded.stdout, bare.stdout);
    assert_eq!(recorded.stderr, bare.stderr);
    assert_eq!(recorded.status, bare.status);
    assert_eq!(bench.litter(), Vec::<String>::new());
}

#[test]
fn every_way_to_end_is_passed_on_and_leaves_a_profile() {
    let bench = Bench::new();
    let program = bench.c("endings", &[]);
    for (how, number, code) in [
        ("exit", "0", 0),
        ("exit", "41", 41),
        ("_exit", "255", 255),
        ("kill", "9", 128 + 9),
        ("kill", "11", 128 + 11),
        ("kill", "15", 128 + 15),
    ] {
        let out = bench.record(&[program.to_str().unwrap(), how, number]);
        assert_eq!(out.status.code(), Some(code), "{how} {number}");
        let said = text(&out.stderr);
        assert_eq!(said.contains("killed by signal"), how == "kill", "{said}");
        let profile = bench.profile("out.locktoll");
        assert_eq!(profile["locks"][0]["name"], "ending_lock");
        assert_eq!(profile["locks"][0]["acquisitions"], 10, "{how} {number}");
        assert!(profile["duration_ns"].as_u64().unwrap() > 0);
    }
}

/// In a pipeline, the program that works runs no exit handler and is nobody's child that we could wait for.
#[test]
fn processor_time_of_those_that_do_not_tell_is_in_the_whole() {
    let bench = Bench::new();
    let program = bench.c("quiet_exit", &[]);
    let script = format!("{} | cat; :", program.display());
    let out = bench.record(&["sh", "-c", &script]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let used_ns: f64 = text(&out.stdout).trim().parse().unwrap();
    let profile = bench.profile("out.locktoll");
    let whole_ns = number(&profile, "/user_ns") + number(&profile, "/system_ns");
    // The kernel's two accounts differ by a tick at most.
    assert!(whole_ns > used_ns - 10e6, "{whole_ns} of {used_ns}");

    // Of the shell alone, where nothing else is recorded. The kernel's account of it is in ticks, and it may have used none.
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "--no-children", "-o", "shell.locktoll"]);
    let out = command.args(["--", "sh", "-c", &script]).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let used_ns: f64 = text(&out.stdout).trim().parse().unwrap();
    let profile = bench.profile("shell.locktoll");
    let [user_ns, system_ns] = ["user_ns", "system_ns"].map(|it| profile[it].as_f64());
    let shell_ns = user_ns.unwrap_or(0.0) + system_ns.unwrap_or(0.0);
    assert!(shell_ns < used_ns / 2.0, "{shell_ns} of {used_ns}");
}

#[test]
fn standard_input_reaches_the_program() {
    use std::io::Write;
    let bench = Bench::new();
    let mut child = bench
        .locktoll()
        .args(["record", "--quiet", "--", "cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"through\0it")
        .unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"through\0it");
}

#[test]
fn with_json_standard_output_is_one_document() {
    let bench = Bench::new();
    let program = bench.c("known_locks", &[]);
    let out = bench
        .locktoll()
        .args(["record", "--json", "--"])
        .arg(&program)
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(document["schema"], "locktoll.profile/1");
    let said = text(&out.stderr);
    assert!(
        said.contains("counter 40044") && said.contains("to standard error"),
        "{said}"
    );
    assert_eq!(out.status.code(), Some(7));
    assert!(
        bench.path("recording.locktoll").is_file(),
        "the default output"
    );
}

#[test]
fn the_summary_follows_the_programs_output_without_colours_in_a_pipe() {
    let bench = Bench::new();
    let program = bench.c("known_locks", &[]);
    let out = bench
        .locktoll()
        .args(["record", "--"])
        .arg(&program)
        .output()
        .unwrap();
    let page = text(&out.stdout);
    let mut lines = page.lines();
    assert_eq!(lines.next(), Some("counter 40044"));
    let answer = lines.next().unwrap_or_default();
    assert!(
        answer.starts_with("Threads waited most for slow_lock"),
        "{page}"
    );
    for told in ["Where the time", "slow_lock", "wait_for_slow", "Recorder:"] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains('\x1b'), "{page:?}");
}

#[test]
fn the_users_preload_libraries_survive_behind_ours() {
    let bench = Bench::new();
    let out = bench
        .locktoll()
        .args([
            "record",
            "--quiet",
            "--",
            "sh",
            "-c",
            "echo \"$LD_PRELOAD\"; ulimit -c; umask",
        ])
        .env("LD_PRELOAD", "libm.so.6 libdl.so.2")
        .output()
        .unwrap();
    let line = text(&out.stdout);
    let list = line.lines().next().unwrap();
    assert!(list.ends_with(".so:libm.so.6 libdl.so.2"), "{list}");
    assert!(
        list.contains("/cache/locktoll/liblocktoll_preload-"),
        "{list}"
    );
}

#[test]
fn a_program_without_locks_is_said_to_have_none() {
    let bench = Bench::new();
    let out = bench
        .locktoll()
        .args(["record", "--", "true"])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert!(text(&out.stdout).contains("No lock was seen in true."));
    assert!(text(&out.stderr).contains("no lock was seen: the program uses no locks"));
}

#[test]
fn a_recording_says_when_where_and_by_which_locktoll_it_was_made() {
    let bench = Bench::new();
    let record = bench
        .locktoll()
        .args(["record", "-q", "--", "true"])
        .status();
    assert!(record.unwrap().success());
    // Without FILE, the recording that `record` makes without -o.
    let report = bench
        .locktoll()
        .args(["report", "--json"])
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let made = &document["made"];
    assert!(made["date"].as_str().unwrap().starts_with("20"), "{made}");
    assert!(made["host"].is_string(), "{made}");
    assert!(made["machine"]["usable_cpus"].as_u64() > Some(0), "{made}");
    let version = text(&bench.locktoll().arg("--version").output().unwrap().stdout);
    let locktoll = made["locktoll"].as_str().unwrap();
    assert_eq!(version.trim(), format!("locktoll {locktoll}"));
}

#[test]
fn a_rust_program_without_a_wait_is_told_what_could_be_seen() {
    let bench = Bench::new();
    std::fs::write(bench.path("quiet.rs"), "fn main() {}").unwrap();
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let built = Command::new(compiler)
        .args(["-O", "quiet.rs"])
        .current_dir(bench.path(""))
        .status();
    assert!(built.unwrap().success());
    let out = bench
        .locktoll()
        .args(["record", "--", "./quiet"])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert!(text(&out.stderr).contains("no lock was seen: a lock of Rust's"));
}

#[test]
fn arguments_reach_the_program_byte_for_byte() {
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::new();
    let odd = std::ffi::OsStr::from_bytes(b"\xff\xfe -- --help\n");
    let out = bench
        .locktoll()
        .args(["record", "--quiet", "--", "printf", "%s|"])
        .arg(odd)
        .args(["", "-o"])
        .output()
        .unwrap();
    assert_eq!(out.stdout, b"\xff\xfe -- --help\n||-o|");
}

#[test]
fn a_summary_that_nobody_reads_does_not_cost_the_programs_status() {
    let bench = Bench::new();
    let mut child = bench
        .locktoll()
        .args(["record", "--", "sh", "-c", "exec 1>&-; exit 6"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(6));
}

//! Signals, sent to locktoll as people and service managers send them.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::bench::{Bench, lock};

/// `endings wait` under the recorder, in a process group of its own, and its process id.
fn waiting(bench: &Bench) -> (Child, BufReader<ChildStdout>, String) {
    let program = bench.c("endings", &[]);
    let mut command = bench.locktoll();
    command
        .args(["record", "--quiet", "-o", "out.locktoll", "--"])
        .arg(program)
        .arg("wait")
        .process_group(0)
        .stdout(Stdio::piped());
    // SAFETY: signal(2) is async-signal-safe, which is all that may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            // As from a terminal: a shell starts what it runs in the background with it ignored.
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    let mut child = command.spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let pid = line.strip_prefix("ready ").unwrap().trim().to_owned();
    (child, out, pid)
}

fn pid(number: &str) -> Pid {
    Pid::from_raw(number.parse().unwrap()).unwrap()
}

#[test]
fn a_signal_sent_to_locktoll_alone_reaches_the_program() {
    for signal in [Signal::TERM, Signal::HUP, Signal::USR1] {
        let bench = Bench::new();
        let (mut child, mut out, _) = waiting(&bench);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, format!("signal {}\n", signal.as_raw()));
        assert_eq!(
            child.wait().unwrap().code(),
            Some(3),
            "the program's own answer"
        );
        let profile = bench.profile("out.locktoll");
        assert_eq!(lock(&profile, "ending_lock")["acquisitions"], 10);
    }
}

#[test]
fn a_signal_to_the_whole_group_ends_the_program_and_the_recording_stays() {
    let bench = Bench::new();
    let (mut child, _out, _) = waiting(&bench);
    // As `timeout` does it. The program has no handler for SIGINT.
    kill_process_group(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(128 + 2));
    let profile = bench.profile("out.locktoll");
    assert_eq!(lock(&profile, "ending_lock")["acquisitions"], 10);
}

#[test]
fn parts_survive_when_locktoll_itself_is_killed() {
    let bench = Bench::new();
    let (mut child, mut out, program) = waiting(&bench);
    child.kill().unwrap();
    child.wait().unwrap();
    kill_process(pid(&program), Signal::TERM).unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();

    let litter = bench.litter();
    let folder = litter
        .iter()
        .find(|name| name.starts_with("out.locktoll.parts-"))
        .unwrap();
    let profile = bench.profile(folder);
    assert_eq!(lock(&profile, "ending_lock")["acquisitions"], 10);

    let again = bench.record(&["true"]);
    let said = crate::bench::text(&again.stderr);
    assert!(
        said.contains("cut short") && said.contains(folder.as_str()),
        "{said}"
    );
    assert!(bench.path(folder).is_dir(), "it is the user's to remove");
}

#[test]
fn an_ignored_signal_stays_ignored_and_the_mask_is_as_before() {
    let bench = Bench::new();
    let script = "grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status";
    let bare = Command::new("sh").args(["-c", script]).output().unwrap();
    let recorded = bench.record(&["sh", "-c", script]);
    assert_eq!(recorded.stdout, bare.stdout);
}

#[test]
fn a_program_finds_the_pipe_signal_as_we_found_it() {
    let bench = Bench::new();
    let ignoring = |command: &[&std::ffi::OsStr]| {
        Command::new("sh")
            .args(["-c", "trap '' PIPE; exec \"$@\"", "sh"])
            .args(command)
            .env("XDG_CACHE_HOME", bench.path("cache"))
            .current_dir(bench.path(""))
            .output()
            .unwrap()
            .stdout
    };
    let program = ["grep", "SigIgn", "/proc/self/status"].map(std::ffi::OsStr::new);
    let bare = ignoring(&program);
    let mut recorded = [crate::bench::LOCKTOLL, "record", "--quiet", "--"]
        .map(std::ffi::OsStr::new)
        .to_vec();
    recorded.extend(program);
    assert_eq!(ignoring(&recorded), bare);
    let mask = u64::from_str_radix(
        crate::bench::text(&bare)
            .trim_start_matches("SigIgn:")
            .trim(),
        16,
    );
    assert_ne!(mask.unwrap() & 1 << (libc::SIGPIPE - 1), 0);
}

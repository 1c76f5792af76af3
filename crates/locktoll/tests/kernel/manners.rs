//! Exit codes, forms, intervals, and traces left behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::program::{LOCKTOLL, kernel, may_trace, text};

#[test]
fn the_programs_exit_status_and_output_pass_through() {
    if !may_trace() {
        return;
    }
    let output = kernel(&["--json", "--", "sh", "-c", "echo mine; exit 7"]);
    assert_eq!(output.status.code(), Some(7));
    assert!(text(&output.stderr).contains("mine"));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["schema"], "locktoll.kernel/1");
    assert_eq!(document["command"][2], "echo mine; exit 7");
    assert_eq!(document["callers"], serde_json::Value::Null);

    let output = kernel(&["--", "sh", "-c", "echo mine; kill -TERM $$"]);
    assert_eq!(output.status.code(), Some(128 + 15));
    let page = text(&output.stdout);
    assert!(page.starts_with("mine\n"), "{page}");
    assert!(page.contains("the kernel's own locks"), "{page}");
    assert!(page.contains("Only waits are seen"), "{page}");
}

#[test]
fn a_saved_result_is_shown_again_and_as_a_page() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.json");
    let file = file.to_str().unwrap();
    let output = kernel(&[
        "--by",
        "caller",
        "-o",
        file,
        "--",
        "sh",
        "-c",
        "ls / > /dev/null",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report = |words: &[&str]| {
        let output = Command::new(LOCKTOLL)
            .args(["report", file])
            .args(words)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(report(&[]).contains("the kernel's own locks"));
    assert!(report(&["--format", "html"]).contains("locktoll.kernel/1"));
}

#[test]
fn intervals_are_shown_as_they_pass_and_the_whole_at_the_end() {
    if !may_trace() {
        return;
    }
    let words = ["--live", "--interval", "100ms", "--duration", "1s"];
    let output = kernel(&[&words[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let documents: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!((2..=11).contains(&documents.len()), "{}", documents.len());
    let count = |document: &serde_json::Value| document["total"]["count"].as_u64().unwrap();
    let (whole, intervals) = documents.split_last().unwrap();
    assert!(intervals.iter().map(count).sum::<u64>() <= count(whole));
    let page = text(&kernel(&words).stdout);
    assert!(page.contains("interval 1, "), "{page}");
    assert!(page.contains("the kernel's own locks"), "{page}");
}

#[test]
fn ctrl_c_shows_what_there_is_and_kill_leaves_nothing_behind() {
    if !may_trace() {
        return;
    }
    for (signal, code) in [(libc::SIGINT, Some(0)), (libc::SIGKILL, None)] {
        let child = Command::new(LOCKTOLL)
            .args(["kernel", "--by", "type,caller"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut programs = Vec::new();
        while programs.len() < 2 {
            assert!(Instant::now() < deadline, "nothing was loaded");
            std::thread::sleep(Duration::from_millis(50));
            programs = programs_of(child.id());
        }
        std::thread::sleep(Duration::from_millis(200));
        // SAFETY: the child has not been waited for, so its number is still its own.
        assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), code);
        if code.is_some() {
            let page = text(&output.stdout);
            assert!(page.contains("the kernel's own locks"), "{page}");
        }
        // The kernel frees programs a moment after their last descriptor is closed.
        let deadline = Instant::now() + Duration::from_secs(20);
        for program in programs {
            while is_loaded(program) {
                assert!(
                    Instant::now() < deadline,
                    "program {program} is still there"
                );
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
}

/// The numbers of the programs that a process has loaded into the kernel: proc(5), fdinfo.
fn programs_of(pid: u32) -> Vec<u32> {
    let Ok(folder) = std::fs::read_dir(format!("/proc/{pid}/fdinfo")) else {
        return Vec::new();
    };
    let texts = folder.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
    let of = |text: String| {
        // Of the program's own descriptor: a link's names its program, too.
        text.contains("prog_jited").then(|| {
            text.lines()
                .find_map(|line| line.strip_prefix("prog_id:")?.trim().parse().ok())
        })?
    };
    texts.filter_map(of).collect()
}

/// Whether the kernel still has a program of this number: bpf(2), `BPF_PROG_GET_FD_BY_ID`.
fn is_loaded(program: u32) -> bool {
    const BPF_PROG_GET_FD_BY_ID: libc::c_long = 13;
    let attributes = [program, 0, 0, 0];
    // SAFETY: the pointer is to that many live bytes.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            BPF_PROG_GET_FD_BY_ID,
            attributes.as_ptr(),
            size_of_val(&attributes),
        )
    };
    if fd < 0 {
        return false;
    }
    // SAFETY: just opened, and owned by nobody else.
    unsafe { libc::close(fd as i32) };
    true
}

#[test]
fn without_privileges_one_line_says_what_to_do() {
    if !may_trace() {
        return;
    }
    if !locktoll_needs::programs(&["setpriv"]) {
        return;
    }
    let output = Command::new("setpriv")
        .args([
            "--reuid=65534",
            "--clear-groups",
            "--inh-caps=-all",
            LOCKTOLL,
        ])
        .args(["kernel", "--duration", "50ms"])
        .output()
        .unwrap();
    let errors = text(&output.stderr);
    if errors.contains("setpriv:") {
        locktoll_needs::refused(&errors);
        return;
    }
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
    assert!(errors.contains("CAP_BPF"), "{errors}");
}

#[test]
fn wrong_words_are_refused_before_anything_starts() {
    for (words, expected) in [
        (&["--by", "process"][..], "caller"),
        (&["--duration", "5ms"], "10ms"),
        (&["--duration", "1s", "--", "true"], "--duration"),
        (&["--only"], "--only needs a command"),
        (&["--live", "--format", "html", "--duration", "1s"], "-o"),
        (
            &["--", "no-such-program-anywhere"],
            "no-such-program-anywhere",
        ),
    ] {
        let output = kernel(words);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
        assert_eq!(errors.trim_end().lines().count(), 1, "{words:?}: {errors}");
        assert!(errors.contains(expected), "{words:?}: {errors}");
    }
}

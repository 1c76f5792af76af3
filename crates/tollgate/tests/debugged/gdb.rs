//! Scripts for gdb.

use std::env;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::pairs;

/// What each script begins with: the program, stopped before its first pair.
const BEGIN: &str = "
set width 0
set pagination off
set confirm off
set debuginfod enabled off
set startup-with-shell off
set disable-randomization off
set language c
handle SIGTRAP nopass
break locktoll_debugged_begins
run
delete
";

/// Sets a breakpoint at the first instruction of each sequence, and at its last.
const BREAK_INSIDE: &str = "
set $i = 0
while $i < *(long *)&LOCKTOLL_SEQUENCES_LENGTH
  break *((long *)&LOCKTOLL_SEQUENCES)[$i]
  break *((long *)&LOCKTOLL_STORES)[$i]
  set $i = $i + 1
end
";

/// gdb executes the instruction that a breakpoint has replaced in its place.
const IN_PLACE: &str = "set displaced-stepping off";
/// gdb executes it somewhere else. The kernel takes the sequence for left, and no longer interrupts it.
const DISPLACED: &str = "set displaced-stepping on";

/// The scripts so far.
static SCRIPTS: AtomicU32 = AtomicU32::new(0);

/// gdb's words for a kernel or a sandbox that does not permit ptrace(2).
const REFUSALS: [&str; 2] = [
    "Could not trace the inferior process",
    "ptrace: Operation not permitted",
];

/// Runs gdb with a script on the program; returns its output, or `None` where there is no gdb, or it may not trace. It is ended if it takes longer than any machine needs: that is the
/// hang for which the test looks.
#[track_caller]
fn gdb(debugged: &Command, settings: &str, script: &str) -> Option<String> {
    if !locktoll_needs::programs(&["gdb"]) {
        return None;
    }
    // gdb reads scripts from files alone.
    let number = SCRIPTS.fetch_add(1, Relaxed);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tollgate-{number}.gdb"));
    fs::write(&file, format!("{settings}{BEGIN}{script}")).unwrap();
    let mut child = Command::new("gdb")
        .args(["--quiet", "--nx", "--batch", "--command"])
        .arg(&file)
        .arg("--args")
        .arg(debugged.get_program())
        .args(debugged.get_args())
        .envs(
            debugged
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut output, mut errors) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let said = thread::spawn(move || {
        let mut said = String::new();
        output.read_to_string(&mut said).map(|_| said)
    });
    let complained = thread::spawn(move || {
        let mut said = String::new();
        errors.read_to_string(&mut said).map(|_| said)
    });
    let begin = Instant::now();
    let ended = loop {
        if child.try_wait().unwrap().is_some() {
            break true;
        }
        if begin.elapsed() > Duration::from_secs(120) {
            break false;
        }
        thread::sleep(Duration::from_millis(20));
    };
    if !ended {
        // The program that it debugs ends with it.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (said, complained) = (said.join().unwrap(), complained.join().unwrap());
    let said = format!("{}{}", said.unwrap(), complained.unwrap());
    fs::remove_file(&file).unwrap();
    assert!(ended, "gdb did not end\n{said}");
    if REFUSALS.iter().any(|it| said.contains(it)) {
        locktoll_needs::refused("gdb may not trace a program");
        return None;
    }
    Some(said)
}

/// The pairs that the program had made when the script printed them.
fn printed(said: &str) -> Option<u64> {
    let line = said.lines().find_map(|line| line.strip_prefix("pairs: "))?;
    line.parse().ok()
}

const PRINT_PAIRS: &str = r#"printf "\npairs: %d\n", *(long *)&LOCKTOLL_PAIRS"#;
const ENDS: &str = "exited normally";

#[track_caller]
fn comes_to_its_end(contenders: u32, script: &str) {
    let Some(said) = gdb(
        &pairs::command(contenders),
        "",
        &format!("{script}\n{PRINT_PAIRS}\ndelete\ncontinue\n"),
    ) else {
        return;
    };
    let pairs = printed(&said);
    // The fewest: one step more often than not ends a wait instead, if others contend.
    let least = if contenders == 0 { 5 } else { 1 };
    let range = least..pairs::PAIRS;
    assert!(pairs.is_some_and(|it| range.contains(&it)), "{said}");
    assert!(said.contains(ENDS), "{said}");
}

#[test]
fn steps_ten_thousand_instructions() {
    comes_to_its_end(0, "stepi 10000");
}

#[test]
fn steps_while_another_thread_contends() {
    comes_to_its_end(1, "stepi 10000");
}

#[test]
fn steps_over_the_line_with_the_sequence() {
    let script = "
set $turn = 0
while $turn < 50
  tbreak locktoll_debugged_pair
  continue
  next
  step
  next
  next
  next
  set $turn = $turn + 1
end";
    comes_to_its_end(0, script);
}

#[test]
fn stops_inside_of_the_sequence() {
    let script = "
set $turn = 0
while $turn < 100
  continue
  set $turn = $turn + 1
end";
    for stepping in [IN_PLACE, DISPLACED] {
        for contenders in [0, 2] {
            let script = format!("{stepping}\n{BREAK_INSIDE}{script}");
            comes_to_its_end(contenders, &script);
        }
    }
}

/// A thread comes to the lock, and asks for it, while the holder stands at its store. The store that follows does not see this.
/// In the second program, a broadcast moves threads to the lock, and no other thread requests it.
#[test]
fn a_store_that_nothing_interrupts_does_not_end_a_wait_for_good() {
    // The tests' own thread is the first.
    let script = "
thread 2
set $i = 0
while $i < *(long *)&LOCKTOLL_SEQUENCES_LENGTH
  break *((long *)&LOCKTOLL_STORES)[$i] thread 2
  set $i = $i + 1
end
continue
set var *(char *)&LOCKTOLL_WAITER_COMES = 1
shell sleep 1
continue
";
    let script = format!("{DISPLACED}\n{script}");
    for program in [
        pairs::last_release(),
        pairs::last_release_after_a_broadcast(),
    ] {
        let Some(said) = gdb(&program, "set non-stop on", &script) else {
            return;
        };
        assert!(said.contains("hit Breakpoint"), "{said}");
        assert!(said.contains(ENDS), "{said}");
    }
}

#[test]
fn leaves_the_program_inside_of_the_sequence() {
    let Some(said) = gdb(
        &pairs::command(2),
        "",
        &format!("{IN_PLACE}\n{BREAK_INSIDE}continue\nstepi\ndelete\ndetach\n"),
    ) else {
        return;
    };
    assert!(said.contains("detached"), "{said}");
    assert!(said.contains("1 passed; 0 failed"), "{said}");
}

#[test]
fn keeps_the_program_in_a_core_file() {
    let core = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tollgate.core");
    let keep = format!(
        "{IN_PLACE}\n{BREAK_INSIDE}continue\ngenerate-core-file {}\ndelete\ncontinue\n",
        core.display()
    );
    let Some(said) = gdb(&pairs::command(1), "", &keep) else {
        return;
    };
    assert!(said.contains(ENDS), "{said}");
    let read = Command::new("gdb")
        .args([
            "--quiet",
            "--nx",
            "--batch",
            "-ex",
            "set debuginfod enabled off",
        ])
        .args(["-ex", "backtrace"])
        .arg(env::current_exe().unwrap())
        .arg(&core)
        .output()
        .unwrap();
    fs::remove_file(&core).unwrap();
    let said = String::from_utf8_lossy(&read.stdout);
    assert!(said.contains("locktoll_debugged_pair"), "{said}");
}

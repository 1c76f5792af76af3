//! How often each lock enters the kernel, counted from outside.
//!
//! The traced process is this test program again, started to run one test alone: [`the_traced_side`]. Only Linux counts.
#![cfg(target_os = "linux")]

use std::process::Command;

use locktoll_lab::contender::{Family, registry};
use locktoll_lab::probe::locks::{count_entries, serve, tracing_refused};

/// Says which lock the traced side is for.
const LOCK: &str = "LOCKTOLL_TEST_TRACED_LOCK";

/// In the place of a lock: only whether it could be traced is asked.
const WHETHER: &str = "?";

const PAIRS: u64 = 50;

/// The traced side: does nothing unless started for it.
#[test]
fn the_traced_side() {
    let Ok(lock) = std::env::var(LOCK) else {
        return;
    };
    if lock == WHETHER {
        return match tracing_refused() {
            Some(error) => println!("refused: {:?}", error.raw_os_error()),
            None => println!("permitted"),
        };
    }
    if let Err(reason) = serve(&lock, PAIRS) {
        println!("reason: {reason}");
    }
}

/// This program with [`the_traced_side`] alone, in its main thread.
fn traced(lock: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "the_traced_side",
            "--test-threads=1",
            "--nocapture",
        ])
        .env(LOCK, lock);
    command
}

#[test]
fn user_space_locks_stay_there_and_kernel_locks_enter_twice() {
    for lock in registry() {
        let expected = match (lock.name, lock.family) {
            // Two states do not tell whether somebody waits, so every release wakes.
            (name, _) if name.starts_with("futex2") => 1.0,
            (_, Family::Kernel) => 2.0,
            _ => 0.0,
        };
        let counted = count_entries(&mut traced(lock.name), PAIRS);
        assert_eq!(counted, Ok(expected), "{}", lock.name);
    }
}

#[test]
fn what_cannot_be_made_or_traced_is_told_in_the_child_s_words() {
    let reason = count_entries(&mut traced("pthred"), PAIRS).unwrap_err();
    assert!(
        reason.contains("no lock is called `pthred`") && reason.contains("pthread"),
        "{reason}"
    );
    let reason = count_entries(&mut Command::new("true"), PAIRS).unwrap_err();
    assert_eq!(reason, "the traced process ended early");
    let reason = count_entries(Command::new("sh").args(["-c", "kill -9 $$"]), PAIRS).unwrap_err();
    assert_eq!(reason, "the traced process was ended by signal 9");
    let reason = count_entries(&mut Command::new("/no/such/program"), PAIRS).unwrap_err();
    assert!(reason.starts_with("cannot start"), "{reason}");
}

#[test]
fn where_ptrace_is_refused_the_reason_says_so() {
    let mut command = traced("pthread");
    forbid_ptrace(&mut command);
    let reason = count_entries(&mut command, PAIRS).unwrap_err();
    assert!(reason.contains("ptrace is not permitted here"), "{reason}");
}

#[test]
fn whether_it_is_refused_is_known_beforehand() {
    let said = |forbidden: bool| {
        let mut command = traced(WHETHER);
        if forbidden {
            forbid_ptrace(&mut command);
        }
        let output = command.output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(said(false).contains("permitted"));
    let refused = format!("refused: {:?}", Some(libc::EPERM));
    assert!(said(true).contains(&refused));
}

/// Puts the program under a seccomp filter that answers ptrace(2) with EPERM, as containers may.
fn forbid_ptrace(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    // struct seccomp_data begins with the number of the system call.
    const NUMBER_AT: u32 = 0;
    let step = |code: u32, jt, jf, k| libc::sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let mut filter = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, NUMBER_AT),
        step(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            0,
            1,
            libc::SYS_ptrace as u32,
        ),
        step(
            libc::BPF_RET | libc::BPF_K,
            0,
            0,
            libc::SECCOMP_RET_ERRNO | libc::EPERM as u32,
        ),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let install = move || {
        let program = libc::sock_fprog {
            len: filter.len() as u16,
            filter: filter.as_mut_ptr(),
        };
        // SAFETY: the program and its steps live until the call returns; prctl makes no further use of them.
        let done = unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
                && libc::prctl(
                    libc::PR_SET_SECCOMP,
                    libc::SECCOMP_MODE_FILTER,
                    &raw const program,
                ) == 0
        };
        match done {
            true => Ok(()),
            false => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: between fork and exec the closure makes system calls only, on memory of its own.
    unsafe { command.pre_exec(install) };
}

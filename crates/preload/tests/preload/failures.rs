//! When the recorder cannot go on, the program does.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use locktoll_recording::layout::{DropReason, StopReason};
use locktoll_recording::reader::Recording;

use crate::support::{acquisitions_in, command, command_recorded, program};

fn recording_in(folder: &Path) -> Recording {
    let entry = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap();
    Recording::open(entry.path()).unwrap()
}

/// The recording stopped for `reason`, kept what it had and counted what it lost, and said so once.
fn assert_stopped(folder: &Path, reason: StopReason, stderr: &[u8], locks: u64) {
    let recording = recording_in(folder);
    let part = &recording.parts[0];
    assert_eq!(part.process.stopped.unwrap().reason, Some(reason));
    let kept = acquisitions_in(part, "locks_alive_c");
    let lost = part.dropped.count(DropReason::Stopped);
    assert!(kept > 0 && lost > 0);
    assert_eq!(kept + lost, 2 * locks);
    let stderr = String::from_utf8_lossy(stderr);
    assert_eq!(
        stderr.matches("locktoll: recording stopped").count(),
        1,
        "{stderr}"
    );
}

#[test]
fn a_full_disk_stops_the_recording_and_not_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=512k", "tmpfs"])
        .arg(folder.path())
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        locktoll_needs::refused("this user may not mount file systems");
        return;
    }
    let _unmount = Unmount(folder.path());
    let output = command_recorded(&program("locks_alive.c"), folder.path(), &[])
        .args(["100000", "2"])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, b"done\n");
    assert_stopped(folder.path(), StopReason::NoSpace, &output.stderr, 100_000);
}

/// Unmounts when dropped, before the folder is removed.
struct Unmount<'f>(&'f Path);

impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.0).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
    }
}

#[test]
fn a_limit_on_file_sizes_stops_the_recording_and_not_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command_recorded(&program("locks_alive.c"), folder.path(), &[]);
    command.args(["100000", "2"]);
    // SAFETY: setrlimit is async-signal-safe, which is all that may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit {
                rlim_cur: 300_000,
                rlim_max: 300_000,
            };
            assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
            Ok(())
        });
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(output.stdout, b"done\n");
    assert_stopped(
        folder.path(),
        StopReason::FileSizeLimit,
        &output.stderr,
        100_000,
    );
}

#[test]
fn a_directory_that_is_not_there_is_said_once_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let output = command_recorded(&program("pairs.c"), &missing, &[])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, b"2 threads, 1000 pairs each\n");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        stderr
            .matches("locktoll: nothing could be recorded")
            .count(),
        1,
        "{stderr}"
    );
}

/// Has the program that `command` starts run under a limit of `bytes` on its address space.
fn limit_address_space(command: &mut Command, bytes: u64) {
    // SAFETY: as above.
    unsafe {
        command.pre_exec(move || {
            let limit = libc::rlimit {
                rlim_cur: bytes,
                rlim_max: bytes,
            };
            assert_eq!(libc::setrlimit(libc::RLIMIT_AS, &raw const limit), 0);
            Ok(())
        });
    }
}

#[test]
fn a_process_without_address_space_to_spare_runs_all_the_same() {
    /// More than the library itself takes, code and all, when it records nothing.
    const LIBRARY_BYTES: u64 = 512 << 10;
    let program = program("constructors.c");
    let mut unrecorded = 0;
    for limit in (2 << 20..8 << 20).step_by(LIBRARY_BYTES as usize) {
        let mut bare = command(&program);
        limit_address_space(&mut bare, limit - LIBRARY_BYTES);
        let bare = bare.output();
        if !bare.as_ref().is_ok_and(|output| output.status.success()) {
            // Not even the program itself fits.
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut recorded = command_recorded(&program, folder.path(), &[]);
        limit_address_space(&mut recorded, limit);
        let recorded = recorded.output().unwrap();
        assert!(recorded.status.success(), "{limit}: {recorded:?}");
        assert_eq!(recorded.stdout, bare.unwrap().stdout);
        let said = String::from_utf8_lossy(&recorded.stderr).contains("nothing could be recorded");
        unrecorded += u32::from(said);
    }
    assert!(unrecorded > 0, "no limit was tight enough to show anything");
}

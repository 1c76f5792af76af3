//! Runs a program on given CPUs, under SCHED_FIFO where that is permitted, and counts its context switches and processor time.

use std::io::Read;
use std::mem::MaybeUninit;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// What a program printed, and the switches that the kernel counted for it and its children.
pub struct Ran {
    /// Standard output and standard error.
    pub text: String,
    /// Voluntary and involuntary context switches.
    pub switches: f64,
    /// User and kernel time, in nanoseconds.
    pub cpu_ns: f64,
}

/// Whether `chrt -f 1` is permitted here. `locktoll machine` takes SCHED_FIFO where it can, so its peers do, too.
pub fn real_time() -> bool {
    let probe = Command::new("chrt")
        .args(["-f", "1", "true"])
        .stderr(Stdio::null())
        .status();
    probe.is_ok_and(|status| status.success())
}

/// Runs `words` on `cpus` (a list for taskset; empty for all).
pub fn ran(words: &[&str], cpus: &str, real_time: bool) -> anyhow::Result<Ran> {
    let mut all: Vec<&str> = Vec::new();
    if real_time {
        all.extend(["chrt", "-f", "1"]);
    }
    if !cpus.is_empty() {
        all.extend(["taskset", "-c", cpus]);
    }
    all.extend(words);
    let (mut reader, writer) = std::io::pipe()?;
    let mut command = Command::new(all[0]);
    command
        .args(&all[1..])
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let child = command
        .spawn()
        .with_context(|| format!("cannot start {}", all[0]))?;
    // The writing ends that are ours go with it.
    drop(command);
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the child has not been waited for; both places are ours and of the right types.
    let waited = unsafe {
        libc::wait4(
            child.id() as libc::pid_t,
            &raw mut status,
            0,
            usage.as_mut_ptr(),
        )
    };
    ensure!(waited > 0, "wait4: {}", std::io::Error::last_os_error());
    let good = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
    ensure!(good, "{} failed: {}", words.join(" "), text.trim());
    // SAFETY: zeroed, and filled in by the kernel; every pattern is valid in plain integers.
    let usage = unsafe { usage.assume_init() };
    let ns = |time: libc::timeval| time.tv_sec as f64 * 1e9 + time.tv_usec as f64 * 1e3;
    Ok(Ran {
        text,
        cpu_ns: ns(usage.ru_utime) + ns(usage.ru_stime),
        switches: (usage.ru_nvcsw + usage.ru_nivcsw) as f64,
    })
}

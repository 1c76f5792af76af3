//! The program as `cargo install locktoll` gives it to a user, and what it can do.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// Installs the program from the packages of the cargo in `home`, into `to`, and returns its path. Its profile is the tests' one,
/// whose dependencies `cargo package` has just built into `build`; a release builds for longer and from the same sources.
pub fn install(
    home: &Path,
    build: &Path,
    to: &Path,
    environment: [(&str, &str); 2],
) -> anyhow::Result<PathBuf> {
    let status = Command::new(env!("CARGO"))
        .args(["install", "locktoll", "--locked", "--debug", "--no-track"])
        .arg("--root")
        .arg(to)
        .arg("--target-dir")
        .arg(build)
        // Not below the checkout, whose settings and sources it must not find.
        .current_dir("/")
        .env("CARGO_HOME", home)
        .envs(environment)
        .status()?;
    ensure!(status.success(), "cargo install locktoll failed");
    Ok(to.join("bin/locktoll"))
}

/// Records a program with locks and reads the recording, and runs it on another lock: the two carried libraries work.
pub fn check(locktoll: &Path, folder: &Path) -> anyhow::Result<()> {
    let recording = folder.join("installed.locktoll");
    let program = program_with_locks(folder)?;
    let output = |words: &[&std::ffi::OsStr]| -> anyhow::Result<String> {
        let out = Command::new(locktoll)
            .args(words)
            .current_dir("/")
            .output()?;
        let said = String::from_utf8_lossy(&out.stderr);
        ensure!(out.status.success(), "{words:?} failed: {}", said.trim());
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let word = std::ffi::OsStr::new;
    output(&[
        word("record"),
        word("-q"),
        word("-o"),
        recording.as_os_str(),
        word("--"),
        program.as_os_str(),
    ])?;
    let report = output(&[
        word("report"),
        recording.as_os_str(),
        word("--format"),
        word("json"),
    ])?;
    let report: serde_json::Value = serde_json::from_str(&report)?;
    let seen = report["locks"][0]["acquisitions"].as_u64();
    ensure!(
        seen.is_some_and(|seen| seen >= 20_000),
        "the installed program recorded {seen:?} acquisitions of at least 20000"
    );
    let tried = output(&[
        word("try"),
        word("--json"),
        word("--rounds"),
        word("2"),
        word("--lock"),
        word("tollgate"),
        word("--"),
        program.as_os_str(),
    ])?;
    let tried: serde_json::Value = serde_json::from_str(&tried)?;
    let replaced = tried["results"].as_array().is_some_and(|rows| {
        rows.iter().any(|row| {
            row["lock"] == "tollgate"
                && row["coverage"]["locks_replaced"].as_u64().unwrap_or(0) >= 1
        })
    });
    ensure!(
        replaced,
        "`try` of the installed program replaced no lock: {tried}"
    );
    Ok(())
}

/// Two threads that take one lock 10,000 times each.
fn program_with_locks(folder: &Path) -> anyhow::Result<PathBuf> {
    let source = "\
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counter;
static void *work(void *unused) {
    for (int i = 0; i < 10000; i++) { pthread_mutex_lock(&lock); counter++; pthread_mutex_unlock(&lock); }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return counter != 20000;
}
";
    let file = folder.join("two_threads.c");
    let program = folder.join("two_threads");
    std::fs::write(&file, source)?;
    let status = Command::new("cc")
        .args(["-O1", "-pthread", "-o"])
        .arg(&program)
        .arg(&file)
        .status()
        .context("cannot start cc")?;
    ensure!(status.success(), "cc failed");
    Ok(program)
}

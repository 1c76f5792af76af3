//! How long `locktoll report` takes, and what memory, with very many locks.

use std::path::Path;

use anyhow::ensure;
use locktoll_lab::stats::estimate;

use super::way::{Place, Way};
use crate::build;

/// Locks in the recording.
const LOCKS: &str = "1000000";

/// Reports made.
const RUNS: usize = 7;

/// Records a program with very many locks, and prints what the report of it takes.
pub fn run() -> anyhow::Result<()> {
    let locktoll = build::locktoll()?;
    let place = Place::new(build::preload_library()?, false)?;
    let program = build::c_program("tests/programs/locks_alive.c", &place.path(""))?;
    let recording = place.path("many.locktoll");
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let (locktoll, recording) = (path(&locktoll), path(&recording));
    let words = [
        &*locktoll,
        "record",
        "--quiet",
        "-o",
        &recording,
        "--",
        &path(&program),
        LOCKS,
        "2",
    ];
    place.command(Way::Bare, &words)?.run()?;
    let bytes = std::fs::metadata(&recording)?.len();
    println!(
        "{LOCKS} mutexes, each taken twice: a recording of {:.1} MB",
        bytes as f64 / 1e6
    );
    for format in ["text", "json", "html"] {
        let mut seconds = Vec::new();
        let mut peak_kib = 0;
        for _ in 0..RUNS {
            let words = [&*locktoll, "report", "--format", format, &recording];
            let finished = place.command(Way::Bare, &words)?.run()?;
            ensure!(!finished.output.is_empty(), "an empty report");
            seconds.push(finished.wall_seconds);
            peak_kib = finished.peak_kib.max(peak_kib);
        }
        let time = estimate(&seconds).expect("there were runs");
        println!(
            "  report --format {format}: {:.2} s ({:.2} .. {:.2}), at most {} MiB",
            time.median,
            time.low,
            time.high,
            peak_kib / 1024
        );
    }
    Ok(())
}

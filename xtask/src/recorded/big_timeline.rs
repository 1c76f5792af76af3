//! How long `locktoll report` takes to write a trace of a long timeline, and what memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use locktoll_lab::stats::estimate;

use super::way::{Place, Way};
use crate::build;

/// Threads of the recorded program, and the operations of each.
const PROGRAM: [&str; 2] = ["4", "2500000"];

/// Traces written.
const RUNS: usize = 7;

/// The goals with 10,000,000 events.
const GOALS: &str = "Goals: at most 5 s, and at most 1,024 MiB";

/// Records 10,000,000 holds of a contended lock, with their waits, and prints what the traces of them take. `locktoll` is the
/// program, if it is built already.
pub fn run(locktoll: Option<&str>) -> anyhow::Result<()> {
    let locktoll = locktoll.map_or_else(build::locktoll, |it| Ok(PathBuf::from(it)))?;
    let place = Place::new(PathBuf::new(), false)?;
    let program = build::c_program("tests/programs/contended_list.c", &place.path(""))?;
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let (locktoll, program) = (path(&std::path::absolute(locktoll)?), path(&program));
    let recording = path(&place.path("long.locktoll"));
    let mut words = vec![&*locktoll, "record", "--quiet", "--spin", "off"];
    words.extend(["--timeline=2GiB", "--timeline-of", "everything"]);
    words.extend(["-o", &recording, "--", &program]);
    words.extend(PROGRAM);
    place.command(Way::Bare, &words)?.run()?;
    println!(
        "4 threads, 10,000,000 holds of one mutex: a recording of {} MiB",
        mib(&recording)?
    );
    for (format, name) in [("perfetto", "long.pftrace"), ("firefox", "long.json.gz")] {
        let trace = path(&place.path(name));
        let words = [
            &*locktoll, "report", &recording, "--format", format, "-o", &trace,
        ];
        let (mut seconds, mut peak_kib) = (Vec::new(), 0);
        for _ in 0..RUNS {
            let finished = place.command(Way::Bare, &words)?.run()?;
            seconds.push(finished.wall_seconds);
            peak_kib = finished.peak_kib.max(peak_kib);
        }
        let time = estimate(&seconds).context("there were no runs")?;
        println!(
            "  report --format {format}: {:.2} s ({:.2} .. {:.2}), at most {} MiB; {} MiB written",
            time.median,
            time.low,
            time.high,
            peak_kib / 1024,
            mib(&trace)?
        );
        if format == "perfetto" {
            let packets = packets(&trace)?;
            // Each hold begins and ends.
            ensure!(packets > 20_000_000, "the trace has {packets} packets");
            println!("    {packets} packets");
        }
    }
    println!("{GOALS}");
    Ok(())
}

fn mib(file: &str) -> anyhow::Result<u64> {
    Ok(std::fs::metadata(file)?.len() >> 20)
}

/// Counts the packets of a trace: each begins with a byte for its kind, and its length.
fn packets(trace: &str) -> anyhow::Result<u64> {
    let mut trace = BufReader::with_capacity(1 << 20, File::open(trace)?);
    let mut packets = 0;
    while !trace.fill_buf()?.is_empty() {
        let mut byte = [0];
        trace.read_exact(&mut byte)?;
        ensure!(byte == [0x0A], "not a packet");
        let (mut length, mut shift) = (0_i64, 0);
        loop {
            trace.read_exact(&mut byte)?;
            length |= i64::from(byte[0] & 0x7F) << shift;
            shift += 7;
            if byte[0] < 0x80 {
                break;
            }
        }
        trace.seek_relative(length)?;
        packets += 1;
    }
    Ok(packets)
}

//! RocksDB's own benchmark: writers in groups, compaction in the background, a cache in shards; with checksums.

use super::contestants::{Run, on_every_lock};
use super::pace::seconds;
use super::process::Running;

#[test]
fn rocksdb() {
    if locktoll_needs::programs(&["db_bench", "ldb"]) {
        on_every_lock("rocksdb", bench);
    }
}

/// Keys in the store.
const KEYS: u32 = 3_000;

fn bench(run: &Run) -> Result<(), String> {
    // Threads that do nothing but spin take the processors from the holder of the lock: a few are enough to show it.
    let (threads, jobs) = if run.is_pure_spinner() {
        (2, 1)
    } else {
        (4, 3)
    };
    let bench = |benches: &str, threads: u32, more: &[String]| {
        let mut program = run.command("db_bench");
        program.args([
            "--value_size=300",
            "--write_buffer_size=1048576",
            "--target_file_size_base=262144",
            "--cache_size=65536",
            "--verify_checksum=true",
            "--compression_type=none",
        ]);
        program
            .arg(format!("--benchmarks={benches}"))
            .arg(format!("--threads={threads}"))
            .arg(format!("--max_background_jobs={jobs}"))
            .arg(format!("--num={KEYS}"))
            .arg(format!("--db={}", run.path("db").display()));
        Running::start(program.args(more), run.path("log"))?.finish()
    };
    bench("fillseq", 1, &[])?;
    let each = (seconds() / 3.0).ceil() as u64;
    let more = [
        "--use_existing_db=true".to_owned(),
        format!("--duration={each}"),
    ];
    let said = bench(
        "overwrite,readrandom,readwhilewriting,compact,verifychecksum",
        threads,
        &more,
    )?;
    // `(2000 of 2000 found)`, for each bench that reads.
    let mut found = 0;
    for part in said.split('(').skip(1) {
        let Some((counts, _)) = part.split_once(" found)") else {
            continue;
        };
        let (got, of) = counts.split_once(" of ").ok_or_else(|| said.clone())?;
        if got != of {
            return Err(format!("{got} of {of} keys were found: {said}"));
        }
        found += 1;
    }
    if found < 2 || !said.contains("verifychecksum") {
        return Err(format!("not all benches ran: {said}"));
    }
    // The same store, looked at by another program without us.
    let mut tool = std::process::Command::new("ldb");
    tool.arg(format!("--db={}", run.path("db").display()));
    let count = Running::start(tool.args(["dump", "--count_only"]), run.path("count"))?.finish()?;
    match count.contains(&format!("Keys in range: {KEYS}\n")) {
        true => Ok(()),
        false => Err(format!("not {KEYS} keys: {count}")),
    }
}

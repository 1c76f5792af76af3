//! RocksDB's own benchmark: writers in groups, compaction in the background, a cache in shards; with checksums.

use super::contestants::{Run, on_every_lock};
use super::pace::steps;
use super::process::{Running, is_there};

#[test]
fn rocksdb() {
    if is_there("db_bench") && is_there("ldb") {
        on_every_lock("rocksdb", bench);
    }
}

fn bench(run: &Run) -> Result<(), String> {
    let keys = steps(run, 8_000);
    let mut program = run.command("db_bench");
    program.args([
        "--benchmarks=fillseq,overwrite,readrandom,compact,readrandom,readwhilewriting,verifychecksum",
        "--threads=4",
        "--value_size=300",
        "--write_buffer_size=262144",
        "--target_file_size_base=262144",
        "--max_background_jobs=3",
        "--cache_size=65536",
        "--verify_checksum=true",
        "--compression_type=none",
        "--disable_wal=false",
    ]);
    program.arg(format!("--num={keys}"));
    program.arg(format!("--db={}", run.path("db").display()));
    let said = Running::start(&mut program, run.path("log"))?.finish()?;
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
    if found < 3 || !said.contains("verifychecksum") {
        return Err(format!("not all benches ran: {said}"));
    }
    // The same store, looked at by another program without us.
    let mut tool = std::process::Command::new("ldb");
    tool.arg(format!("--db={}", run.path("db").display()));
    let count = Running::start(tool.args(["dump", "--count_only"]), run.path("count"))?.finish()?;
    match count.contains(&format!("Keys in range: {keys}\n")) {
        true => Ok(()),
        false => Err(format!("not {keys} keys: {count}")),
    }
}

//! What the page draws before it has read the blocks: of each thread, the parts of time in which it waited for the lock that
//! is shown first, and held it.

use serde_json::{Value, json};

use super::columns::encoded;
use super::interval::Kind;
use super::sorted::Sorted;

/// Parts of the whole time.
const BUCKETS: usize = 1_024;

/// The number of threads that it has.
const THREADS: usize = 256;

/// Returns `{buckets, threads, data}`: for each thread `buckets` bytes for waits, and as many for holds.
///
/// # Errors
/// None are known: it is written to memory.
pub fn overview(all: &Sorted<'_>, lock: u32) -> anyhow::Result<Value> {
    let threads = all.of.threads.len().min(THREADS);
    let mut data = Vec::with_capacity(2 * threads * BUCKETS);
    for thread in 0..threads {
        let mut parts = [[0.0; BUCKETS]; 2];
        for row in &all.rows[all.first[thread]..all.first[thread + 1]] {
            let it = row.interval(all.of);
            let lane = match it.kind {
                Kind::Wait | Kind::Event => 0,
                Kind::Hold => 1,
                _ => continue,
            };
            if it.lock == lock {
                add(&mut parts[lane], all, it.begin_ns, it.end_ns);
            }
        }
        data.extend(parts.iter().flatten().map(|&part| byte(part)));
    }
    Ok(json!({ "buckets": BUCKETS, "threads": threads, "data": encoded([&data[..]])? }))
}

/// Adds an interval to the buckets that it overlaps with.
fn add(parts: &mut [f64; BUCKETS], all: &Sorted<'_>, begin_ns: u64, end_ns: u64) {
    let (from, to) = (
        all.of.begin_ns,
        all.of.end_ns.max(all.of.begin_ns.saturating_add(1)),
    );
    let width = (to - from) as f64 / BUCKETS as f64;
    let place = |ns: u64| (ns.clamp(from, to) - from) as f64 / width;
    let (begin, end) = (place(begin_ns), place(end_ns));
    let last = (end as usize).min(BUCKETS - 1);
    for (at, part) in parts
        .iter_mut()
        .enumerate()
        .take(last + 1)
        .skip(begin as usize)
    {
        *part += (end.min(at as f64 + 1.0) - begin.max(at as f64)).max(0.0);
    }
}

/// 255 is all of a bucket; anything above nothing can be seen.
fn byte(part: f64) -> u8 {
    (part.min(1.0) * 255.0).ceil() as u8
}

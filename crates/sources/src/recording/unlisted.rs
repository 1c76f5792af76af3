//! Threads whose lives are not listed: of processes that are added up, and most of those that ended under `record --live`.

use locktoll_recording::layout::DropReason;
use locktoll_recording::reader::Part;
use locktoll_terminal::quantity::counted;

/// Returns their lifetimes in one part, added up, in nanoseconds; `None` if they are not known.
pub fn ns(part: &Part) -> Option<u64> {
    match (part.process.unlisted_ns, threads(part)) {
        (None, 0) => Some(0),
        (known, _) => known,
    }
}

/// Returns the same for all parts.
pub fn all_ns(parts: &[&Part]) -> Option<u64> {
    let each = parts.iter().map(|part| ns(part));
    each.sum::<Option<u64>>()
}

/// Reports that the threads' time, and so every share of it, is not known.
pub fn remark(parts: &[&Part]) -> Option<String> {
    let unknown = parts.iter().filter(|part| ns(part).is_none());
    let threads = unknown
        .map(|part| threads(part))
        .reduce(u64::saturating_add)?;
    Some(format!(
        "an earlier version of locktoll made the recording, and the lifetimes of {} in it are not known: shares of the threads' time \
         are left out; record again to see them",
        counted(
            threads,
            "thread that is not listed",
            "threads that are not listed"
        )
    ))
}

/// A sum has threads, whether or not their number is known.
fn threads(part: &Part) -> u64 {
    let counted = part.dropped.count(DropReason::ThreadUnwritten);
    counted.max(part.process.added_up.unwrap_or(0))
}

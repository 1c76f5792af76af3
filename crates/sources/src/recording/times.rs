//! Durations, some of whose ends were not seen.

use locktoll_recording::reader::Part;

/// Times of a whole recording, nanoseconds.
pub struct Times {
    /// When the first process began, `CLOCK_MONOTONIC`.
    pub start_ns: u64,
    /// The time from `start_ns` to the last end.
    pub duration_ns: u64,
    /// When each part ended, `CLOCK_MONOTONIC`, in the order of the parts.
    pub part_end_ns: Vec<u64>,
}

impl Times {
    /// Computes the times from parts in the order of their start.
    pub fn of(parts: &[&Part]) -> Self {
        let start_ns = parts
            .first()
            .map_or(0, |part| part.process.start_monotonic_ns);
        let part_end_ns: Vec<u64> = (0..parts.len())
            .map(|position| end_of(parts[position], parts.get(position + 1..)))
            .collect();
        let last = part_end_ns.iter().copied().max().unwrap_or(start_ns);
        Self {
            start_ns,
            duration_ns: last.saturating_sub(start_ns),
            part_end_ns,
        }
    }
}

/// Returns when a process image ended: according to its own record, or when the same process began its next image (exec), or
/// otherwise the last time that appears in its records.
fn end_of(part: &Part, later: Option<&[&Part]>) -> u64 {
    let process = &part.process;
    if let Some(end) = process.end_monotonic_ns {
        return end;
    }
    let next_image = later
        .unwrap_or_default()
        .iter()
        .find(|next| next.process.pid == process.pid && next.process.sequence > process.sequence);
    if let Some(next) = next_image {
        return next.process.start_monotonic_ns;
    }
    let threads = part.threads.iter().flat_map(|thread| {
        let waiting = thread.waiting.map(|waiting| waiting.since_ns);
        // Its waits that have ended lie in its life.
        let waited_ns = thread.lock_wait_ns.saturating_add(thread.signal_wait_ns);
        let waited_until_ns = thread.start_ns.saturating_add(waited_ns);
        [Some(waited_until_ns), thread.end_ns, waiting]
    });
    threads
        .flatten()
        .max()
        .unwrap_or(process.start_monotonic_ns)
}

//! What the agent itself uses.

use rustix::process::getpid;
use rustix::time::{ClockId, clock_gettime};

use locktoll_terminal::system::files::text_of_process;

/// CPU time and memory of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OwnCost {
    /// CPU time of all threads, seconds.
    pub cpu_seconds: f64,
    /// Memory that is resident, bytes; `None` if it cannot be read.
    pub resident_bytes: Option<u64>,
}

impl OwnCost {
    /// Reads both.
    pub fn now() -> Self {
        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        Self {
            cpu_seconds: cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9,
            resident_bytes: resident_bytes(),
        }
    }
}

fn resident_bytes() -> Option<u64> {
    let own = getpid().as_raw_pid() as u32;
    let sizes = text_of_process(own, "statm").ok()?;
    let pages: u64 = sizes.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_more_than_nothing() {
        let cost = OwnCost::now();
        assert!(
            cost.cpu_seconds > 0.0 && cost.resident_bytes > Some(0),
            "{cost:?}"
        );
    }
}

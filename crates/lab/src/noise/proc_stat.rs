//! The counters of `/proc/stat` (proc_stat(5)).

use crate::machine::Tree;

/// CPU time of all CPUs since boot, in kernel ticks, and what is running now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProcStat {
    /// Time spent running anything at all, interrupts included.
    pub(super) busy_ticks: u64,
    /// Time a hypervisor ran something else while a CPU here had work.
    pub(super) steal_ticks: u64,
    /// All time, idle included.
    pub(super) total_ticks: u64,
    /// Threads running or ready to run, on all CPUs.
    pub(super) runnable: Option<u64>,
}

impl ProcStat {
    pub(super) fn read(tree: &Tree) -> Option<ProcStat> {
        Self::parse(&tree.text("/proc/stat")?)
    }

    fn parse(text: &str) -> Option<ProcStat> {
        let mut lines = text.lines();
        let times: Vec<u64> = lines
            .find_map(|line| line.strip_prefix("cpu "))?
            .split_ascii_whitespace()
            .map_while(|field| field.parse().ok())
            .collect();
        // Guest time, the two fields that follow, is already part of user and nice.
        let [user, nice, system, idle, iowait, irq, softirq, steal, ..] = times[..] else {
            return None;
        };
        let busy_ticks = user + nice + system + irq + softirq;
        Some(ProcStat {
            busy_ticks,
            steal_ticks: steal,
            total_ticks: busy_ticks + idle + iowait + steal,
            runnable: lines
                .find_map(|line| line.strip_prefix("procs_running "))
                .and_then(|count| count.trim().parse().ok()),
        })
    }
}

/// Nanoseconds in one tick of `/proc/stat` (`sysconf(_SC_CLK_TCK)`, usually 100 a second).
pub(super) fn tick_ns() -> f64 {
    // SAFETY: sysconf only reads.
    let ticks_per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    1e9 / ticks_per_second.max(1) as f64
}

/// Threads of this process that run or are ready to run, the calling one included.
pub(super) fn own_runnable(tree: &Tree) -> u64 {
    let running = |task: &String| {
        let stat = tree.text(&format!("/proc/self/task/{task}/stat"))?;
        // The name in parentheses may itself hold parentheses and spaces; the state follows it.
        let (_, after_name) = stat.rsplit_once(") ")?;
        after_name.starts_with('R').then_some(())
    };
    let tasks = tree.names("/proc/self/task");
    (tasks.iter().filter_map(running).count() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fake;

    const TEXT: &str = "cpu  10 1 5 100 4 2 3 7 9 9\ncpu0 10 1 5 100 4 2 3 7 9 9\nintr 5\n\
        ctxt 77\nprocs_running 3\nprocs_blocked 0\n";

    #[test]
    fn sums_by_kind_of_time() {
        let stat = ProcStat::parse(TEXT).unwrap();
        assert_eq!(stat.busy_ticks, 21);
        assert_eq!(stat.steal_ticks, 7);
        assert_eq!(stat.total_ticks, 132);
        assert_eq!(stat.runnable, Some(3));
    }

    #[test]
    fn rubbish_is_nothing() {
        assert_eq!(ProcStat::parse(""), None);
        assert_eq!(ProcStat::parse("cpu  1 2 3\n"), None);
        assert_eq!(ProcStat::parse("cpu  1 2 x 4 5 6 7 8\n"), None);
    }

    #[test]
    fn a_thread_with_an_awkward_name_is_counted() {
        let (_folder, tree) = fake::tree(&[
            ("/proc/self/task/10/stat", "10 (a) S (b) R 1 10"),
            ("/proc/self/task/11/stat", "11 (R ) ) S 1 10"),
            ("/proc/self/task/12/stat", "12 (x) R 1 10"),
        ]);
        assert_eq!(own_runnable(&tree), 2);
    }

    #[test]
    fn the_caller_runs_by_definition() {
        let (_folder, tree) = fake::tree(&[]);
        assert_eq!(own_runnable(&tree), 1);
    }
}

//! The counters of `/proc/stat` (proc_stat(5)).

use super::tree::Tree;

/// The kernel's counts since boot, for all CPUs, and the threads that run now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProcStat {
    /// How the CPUs' time was spent.
    pub(crate) ticks: CpuTicks,
    /// Context switches of all CPUs, including those from and to idle.
    pub(crate) switches: Option<u64>,
    /// Processes and threads started.
    pub(crate) started: Option<u64>,
    /// Threads running or ready to run, on all CPUs.
    pub(crate) runnable: Option<u64>,
    /// Threads blocked on input or output.
    pub(crate) blocked: Option<u64>,
}

/// CPU time of all CPUs since boot by kind, in kernel ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CpuTicks {
    /// Programs' own code, guests included.
    pub(crate) user: u64,
    /// The same at lower priority.
    pub(crate) nice: u64,
    /// The kernel on behalf of programs, and kernel threads.
    pub(crate) system: u64,
    /// Nothing to do.
    pub(crate) idle: u64,
    /// Nothing to do while a thread waited for a disk.
    pub(crate) iowait: u64,
    /// Interrupts.
    pub(crate) irq: u64,
    /// Deferred work of interrupts.
    pub(crate) softirq: u64,
    /// A hypervisor ran something else while a CPU here had work.
    pub(crate) steal: u64,
}

impl CpuTicks {
    /// Returns the time spent running anything, including interrupts.
    pub(crate) fn busy(&self) -> u64 {
        self.user + self.nice + self.system + self.irq + self.softirq
    }

    /// Returns all time, including idle.
    pub(crate) fn total(&self) -> u64 {
        self.busy() + self.idle + self.iowait + self.steal
    }

    fn parse(line: &str) -> Option<CpuTicks> {
        let times: Vec<u64> = line
            .split_ascii_whitespace()
            // Sums of eight such counters are far from overflowing.
            .map_while(|field| field.parse().ok().filter(|ticks| *ticks < 1 << 60))
            .collect();
        // Guest time, the two fields that follow, is already part of user and nice.
        let [user, nice, system, idle, iowait, irq, softirq, steal, ..] = times[..] else {
            return None;
        };
        Some(CpuTicks {
            user,
            nice,
            system,
            idle,
            iowait,
            irq,
            softirq,
            steal,
        })
    }
}

impl ProcStat {
    pub(crate) fn read(tree: &Tree) -> Option<ProcStat> {
        Self::parse(&tree.text("/proc/stat")?)
    }

    fn parse(text: &str) -> Option<ProcStat> {
        let mut stat = ProcStat {
            ticks: text
                .lines()
                .find_map(|line| line.strip_prefix("cpu "))
                .and_then(CpuTicks::parse)?,
            ..ProcStat::default()
        };
        for line in text.lines() {
            let Some((name, value)) = line.split_once(' ') else {
                continue;
            };
            let counter = match name {
                "ctxt" => &mut stat.switches,
                "processes" => &mut stat.started,
                "procs_running" => &mut stat.runnable,
                "procs_blocked" => &mut stat.blocked,
                _ => continue,
            };
            *counter = value.trim().parse().ok();
        }
        Some(stat)
    }
}

/// Returns the nanoseconds in one tick of `/proc/stat` (`sysconf(_SC_CLK_TCK)`, usually 100 a second).
pub(crate) fn tick_ns() -> f64 {
    // SAFETY: sysconf only reads.
    let ticks_per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    1e9 / ticks_per_second.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "cpu  10 1 5 100 4 2 3 7 9 9\ncpu0 10 1 5 100 4 2 3 7 9 9\nintr 5\n\
        ctxt 77\nprocesses 12\nprocs_running 3\nprocs_blocked 0\n";

    #[test]
    fn sums_by_kind_of_time() {
        let stat = ProcStat::parse(TEXT).unwrap();
        assert_eq!(stat.ticks.busy(), 21);
        assert_eq!(stat.ticks.steal, 7);
        assert_eq!(stat.ticks.total(), 132);
        assert_eq!(stat.switches, Some(77));
        assert_eq!(stat.started, Some(12));
        assert_eq!(stat.runnable, Some(3));
        assert_eq!(stat.blocked, Some(0));
    }

    #[test]
    fn rubbish_is_nothing() {
        assert_eq!(ProcStat::parse(""), None);
        assert_eq!(ProcStat::parse("cpu  1 2 3\n"), None);
        assert_eq!(ProcStat::parse("cpu  1 2 x 4 5 6 7 8\n"), None);
    }

    #[test]
    fn a_masked_file_has_times_and_no_counts() {
        let stat = ProcStat::parse("cpu  1 2 3 4 5 6 7 8 9 10\nctxt many\n").unwrap();
        assert_eq!(stat.switches, None);
        assert_eq!(stat.runnable, None);
    }

    proptest! {
        #[test]
        fn any_text_gives_counters_or_nothing(text in "(cpu +[0-9 ]{0,200}\n)?(ctxt [0-9]{0,30}\n)?\\PC{0,40}") {
            if let Some(stat) = ProcStat::parse(&text) {
                prop_assert!(stat.ticks.total() >= stat.ticks.busy());
            }
        }
    }
}

//! The contents of `/proc` about the whole machine.

use crate::platform::linux::{ProcStat, Tree};

/// The machine's counters at one moment; an unreadable one is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SystemReading {
    /// `/proc/stat`.
    pub(super) stat: Option<ProcStat>,
    /// `/proc/loadavg`.
    pub(super) load: Option<LoadAverage>,
    /// Time in which at least one thread was ready to run but had no CPU, since boot, in microseconds: the line `some` of
    /// `/proc/pressure/cpu`.
    pub(super) cpu_pressure_us: Option<u64>,
    /// How often a CPU took up a thread, since boot, not counting idle: `/proc/schedstat`.
    pub(super) taken_up: Option<u64>,
}

/// `/proc/loadavg` (proc_loadavg(5)).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LoadAverage {
    /// Threads that ran, were ready to run or waited for a disk: averages over 1, 5 and 15 minutes.
    pub(super) averages: [f64; 3],
    /// Threads of the whole machine, including those that this process cannot see.
    pub(super) threads: u64,
}

impl SystemReading {
    pub(super) fn take(tree: &Tree) -> Self {
        Self {
            stat: ProcStat::read(tree),
            load: tree
                .text("/proc/loadavg")
                .and_then(|text| LoadAverage::parse(&text)),
            cpu_pressure_us: tree
                .text("/proc/pressure/cpu")
                .and_then(|text| parse_pressure(&text)),
            taken_up: tree
                .text("/proc/schedstat")
                .and_then(|text| parse_taken_up(&text)),
        }
    }
}

impl LoadAverage {
    fn parse(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let [one, five, fifteen, of_all, ..] = fields[..] else {
            return None;
        };
        let average = |text: &str| text.parse().ok().filter(|load: &f64| load.is_finite());
        let (_, threads) = of_all.split_once('/')?;
        Some(Self {
            averages: [average(one)?, average(five)?, average(fifteen)?],
            threads: threads.parse().ok()?,
        })
    }
}

fn parse_pressure(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = line
        .split_ascii_whitespace()
        .find_map(|field| field.strip_prefix("total="))?;
    total.parse().ok()
}

/// Sums the ninth figure of each CPU's line: the number of threads taken up. The kernel counts it even if scheduler statistics
/// are switched off (sched-stats.rst, versions 15 to 17; other versions may order the figures differently).
fn parse_taken_up(text: &str) -> Option<u64> {
    let version: u32 = text
        .lines()
        .find_map(|line| line.strip_prefix("version "))?
        .trim()
        .parse()
        .ok()?;
    if !(15..=17).contains(&version) {
        return None;
    }
    let cpus = text.lines().filter_map(|line| line.strip_prefix("cpu"));
    let mut sum: Option<u64> = None;
    for cpu in cpus {
        let count: u64 = cpu.split_ascii_whitespace().nth(9)?.parse().ok()?;
        sum = Some(sum.unwrap_or(0).checked_add(count)?);
    }
    sum
}

/// Reads how long a thread of normal weight may run before the scheduler looks for another one, in nanoseconds: `se.slice` of
/// this process (proc_pid_sched, kernels from 6.6).
pub(super) fn default_slice_ns(tree: &Tree) -> Option<u64> {
    parse_slice(&tree.text("/proc/self/sched")?)
}

fn parse_slice(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("se.slice"))?;
    let ns = line.trim_start_matches([' ', '\t', ':']).trim();
    ns.parse().ok().filter(|ns| *ns > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::linux::fake;
    use proptest::prelude::*;

    #[test]
    fn all_there_is_is_read() {
        let (_folder, tree) = fake::tree(&[
            ("/proc/stat", "cpu  1 2 3 4 5 6 7 8\nctxt 99\n"),
            ("/proc/loadavg", "0.20 1.00 12.34 3/450 999\n"),
            (
                "/proc/pressure/cpu",
                "some avg10=0.36 avg60=0.89 avg300=2.55 total=8273\nfull avg10=0.00 total=5\n",
            ),
            (
                "/proc/schedstat",
                "version 17\ntimestamp 1\ncpu0 7 0 1 2 3 4 5 6 100\ndomain0 MC 03 1 2\ncpu1 0 0 1 2 3 4 5 6 11\n",
            ),
            (
                "/proc/self/sched",
                "x (1, #threads: 1)\n---\nse.slice                :              1400000\n",
            ),
        ]);
        let read = SystemReading::take(&tree);
        assert_eq!(read.stat.unwrap().switches, Some(99));
        let load = read.load.unwrap();
        assert_eq!(load.averages, [0.2, 1.0, 12.34]);
        assert_eq!(load.threads, 450);
        assert_eq!(read.cpu_pressure_us, Some(8273));
        assert_eq!(read.taken_up, Some(111));
        assert_eq!(default_slice_ns(&tree), Some(1_400_000));
    }

    #[test]
    fn nothing_is_nothing() {
        let (_folder, tree) = fake::tree(&[]);
        assert_eq!(SystemReading::take(&tree), SystemReading::default());
        assert_eq!(default_slice_ns(&tree), None);
    }

    #[test]
    fn an_order_of_figures_that_is_not_known_is_not_guessed() {
        assert_eq!(parse_taken_up("version 14\ncpu0 7 0 1 2 3 4 5 6 9\n"), None);
        assert_eq!(parse_taken_up("version 15\ncpu0 7 0 1\n"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_figures_or_nothing(text in "\\PC{0,60}|((cpu0|version 17|some|se.slice) ?[0-9=:a-z ]{0,40}\n){0,4}") {
            let _ = LoadAverage::parse(&text);
            let _ = parse_pressure(&text);
            let _ = parse_taken_up(&text);
            let _ = parse_slice(&text);
        }
    }
}

//! How a check names what was measured: a run, a cell of it by its knobs, and a figure.

use locktoll_lab::cell::{Cell, SleepPoints};
use serde::Deserialize;

/// One measured thing. What is left out fits everything, and exactly one thing must be left.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// The run's name, where a claim has several.
    pub run: Option<String>,
    /// The figure; without one, the check's, else `ns_per_op`.
    pub figure: Option<Figure>,
    /// Knob of `bench`: the lock.
    pub lock: Option<String>,
    /// Knob of `bench`: the workload.
    pub workload: Option<String>,
    /// Knob of `bench`: competing threads, a number or such as "2*cpus".
    pub threads: Option<Threads>,
    /// Knob of `bench`: acquisitions before the releases.
    pub depth: Option<u32>,
    /// Knob of `bench`: work while holding, with its unit.
    pub hold: Option<String>,
    /// Knob of `bench`: random pieces of work while holding.
    pub delay: Option<u32>,
    /// Knob of `bench`: work between operations, with its unit.
    pub think: Option<String>,
    /// Knob of `bench`: where threads yield.
    pub sleep_points: Option<SleepPoints>,
    /// Knob of `bench`: threads in their loop at a time.
    pub active: Option<u32>,
    /// Knob of `bench`: spin count.
    pub spin: Option<u32>,
    /// Knob of `bench`: share of reads.
    pub read_ratio: Option<f64>,
    /// Knob of `bench`: locks of the hash table.
    pub stripes: Option<u32>,
    /// Knob of `bench`: bytes into the cache line.
    pub align: Option<u32>,
    /// Knob of `bench`: busy threads beside.
    pub hogs: Option<u32>,
    /// Of a `live` run: `before` or `during`.
    pub when: Option<When>,
    /// Of a `machine` run: a part of the price list by its name.
    pub part: Option<String>,
    /// Of a `machine` run: a whole hand-over, on one CPU or across two.
    pub hand_over: Option<Crossing>,
    /// Of a hand-over: one share of it by its name.
    pub share: Option<String>,
    /// Of a `machine` run: a price of Java's.
    pub java: Option<JavaPrice>,
    /// Of a `machine` run: misses that hardware counted for a switch.
    pub misses: Option<Misses>,
}

/// A number of threads, perhaps of so many for each CPU.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Threads {
    /// So many.
    Number(u32),
    /// Such as "cpus", "2*cpus", "2*cpus-1".
    PerCpu(String),
}

/// Half of a live run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Nothing of ours ran.
    Before,
    /// The cell ran.
    During,
}

/// Where the two threads of a hand-over run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crossing {
    /// On one CPU.
    SameCpu,
    /// On two.
    CrossCpu,
}

/// What is known of Java's locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JavaPrice {
    /// `LockSupport.park` and `unpark` in turn, one way.
    ParkUnpark,
    /// `synchronized`, uncontended.
    Synchronized,
    /// `ReentrantLock`, uncontended.
    ReentrantLock,
}

/// What hardware counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Misses {
    /// In the last-level cache.
    Cache,
    /// In the data TLB.
    Tlb,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Wall time an operation, as `bench` shows it.
    #[default]
    NsPerOp,
    /// Operations a second.
    OpsPerSecond,
    /// User CPU time an operation.
    UserNsPerOp,
    /// Kernel CPU time an operation.
    SystemNsPerOp,
    /// CPU time an operation, user and kernel.
    CpuNsPerOp,
    /// Kernel time over all CPU time, 0 to 1.
    SystemShare,
    /// CPU time over the time of all usable CPUs, 0 to 1.
    CpuLoad,
    /// Times a thread went to sleep, an operation.
    VoluntarySwitchesPerOp,
    /// Times a thread was made to give way, an operation.
    InvoluntarySwitchesPerOp,
    /// Both.
    SwitchesPerOp,
    /// Half of the acquisitions were faster.
    AcquireP50,
    /// One acquisition in a hundred took longer.
    AcquireP99,
    /// One in a thousand took longer.
    AcquireP999,
    /// The longest acquisition of a round.
    AcquireMax,
    /// Jain's index of fairness.
    Jain,
    /// The least busy thread's operations over the busiest one's.
    MinOverMax,
    /// Most acquisitions in a row by one thread.
    LongestRun,
    /// What the busy threads beside did, a second.
    BystanderPerSecond,
    /// Of a live run: context switches of the whole system a second.
    SwitchesPerSecond,
    /// Of a live run: share of all CPUs' time in user mode.
    UserTimeShare,
    /// Of a live run: share in the kernel.
    SystemTimeShare,
    /// Of a live run: share idle.
    IdleTimeShare,
    /// Of a live run: share of the switches of threads that waited for a futex.
    SwitchesByFutex,
    /// Of a live run: share for pipes, sockets, disks and events of descriptors.
    SwitchesByIo,
    /// Of a live run: share for time slices that were over.
    SwitchesBySlice,
    /// Of a live run: share for sched_yield, and for giving way to a thread that woke up.
    SwitchesByYield,
    /// Of a part of the price list: context switches that the kernel counted in a round.
    SwitchesCounted,
}

impl Figure {
    /// Its unit, for the axis of a chart.
    pub fn unit(self) -> &'static str {
        match self {
            Self::NsPerOp => "ns/op",
            Self::OpsPerSecond => "op/s",
            Self::UserNsPerOp => "user ns/op",
            Self::SystemNsPerOp => "kernel ns/op",
            Self::CpuNsPerOp => "CPU ns/op",
            Self::SystemShare => "kernel share of CPU time",
            Self::CpuLoad => "CPU load",
            Self::VoluntarySwitchesPerOp => "voluntary switches/op",
            Self::InvoluntarySwitchesPerOp => "involuntary switches/op",
            Self::SwitchesPerOp => "switches/op",
            Self::AcquireP50 => "ns to acquire, median",
            Self::AcquireP99 => "ns to acquire, p99",
            Self::AcquireP999 => "ns to acquire, p99.9",
            Self::AcquireMax => "ns to acquire, longest",
            Self::Jain => "Jain's index",
            Self::MinOverMax => "least over most operations",
            Self::LongestRun => "acquisitions in a row",
            Self::BystanderPerSecond => "loops of bystanders/s",
            Self::SwitchesPerSecond => "switches/s",
            Self::UserTimeShare => "user share of all time",
            Self::SystemTimeShare => "kernel share of all time",
            Self::IdleTimeShare => "idle share of all time",
            Self::SwitchesByFutex => "share of switches: futex",
            Self::SwitchesByIo => "share of switches: I/O",
            Self::SwitchesBySlice => "share of switches: time slice over",
            Self::SwitchesByYield => "share of switches: yield",
            Self::SwitchesCounted => "switches/round",
        }
    }
}

/// The knob along which a curve runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Competing threads.
    Threads,
    /// Acquisitions before the releases.
    Depth,
    /// Work while holding, nanoseconds.
    Hold,
    /// Random pieces of work while holding.
    Delay,
    /// Work between operations, nanoseconds.
    Think,
    /// Threads in their loop at a time.
    Active,
    /// Spin count.
    Spin,
    /// Share of reads.
    ReadRatio,
    /// Locks of the hash table.
    Stripes,
    /// Bytes into the cache line.
    Align,
    /// Busy threads beside.
    Hogs,
}

impl Axis {
    /// Every one.
    pub const ALL: [Self; 11] = [
        Self::Threads,
        Self::Depth,
        Self::Hold,
        Self::Delay,
        Self::Think,
        Self::Active,
        Self::Spin,
        Self::ReadRatio,
        Self::Stripes,
        Self::Align,
        Self::Hogs,
    ];

    /// Its name and unit, for the axis of a chart.
    pub fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Depth => "depth",
            Self::Hold => "hold, ns",
            Self::Delay => "delay",
            Self::Think => "think, ns",
            Self::Active => "active threads",
            Self::Spin => "spin count",
            Self::ReadRatio => "share of reads",
            Self::Stripes => "locks of the table",
            Self::Align => "bytes into the cache line",
            Self::Hogs => "busy threads beside",
        }
    }

    /// Where a cell lies on it.
    pub fn of(self, cell: &Cell) -> f64 {
        match self {
            Self::Threads => cell.threads.into(),
            Self::Depth => cell.depth.into(),
            Self::Hold => cell.hold_ns as f64,
            Self::Delay => cell.delay.into(),
            Self::Think => cell.think_ns as f64,
            Self::Active => cell.active.unwrap_or(cell.threads).into(),
            Self::Spin => cell.spin.unwrap_or(0).into(),
            Self::ReadRatio => cell.read_ratio,
            Self::Stripes => cell.stripes.into(),
            Self::Align => cell.align.into(),
            Self::Hogs => cell.hogs.into(),
        }
    }
}

impl Select {
    /// Whether every knob it names is set so in `cell`, on a machine with `cpus` CPUs.
    ///
    /// # Errors
    /// If a value of it cannot be read.
    pub fn fits(&self, cell: &Cell, cpus: u32) -> Result<bool, String> {
        let threads = match &self.threads {
            Some(threads) => Some(threads.number(cpus)?),
            None => None,
        };
        let time = |text: &Option<String>| text.as_deref().map(crate::cli::parse_time).transpose();
        let same = |wanted: Option<u32>, is: u32| wanted.is_none_or(|wanted| wanted == is);
        let spells = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|w| w == is);
        Ok(spells(&self.lock, &cell.lock)
            && spells(&self.workload, cell.workload.name())
            && same(threads, cell.threads)
            && same(self.depth, cell.depth)
            && time(&self.hold)?.is_none_or(|ns| ns == cell.hold_ns)
            && same(self.delay, cell.delay)
            && time(&self.think)?.is_none_or(|ns| ns == cell.think_ns)
            && self.sleep_points.is_none_or(|p| p == cell.sleep_points)
            && self.active.is_none_or(|n| Some(n) == cell.active)
            && self.spin.is_none_or(|n| Some(n) == cell.spin)
            && self.read_ratio.is_none_or(|p| p == cell.read_ratio)
            && same(self.stripes, cell.stripes)
            && same(self.align, cell.align)
            && same(self.hogs, cell.hogs))
    }
}

impl Threads {
    fn number(&self, cpus: u32) -> Result<u32, String> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::PerCpu(text) => per_cpu(text, cpus),
        }
    }
}

/// Works out "cpus", "2*cpus", "cpus+1" and "2*cpus-1".
///
/// # Errors
/// For anything else, and for results below 1.
pub fn per_cpu(text: &str, cpus: u32) -> Result<u32, String> {
    let wrong =
        || format!("'{text}' is no number of threads; accepted: such as 4, cpus, 2*cpus, 2*cpus-1");
    let (product, added) = match text.find(['+', '-']) {
        Some(at) => {
            let added: i64 = text[at + 1..].trim().parse().map_err(|_| wrong())?;
            let sign = if text[at..].starts_with('-') { -1 } else { 1 };
            (&text[..at], sign * added)
        }
        None => (text, 0),
    };
    let factor: i64 = match product
        .trim()
        .strip_suffix("cpus")
        .ok_or_else(wrong)?
        .trim()
    {
        "" => 1,
        factor => factor
            .strip_suffix('*')
            .and_then(|factor| factor.trim().parse().ok())
            .ok_or_else(wrong)?,
    };
    let number = factor
        .checked_mul(cpus.into())
        .and_then(|n| n.checked_add(added));
    number
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| *n > 0)
        .ok_or_else(wrong)
}

/// Puts this machine's numbers into flags: `{2*cpus}`, and `{cpu0}`, `{cpu1}` for the first CPUs that may be used.
///
/// # Errors
/// For braces around anything else, and for a CPU there is not.
pub fn fill_in(flags: &str, usable_cpus: &[usize]) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = flags;
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, behind) = behind
            .split_once('}')
            .ok_or_else(|| format!("a brace in '{flags}' is never closed"))?;
        filled.push_str(before);
        let index: Option<usize> = inside.strip_prefix("cpu").and_then(|i| i.parse().ok());
        match index {
            Some(index) => {
                let cpu = usable_cpus.get(index).ok_or_else(|| {
                    format!(
                        "'{{{inside}}}': only {} CPUs may be used",
                        usable_cpus.len()
                    )
                })?;
                filled.push_str(&cpu.to_string());
            }
            None => filled.push_str(&per_cpu(inside, usable_cpus.len() as u32)?.to_string()),
        }
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_each_cpu() {
        for (text, number) in [
            ("cpus", 2),
            ("4*cpus", 8),
            ("2*cpus-1", 3),
            ("cpus + 1", 3),
            ("3 * cpus", 6),
        ] {
            assert_eq!(per_cpu(text, 2), Ok(number), "{text}");
        }
        for wrong in [
            "",
            "4",
            "cpus*2",
            "cpus-2",
            "cpu",
            "2cpus",
            "cpus+x",
            "99999999999*cpus",
        ] {
            assert!(per_cpu(wrong, 2).is_err(), "{wrong}");
        }
    }

    #[test]
    fn braces_take_what_this_machine_has() {
        let filled = |flags| fill_in(flags, &[4, 7]);
        assert_eq!(
            filled("--threads 1,{4*cpus} --pin {cpu1}").unwrap(),
            "--threads 1,8 --pin 7"
        );
        assert_eq!(filled("--threads 1").unwrap(), "--threads 1");
        for wrong in ["{", "{cpu2}", "{nproc}", "{}"] {
            assert!(filled(wrong).is_err(), "{wrong}");
        }
    }
}

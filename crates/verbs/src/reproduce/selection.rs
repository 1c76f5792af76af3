//! How a check selects a measured figure: a run, a cell of it by its parameters, and a figure.

use locktoll_lab::cell::{Cell, SleepPoints};
use locktoll_lab::contender;
use serde::Deserialize;

use super::figure::Figure;
use super::placeholders::per_cpu;

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
    /// Of a part: another part that is subtracted.
    pub less: Option<String>,
    /// Of a `machine` run: a whole hand-over, on one CPU or across two.
    pub hand_over: Option<Crossing>,
    /// Of a hand-over: one share of it by its name.
    pub share: Option<String>,
    /// Of a `machine` run: a price of Java's.
    pub java: Option<JavaPrice>,
    /// Of a `kernel` run: waits from 2^first up to 2^second cycles.
    pub cycles: Option<[u32; 2]>,
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
        let time = |text: &Option<String>| {
            text.as_deref()
                .map(crate::arguments::parse_time)
                .transpose()
        };
        let same = |wanted: Option<u32>, is: u32| wanted.is_none_or(|wanted| wanted == is);
        let spells = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|w| w == is);
        let lock = self.lock.as_deref().map(contender::spelled_today);
        Ok(spells(&lock, &cell.lock)
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

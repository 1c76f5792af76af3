//! How a check selects a measured figure: a run, a cell of it by its parameters, and a figure.

use locktoll_lab::cell::{Cell, SleepPoints};
use locktoll_lab::contender;
use serde::Deserialize;

use super::figure::Figure;
use super::guest_plan::GuestHost;
use super::placeholders::per_cpu;

/// One measured thing. An omitted field matches everything, but exactly one thing must match in the end.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// The run's name, if a claim has several runs.
    pub run: Option<String>,
    /// The figure; by default the one of the check, or else `ns_per_op`.
    pub figure: Option<Figure>,
    /// Parameter of `bench`: the lock.
    pub lock: Option<String>,
    /// Parameter of `bench`: the workload.
    pub workload: Option<String>,
    /// Parameter of `bench`: competing threads, a number or an expression such as "2*cpus".
    pub threads: Option<Threads>,
    /// Parameter of `bench`: acquisitions before the releases.
    pub depth: Option<u32>,
    /// Parameter of `bench`: work while holding the lock, with its unit.
    pub hold: Option<String>,
    /// Parameter of `bench`: random pieces of work while holding the lock.
    pub delay: Option<u32>,
    /// Parameter of `bench`: work between operations, with its unit.
    pub think: Option<String>,
    /// Parameter of `bench`: where threads yield.
    pub sleep_points: Option<SleepPoints>,
    /// Parameter of `bench`: threads that are in their loop at a time.
    pub active: Option<u32>,
    /// Parameter of `bench`: spin count.
    pub spin: Option<u32>,
    /// Parameter of `bench`: share of reads.
    pub read_ratio: Option<f64>,
    /// Parameter of `bench`: locks of the hash table.
    pub stripes: Option<u32>,
    /// Parameter of `bench`: offset in the cache line, bytes.
    pub align: Option<u32>,
    /// Parameter of `bench`: busy threads that do not use the lock.
    pub hogs: Option<u32>,
    /// For a `live` run: `before` or `during`.
    pub when: Option<When>,
    /// For a `guest` run: the rounds with an `idle` or a `busy` host.
    pub host: Option<GuestHost>,
    /// For a `machine` run: a part of the price list, by its name.
    pub part: Option<String>,
    /// For a part: another part to subtract.
    pub less: Option<String>,
    /// For a `machine` run: a whole hand-over, on one CPU or across two.
    pub hand_over: Option<Crossing>,
    /// For a hand-over: one share of it, by its name.
    pub share: Option<String>,
    /// For a `machine` run: a Java price.
    pub java: Option<JavaPrice>,
    /// For a `kernel` or `guest` run: waits from 2^first up to 2^second cycles.
    pub cycles: Option<[u32; 2]>,
    /// For a `machine` run: misses per context switch.
    pub misses: Option<Misses>,
}

/// A number of threads, possibly relative to the number of CPUs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Threads {
    /// A fixed number.
    Number(u32),
    /// An expression such as "cpus", "2*cpus", "2*cpus-1".
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
    /// On two CPUs.
    CrossCpu,
}

/// The known prices of Java's locks.
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

/// An event whose number per context switch the price list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Misses {
    /// In the last-level cache.
    Cache,
    /// In the data TLB.
    Tlb,
    /// In the last-level cache, of threads that only park and unpark each other; without a counter, found by time.
    Parks,
}

impl Select {
    /// Whether every parameter in this selection has the same value in `cell`, on a machine with `cpus` CPUs.
    ///
    /// # Errors
    /// If a value in the selection cannot be read.
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

#[cfg(test)]
mod tests {
    use locktoll_lab::cell::{Calibration, Length};

    use super::*;

    #[test]
    fn every_parameter_that_is_named_must_be_that_of_the_cell() {
        let cell = Cell::at_rest(
            "std",
            Length::Time { ns: 1 },
            Calibration { loops_per_ns: 1.0 },
        )
        .with(|knobs| {
            knobs.threads = 8;
            knobs.hold_ns = 2_000;
            knobs.active = Some(3);
        });
        let fits = |text: &str| -> bool {
            let select: Select = toml::from_str(text).unwrap();
            select.fits(&cell, 4).unwrap()
        };
        assert!(fits(""));
        for (right, wrong) in [
            ("lock = \"std\"", "lock = \"pthread\""),
            ("threads = \"2*cpus\"", "threads = \"cpus\""),
            ("threads = 8", "threads = 4"),
            ("hold = \"2us\"", "hold = \"2ns\""),
            ("think = \"0ns\"", "think = \"1us\""),
            ("active = 3", "active = 8"),
            ("sleep_points = \"none\"", "sleep_points = \"holding\""),
        ] {
            assert!(fits(right), "{right}");
            assert!(!fits(wrong), "{wrong}");
        }
        let workload = cell.workload.name();
        assert!(fits(&format!("workload = \"{workload}\"")));
        for wrong in [
            "workload = \"none\"",
            "depth = 99",
            "delay = 99",
            "spin = 99",
            "read_ratio = 0.123",
            "stripes = 99",
            "align = 99",
            "hogs = 99",
        ] {
            assert!(!fits(wrong), "{wrong}");
        }
    }
}

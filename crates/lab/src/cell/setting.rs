//! The value of every parameter: a lock, and its use.
//!
//! To add a parameter, add a field here with its default, its bounds in [`Setting::check`] and its words in [`Setting::turned`].
//! Reports, comparisons and saved results take them from here.

use serde::{Deserialize, Serialize};

use super::invalid::{Invalid, within, within_time, wrong};
use super::turned::{Shown, Turned};
use super::{Arrival, Kind, Length, SleepPoints};
use crate::lock_names;
use crate::platform;

/// Most threads of a cell.
pub const MAX_THREADS: u32 = 10_000;

/// Most acquisitions before the releases.
pub const MAX_DEPTH: u32 = 1_000;

/// Most locks of a cell: stripes times depth times nesting.
const MAX_LOCKS: u64 = 1 << 20;

/// One lock, one workload, and one position of every knob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Setting {
    /// The lock's name in the registry, in its one spelling; `none` for the empty loop.
    #[serde(deserialize_with = "lock_names::saved_name")]
    pub lock: String,
    /// The work inside the critical section.
    pub workload: Kind,
    /// Competing threads.
    pub threads: u32,
    /// Acquisitions before the same number of releases; 0 runs without a lock.
    pub depth: u32,
    /// Two locks, the second taken inside the first.
    pub nested: bool,
    /// Calibrated arithmetic while holding, in nanoseconds.
    pub hold_ns: u64,
    /// Calibrated arithmetic between two operations, in nanoseconds.
    pub think_ns: u64,
    /// A random number, 0..=delay, of pieces of [`DELAY_LOOP_NS`](super::DELAY_LOOP_NS) of arithmetic while holding.
    pub delay: u32,
    /// Where threads yield.
    pub sleep_points: SleepPoints,
    /// How many threads run their loop at a time; `None` means all of them.
    pub active: Option<u32>,
    /// Threads that a gate lock admits to its inner lock; `None` means one for each usable processor.
    pub gate: Option<u32>,
    /// Spin count for locks that have one.
    pub spin: Option<u32>,
    /// Share of operations that only read, where the workload has readers.
    pub read_ratio: f64,
    /// Locks that divide the hash table's buckets among them.
    pub stripes: u32,
    /// Bytes from the start of a cache line to the lock.
    pub align: u32,
    /// Processor of each thread in turn; if empty, the kernel chooses.
    pub cpus: Vec<usize>,
    /// Nice value of the competing threads.
    pub nice: i32,
    /// Whether the competing threads run like those of a background process.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// Whether a thread's priority is raised while it holds the lock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raise_while_holding: bool,
    /// Busy threads that never touch the lock.
    pub hogs: u32,
    /// When operations begin.
    pub arrival: Arrival,
    /// Length of a slice. It must stay the last knob: readers of results may rely on that.
    pub length: Length,
}

impl Setting {
    /// Makes a setting with one thread on `lock`, nothing inside and every knob at rest.
    pub fn at_rest(lock: &str, length: Length) -> Self {
        Self {
            lock: lock.to_owned(),
            workload: Kind::Pair,
            threads: 1,
            depth: 1,
            nested: false,
            hold_ns: 0,
            think_ns: 0,
            delay: 0,
            sleep_points: SleepPoints::None,
            active: None,
            gate: None,
            spin: None,
            read_ratio: 0.0,
            stripes: 1,
            align: 0,
            cpus: Vec::new(),
            nice: 0,
            background: false,
            raise_while_holding: false,
            hogs: 0,
            arrival: Arrival::Closed,
            length,
        }
    }

    /// Checks the value of each knob separately.
    ///
    /// # Errors
    /// The first one that is out of bounds, and the accepted values.
    pub fn check_bounds(&self) -> Result<(), Invalid> {
        within("threads", self.threads, 1, MAX_THREADS)?;
        within("depth", self.depth, 0, MAX_DEPTH)?;
        within("delay", self.delay, 0, 1_000_000)?;
        if let Some(active) = self.active {
            within("active", active, 1, MAX_THREADS)?;
        }
        if let Some(gate) = self.gate {
            within("gate", gate, 1, MAX_THREADS)?;
        }
        if let Some(spin) = self.spin {
            within("spin", spin, 0, 1_000_000)?;
        }
        within("stripes", self.stripes, 1, 1024)?;
        within("align", self.align, 0, 63)?;
        within("hogs", self.hogs, 0, MAX_THREADS)?;
        within("nice", self.nice, -20, 19)?;
        within_time("hold", self.hold_ns, 0)?;
        within_time("think", self.think_ns, 0)?;
        within("read-ratio", self.read_ratio, 0.0, 1.0)?;
        match self.length {
            Length::Time { ns } => within_time("duration", ns, 1_000_000)?,
            Length::Rounds { each } => within("rounds", each, 1, 1_000_000_000_000)?,
        }
        match self.arrival {
            Arrival::Open { per_second } => within("arrival", per_second, 0.001, 1e9),
            Arrival::Closed => Ok(()),
        }
    }

    /// Checks the knobs against each other, independently of the lock.
    ///
    /// # Errors
    /// The first combination that cannot run.
    pub fn check_combinations(&self) -> Result<(), Invalid> {
        let least = self.workload.least_threads();
        if self.threads < least {
            return wrong(format!(
                "workload {} needs at least {least} threads, {{threads}} has {}",
                self.workload.name(),
                self.threads
            ));
        }
        self.check_partners()?;
        self.check_priorities()?;
        if self.stripes > 1 && self.workload != Kind::HashTable {
            return wrong("{stripes} divides the hash table: it needs {workload} hash-table");
        }
        if self.read_ratio > 0.0 && self.workload != Kind::ReadMostly {
            return wrong("{read-ratio} needs {workload} read-mostly");
        }
        if (self.nested || self.depth != 1) && self.workload == Kind::ReadMostly {
            return wrong("read-mostly takes one lock once: leave out {depth} and {nested}");
        }
        let levels = u64::from(self.depth.max(1)) * if self.nested { 2 } else { 1 };
        let locks = u64::from(self.stripes) * levels;
        if locks > MAX_LOCKS {
            return wrong(format!(
                "{{stripes}} x {{depth}} asks for {locks} locks; at most {MAX_LOCKS} are accepted"
            ));
        }
        Ok(())
    }

    /// Checks the priority knobs: they exclude each other where they would contradict each other for one thread, or have no
    /// effect.
    fn check_priorities(&self) -> Result<(), Invalid> {
        if self.background && self.nice != 0 {
            return wrong("{background} says how threads are scheduled: leave out {nice}");
        }
        if !self.raise_while_holding {
            return Ok(());
        }
        if self.depth == 0 {
            return wrong("{raise-while-holding} needs a lock to hold: leave out {depth} 0");
        }
        if self.workload == Kind::ReadMostly {
            return wrong(
                "{raise-while-holding} needs one holder at a time: read-mostly has readers, who may hold nothing",
            );
        }
        if !platform::RAISABLE_NICE.contains(&self.nice) {
            let (least, most) = (
                platform::RAISABLE_NICE.start(),
                platform::RAISABLE_NICE.end(),
            );
            return wrong(format!(
                "{{raise-while-holding}} cannot raise a thread at {{nice}} {}; accepted: {least} to {most}",
                self.nice
            ));
        }
        Ok(())
    }

    /// Checks that producers and consumers can finish: with a number of rounds, they wait for each other until the last round.
    fn check_partners(&self) -> Result<(), Invalid> {
        let rounds = matches!(self.length, Length::Rounds { .. });
        if !rounds || self.workload != Kind::ProducerConsumer {
            return Ok(());
        }
        if self.threads % 2 == 1 {
            return wrong(
                "{rounds} with producer-consumer needs an even number of threads: who puts and who \
                 takes must do the same number",
            );
        }
        if self.active.is_some_and(|active| active < self.threads) {
            return wrong(
                "{rounds} with producer-consumer cannot go with {active}: a producer keeps its slot \
                 while it waits for a consumer that has none (take {duration})",
            );
        }
        Ok(())
    }

    /// Returns the knobs that are not at rest, except the lock, the workload and the threads, in reading order.
    pub fn turned(&self) -> Vec<Turned> {
        let number = |n: u32| Shown::Number(n.into());
        let yields = match self.sleep_points {
            SleepPoints::None => None,
            SleepPoints::Holding => Some("yield while holding"),
            SleepPoints::Released => Some("yield after releasing"),
            SleepPoints::Both => Some("yield while holding and after"),
        };
        let per_second = match self.arrival {
            Arrival::Open { per_second } => Some(per_second),
            Arrival::Closed => None,
        };
        let hogs = match self.hogs {
            1 => "{} hog",
            _ => "{} hogs",
        };
        let said = [
            (self.depth != 1).then(|| Turned::to("depth {}", number(self.depth))),
            self.nested.then(|| Turned::on("nested")),
            (self.hold_ns > 0).then(|| Turned::to("hold {}", Shown::Ns(self.hold_ns))),
            (self.delay > 0).then(|| Turned::to("delay 0..{}", number(self.delay))),
            (self.think_ns > 0).then(|| Turned::to("think {}", Shown::Ns(self.think_ns))),
            yields.map(Turned::on),
            (self.active).map(|active| Turned::to("{} active", number(active))),
            (self.gate).map(|gate| Turned::to("gate {}", number(gate))),
            (self.spin).map(|spin| Turned::to("spin {}", number(spin))),
            (self.read_ratio > 0.0)
                .then(|| Turned::to("{} % reads", Shown::Share(self.read_ratio * 100.0))),
            (self.stripes > 1).then(|| Turned::to("{} stripes", number(self.stripes))),
            (self.align > 0).then(|| Turned::to("{} bytes into the line", number(self.align))),
            (!self.cpus.is_empty())
                .then(|| Turned::to("on CPUs {}", Shown::Cpus(self.cpus.clone()))),
            (self.nice != 0).then(|| Turned::to("nice {}", Shown::Number(self.nice.into()))),
            self.background.then(|| Turned::on("in the background")),
            (self.raise_while_holding).then(|| Turned::on("priority raised while holding")),
            (self.hogs > 0).then(|| Turned::to(hogs, number(self.hogs))),
            per_second.map(|rate| Turned::to("arriving at {}/s", Shown::Rate(rate))),
        ];
        said.into_iter().flatten().collect()
    }
}

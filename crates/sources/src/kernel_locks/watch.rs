//! Owns the programs, and reads the data that they have collected.

use std::os::unix::fs::MetadataExt;

use aya::maps::StackTraceMap;

use super::gathered::{Gathered, Lost, OfCaller, OfKind, OfLock, Taken};
use super::raw;
use crate::ebpf::{CostCounting, Loaded, Object};
use locktoll_terminal::failure::Failure;

/// The memory for rows by caller and by lock together, whatever the number of processors.
const MEMORY: usize = 64 << 20;
/// The default limit on the rows of each.
const MOST_ENTRIES: u32 = 16_384;
const LEAST_ENTRIES: u32 = 256;

/// The data to gather.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Waits by caller, too.
    pub by_caller: bool,
    /// Waits by lock, too.
    pub by_lock: bool,
    /// Whose waits.
    pub of: Waiters,
    /// Ticks of the processor's counter per nanosecond, if known.
    pub ticks_per_ns: Option<f64>,
    /// The number of rows by caller and by lock, and of stacks; `None`: as many as fit a fixed size of memory.
    pub entries: Option<u32>,
}

/// Whose waits are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiters {
    /// Those of all threads and interrupts.
    All,
    /// Those of the processes that this one starts from now on, and of those that they start.
    Started,
    /// Those of the threads in a control group of version 2, and in the groups below it.
    InGroup {
        /// The group's id: the inode of its folder.
        id: u64,
        /// How many groups are above it.
        level: u32,
    },
}

/// The kernel's programs while they run.
pub struct Watch {
    loaded: Loaded,
    wanted: Wanted,
    counting: Result<CostCounting, String>,
}

impl Watch {
    /// Begins watching.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it, or does not have such tracepoints.
    pub fn begin(wanted: Wanted) -> Result<Self, Failure> {
        Self::load(wanted)
    }

    fn load(wanted: Wanted) -> Result<Self, Failure> {
        let entries = wanted.entries.unwrap_or_else(default_entries);
        let sizes = [
            ("callers", if wanted.by_caller { entries } else { 1 }),
            ("locks", if wanted.by_lock { entries } else { 1 }),
            (
                "stacks",
                if wanted.by_caller || wanted.by_lock {
                    entries.next_power_of_two()
                } else {
                    1
                },
            ),
        ];
        let ticks_in_1024_ns = wanted
            .ticks_per_ns
            .map_or(0, |rate| (rate * 1024.0).round() as u32);
        let mut constants = vec![
            ("by_caller", u32::from(wanted.by_caller)),
            ("by_lock", u32::from(wanted.by_lock)),
            ("ticks_in_1024_ns", ticks_in_1024_ns),
        ];
        let object = match wanted.of {
            Waiters::All => Object::KERNEL,
            Waiters::Started => {
                let namespace = std::fs::metadata("/proc/self/ns/pid")?;
                constants.extend([
                    ("parent", std::process::id()),
                    ("namespace_device", kernels_device(namespace.dev())),
                    ("namespace_inode", namespace.ino() as u32),
                ]);
                Object::KERNEL_OF_PROCESSES
            }
            Waiters::InGroup { id, level } => {
                constants.extend([
                    ("group_low", id as u32),
                    ("group_high", (id >> 32) as u32),
                    ("group_level", level),
                ]);
                Object::KERNEL
            }
        };
        let mut loaded = Loaded::load(&object, &sizes, &constants)?;
        let counting = CostCounting::begin();
        loaded.attach(&object)?;
        Ok(Self {
            loaded,
            wanted,
            counting,
        })
    }

    /// Returns why the programs' own cost is not known, if it is not.
    pub fn why_no_cost(&self) -> Option<&str> {
        self.counting.as_ref().err().map(String::as_str)
    }

    /// Returns the data so far. The programs continue meanwhile, so two figures of one entry may be a moment apart.
    ///
    /// # Errors
    /// If the kernel does not let us read the maps.
    pub fn gathered(&self) -> anyhow::Result<Gathered> {
        let mut gathered = Gathered::default();
        let kinds = self.loaded.array_per_cpu::<raw::OfKind>("kinds")?;
        for number in 0..raw::KINDS {
            gathered
                .kinds
                .extend(OfKind::of(number, &kinds.get(&number, 0)?));
        }
        if self.wanted.by_caller {
            let mut callers = Vec::new();
            let map = self
                .loaded
                .hash_per_cpu::<raw::CallerKey, raw::Row>("callers")?;
            for entry in map.iter() {
                let (key, values) = entry?;
                callers.extend(OfCaller::of(key, &values));
            }
            gathered.callers = Some(callers);
        }
        if self.wanted.by_lock {
            let mut locks = Vec::new();
            let map = self
                .loaded
                .hash_per_cpu::<raw::LockKey, raw::Row>("locks")?;
            for entry in map.iter() {
                let (key, values) = entry?;
                locks.extend(OfLock::of(key, &values));
            }
            gathered.locks = Some(locks);
            let queues = self.loaded.array_per_cpu::<u64>("run_queues")?.get(&0, 0)?;
            let known = queues.iter().enumerate().filter(|(_, lock)| **lock > 0);
            gathered.run_queues = known.map(|(cpu, lock)| (*lock, cpu)).collect();
        }
        if self.wanted.by_caller || self.wanted.by_lock {
            let stacks = StackTraceMap::try_from(self.loaded.map("stacks")?)?;
            for entry in stacks.iter() {
                let (id, trace) = entry?;
                let frames = trace.frames().iter().map(|frame| frame.ip).collect();
                gathered.stacks.insert(id + 1, frames);
            }
        }
        let (begin, end) = (
            self.loaded.cost("kernel_begin")?,
            self.loaded.cost("kernel_end")?,
        );
        gathered.lost = self.lost(begin.skipped + end.skipped)?;
        gathered.taken = self.counting.is_ok().then_some(Taken {
            begins: begin.runs,
            begins_ns: begin.run_ns,
            ends: end.runs,
            ends_ns: end.run_ns,
        });
        Ok(gathered)
    }

    fn lost(&self, skipped: u64) -> anyhow::Result<Lost> {
        let map = self.loaded.array_per_cpu::<u64>("lost")?;
        let of = |what: raw::Lost| -> anyhow::Result<u64> {
            Ok(map.get(&(what as u32), 0)?.iter().sum())
        };
        Ok(Lost {
            nested: of(raw::Lost::Nested)?,
            tasks: of(raw::Lost::Tasks)?,
            stacks: of(raw::Lost::Stacks)?,
            callers: of(raw::Lost::Callers)?,
            locks: of(raw::Lost::Locks)?,
            ends: of(raw::Lost::Ends)?,
            begins: of(raw::Lost::Begins)?,
            skipped,
        })
    }
}

/// Returns the number of rows that fit the memory: each has a value for every possible processor.
fn default_entries() -> u32 {
    let cpus = aya::util::nr_cpus().unwrap_or(1);
    entries_for(cpus)
}

fn entries_for(cpus: usize) -> u32 {
    let fit = MEMORY / (2 * size_of::<raw::Row>() * cpus.max(1));
    u32::try_from(fit)
        .unwrap_or(MOST_ENTRIES)
        .clamp(LEAST_ENTRIES, MOST_ENTRIES)
}

/// Returns a device's number as the kernel keeps it; stat(2) gives it in another form.
fn kernels_device(device: u64) -> u32 {
    (libc::major(device) << 20) | libc::minor(device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_bounded_however_many_processors() {
        assert_eq!(entries_for(2), MOST_ENTRIES);
        for cpus in [1, 2, 64, 256, 512] {
            let entries = entries_for(cpus) as usize;
            assert!(
                entries * cpus * 2 * size_of::<raw::Row>() <= MEMORY,
                "{cpus}"
            );
        }
        assert_eq!(entries_for(8192), LEAST_ENTRIES);
    }
}

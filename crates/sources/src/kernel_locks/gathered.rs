//! The collected data about waits for the kernel's locks. Times are nanoseconds; addresses are the
//! kernel's.

use std::collections::HashMap;

use super::raw;
use super::waits::{Waits, difference};
use locktoll_results::kernel::KernelLockKind as LockKind;

/// Waits of one kind of lock, by processor.
#[derive(Clone, Debug, PartialEq)]
pub struct OfKind {
    /// The kind.
    pub kind: LockKind,
    /// Waits by processor, including processors that are only possible.
    pub by_cpu: Vec<Waits>,
    /// Waits that ended without the lock, by a signal or because a deadlock was found.
    pub failed: u64,
    /// Further begins before the one end of a wait.
    pub repeated_begins: u64,
    /// Waits by powers of two of ticks of the processor's counter.
    pub log2_ticks: Vec<u64>,
}

/// Waits with the same stack of calls.
#[derive(Clone, Debug, PartialEq)]
pub struct OfCaller {
    /// The kind of lock.
    pub kind: LockKind,
    /// The stack, in [`Gathered::stacks`]; zero if it could not be taken.
    pub stack: u32,
    /// The waits.
    pub waits: Waits,
}

/// A lock in a structure that belongs to the waiting thread or its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// `mmap_lock` of the process's memory.
    MmapLock,
    /// `page_table_lock` of the process's memory.
    PageTableLock,
    /// `siglock` of the process.
    Siglock,
    /// `file_lock` of the process's table of files.
    FileLock,
    /// `alloc_lock` of the thread.
    AllocLock,
    /// `pi_lock` of the thread.
    PiLock,
}

impl Field {
    /// Returns the field with this number in `enum field`.
    fn of(number: u32) -> Option<Self> {
        Some(match number {
            1 => Self::MmapLock,
            2 => Self::PageTableLock,
            3 => Self::Siglock,
            4 => Self::FileLock,
            5 => Self::AllocLock,
            6 => Self::PiLock,
            _ => return None,
        })
    }

    /// Returns its name in the kernel's source.
    pub fn name(self) -> &'static str {
        match self {
            Self::MmapLock => "mm->mmap_lock",
            Self::PageTableLock => "mm->page_table_lock",
            Self::Siglock => "sighand->siglock",
            Self::FileLock => "files->file_lock",
            Self::AllocLock => "task->alloc_lock",
            Self::PiLock => "task->pi_lock",
        }
    }
}

/// Waits for one lock, or for one field of many.
#[derive(Clone, Debug, PartialEq)]
pub struct OfLock {
    /// The kind of lock.
    pub kind: LockKind,
    /// Which field it is, whichever thread waited.
    pub field: Option<Field>,
    /// Its address; zero if `field` identifies it.
    pub address: u64,
    /// The stack of calls of one wait for it.
    pub stack: u32,
    /// The waits.
    pub waits: Waits,
}

/// Lost data, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// More waits at once in one context than there is room for.
    pub nested: u64,
    /// No memory for a task's waits.
    pub tasks: u64,
    /// No room for a stack of calls: the wait was counted, but without a caller.
    pub stacks: u64,
    /// No room for another caller.
    pub callers: u64,
    /// No room for another lock.
    pub locks: u64,
    /// Waits whose end was not seen.
    pub ends: u64,
    /// Ends whose begin was not seen, including those of waits that were going on at the beginning.
    pub begins: u64,
    /// Events that came while our own program ran on that processor.
    pub skipped: u64,
}

/// The run time of the programs themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Runs at the beginning of a wait.
    pub begins: u64,
    /// Their time.
    pub begins_ns: u64,
    /// Runs at the end of a wait.
    pub ends: u64,
    /// Their time.
    pub ends_ns: u64,
}

/// Everything that was gathered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// By kind of lock: the kinds that occurred.
    pub kinds: Vec<OfKind>,
    /// By caller, if asked for.
    pub callers: Option<Vec<OfCaller>>,
    /// By lock, if asked for.
    pub locks: Option<Vec<OfLock>>,
    /// The lock of each processor's queue of runnable tasks, where it is known: its address, and the processor.
    pub run_queues: HashMap<u64, usize>,
    /// Stacks by their number: addresses, innermost first.
    pub stacks: HashMap<u32, Vec<u64>>,
    /// What was lost.
    pub lost: Lost,
    /// The run time of the programs; `None` if the kernel does not report it.
    pub taken: Option<Taken>,
}

impl Gathered {
    /// Returns the data that came after `earlier` was gathered.
    pub fn since(&self, earlier: &Self) -> Self {
        let kinds = self.kinds.iter().map(|now| {
            let before = earlier.kinds.iter().find(|it| it.kind == now.kind);
            before.map_or_else(|| now.clone(), |before| now.since(before))
        });
        let before: HashMap<_, _> = earlier
            .callers
            .iter()
            .flatten()
            .map(|it| ((it.kind, it.stack), &it.waits))
            .collect();
        let callers = self.callers.as_ref().map(|callers| {
            let since = |now: &OfCaller| OfCaller {
                waits: waits_since(&now.waits, before.get(&(now.kind, now.stack)).copied()),
                ..now.clone()
            };
            callers.iter().map(since).collect()
        });
        let before: HashMap<_, _> = earlier
            .locks
            .iter()
            .flatten()
            .map(|it| ((it.kind, it.field, it.address), &it.waits))
            .collect();
        let locks = self.locks.as_ref().map(|locks| {
            let since = |now: &OfLock| OfLock {
                waits: waits_since(
                    &now.waits,
                    before.get(&(now.kind, now.field, now.address)).copied(),
                ),
                ..now.clone()
            };
            locks.iter().map(since).collect()
        });
        Self {
            kinds: kinds.collect(),
            callers,
            locks,
            run_queues: self.run_queues.clone(),
            stacks: self.stacks.clone(),
            lost: self.lost.since(&earlier.lost),
            taken: self
                .taken
                .map(|now| now.since(earlier.taken.unwrap_or_default())),
        }
    }
}

impl Lost {
    fn since(&self, earlier: &Self) -> Self {
        Self {
            nested: self.nested.saturating_sub(earlier.nested),
            tasks: self.tasks.saturating_sub(earlier.tasks),
            stacks: self.stacks.saturating_sub(earlier.stacks),
            callers: self.callers.saturating_sub(earlier.callers),
            locks: self.locks.saturating_sub(earlier.locks),
            ends: self.ends.saturating_sub(earlier.ends),
            begins: self.begins.saturating_sub(earlier.begins),
            skipped: self.skipped.saturating_sub(earlier.skipped),
        }
    }
}

impl Taken {
    fn since(self, earlier: Self) -> Self {
        Self {
            begins: self.begins.saturating_sub(earlier.begins),
            begins_ns: self.begins_ns.saturating_sub(earlier.begins_ns),
            ends: self.ends.saturating_sub(earlier.ends),
            ends_ns: self.ends_ns.saturating_sub(earlier.ends_ns),
        }
    }
}

/// Returns the waits of an interval. The longest of them is not known, unless there was none before the interval.
fn waits_since(now: &Waits, earlier: Option<&Waits>) -> Waits {
    match earlier {
        Some(earlier) => now.since(earlier),
        None => now.clone(),
    }
}

impl OfKind {
    fn since(&self, earlier: &Self) -> Self {
        let by_cpu = self.by_cpu.iter().zip(&earlier.by_cpu);
        Self {
            kind: self.kind,
            by_cpu: by_cpu.map(|(now, before)| now.since(before)).collect(),
            failed: self.failed.saturating_sub(earlier.failed),
            repeated_begins: self.repeated_begins.saturating_sub(earlier.repeated_begins),
            log2_ticks: difference(&self.log2_ticks, &earlier.log2_ticks),
        }
    }

    /// Sums up the counts of all processors for the kind with this number; `None` if there were none.
    pub fn of(number: u32, values: &[raw::OfKind]) -> Option<Self> {
        let kind = LockKind::ALL.get(number as usize).copied()?;
        let sum = |of: fn(&raw::OfKind) -> u64| values.iter().map(of).sum::<u64>();
        if sum(|value| value.count) == 0 {
            return None;
        }
        let by_cpu = values.iter().map(|value| Waits {
            count: value.count,
            total_ns: value.total_ns,
            max_ns: Some(value.max_ns),
            log2: value.log2.to_vec(),
        });
        let mut log2_ticks = vec![0; raw::BUCKETS];
        for value in values {
            for (all, one) in log2_ticks.iter_mut().zip(value.log2_ticks) {
                *all += one;
            }
        }
        Some(Self {
            kind,
            by_cpu: by_cpu.collect(),
            failed: sum(|value| value.failed),
            repeated_begins: sum(|value| value.repeats),
            log2_ticks,
        })
    }
}

impl OfCaller {
    /// Sums up the counts of all processors.
    pub fn of(key: raw::CallerKey, values: &[raw::Row]) -> Option<Self> {
        Some(Self {
            kind: LockKind::ALL.get(key.kind as usize).copied()?,
            stack: key.stack,
            waits: waits_of(values),
        })
    }
}

impl OfLock {
    /// Sums up the counts of all processors.
    pub fn of(key: raw::LockKey, values: &[raw::Row]) -> Option<Self> {
        Some(Self {
            kind: LockKind::ALL.get(key.kind as usize).copied()?,
            field: Field::of(key.field),
            address: key.lock,
            stack: values
                .iter()
                .map(|value| value.stack)
                .find(|stack| *stack > 0)
                .unwrap_or(0),
            waits: waits_of(values),
        })
    }
}

fn waits_of(values: &[raw::Row]) -> Waits {
    let mut waits = Waits::none();
    for value in values {
        waits.add(&Waits {
            count: value.count,
            total_ns: value.total_ns,
            max_ns: Some(value.max_ns),
            log2: value.log2.iter().map(|count| u64::from(*count)).collect(),
        });
    }
    waits
}

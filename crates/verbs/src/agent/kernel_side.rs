//! Programs that are not recorded: their futex calls, seen from the kernel as `locktoll attach` sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::labels::ProcessLabels;
use super::ledger::{Ledger, SourceId};
use super::lock_rows::{LockRow, rows};
use super::long_waits::{Deadlocks, look_at_holders};
use crate::diagnosis::explained;
use crate::running::Holders;
use locktoll_results::doctor::Verb;
use locktoll_sources::futexes::{
    Capacity, Gathered, Names, Processes, Seen, Subject, Watch, Whom, profile_with,
};
use locktoll_terminal::failure::Failure;

/// Room for the kernel's data: the default of `locktoll attach`.
const CAPACITY: Capacity = Capacity {
    entries: 16384,
    rules: 16_777_216,
};

/// After this many processes have ended, watching begins anew: the kernel's tables keep the figures of processes that are gone.
const MOST_ENDED: usize = 2048;

/// Longest time for names in one reading.
const NAMES: Duration = Duration::from_secs(1);

/// Processes that share their labels share their series.
struct Group {
    source: SourceId,
    numbers: BTreeSet<u32>,
    /// The looks at the holders of each process.
    holders: BTreeMap<u32, Holders>,
    deadlocks: Deadlocks,
}

/// The programs in the kernel, and what they have seen. The programs end when this value is dropped.
pub struct KernelSide {
    watch: Watch,
    processes: Processes,
    names: Names,
    groups: BTreeMap<Arc<ProcessLabels>, Group>,
    next: SourceId,
}

impl KernelSide {
    /// Begins to watch these processes, as far as they are still there. Sources of the ledger get numbers from `first` on.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(pids: &BTreeSet<u32>, first: SourceId) -> Result<Self, Failure> {
        let there = pids.iter().filter_map(|&pid| Subject::of(pid).ok());
        let subjects: Vec<(u32, Subject)> = (1..).zip(there).collect();
        let whom = Whom::Some {
            processes: subjects.iter().map(|(_, it)| it.pid).collect(),
            children: false,
        };
        let watch = Watch::begin(whom, CAPACITY).map_err(explained(Verb::Attach))?;
        let mut side = Self {
            watch,
            processes: Processes::begin(subjects),
            names: Names::default(),
            groups: BTreeMap::new(),
            next: first,
        };
        side.sort_into_groups();
        Ok(side)
    }

    /// Takes in processes that have come, and the code that all have mapped since.
    ///
    /// # Errors
    /// If the kernel's tables cannot be read or written.
    pub fn look(&mut self, pids: &BTreeSet<u32>) -> anyhow::Result<()> {
        for &pid in pids {
            if Subject::of(pid).is_ok() {
                self.watch.take_in(pid)?;
            }
        }
        self.processes.meet(&self.watch.images()?);
        self.watch.refresh()?;
        self.processes.look();
        self.sort_into_groups();
        Ok(())
    }

    /// Reads what has been seen so far, except of processes for which another source is better.
    ///
    /// # Errors
    /// If the kernel does not let us read it.
    pub fn read(
        &mut self,
        is_left_out: impl Fn(u32) -> bool,
        ledger: &mut Ledger,
    ) -> anyhow::Result<()> {
        let gathered = self.watch.gathered()?;
        let deadline = Instant::now() + NAMES;
        for (labels, group) in &mut self.groups {
            let numbers = group.numbers.iter().copied();
            let numbers: BTreeSet<u32> = numbers
                .filter(|&it| !is_left_out(self.processes.pid(it)))
                .collect();
            let mut rows = rows_of(
                &gathered.of(&numbers),
                &self.processes,
                &mut self.names,
                deadline,
            );
            let running = numbers
                .iter()
                .filter_map(|&it| self.processes.get(it))
                .filter(|it| it.end_ns.is_none());
            let pids: Vec<u32> = running.map(|it| it.subject.pid).collect();
            group.deadlocks = look_at_holders(&pids, &mut group.holders, &mut rows);
            ledger.take(group.source, labels, &rows);
        }
        Ok(())
    }

    /// Whether so many processes have ended that watching should begin anew.
    pub fn is_worn(&self) -> bool {
        let ended = self.processes.all().filter(|(_, it)| it.end_ns.is_some());
        ended.count() > MOST_ENDED
    }

    /// Returns the labels of each process that runs, and the deadlocks of each set of labels.
    pub fn all(&self) -> impl Iterator<Item = (&Arc<ProcessLabels>, Vec<u32>, Deadlocks)> {
        self.groups.iter().map(|(labels, group)| {
            let numbers = group.numbers.iter();
            let observed = numbers.filter_map(|&number| self.processes.get(number));
            let running = observed.filter(|it| it.end_ns.is_none());
            (
                labels,
                running.map(|it| it.subject.pid).collect(),
                group.deadlocks,
            )
        })
    }

    /// Ends the sources in the ledger. What they have shown stays counted.
    pub fn end(self, ledger: &mut Ledger) -> SourceId {
        for group in self.groups.values() {
            ledger.end(group.source);
        }
        self.next
    }

    fn sort_into_groups(&mut self) {
        let known: BTreeSet<u32> = self
            .groups
            .values()
            .flat_map(|it| it.numbers.iter().copied())
            .collect();
        for (number, observed) in self.processes.all() {
            if known.contains(&number) {
                continue;
            }
            let labels = Arc::new(ProcessLabels::of(observed.subject.pid));
            let group = self.groups.entry(labels).or_insert_with(|| {
                self.next += 1;
                Group {
                    source: self.next,
                    numbers: BTreeSet::new(),
                    holders: BTreeMap::new(),
                    deadlocks: Deadlocks::default(),
                }
            });
            group.numbers.insert(number);
        }
    }
}

fn rows_of(
    gathered: &Gathered,
    processes: &Processes,
    names: &mut Names,
    deadline: Instant,
) -> Vec<LockRow> {
    if gathered.waits.is_empty() && gathered.waiting.is_empty() {
        return Vec::new();
    }
    let seen = Seen {
        processes,
        gathered,
        duration_ns: processes.watched_ns(),
    };
    rows(&profile_with(&seen, names, deadline))
}

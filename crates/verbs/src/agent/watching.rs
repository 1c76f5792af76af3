//! All chosen programs, by the source that sees most of each.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::figures::{Figures, Program};
use super::kernel_side::KernelSide;
use super::labels::ProcessLabels;
use super::ledger::Ledger;
use super::recorded::{Pushed, Recorded};
use super::selection::Selection;
use super::spinning::Spinning;
use super::words;
use crate::running::Switches;
use locktoll_results::top::CauseKind;

/// Sources of the kernel's side have numbers from here on.
const KERNEL_SOURCES: u64 = 1 << 63;

/// Context switches by cause.
pub type Causes = BTreeMap<CauseKind, u64>;

/// The watch over all chosen programs.
pub struct Watching {
    selection: Selection,
    ledger: Ledger,
    recorded: Recorded,
    kernel: Kernel,
    /// Counts the switches of all processes, where the kernel permits it.
    switches: Option<Switches>,
    switched: Switched,
    spinning: Spinning,
    group_is_gone: bool,
}

/// The kernel's side.
enum Kernel {
    /// Not needed yet.
    NotBegun(u64),
    AtWork(Box<KernelSide>),
    Refused,
}

/// Context switches so far.
#[derive(Default)]
struct Switched {
    /// What each process had at the last reading.
    before: BTreeMap<u32, Causes>,
    sums: BTreeMap<Arc<ProcessLabels>, Causes>,
}

impl Watching {
    /// Begins to watch. If profiles are pushed, notes what recorded programs do from now on.
    pub fn begin(selection: Selection, most_series: NonZeroUsize, pushes: bool) -> Self {
        Self {
            selection,
            ledger: Ledger::new(most_series),
            recorded: Recorded::new(0, pushes),
            kernel: Kernel::NotBegun(KERNEL_SOURCES),
            switches: Switches::start().ok(),
            switched: Switched::default(),
            spinning: Spinning::default(),
            group_is_gone: false,
        }
    }

    /// Takes in programs that have come, and the last figures of those that have gone. To be called about once a second.
    pub fn look(&mut self) {
        let chosen = self.selection.now();
        let is_gone = self.selection.group_is_gone();
        if is_gone && !self.group_is_gone {
            words::group_is_gone();
        }
        self.group_is_gone = is_gone;
        self.recorded.look(&chosen, &mut self.ledger);
        let unrecorded: BTreeSet<u32> = chosen
            .into_iter()
            .filter(|&pid| !self.recorded.may_record(pid))
            .collect();
        self.look_from_the_kernel(&unrecorded);
    }

    /// Returns the last intervals of recorded programs that have ended since the last call.
    pub fn ended(&mut self) -> Vec<Pushed> {
        self.recorded.ended()
    }

    /// Returns what all recorded programs have done since the last call.
    pub fn intervals(&mut self) -> Vec<Pushed> {
        self.recorded.intervals()
    }

    fn look_from_the_kernel(&mut self, pids: &BTreeSet<u32>) {
        let kernel = std::mem::replace(&mut self.kernel, Kernel::Refused);
        self.kernel = match kernel {
            Kernel::NotBegun(first) if pids.is_empty() => Kernel::NotBegun(first),
            Kernel::NotBegun(first) => match KernelSide::begin(pids, first) {
                Ok(side) => Kernel::AtWork(Box::new(side)),
                Err(why) => {
                    words::only_recorded(&why);
                    Kernel::Refused
                }
            },
            Kernel::AtWork(mut side) => match side.look(pids) {
                Ok(()) if side.is_worn() => {
                    // Its last figures, before the kernel forgets them.
                    let _ = side.read(|pid| self.recorded.records(pid), &mut self.ledger);
                    Kernel::NotBegun(side.end(&mut self.ledger))
                }
                Ok(()) => Kernel::AtWork(side),
                Err(why) => {
                    words::begins_anew(&why);
                    Kernel::NotBegun(side.end(&mut self.ledger))
                }
            },
            Kernel::Refused => Kernel::Refused,
        };
    }

    /// Reads all programs, and returns what is published of them.
    pub fn read(&mut self) -> Figures {
        self.ledger.begin_reading();
        self.recorded.read(&mut self.ledger);
        if let Kernel::AtWork(side) = &mut self.kernel {
            // A reading that fails now may succeed the next time; the counters stay as they are.
            let recorded = &self.recorded;
            let _ = side.read(|pid| recorded.records(pid), &mut self.ledger);
        }
        let (programs, pids) = self.programs();
        self.count_switches(&pids);
        Figures {
            spun: self.spinning.read(&pids),
            switches: self.switches.as_ref().map(|_| self.switched.sums.clone()),
            ..Figures::of(&self.ledger, programs)
        }
    }

    /// Returns the programs by their labels, and the labels of each process.
    fn programs(
        &self,
    ) -> (
        BTreeMap<Arc<ProcessLabels>, Program>,
        BTreeMap<u32, Arc<ProcessLabels>>,
    ) {
        let mut programs: BTreeMap<Arc<ProcessLabels>, Program> = BTreeMap::new();
        let mut pids = BTreeMap::new();
        for (pid, labels, deadlocks) in self.recorded.all() {
            let program = programs.entry(Arc::clone(labels)).or_default();
            program.recorded += 1;
            program.deadlocks += deadlocks;
            pids.insert(pid, Arc::clone(labels));
        }
        if let Kernel::AtWork(side) = &self.kernel {
            for (labels, mut running, deadlocks) in side.all() {
                running.retain(|&pid| !self.recorded.records(pid));
                if running.is_empty() {
                    continue;
                }
                let program = programs.entry(Arc::clone(labels)).or_default();
                program.seen_in_kernel += running.len() as u64;
                program.deadlocks += deadlocks;
                pids.extend(running.into_iter().map(|pid| (pid, Arc::clone(labels))));
            }
        }
        (programs, pids)
    }

    fn count_switches(&mut self, pids: &BTreeMap<u32, Arc<ProcessLabels>>) {
        let Some(Ok(counts)) = self.switches.as_ref().map(Switches::counts) else {
            return;
        };
        let Switched { before, sums } = &mut self.switched;
        for (pid, labels) in pids {
            let Some(now) = counts.processes.get(pid) else {
                continue;
            };
            let then = before.get(pid);
            let sum = sums.entry(Arc::clone(labels)).or_default();
            for (&cause, &count) in now {
                let then = then.and_then(|it| it.get(&cause)).copied().unwrap_or(0);
                // The kernel may have forgotten a process, and begun anew with it.
                let added = count.checked_sub(then).unwrap_or(count);
                *sum.entry(cause).or_default() += added;
            }
        }
        // Also of processes that are not watched: those that are watched later count from then on.
        *before = counts.processes;
    }
}

//! Programs under `locktoll record`: no privileges are needed for those of this user.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::labels::ProcessLabels;
use super::ledger::{Ledger, SourceId};
use super::lock_rows::rows;
use super::long_waits::{Deadlocks, look_at_holders};
use crate::running::{Followed, Holders, Increments, SharedNames};
use locktoll_shown::pushed::Interval;
use locktoll_sources::clock::now_ns;

/// A process that was not recorded is checked again after this many looks: it may have become another program since.
const LOOK_AGAIN: u32 = 8;
/// In how many successive looks a new process is checked at first: a recorder needs a moment to begin.
const LOOK_AT_FIRST: u32 = 4;

/// One recorded process, until it ends or becomes another program.
struct Program {
    source: SourceId,
    labels: Arc<ProcessLabels>,
    followed: Followed,
    /// What is pushed of it, if anything is.
    increments: Option<Increments>,
    holders: BTreeMap<u32, Holders>,
    deadlocks: Deadlocks,
}

impl Program {
    fn interval(&mut self, names: &mut SharedNames, alive: bool) -> Option<Pushed> {
        let increments = self.increments.as_mut()?;
        let interval = increments.next(&mut self.followed, names, alive).ok()??;
        Some((Arc::clone(&self.labels), interval))
    }
}

/// All recorded programs that are chosen.
#[derive(Default)]
pub struct Recorded {
    programs: BTreeMap<u32, Program>,
    /// How often each process that is not recorded has been seen.
    others: HashMap<u32, u32>,
    next: SourceId,
    names: SharedNames,
    /// Since when profiles are pushed (`CLOCK_MONOTONIC`); `None` if they are not.
    pushes_since_ns: Option<u64>,
    /// The last intervals of programs that have ended.
    ended: Vec<Pushed>,
}

/// What a program did in an interval.
pub type Pushed = (Arc<ProcessLabels>, Interval);

impl Recorded {
    /// Creates the source; sources of the ledger get numbers from `first` on.
    pub fn new(first: SourceId, pushes: bool) -> Self {
        Self {
            next: first,
            pushes_since_ns: pushes.then(now_ns),
            ..Self::default()
        }
    }

    /// Returns the last intervals of programs that have ended since the last call.
    pub fn ended(&mut self) -> Vec<Pushed> {
        std::mem::take(&mut self.ended)
    }

    /// Returns what all programs have done since the last call.
    pub fn intervals(&mut self) -> Vec<Pushed> {
        let mut all = self.ended();
        for program in self.programs.values_mut() {
            // A recording that cannot be read now may be readable the next time.
            all.extend(program.interval(&mut self.names, true));
        }
        all
    }

    /// Takes in recorded programs that have come, and the last figures of those that have gone.
    pub fn look(&mut self, chosen: &BTreeSet<u32>, ledger: &mut Ledger) {
        let gone: Vec<u32> = self
            .programs
            .keys()
            .filter(|pid| !chosen.contains(pid))
            .copied()
            .collect();
        for pid in gone {
            self.end(pid, ledger);
        }
        self.others.retain(|pid, _| chosen.contains(pid));
        for &pid in chosen.iter() {
            if self.programs.contains_key(&pid) {
                continue;
            }
            let seen = self.others.entry(pid).or_default();
            *seen = seen.saturating_add(1);
            if *seen > LOOK_AT_FIRST && !seen.is_multiple_of(LOOK_AGAIN) {
                continue;
            }
            if let Some(followed) = Followed::start(pid) {
                self.begin(pid, followed);
            }
        }
    }

    fn begin(&mut self, pid: u32, followed: Followed) {
        self.others.remove(&pid);
        let since_ns = self.pushes_since_ns;
        let program = Program {
            source: self.next,
            labels: Arc::new(ProcessLabels::of(pid)),
            increments: since_ns.map(|ns| Increments::begin(&followed, ns)),
            followed,
            holders: BTreeMap::new(),
            deadlocks: Deadlocks::default(),
        };
        self.next += 1;
        self.programs.insert(pid, program);
    }

    fn end(&mut self, pid: u32, ledger: &mut Ledger) {
        let Some(mut program) = self.programs.remove(&pid) else {
            return;
        };
        if let Ok(profile) = program.followed.profile_by(&mut self.names, false) {
            let mut rows = rows(&profile);
            // Its threads no longer wait.
            rows.iter_mut().for_each(|row| row.waiting = 0);
            ledger.take(program.source, &program.labels, &rows);
        }
        self.ended.extend(program.interval(&mut self.names, false));
        ledger.end(program.source);
    }

    /// Reads all of them.
    pub fn read(&mut self, ledger: &mut Ledger) {
        let replaced: Vec<u32> = self
            .programs
            .iter()
            .filter(|(pid, it)| !it.followed.is_of(**pid))
            .map(|(pid, _)| *pid)
            .collect();
        for pid in replaced {
            self.end(pid, ledger);
            if let Some(followed) = Followed::start(pid) {
                self.begin(pid, followed);
            }
        }
        for (&pid, program) in &mut self.programs {
            // A recording that cannot be read now may be readable the next time; its counters stay as they are.
            let Ok(profile) = program.followed.profile_by(&mut self.names, true) else {
                continue;
            };
            let mut rows = rows(&profile);
            program.deadlocks = look_at_holders(&[pid], &mut program.holders, &mut rows);
            ledger.take(program.source, &program.labels, &rows);
        }
        self.names.forget_unused();
    }

    /// Whether this process is recorded.
    pub fn records(&self, pid: u32) -> bool {
        self.programs.contains_key(&pid)
    }

    /// Whether this process is recorded, or may be about to be.
    pub fn may_record(&self, pid: u32) -> bool {
        self.programs.contains_key(&pid) || self.others.get(&pid).is_none_or(|&seen| seen < 2)
    }

    /// Returns the labels of each, with its deadlocks.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Arc<ProcessLabels>, Deadlocks)> {
        self.programs
            .iter()
            .map(|(&pid, it)| (pid, &it.labels, it.deadlocks))
    }
}

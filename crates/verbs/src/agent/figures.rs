//! Everything that one reading publishes about the watched programs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::labels::ProcessLabels;
use super::ledger::{Key, Ledger, Series};
use super::long_waits::Deadlocks;
use super::push;
use super::spinning::Spun;
use super::watching::Causes;

/// The programs with the same labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its processes that record.
    pub recorded: u64,
    /// Its processes that are seen from the kernel.
    pub seen_in_kernel: u64,
    /// Deadlocks in them now.
    pub deadlocks: Deadlocks,
}

/// The figures of a reading.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The locks.
    pub locks: Vec<(Key, Series)>,
    /// The sum of the locks without series of their own; `None` if there never were any.
    pub other: Option<Series>,
    /// How many locks are in it now.
    pub folded: u64,
    /// The programs that run.
    pub programs: BTreeMap<Arc<ProcessLabels>, Program>,
    /// Context switches so far; `None` if they cannot be counted here.
    pub switches: Option<BTreeMap<Arc<ProcessLabels>, Causes>>,
    /// CPU time of busy waiting so far; `None` if it is not seen here.
    pub spun: Option<Spun>,
    /// What has become of pushed profiles, by the kind of server.
    pub pushed: Vec<(&'static str, push::Counts)>,
    /// How long the reading took.
    pub reading: Duration,
    /// Readings so far.
    pub readings: u64,
}

impl Figures {
    /// Collects what the ledger has.
    pub fn of(ledger: &Ledger, programs: BTreeMap<Arc<ProcessLabels>, Program>) -> Self {
        let (series, other) = ledger.all();
        let series = series.iter();
        Self {
            locks: series.map(|(key, it)| (key.clone(), it.clone())).collect(),
            other: other.cloned(),
            folded: ledger.folded(),
            programs,
            ..Self::default()
        }
    }
}

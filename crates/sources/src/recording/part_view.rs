//! One process image, in terms that are common to all of them.

use std::collections::{HashMap, HashSet};

use locktoll_recording::reader::{Count, Part};

use super::instances::{Instance, Instances};
use super::part_names::PartSites;
use super::sites::SiteId;
use super::stacks::StackId;
use super::uses::waits;

/// One process image, with its numbered records replaced by what they mean over all processes.
pub struct PartView<'p> {
    /// The part itself.
    pub part: &'p Part,
    /// Its position among all parts.
    pub position: usize,
    /// When its recording ended, `CLOCK_MONOTONIC`.
    pub end_ns: u64,
    /// Its call sites.
    pub sites: PartSites,
    /// Its stacks, by their index there.
    pub stacks: Vec<StackId>,
    /// Its locks.
    pub instances: Instances,
    /// The site of calls whose place is not known.
    pub unknown: SiteId,
    /// Thread slots that only one thread has used.
    pub slots_alone: HashSet<u32>,
}

/// Returns the thread slots of a part that only one thread has used.
pub fn slots_alone(part: &Part) -> HashSet<u32> {
    let mut threads: HashMap<u32, u32> = HashMap::new();
    for thread in &part.threads {
        *threads.entry(thread.slot).or_default() += 1;
    }
    let alone = threads.into_iter().filter(|&(_, threads)| threads == 1);
    alone.map(|(slot, _)| slot).collect()
}

impl PartView<'_> {
    /// Returns the site at an index of the part.
    pub fn site(&self, index: Option<usize>) -> SiteId {
        index
            .and_then(|index| self.sites.ids.get(index).copied())
            .unwrap_or(self.unknown)
    }

    /// Returns the first place, in the order of modules and addresses, that took a lock. It is the same in every run.
    pub fn first_site(&self, instance: &Instance) -> SiteId {
        let counts = self.instances.counts(self.part, instance);
        let taken = counts.clone().filter(|count| waits(count.entry));
        let place = |count: &&Count| count.site.and_then(|site| self.sites.places.get(site));
        let first = taken.min_by(|a, b| place(a).cmp(&place(b)));
        self.site(first.and_then(|count| count.site))
    }
}

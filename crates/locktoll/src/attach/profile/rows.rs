//! Sums by row.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::calls::{Site, Stacks};
use super::identity::{Identity, Statics};
use super::objects::{Purposes, Words, base};
use super::purpose::{By, Purpose};
use crate::attach::gathered::{Gathered, Wait, Waiting};
use crate::profile::{LockKind, Use};

/// Where an object lies: its process and its beginning there.
pub type Object = (u32, u64);

/// What tells rows apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The sort.
    pub kind: LockKind,
    /// What it is used for.
    pub used_as: Use,
    /// What its objects have in common.
    pub identity: Identity,
}

/// Waits of some sort.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// How many.
    pub waits: u64,
    /// How long, nanoseconds.
    pub wait_ns: u64,
    /// The longest, nanoseconds.
    pub max_ns: u64,
}

impl Sum {
    /// Takes in the waits of an entry.
    pub fn add(&mut self, wait: &Wait) {
        self.waits = self.waits.saturating_add(wait.waits());
        self.wait_ns = self.wait_ns.saturating_add(wait.total_ns);
        self.max_ns = self.max_ns.max(wait.max_ns);
    }
}

/// All that is known of a row.
#[derive(Debug, Default)]
pub struct Row {
    /// All waits.
    pub all: Sum,
    /// Of these, those that were woken, timed out, were interrupted, failed; and calls that did not wait.
    pub woken: u64,
    pub timed_out: u64,
    pub interrupted: u64,
    pub failed: u64,
    pub again: u64,
    /// From the wake-up until the call returned.
    pub runnable_ns: u64,
    /// Waits by powers of two of their length.
    pub log2: Vec<u64>,
    /// Calls that wake, those that met nobody, threads woken; `None` if they cannot be told from those of other rows.
    pub wakes: Option<[u64; 3]>,
    /// By the object.
    pub objects: HashMap<Object, Sum>,
    /// By the place that waits, with a stack that leads there.
    pub sites: HashMap<Site, (u32, Sum)>,
    /// By stack.
    pub stacks: HashMap<u32, Sum>,
    /// By the place that waits and the place that woke it, with a stack that leads to that.
    pub woken_by: HashMap<(Site, Site), (u32, Sum)>,
    /// By the thread that owned the lock when the wait began.
    pub owners: HashMap<u32, Sum>,
    /// Preemptions of owners while others waited, each once: how often, how long, the longest, by powers of two of their length.
    pub preempted: Sum,
    pub preempted_log2: Vec<u64>,
    /// Waiting that passed meanwhile, all waiters together; of waits whose owner was known.
    pub waited_meanwhile_ns: u64,
    pub owner_known: u64,
    /// Threads that still wait: process, thread, how long.
    pub waiting: Vec<(u32, u32, u64)>,
    /// Whether the objects are the threads', so that their number says nothing of the locks'.
    pub of_threads: bool,
}

/// All rows.
#[derive(Default)]
pub struct Rows(pub HashMap<Key, Row>);

/// What is known of an object before it has a row.
#[derive(Default)]
struct Known {
    /// Time by what the calls say that it is used for.
    used_as: HashMap<Use, u64>,
    /// Time by the place that waits.
    sites: HashMap<Site, u64>,
    /// Functions that wait, and functions that wake.
    waiters: HashSet<String>,
    wakers: HashSet<String>,
}

impl Rows {
    /// Of all that was gathered.
    pub fn of(
        gathered: &Gathered,
        stacks: &Stacks,
        statics: &mut Statics<'_>,
        duration_ns: u64,
    ) -> Self {
        let purposes = Purposes::of(gathered, stacks);
        let words = Words::of(gathered, &purposes);
        let sorting = Sorting {
            stacks,
            purposes: &purposes,
            words: &words,
        };
        let mut known = sorting.known(gathered);
        // Nothing says where they wait: only an owner tells that it is a lock.
        for waiting in waiting(gathered) {
            let at = sorting.object(waiting.process, waiting.word);
            known.entry(at).or_insert_with(|| {
                let used_as = if waiting.owner == 0 {
                    Use::Signal
                } else {
                    Use::Lock
                };
                Known {
                    used_as: [(used_as, 1)].into(),
                    ..Known::default()
                }
            });
        }
        let mut identities: HashMap<(Object, LockKind), Key> = HashMap::new();
        // In the order of their addresses, so that every run of this makes the same.
        let objects: BTreeSet<(Object, LockKind)> = known.keys().copied().collect();
        let found: Vec<((Object, LockKind), Option<Identity>)> = objects
            .into_iter()
            .map(|at| (at, statics.find(at.0.1)))
            .collect();
        for (at, identity) in found {
            let known = &known[&at];
            let identity = match identity {
                Some(identity) => statics.settled(identity),
                None => Identity::Place(known.dearest()),
            };
            let used_as = known.used_as(at.1);
            identities.insert(
                at,
                Key {
                    kind: at.1,
                    used_as,
                    identity,
                },
            );
        }
        let mut rows = Self::default();
        for wait in &gathered.waits {
            rows.add(wait, &sorting, &identities);
        }
        rows.add_wakes(gathered, &sorting, &identities);
        rows.add_owners(gathered, &sorting, &identities);
        rows.add_preemptions(gathered, &sorting, &identities);
        rows.add_waiting(gathered, &sorting, &identities, duration_ns);
        rows
    }

    fn add(
        &mut self,
        wait: &Wait,
        sorting: &Sorting<'_>,
        identities: &HashMap<(Object, LockKind), Key>,
    ) {
        let site = sorting.stacks.get(wait.stack).site();
        let purpose = sorting.purpose(wait.process, wait.word, wait.stack);
        let (object, key) = match &purpose.by {
            By::Word => {
                let at = sorting.object(wait.process, wait.word);
                match identities.get(&at) {
                    Some(key) => (at.0, key.clone()),
                    // Calls that did not wait, at a word that nobody has waited for.
                    None => return,
                }
            }
            by => {
                let identity = match by {
                    By::Library(function) => Identity::Library(function.clone()),
                    By::Join => Identity::Join(site.clone()),
                    By::Place | By::Word => Identity::Place(site.clone()),
                };
                let used_as = purpose.used_as.unwrap_or(Use::Lock);
                let kind = purpose.kind;
                (
                    (wait.process, wait.word),
                    Key {
                        kind,
                        used_as,
                        identity,
                    },
                )
            }
        };
        let row = self.0.entry(key).or_default();
        row.again = row.again.saturating_add(wait.again);
        if wait.waits() == 0 {
            return;
        }
        row.of_threads |= purpose.by == By::Place;
        row.all.add(wait);
        for (sum, more) in [
            (&mut row.woken, wait.woken),
            (&mut row.timed_out, wait.timed_out),
            (&mut row.interrupted, wait.interrupted),
            (&mut row.failed, wait.failed),
            (&mut row.runnable_ns, wait.runnable_ns),
            (&mut row.owner_known, wait.owner_known),
            (&mut row.waited_meanwhile_ns, wait.holder_preempted_ns),
        ] {
            *sum = sum.saturating_add(more);
        }
        add_log2(&mut row.log2, &wait.log2);
        row.objects.entry(object).or_default().add(wait);
        if wait.stack == 0 && wait.total_ns == 0 {
            // Woken before they had left the processor: no stack was taken.
            return;
        }
        let at_site = row.sites.entry(site.clone()).or_default();
        at_site.0 = wait.stack;
        at_site.1.add(wait);
        row.stacks.entry(wait.stack).or_default().add(wait);
        let waker = sorting.stacks.get(wait.waker_stack).site();
        let woken = row.woken_by.entry((site, waker)).or_default();
        woken.0 = wait.waker_stack;
        woken.1.add(wait);
    }

    fn add_wakes(
        &mut self,
        gathered: &Gathered,
        sorting: &Sorting<'_>,
        identities: &HashMap<(Object, LockKind), Key>,
    ) {
        for wake in &gathered.wakes {
            let at = sorting.object(wake.process, wake.word);
            let row = identities.get(&at).and_then(|key| self.0.get_mut(key));
            if let Some(row) = row {
                let sums = row.wakes.get_or_insert_default();
                for (sum, more) in sums.iter_mut().zip([wake.calls, wake.empty, wake.woken]) {
                    *sum = sum.saturating_add(more);
                }
            }
        }
    }
}

impl Rows {
    /// Threads that still wait: what for, and how long, by their own id.
    pub fn waiting(&self) -> HashMap<u32, (Use, u64)> {
        let rows = self.0.iter();
        rows.flat_map(|(key, row)| {
            let waiting = row.waiting.iter();
            waiting.map(|&(_, thread, wait_ns)| (thread, (key.used_as, wait_ns)))
        })
        .collect()
    }

    fn add_owners(
        &mut self,
        gathered: &Gathered,
        sorting: &Sorting<'_>,
        identities: &HashMap<(Object, LockKind), Key>,
    ) {
        for owner in &gathered.owners {
            let at = sorting.object(owner.process, owner.word);
            let row = identities.get(&at).and_then(|key| self.0.get_mut(key));
            if let Some(row) = row {
                let sum = row.owners.entry(owner.thread).or_default();
                sum.waits = sum.waits.saturating_add(owner.count);
                sum.wait_ns = sum.wait_ns.saturating_add(owner.wait_ns);
            }
        }
    }

    fn add_preemptions(
        &mut self,
        gathered: &Gathered,
        sorting: &Sorting<'_>,
        identities: &HashMap<(Object, LockKind), Key>,
    ) {
        for it in &gathered.preemptions {
            let at = sorting.object(it.process, it.word);
            let Some(row) = identities.get(&at).and_then(|key| self.0.get_mut(key)) else {
                continue;
            };
            row.preempted.waits = row.preempted.waits.saturating_add(it.count);
            row.preempted.wait_ns = row.preempted.wait_ns.saturating_add(it.total_ns);
            row.preempted.max_ns = row.preempted.max_ns.max(it.max_ns);
            add_log2(&mut row.preempted_log2, &it.log2);
        }
    }

    /// Of a wait that had begun before watching did, the time that was watched is known.
    fn add_waiting(
        &mut self,
        gathered: &Gathered,
        sorting: &Sorting<'_>,
        identities: &HashMap<(Object, LockKind), Key>,
        duration_ns: u64,
    ) {
        for waiting in waiting(gathered) {
            let at = sorting.object(waiting.process, waiting.word);
            let Some(key) = identities.get(&at) else {
                continue;
            };
            let wait_ns = waiting.wait_ns.unwrap_or(duration_ns).min(duration_ns);
            let row = self.0.entry(key.clone()).or_default();
            row.waiting.push((waiting.process, waiting.thread, wait_ns));
        }
    }
}

fn add_log2(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum = sum.saturating_add(*more);
    }
}

/// Threads that still wait, and for how long is known. Of one that has waited before while it was watched, and whose wait was not seen
/// to begin, it is not: that wait began while all this was read.
fn waiting(gathered: &Gathered) -> impl Iterator<Item = &Waiting> {
    let seen: HashSet<u32> = gathered
        .threads
        .iter()
        .filter(|thread| thread.waits > 0)
        .map(|thread| thread.thread)
        .collect();
    let waiting = gathered.waiting.iter();
    waiting.filter(move |it| it.wait_ns.is_some() || !seen.contains(&it.thread))
}

/// What is needed to tell which object an entry belongs to.
struct Sorting<'a> {
    stacks: &'a Stacks,
    purposes: &'a Purposes,
    words: &'a Words,
}

impl Sorting<'_> {
    /// What a wait is for: by its calls, or else by its word.
    fn purpose(&self, process: u32, word: u64, stack: u32) -> Purpose {
        let said = self.purposes.get(stack).cloned();
        said.unwrap_or_else(|| self.words.purpose(process, word))
    }

    fn object(&self, process: u32, word: u64) -> (Object, LockKind) {
        let kind = self.words.kind(process, word).unwrap_or(LockKind::Futex);
        ((process, base(kind, word)), kind)
    }

    fn known(&self, gathered: &Gathered) -> HashMap<(Object, LockKind), Known> {
        let mut all: HashMap<(Object, LockKind), Known> = HashMap::new();
        for wait in gathered.waits.iter().filter(|wait| wait.waits() > 0) {
            let purpose = self.purpose(wait.process, wait.word, wait.stack);
            if purpose.by != By::Word {
                continue;
            }
            let known = all.entry(self.object(wait.process, wait.word)).or_default();
            if let Some(used_as) = purpose.used_as {
                *known.used_as.entry(used_as).or_default() += wait.total_ns.max(1);
            }
            let calls = self.stacks.get(wait.stack);
            *known.sites.entry(calls.site()).or_default() += wait.total_ns;
            known.waiters.extend(calls.caller().map(str::to_owned));
        }
        for wake in &gathered.wakes {
            if let Some(known) = all.get_mut(&self.object(wake.process, wake.word)) {
                known
                    .wakers
                    .extend(self.stacks.get(wake.stack).caller().map(str::to_owned));
            }
        }
        all
    }
}

impl Known {
    /// The place that has waited longest.
    fn dearest(&self) -> Site {
        let dearest = self.sites.iter().max_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0)));
        dearest.map_or_else(|| [].into(), |(site, _)| site.clone())
    }

    /// A semaphore is a lock if functions that wait for it wake its waiters, too. A futex word of which nothing is known is taken for a lock.
    fn used_as(&self, kind: LockKind) -> Use {
        match kind {
            LockKind::Mutex | LockKind::RwLock | LockKind::Spin => Use::Lock,
            LockKind::Condvar | LockKind::Barrier => Use::Signal,
            LockKind::Semaphore => match self.waiters.is_disjoint(&self.wakers) {
                true => Use::Signal,
                false => Use::Lock,
            },
            LockKind::Futex => {
                let of = |used_as| self.used_as.get(&used_as).copied().unwrap_or(0);
                match of(Use::Signal) > of(Use::Lock) {
                    true => Use::Signal,
                    false => Use::Lock,
                }
            }
        }
    }
}

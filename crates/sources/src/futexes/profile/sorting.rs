//! The object to which an entry belongs, and the use of the object.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::calls::{Site, Stacks};
use super::identity::{Identity, Statics};
use super::objects::{Purposes, Words, base};
use super::purpose::{By, Purpose, is_of_openmp};
use super::row::{Key, Object};
use crate::futexes::gathered::{Gathered, Waiting};
use locktoll_results::profile::{LockKind, Use};

/// The location and kind of an object: one word may have belonged to objects of several kinds, one after another.
type Sorted = (Object, LockKind);

/// Finds the row to which each entry belongs.
pub struct Sorting<'a> {
    stacks: &'a Stacks,
    purposes: Purposes,
    words: Words,
    keys: HashMap<Sorted, Key>,
}

/// The place to which a wait belongs.
pub struct Place {
    /// The row.
    pub key: Key,
    /// The object that was waited for.
    pub object: Object,
    /// The place that waited.
    pub site: Site,
    /// Whether the object belongs to the thread, and not to a lock.
    pub of_threads: bool,
}

impl<'a> Sorting<'a> {
    /// Sorts everything that was gathered.
    pub fn of(gathered: &Gathered, stacks: &'a Stacks, statics: &mut Statics<'_>) -> Self {
        let purposes = Purposes::of(gathered, stacks);
        let mut sorting = Self {
            stacks,
            words: Words::of(gathered, &purposes),
            purposes,
            keys: HashMap::new(),
        };
        let known = sorting.known(gathered);
        // In the order of their addresses, so that every run gives the same result.
        let objects: BTreeSet<Sorted> = known.keys().copied().collect();
        let found: Vec<(Sorted, Option<Identity>)> = objects
            .into_iter()
            .map(|at| (at, statics.find(at.0.0, at.0.1)))
            .collect();
        for (at, identity) in found {
            let known = &known[&at];
            let key = Key {
                kind: at.1,
                used_as: known.used_as(at.1),
                identity: match identity {
                    Some(identity) => statics.settled(identity),
                    None => Identity::Place(known.dearest()),
                },
            };
            sorting.keys.insert(at, key);
        }
        sorting
    }

    /// Returns the row of the object at a word, if anybody has waited for it.
    pub fn key(&self, process: u32, word: u64) -> Option<&Key> {
        self.keys.get(&self.object(process, word))
    }

    /// Returns the place to which a wait belongs; `None` for calls that did not wait, if nobody has waited for their word.
    pub fn place(&self, process: u32, word: u64, stack: u32) -> Option<Place> {
        let site = self.stacks.get(stack).site();
        let purpose = self.purpose(process, word, stack);
        let identity = match purpose.by {
            By::Word => {
                let at = self.object(process, word);
                return Some(Place {
                    key: self.keys.get(&at)?.clone(),
                    object: at.0,
                    site,
                    of_threads: false,
                });
            }
            By::Library(function) => Identity::Library(function),
            By::Join => Identity::Join(site.clone()),
            By::Place => Identity::Place(site.clone()),
        };
        Some(Place {
            of_threads: matches!(identity, Identity::Place(_)),
            key: Key {
                kind: purpose.kind,
                used_as: purpose.used_as.unwrap_or(Use::Lock),
                identity,
            },
            object: (process, word),
            site,
        })
    }

    /// Returns the purpose of a wait, by its calls or, if they do not show it, by its word.
    fn purpose(&self, process: u32, word: u64, stack: u32) -> Purpose {
        let said = self.purposes.get(stack).cloned();
        said.unwrap_or_else(|| match is_of_openmp(self.stacks.get(stack).frames()) {
            true => self.words.purpose_in_openmp(process, word),
            false => self.words.purpose(process, word),
        })
    }

    fn object(&self, process: u32, word: u64) -> Sorted {
        let kind = self.words.kind(process, word).unwrap_or(LockKind::Futex);
        ((process, base(kind, word)), kind)
    }

    fn known(&self, gathered: &Gathered) -> HashMap<Sorted, Known> {
        let mut all: HashMap<Sorted, Known> = HashMap::new();
        let ended = gathered.waits.iter().filter(|wait| wait.waits() > 0);
        let ended = ended.map(|it| (it.process, it.word, it.stack, it.total_ns));
        let go_on = waiting(gathered).filter(|it| it.stack != 0);
        let go_on = go_on.map(|it| (it.process, it.word, it.stack, it.wait_ns.unwrap_or(0)));
        for (process, word, stack, wait_ns) in ended.chain(go_on) {
            let purpose = self.purpose(process, word, stack);
            if purpose.by != By::Word {
                continue;
            }
            let known = all.entry(self.object(process, word)).or_default();
            if let Some(used_as) = purpose.used_as {
                *known.used_as.entry(used_as).or_default() += wait_ns.max(1);
            }
            let calls = self.stacks.get(stack);
            *known.sites.entry(calls.site()).or_default() += wait_ns;
            known.waiters.extend(calls.caller().map(str::to_owned));
        }
        for wake in &gathered.wakes {
            if let Some(known) = all.get_mut(&self.object(wake.process, wake.word)) {
                known
                    .wakers
                    .extend(self.stacks.get(wake.stack).caller().map(str::to_owned));
            }
        }
        // If nothing shows where threads wait, only an owner shows that it is a lock.
        for waiting in waiting(gathered).filter(|it| it.stack == 0) {
            let at = self.object(waiting.process, waiting.word);
            all.entry(at).or_insert_with(|| Known {
                used_as: match waiting.owner {
                    0 => [(Use::Signal, 1)].into(),
                    _ => [(Use::Lock, 1)].into(),
                },
                ..Known::default()
            });
        }
        all
    }
}

/// Returns the threads that still wait, if the length of the wait is known. It is not known for a thread that has waited before
/// while it was watched, and whose present wait was not seen to begin: that wait began while all this was read.
pub fn waiting(gathered: &Gathered) -> impl Iterator<Item = &Waiting> {
    let seen: HashSet<(u32, u32)> = gathered
        .threads
        .iter()
        .filter(|thread| thread.waits > 0)
        .map(|thread| (thread.process, thread.thread))
        .collect();
    let waiting = gathered.waiting.iter();
    waiting.filter(move |it| it.wait_ns.is_some() || !seen.contains(&(it.process, it.thread)))
}

/// The data about an object that does not have a row yet.
#[derive(Default)]
struct Known {
    /// Time by the use that the calls show.
    used_as: HashMap<Use, u64>,
    /// Time by the place that waits.
    sites: HashMap<Site, u64>,
    /// Functions that wait, and functions that wake.
    waiters: HashSet<String>,
    wakers: HashSet<String>,
}

impl Known {
    /// Returns the place that has waited longest.
    fn dearest(&self) -> Site {
        let dearest = self.sites.iter().max_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0)));
        dearest.map_or_else(|| [].into(), |(site, _)| site.clone())
    }

    /// Returns the use. A semaphore is a lock if functions that wait for it also wake its waiters. A futex word of which nothing
    /// is known is taken for a lock.
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

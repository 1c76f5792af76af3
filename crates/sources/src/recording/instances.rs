//! The single locks of one process image, and the place of each.

use std::collections::{HashMap, HashSet};

use locktoll_recording::layout;
use locktoll_recording::reader::{Count, Key, Part};

use super::births::BirthId;
use super::statics::{FileId, Finder, Spot, Statics, VariableId};
use super::symbols::Symbols;
use super::uses::Calls;

/// The key of one lock: an address, a generation and a kind in one process image.
type Lock = (u64, u32, layout::LockKind);

/// One lock.
pub struct Instance {
    /// Its address.
    pub address: u64,
    /// The generation of the lock at that address.
    pub generation: u32,
    /// Its kind.
    pub kind: layout::LockKind,
    /// Whether it is a semaphore that is posted by threads that do not hold it.
    pub posted: bool,
    /// Where it lies.
    pub spot: Spot,
    /// Where it came from.
    pub birth: Option<BirthId>,
    /// How many locks it represents: more than one if the counts of locks that have gone were merged.
    pub stands_for: u64,
    /// Its counts: a range of positions in [`Instances::order`].
    first: u32,
    end: u32,
}

/// The locks of a part, by address.
pub struct Instances {
    /// Indices of counts; those of one lock are adjacent.
    order: Vec<u32>,
    list: Vec<Instance>,
}

impl Instances {
    /// Finds the locks of `part`; `births` are its births by their index there.
    pub fn of(
        part: &Part,
        births: &[BirthId],
        statics: &mut Statics,
        symbols: &mut Symbols,
    ) -> Self {
        let mut keyed: Vec<(Lock, u32)> = (0..)
            .zip(&part.counts)
            .map(|(index, count)| (lock_of(count), index))
            .collect();
        // By index if the lock is the same, so that two runs over one recording give the same result.
        keyed.sort_unstable();
        let threads = part.threads.iter();
        let waited_for = threads.filter_map(|thread| Some(thread.waiting?.lock_address));
        let waited_for: HashSet<u64> = waited_for.collect();
        let mut finder = Finder::new(part);
        let mut list: Vec<Instance> = Vec::new();
        let mut alive: HashMap<usize, u64> = HashMap::new();
        let mut pooled: Vec<(usize, usize)> = Vec::new();
        let mut first = 0;
        for counts in keyed.chunk_by(|(a, _), (b, _)| a == b) {
            let ((address, generation, kind), _) = counts[0];
            let spot = match list.last() {
                Some(last) if last.address == address => last.spot,
                _ => finder.find(address, statics, symbols),
            };
            let birth = |&(_, index): &(Lock, u32)| part.counts[index as usize].birth;
            let birth = counts.iter().find_map(birth);
            if let Some(birth) = birth.filter(|_| address != layout::POOLED) {
                *alive.entry(birth).or_default() += 1;
            } else if let Some(birth) = birth {
                pooled.push((list.len(), birth));
            }
            let end = first + counts.len() as u32;
            list.push(Instance {
                address,
                generation,
                kind,
                posted: kind == layout::LockKind::Semaphore && is_posted(part, counts, &waited_for),
                spot,
                birth: birth.and_then(|index| births.get(index)).copied(),
                stands_for: 1,
                first,
                end,
            });
            first = end;
        }
        for (place, birth) in pooled {
            let locks = part.births.get(birth).map_or(0, |birth| birth.locks);
            let alive = alive.get(&birth).copied().unwrap_or(0);
            list[place].stands_for = locks.saturating_sub(alive).max(1);
        }
        Self {
            order: keyed.into_iter().map(|(_, index)| index).collect(),
            list,
        }
    }

    /// Returns every lock.
    pub fn list(&self) -> &[Instance] {
        &self.list
    }

    /// Marks a lock as one on which a thread sleeps. It then represents what the thread waits for at the place of `birth`.
    pub fn set_parked(&mut self, instance: usize, birth: BirthId) {
        let instance = &mut self.list[instance];
        instance.birth = Some(birth);
        // The threads that post a semaphore to wake a process do not show what it waited for.
        instance.posted = false;
    }

    /// Returns the counts of one lock.
    pub fn counts<'p>(
        &self,
        part: &'p Part,
        instance: &Instance,
    ) -> impl Iterator<Item = &'p Count> + Clone {
        let range = instance.first as usize..instance.end as usize;
        self.order[range]
            .iter()
            .map(|&index| &part.counts[index as usize])
    }

    /// Returns the index of this lock or, if it was not distinguished from others at that address, of the last one there.
    pub fn at(&self, address: u64, generation: u32, kind: layout::LockKind) -> Option<usize> {
        let known = |instance: &Instance| (instance.address, instance.generation, instance.kind);
        let wanted = (address, generation, kind);
        self.list
            .binary_search_by_key(&wanted, known)
            .ok()
            .or_else(|| {
                let end = self.list.partition_point(|it| it.address <= address);
                let there = (0..end).rev();
                there
                    .take_while(|&index| self.list[index].address == address)
                    .find(|&index| self.list[index].kind == kind)
            })
    }

    /// Returns the index of the lock to which a record with `key` belongs.
    pub fn find(&self, key: &Key) -> Option<usize> {
        let wanted = (key.lock_address, key.generation, key.kind);
        let known = |instance: &Instance| (instance.address, instance.generation, instance.kind);
        self.list.binary_search_by_key(&wanted, known).ok()
    }
}

/// Whether threads that do not hold a semaphore post it as often as its holders. That is also assumed of a semaphore that nobody
/// has ever acquired, and that is `waited_for` at the end of the recording.
fn is_posted(part: &Part, counts: &[(Lock, u32)], waited_for: &HashSet<u64>) -> bool {
    let mut calls = Calls::default();
    for &(_, index) in counts {
        let count = &part.counts[index as usize];
        calls.add(count.entry, count.acquisitions);
    }
    let untouched = |&((address, ..), _): &(Lock, u32)| waited_for.contains(&address);
    calls.are_of_a_signal() || (calls.are_none() && counts.iter().any(untouched))
}

fn lock_of(count: &Count) -> Lock {
    (count.lock_address, count.generation, count.kind)
}

/// How many locks lie in one variable, or came from one place into one file's unnamed data.
///
/// Among several processes, the largest number counts: a child that took three locks of an array has seen the same array.
#[derive(Default)]
pub struct Crowds {
    variables: HashMap<(VariableId, layout::LockKind), u32>,
    unnamed: HashMap<(FileId, Option<BirthId>, layout::LockKind), u32>,
}

/// If a variable contains more locks than this, they share one row.
const CROWD: u32 = 16;

impl Crowds {
    /// Adds the locks of one part.
    pub fn add(&mut self, instances: &Instances) {
        let mut here = Self::default();
        let mut last = None;
        for instance in instances.list() {
            // Locks that lived at one address one after another are one lock of an array.
            if last.replace((instance.address, instance.kind))
                == Some((instance.address, instance.kind))
            {
                continue;
            }
            match instance.spot {
                Spot::Variable(variable, _) => {
                    *here.variables.entry((variable, instance.kind)).or_default() += 1;
                }
                Spot::Unnamed(file, _) => {
                    *here
                        .unnamed
                        .entry((file, instance.birth, instance.kind))
                        .or_default() += 1;
                }
                Spot::Elsewhere => {}
            }
        }
        for (variable, count) in here.variables {
            let most = self.variables.entry(variable).or_default();
            *most = count.max(*most);
        }
        for (place, count) in here.unnamed {
            let most = self.unnamed.entry(place).or_default();
            *most = count.max(*most);
        }
    }

    /// Whether the locks of this kind in `variable` share a row.
    pub fn in_variable(&self, variable: VariableId, kind: layout::LockKind) -> bool {
        self.variables
            .get(&(variable, kind))
            .is_some_and(|&count| count > CROWD)
    }

    /// Whether the unnamed locks of this kind in `file` with this birth share a row.
    pub fn in_file(&self, file: FileId, birth: Option<BirthId>, kind: layout::LockKind) -> bool {
        self.unnamed
            .get(&(file, birth, kind))
            .is_some_and(|&count| count > CROWD)
    }
}

//! The threads that can make a step.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use locktoll_recording::reader::{Order, Part};

/// Threads of one process, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Threads {
    ids: BTreeSet<u32>,
    /// Whether there were more than are known.
    more: bool,
}

impl Threads {
    /// Returns the threads of a context.
    pub fn of(order: &Order) -> Self {
        Self {
            ids: order.tids.iter().copied().collect(),
            more: order.threads as usize > order.tids.len(),
        }
    }

    /// Returns these threads, for tests.
    #[cfg(test)]
    pub fn these(ids: &[u32]) -> Self {
        Self {
            ids: ids.iter().copied().collect(),
            more: false,
        }
    }

    /// Adds others.
    pub fn add(&mut self, others: &Self) {
        self.ids.extend(&others.ids);
        self.more |= others.more;
    }

    /// Returns how many there were, at least.
    pub fn count(&self) -> u64 {
        self.ids.len() as u64 + u64::from(self.more)
    }
}

/// Which threads run the same function, so that each of them could do what one of them did.
#[derive(Default)]
pub struct Alike {
    group: HashMap<u32, usize>,
    members: Vec<BTreeSet<u32>>,
}

impl Alike {
    /// Groups the threads of a process by the function that they were started with.
    pub fn of(part: &Part) -> Self {
        let mut by_routine: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for thread in &part.threads {
            if let Some(routine) = thread.start_routine {
                by_routine.entry(routine).or_default().insert(thread.tid);
            }
        }
        let members: Vec<BTreeSet<u32>> = by_routine.into_values().collect();
        let mut group = HashMap::new();
        for (number, tids) in members.iter().enumerate() {
            group.extend(tids.iter().map(|&tid| (tid, number)));
        }
        Self { group, members }
    }

    /// Returns the threads that could make the step which these threads made.
    fn could_be(&self, threads: &Threads) -> Threads {
        let mut ids = threads.ids.clone();
        for tid in &threads.ids {
            if let Some(&group) = self.group.get(tid) {
                ids.extend(&self.members[group]);
            }
        }
        Threads {
            ids,
            more: threads.more,
        }
    }

    /// Whether each step could be made by a thread of its own, all at the same time.
    pub fn are_enough(&self, steps: &[&Threads]) -> bool {
        let could_be: Vec<Threads> = steps.iter().map(|it| self.could_be(it)).collect();
        let mut step_of: HashMap<u32, usize> = HashMap::new();
        (0..could_be.len()).all(|step| {
            // More threads than are known: one of them is still free.
            could_be[step].more
                || find_a_thread(step, &could_be, &mut step_of, &mut BTreeSet::new())
        })
    }
}

/// Finds a thread for `step`, and moves other steps to other threads if necessary (Kuhn's algorithm for bipartite matching).
fn find_a_thread(
    step: usize,
    could_be: &[Threads],
    step_of: &mut HashMap<u32, usize>,
    tried: &mut BTreeSet<u32>,
) -> bool {
    for &tid in &could_be[step].ids {
        if !tried.insert(tid) {
            continue;
        }
        let is_free = match step_of.get(&tid) {
            None => true,
            Some(&other) => find_a_thread(other, could_be, step_of, tried),
        };
        if is_free {
            step_of.insert(tid, step);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_needs_a_thread_of_its_own() {
        let alike = Alike::default();
        let enough = |steps: &[&[u32]]| {
            let steps: Vec<Threads> = steps.iter().map(|it| Threads::these(it)).collect();
            alike.are_enough(&steps.iter().collect::<Vec<_>>())
        };
        assert!(!enough(&[&[1], &[1]]));
        assert!(enough(&[&[1], &[2]]));
        assert!(enough(&[&[1, 2], &[1]]) && enough(&[&[1], &[1, 2]]));
        assert!(!enough(&[&[1, 2], &[1], &[2]]));
        assert!(enough(&[&[1, 2], &[1], &[2, 3]]));
        assert!(!enough(&[&[]]));
    }

    #[test]
    fn threads_of_one_function_can_stand_in_for_each_other() {
        let alike = Alike {
            group: HashMap::from([(1, 0), (2, 0)]),
            members: vec![BTreeSet::from([1, 2])],
        };
        let one = Threads::these(&[1]);
        assert!(alike.are_enough(&[&one, &one]));
        assert!(!alike.are_enough(&[&one, &one, &one]));
        let many = Threads {
            more: true,
            ..one.clone()
        };
        assert!(alike.are_enough(&[&one, &one, &many]));
        assert_eq!(many.count(), 2);
    }
}

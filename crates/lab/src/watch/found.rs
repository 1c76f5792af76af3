//! Samples of threads between two sweeps, and their results.

use std::collections::{BTreeMap, HashMap};

use super::Wait;
use super::interval::Found;
use super::wait::Look;

/// The results of the looks since the last sweep, by process and thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    found: HashMap<(u32, u32), Tally>,
}

#[derive(Clone, Debug, Default)]
struct Tally {
    running: u32,
    unreadable: u32,
    waiting: BTreeMap<Wait, u32>,
}

impl Looks {
    /// Notes the result of a look at a thread.
    pub(super) fn note(&mut self, pid: u32, tid: u32, look: Look) {
        let tally = self.found.entry((pid, tid)).or_default();
        match look {
            Look::Running => tally.running += 1,
            Look::Unreadable => tally.unreadable += 1,
            Look::Waiting(wait) => *tally.waiting.entry(wait).or_default() += 1,
        }
    }

    /// Returns the results for one thread.
    pub(super) fn of(&self, pid: u32, tid: u32) -> Found {
        let Some(tally) = self.found.get(&(pid, tid)) else {
            return Found::default();
        };
        let mut found = Found {
            running: tally.running,
            unreadable: tally.unreadable,
            waiting: tally.waiting.iter().map(|(&w, &n)| (w, n)).collect(),
        };
        found.order();
        found
    }
}

impl Found {
    /// Returns how often a thread was found in a wait of any kind.
    pub fn waits(&self) -> u32 {
        self.waiting.iter().map(|(_, count)| count).sum()
    }

    /// Adds the results for another thread.
    pub(super) fn add(&mut self, other: &Found) {
        self.running += other.running;
        self.unreadable += other.unreadable;
        for &(wait, count) in &other.waiting {
            match self.waiting.iter_mut().find(|(known, _)| *known == wait) {
                Some((_, sum)) => *sum += count,
                None => self.waiting.push((wait, count)),
            }
        }
        self.order();
    }

    fn order(&mut self) {
        self.waiting
            .sort_by_key(|&(wait, count)| (std::cmp::Reverse(count), wait));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_wait_comes_first() {
        let mut looks = Looks::default();
        for look in [
            Look::Running,
            Look::Waiting(Wait::Sleep),
            Look::Waiting(Wait::FutexWait),
            Look::Waiting(Wait::FutexWait),
            Look::Unreadable,
        ] {
            looks.note(7, 8, look);
        }
        let mut found = looks.of(7, 8);
        assert_eq!((found.running, found.unreadable, found.waits()), (1, 1, 3));
        assert_eq!(found.waiting, [(Wait::FutexWait, 2), (Wait::Sleep, 1)]);
        let more = Found {
            waiting: vec![(Wait::Sleep, 2), (Wait::Disk, 1)],
            ..Found::default()
        };
        found.add(&more);
        assert_eq!(
            found.waiting,
            [(Wait::Sleep, 3), (Wait::FutexWait, 2), (Wait::Disk, 1)]
        );
        assert_eq!(looks.of(7, 9), Found::default());
    }
}

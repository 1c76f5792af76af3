//! The futex words that belong to one object, and the kind of that object.

use std::collections::{HashMap, HashSet};

use super::calls::Stacks;
use super::purpose::{By, Purpose};
use crate::futexes::gathered::Gathered;
use locktoll_recording::layout::is_value_of_a_lock;
use locktoll_results::profile::{LockKind, Use};

/// What the calls show about the word at each address: those that wait there, and those that wake there.
#[derive(Default)]
pub struct Words {
    said: HashMap<(u32, u64), HashMap<LockKind, u64>>,
    /// Words that name their owner.
    owned: HashSet<(u32, u64)>,
    /// Words through which a thread's end is signalled.
    joined: HashSet<(u32, u64)>,
    /// The value that waiters had expected there: the first waiter, and those that still wait.
    expected: HashMap<(u32, u64), u32>,
}

impl Words {
    /// Collects what all calls show about their words. `purposes` is by stack number.
    pub fn of(gathered: &Gathered, purposes: &Purposes) -> Self {
        let mut words = Self::default();
        let waits = gathered
            .waits
            .iter()
            .map(|it| (it.process, it.word, it.stack, it.waits()));
        let wakes = gathered
            .wakes
            .iter()
            .map(|it| (it.process, it.word, it.stack, it.calls));
        let go_on = gathered
            .waiting
            .iter()
            .map(|it| (it.process, it.word, it.stack, 1));
        for (process, word, stack, calls) in waits.chain(wakes).chain(go_on) {
            if let Some(purpose) = purposes.get(stack)
                && purpose.by == By::Word
            {
                let said = words.said.entry((process, word)).or_default();
                *said.entry(purpose.kind).or_default() += calls;
            }
        }
        let owners = gathered.owners.iter();
        words.owned = owners.map(|it| (it.process, it.word)).collect();
        let first = gathered
            .words
            .iter()
            .map(|it| ((it.process, it.word), it.value));
        let last = gathered
            .waiting
            .iter()
            .map(|it| ((it.process, it.word), it.value));
        words.expected = last.chain(first).collect();
        let joined = gathered.words.iter().filter(|it| it.joined > 0);
        words.joined = joined.map(|it| (it.process, it.word)).collect();
        words
    }

    /// Returns the purpose of waits at a word about which the calls say nothing.
    pub fn purpose(&self, process: u32, word: u64) -> Purpose {
        let by_word = |kind, used_as| Purpose {
            kind,
            used_as,
            by: By::Word,
        };
        if self.joined.contains(&(process, word)) {
            return Purpose {
                by: By::Join,
                ..by_word(LockKind::Futex, Some(Use::Signal))
            };
        }
        match self.kind(process, word) {
            Some(kind) => by_word(kind, None),
            None => by_word(LockKind::Futex, self.used_by_value(process, word)),
        }
    }

    /// Returns what OpenMP's runtime waits for at a word. GCC's locks wait for −1 (libgomp, config/linux/mutex.h), its barriers
    /// for the number of the last time that all threads had arrived.
    pub fn purpose_in_openmp(&self, process: u32, word: u64) -> Purpose {
        match self.expected.get(&(process, word)) {
            Some(&u32::MAX) => Purpose {
                kind: LockKind::Futex,
                used_as: Some(Use::Lock),
                by: By::Word,
            },
            _ => Purpose {
                kind: LockKind::Barrier,
                used_as: Some(Use::Signal),
                by: By::Place,
            },
        }
    }

    /// Returns the use of a word according to the value that its waiters expect, where nothing else shows it.
    fn used_by_value(&self, process: u32, word: u64) -> Option<Use> {
        let &value = self.expected.get(&(process, word))?;
        Some(match is_value_of_a_lock(value) {
            true => Use::Lock,
            false => Use::Signal,
        })
    }

    /// Returns the kind of the object to which a word belongs. The waiters of a condition variable acquire its mutex again within
    /// the same function. So a word that any call treats as a mutex is one.
    pub fn kind(&self, process: u32, word: u64) -> Option<LockKind> {
        let Some(said) = self.said.get(&(process, word)) else {
            return self
                .owned
                .contains(&(process, word))
                .then_some(LockKind::Mutex);
        };
        let is_owned = self.owned.contains(&(process, word));
        let is_relock = is_owned && said.contains_key(&LockKind::Condvar);
        if said.contains_key(&LockKind::Mutex) || is_relock {
            return Some(LockKind::Mutex);
        }
        let most = said.iter().max_by_key(|&(kind, calls)| (calls, kind))?;
        Some(*most.0)
    }
}

/// The purpose that each stack shows, by the stack's number.
pub struct Purposes(HashMap<u32, Option<Purpose>>);

impl Purposes {
    /// Determines the purposes of all stacks that were gathered.
    pub fn of(gathered: &Gathered, stacks: &Stacks) -> Self {
        let numbers = gathered.stacks.keys();
        Self(
            numbers
                .map(|&number| (number, Purpose::of(stacks.get(number).frames())))
                .collect(),
        )
    }

    /// Returns the purpose of one stack.
    pub fn get(&self, stack: u32) -> Option<&Purpose> {
        self.0.get(&stack)?.as_ref()
    }
}

/// Returns the beginning of an object that waits at `word`. glibc's condition variables wait in the last eight of their
/// forty-eight bytes, its reader-writer locks in the third and fourth word.
pub fn base(kind: LockKind, word: u64) -> u64 {
    match kind {
        LockKind::Condvar => (word & !7).wrapping_sub(40),
        LockKind::RwLock => (word & !7).wrapping_sub(8),
        LockKind::Barrier => word & !7,
        LockKind::Mutex | LockKind::Spin | LockKind::Semaphore | LockKind::Futex => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openmp_waits_for_its_locks_by_a_value_and_else_at_barriers() {
        let words = Words {
            expected: HashMap::from([((7, 0x1000), u32::MAX), ((7, 0x2000), 8)]),
            ..Words::default()
        };
        let lock = words.purpose_in_openmp(7, 0x1000);
        assert_eq!(
            (lock.kind, lock.used_as),
            (LockKind::Futex, Some(Use::Lock))
        );
        for (process, word) in [(7, 0x2000), (7, 0x3000), (8, 0x1000)] {
            let barrier = words.purpose_in_openmp(process, word);
            assert_eq!(
                (barrier.kind, barrier.used_as),
                (LockKind::Barrier, Some(Use::Signal))
            );
        }
    }

    #[test]
    fn both_words_of_an_object_lead_to_it() {
        assert_eq!(base(LockKind::Condvar, 0x1028), 0x1000);
        assert_eq!(base(LockKind::Condvar, 0x102c), 0x1000);
        assert_eq!(
            base(LockKind::RwLock, 0x2008),
            base(LockKind::RwLock, 0x200c)
        );
        assert_eq!(base(LockKind::Mutex, 0x3004), 0x3004);
    }
}

//! Whether the word of a loop stays where it is from sample to sample.

use std::collections::HashSet;

/// More words of one loop are not kept apart.
const MOST: usize = 64;
/// Fewer words say nothing: a barrier has one for each thread.
const SEVERAL: usize = 12;

/// What the samples of one loop say about its word.
///
/// The code shows that the address is the same in each round. A loop that is left in its first round, such as one that asks whether an
/// object is of a certain kind, has another object in each sample all the same: it visits objects, and waits for none.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    words: HashSet<u64>,
    samples: u64,
}

impl Evidence {
    /// Adds a sample of the loop. Returns whether its word is one of those that are kept apart.
    pub fn add(&mut self, word: u64) -> bool {
        if self.words.len() < MOST {
            self.samples += 1;
            self.words.insert(word);
            return true;
        }
        self.words.contains(&word)
    }

    /// Whether most samples have a word that no other sample has, so that the loop is not a wait for one word.
    pub fn moves(&self) -> bool {
        self.words.len() >= SEVERAL && self.words.len() as u64 * 2 > self.samples
    }
}

//! Whether the word of a loop stays where it is from sample to sample.

use std::collections::HashSet;

/// The most words of one loop that are distinguished.
const MOST: usize = 64;
/// Fewer words prove nothing: a barrier has one for each thread.
const SEVERAL: usize = 12;

/// What the samples of one loop say about its word.
///
/// The code shows that the address is the same in each round. But a loop that ends in its first round, such as one that asks whether an
/// object is of a certain kind, has a different object in each sample: it visits objects, and waits for none.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    words: HashSet<u64>,
    samples: u64,
}

impl Evidence {
    /// Adds a sample of the loop. Returns whether its word is one of those that are distinguished.
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

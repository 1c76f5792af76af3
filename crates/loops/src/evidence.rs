//! Whether the word of a loop stays where it is from sample to sample.

use std::collections::HashMap;

/// Fewer pairs of samples say nothing.
const PAIRS: u64 = 4;

/// What the samples of one loop say about its word.
///
/// The code shows that the address is the same in each round. If the pointer to the word is read from memory in each round
/// ([`Word::indirect`](crate::Word::indirect)), that holds only as long as no thread writes the pointer: a loop that follows a pointer
/// which the loop's own caller moves on has another word in each sample.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    last: HashMap<u64, u64>,
    same: u64,
    moved: u64,
}

impl Evidence {
    /// Adds a sample in which the thread was in the loop, and the word was at this address.
    pub fn add(&mut self, thread: u64, word: u64) {
        match self.last.insert(thread, word) {
            Some(before) if before == word => self.same += 1,
            Some(_) => self.moved += 1,
            None => {}
        }
    }

    /// Forgets where the thread's word was: it was sampled outside the loop, so the next sample is another wait.
    pub fn leave(&mut self, thread: u64) {
        self.last.remove(&thread);
    }

    /// Whether the address moves from sample to sample, so that the loop is not a wait for one word.
    pub fn moves(&self) -> bool {
        self.moved >= PAIRS && self.moved > self.same
    }
}

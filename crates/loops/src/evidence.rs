//! Whether the word of a loop stays where it is from sample to sample.

use std::collections::{HashMap, HashSet};

/// The most words of one loop that are distinguished.
const MOST: usize = 64;
/// Fewer words prove nothing: a barrier has one for each thread.
const SEVERAL: usize = 12;

/// What the samples of one loop say about its word.
///
/// The code shows that the address is the same in each round. But a loop that ends in its first round, such as one that asks whether an
/// object is of a certain kind, has a different object in each sample: it visits objects, and waits for none.
///
/// A thread's first sample shows nothing: at a barrier, each thread may wait for a word of its own. Its second sample shows whether the
/// word has moved. Threads may end before their second sample. Then the number of words decides: a loop visits objects if it has more
/// words than most barriers have threads.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    words: HashSet<u64>,
    /// The last word of each thread.
    last: HashMap<u32, u64>,
    /// Samples whose word was met before.
    stayed: u64,
    /// Samples whose word is new, in a thread that had another one before.
    moved: u64,
}

impl Evidence {
    /// Adds a sample of the loop in a thread. Returns whether its word is one of those that are distinguished.
    pub fn add(&mut self, thread: u32, word: u64) -> bool {
        let last = self.last.insert(thread, word);
        let is_known = self.words.contains(&word);
        if is_known || last == Some(word) {
            self.stayed += 1;
        } else if last.is_some() {
            self.moved += 1;
        }
        if !is_known && self.words.len() < MOST {
            self.words.insert(word);
            return true;
        }
        is_known
    }

    /// Whether the word moves in most samples, so that the loop is not a wait for one word. Later samples may correct this.
    pub fn moves(&self) -> bool {
        let is_untold = self.moved + self.stayed < SEVERAL as u64;
        self.words.len() >= SEVERAL && self.moved > self.stayed
            || self.words.len() == MOST && is_untold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples of `threads` threads in turn, whose words are `word` of the number of the sample.
    fn seen(samples: u64, threads: u64, word: impl Fn(u64) -> u64) -> Evidence {
        let mut evidence = Evidence::default();
        for sample in 0..samples {
            evidence.add((sample % threads) as u32, word(sample));
        }
        evidence
    }

    #[test]
    fn a_few_samples_of_a_barrier_with_a_word_for_each_thread_are_waits() {
        let barrier = |samples| seen(samples, 16, |it| it % 16 * 64);
        assert!(!barrier(16).moves());
        assert!(!barrier(20).moves());
        // One thread with as many words visits them.
        assert!(seen(20, 1, |it| it % 16 * 64).moves());
        // And so do sixteen threads with a new word in each sample.
        assert!(seen(20, 16, |it| it * 64).moves());
    }

    #[test]
    fn a_barrier_of_more_threads_than_words_are_distinguished_is_a_wait() {
        assert!(!seen(1_000, 200, |it| it % 200 * 64).moves());
    }

    #[test]
    fn threads_that_end_after_one_sample_each_visit_objects() {
        assert!(seen(1_000, 1_000, |it| it * 64).moves());
        // All of them wait for one of a few words.
        assert!(!seen(1_000, 1_000, |it| it % 16 * 64).moves());
    }

    #[test]
    fn later_samples_of_one_word_correct_what_the_first_ones_said() {
        for word in [0, 1_000_000] {
            let mut evidence = seen(64, 1, |it| it * 32);
            assert!(evidence.moves());
            for sample in 0..100 {
                // The word is distinguished only if it is one of the first.
                assert_eq!(evidence.add(0, word), word == 0, "{sample}");
            }
            assert!(!evidence.moves(), "{evidence:?}");
        }
    }

    #[test]
    fn a_thread_that_waits_for_one_word_after_the_other_waits_if_they_return() {
        // A hundred locks, of which each sample meets another.
        assert!(!seen(1_000, 1, |it| it * 37 % 100 * 64).moves());
        assert!(seen(1_000, 1, |it| it * 64).moves());
    }
}

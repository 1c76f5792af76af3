//! Samples by thread, loop and word.

use std::collections::HashMap;
use std::rc::Rc;

use super::family::ImageNumber;
use super::places::Place;
use super::verdicts::Waiting;

/// A thread, by its process and its number among the threads with this id.
pub type ThreadKey = (u32, u32);

/// A loop in a program, and the word for which it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpotKey {
    /// The program.
    pub image: ImageNumber,
    /// The first address of the loop.
    pub begin: u64,
    /// The word; `None` if its address could not be computed.
    pub word: Option<u64>,
}

/// Samples of one loop and word.
#[derive(Debug)]
pub struct Spot {
    /// The loop.
    pub waiting: Rc<Waiting>,
    /// Samples by thread.
    pub threads: HashMap<ThreadKey, u64>,
    /// Samples since the last turn of the accounts.
    pub lately: u64,
    /// The loop's beginning and the word, as places.
    pub places: Option<(Place, Option<Place>)>,
    /// The callers of the loop's function in the first samples, innermost first.
    pub stacks: Vec<Vec<Place>>,
    /// How many stacks were asked for.
    pub asked: usize,
    /// What was seen of those who write the word.
    pub writes: Writes,
    /// The threads' time while threads waited here.
    pub around: Around,
}

/// Who writes a word.
#[derive(Debug, Default)]
pub struct Writes {
    /// How often it was watched.
    pub watched: u32,
    /// Writes by the thread and the instruction.
    pub by: HashMap<(ThreadKey, Place), u64>,
}

/// The threads' time while threads waited at a spot.
#[derive(Debug, Default)]
pub struct Around {
    /// The time, nanoseconds.
    pub ns: u64,
    /// The time on a CPU or ready for one, of all threads of the process, nanoseconds.
    pub runnable_ns: u64,
    /// Of each thread.
    pub threads: HashMap<ThreadKey, Doings>,
}

/// What a thread did, nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doings {
    /// On a CPU, without waiting busily.
    pub running_ns: f64,
    /// Ready to run, without a CPU.
    pub runnable_ns: f64,
    /// Neither.
    pub asleep_ns: f64,
}

/// How many stacks of each spot are kept.
pub const STACKS: usize = 4;

/// A loop whose word moves from sample to sample is folded into one spot after this many words.
const WORDS: usize = 64;

/// All samples.
#[derive(Debug, Default)]
pub struct Tally {
    /// By loop and word.
    pub spots: HashMap<SpotKey, Spot>,
    words: HashMap<(ImageNumber, u64), usize>,
    /// Samples of watched threads.
    pub samples: u64,
    /// Samples in waiting loops.
    pub spinning: u64,
    /// Samples whose code was not examined because the budget was used up.
    pub over_budget: u64,
    /// Samples whose code could not be read or decoded.
    pub unreadable: u64,
    /// Samples in functions that are too large to be examined.
    pub too_large: u64,
    /// Samples of processes that had ended.
    pub too_late: u64,
}

impl Tally {
    /// Counts a sample in a waiting loop. Returns its spot, and the key of that.
    pub fn count(
        &mut self,
        key: SpotKey,
        waiting: &Rc<Waiting>,
        thread: ThreadKey,
    ) -> (SpotKey, &mut Spot) {
        self.spinning += 1;
        let mut key = key;
        if key.word.is_some() && !self.spots.contains_key(&key) {
            let words = self.words.entry((key.image, key.begin)).or_default();
            *words += 1;
            if *words > WORDS {
                key.word = None;
            }
        }
        let spot = self.spots.entry(key).or_insert_with(|| Spot {
            waiting: Rc::clone(waiting),
            threads: HashMap::new(),
            lately: 0,
            places: None,
            stacks: Vec::new(),
            asked: 0,
            writes: Writes::default(),
            around: Around::default(),
        });
        spot.lately += 1;
        *spot.threads.entry(thread).or_default() += 1;
        (key, spot)
    }

    /// Returns how many samples may be waiting, without being known to be.
    pub fn unexamined(&self) -> u64 {
        self.over_budget + self.unreadable + self.too_large + self.too_late
    }
}

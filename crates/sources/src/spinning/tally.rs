//! Samples by thread, loop and word.

use std::collections::HashMap;
use std::rc::Rc;

use locktoll_loops::Evidence;

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

/// All samples.
#[derive(Debug, Default)]
pub struct Tally {
    /// By loop and word.
    pub spots: HashMap<SpotKey, Spot>,
    evidence: HashMap<(ImageNumber, u64), Evidence>,
    /// Samples of watched threads.
    pub samples: u64,
    /// Samples whose code was not examined because the budget was used up.
    pub over_budget: u64,
    /// Samples whose code could not be read or decoded.
    pub unreadable: u64,
    /// Samples in loops that are too large to be examined.
    pub too_large: u64,
    /// Samples of code of another architecture.
    pub foreign: u64,
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
        let mut key = key;
        let evidence = self.evidence.entry((key.image, key.begin)).or_default();
        key.word = key.word.filter(|word| evidence.add(thread.1, *word));
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

    /// Returns the loops that wait, by word. Not all loops that look like waits wait: some have a different word in each sample. A loop
    /// that pauses, or that tries to take the word, says itself that it waits.
    pub fn waits(&self) -> impl Iterator<Item = (&SpotKey, &Spot)> {
        self.spots.iter().filter(|(key, spot)| {
            let has = &spot.waiting.code.features;
            let is_meant = has.pause || has.yields || has.sleeps || has.clock || has.exchange;
            let evidence = self.evidence.get(&(key.image, key.begin));
            is_meant || !evidence.is_some_and(Evidence::moves)
        })
    }

    /// Returns how many samples may be waiting, without being known to be.
    pub fn unexamined(&self) -> u64 {
        self.over_budget + self.unreadable + self.too_large + self.foreign + self.too_late
    }
}

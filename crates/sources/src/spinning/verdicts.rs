//! What is known of each instruction. An instruction that was examined once is not examined again, until its code changes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use locktoll_loops::{Architecture, Code, Obstacle, Registers, Verdict, WaitingLoop, classify};

use super::memory::{AtSample, Memory};

/// What a sampled instruction is.
#[derive(Clone, Debug)]
pub enum Known {
    /// A part of a loop that waits.
    Waits(Rc<Waiting>),
    /// Anything else.
    Works,
    /// Not decided: the code is not mapped, or cannot be decoded.
    Unreadable,
    /// Not decided: the code around is too large.
    TooLarge,
}

/// A loop that waits.
#[derive(Debug)]
pub struct Waiting {
    /// The loop.
    pub code: WaitingLoop,
    /// A digest of its bytes when it was examined.
    digest: u64,
}

/// An instruction, with the innermost caller if the verdict may depend on it: everything but a loop in the function itself.
type Key = (u64, Option<u64>);

/// Verdicts by instruction.
#[derive(Debug, Default)]
pub struct Verdicts {
    known: HashMap<Key, Known>,
    loops: Vec<Rc<Waiting>>,
}

/// More instructions than this are not remembered: a program that generates code could have any number.
const MOST: usize = 200_000;

impl Verdicts {
    /// Returns what is known of the instruction alone, or in a function that was called from `callers`.
    pub fn get(&self, ip: u64, callers: &[u64]) -> Option<Known> {
        let alone = self.known.get(&(ip, None));
        let called = || self.known.get(&(ip, Some(*callers.first()?)));
        alone.or_else(called).cloned()
    }

    /// Examines the instruction of a sample.
    pub fn examine(
        &mut self,
        memory: &AtSample<'_>,
        registers: &Registers,
        callers: &[u64],
    ) -> Known {
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let ip = registers.ip;
        let Some(architecture) = Architecture::native() else {
            return Known::Unreadable;
        };
        let known = match classify(architecture, memory, registers, callers).verdict {
            Verdict::Waits(code) => {
                let digest = digest(memory.memory, &code);
                let waiting = Rc::new(Waiting {
                    code: *code,
                    digest,
                });
                self.loops.push(Rc::clone(&waiting));
                Known::Waits(waiting)
            }
            Verdict::Works(_) => Known::Works,
            Verdict::Unknown(Obstacle::Undecodable) => Known::Unreadable,
            Verdict::Unknown(Obstacle::Budget) => Known::TooLarge,
        };
        match &known {
            // The other instructions of the loop itself need not be examined; those of functions that it calls may be called
            // from elsewhere.
            Known::Waits(waiting) if waiting.code.calls == 0 => {
                for (address, _) in waiting.code.instructions() {
                    if (waiting.code.begin..waiting.code.end).contains(&address) {
                        self.known.insert((address, None), known.clone());
                    }
                }
                self.known.insert((ip, None), known.clone());
            }
            _ => {
                self.known
                    .insert((ip, callers.first().copied()), known.clone());
            }
        }
        known
    }

    /// Compares the code of all waiting loops with what it was, and forgets everything if a loop has changed. Returns how many
    /// have.
    pub fn check(&mut self, memory: &Memory) -> usize {
        memory.forget();
        // Code that cannot be read now, as that of a process that is about to end, has not changed.
        let is_there = |it: &Rc<Waiting>| memory.bytes(it.code.begin, &mut [0]) == 1;
        let changed = |it: &&Rc<Waiting>| is_there(it) && digest(memory, &it.code) != it.digest;
        let changed = self.loops.iter().filter(changed).count();
        if changed > 0 {
            self.known.clear();
            self.loops.clear();
        }
        changed
    }
}

fn digest(memory: &Memory, code: &WaitingLoop) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (address, length) in code.instructions() {
        let mut bytes = [0; 16];
        let length = usize::from(length).min(bytes.len());
        let read = memory.bytes(address, &mut bytes[..length]);
        bytes[..read].hash(&mut hasher);
    }
    hasher.finish()
}

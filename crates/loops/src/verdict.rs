//! What was found at a sampled instruction.

use std::fmt;

use crate::machine::{Architecture, Code, Registers};
use crate::state::State;
use crate::value::{Id, Values};
use crate::word::Computer;

/// What the thread did at the sampled instruction.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It waited.
    Waits(Box<WaitingLoop>),
    /// It did something else.
    Works(Work),
    /// The code does not say.
    Unknown(Obstacle),
}

impl Verdict {
    /// The waiting loop, if it is one.
    pub fn waiting(&self) -> Option<&WaitingLoop> {
        match self {
            Verdict::Waits(it) => Some(it),
            _ => None,
        }
    }
}

/// Why it is not a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// No loop contains the instruction.
    NoLoop,
    /// The loop writes memory outside its own stack frame.
    Stores,
    /// The loop reads at addresses that move.
    Moves,
    /// The loop computes a value from that of the round before.
    Computes,
    /// No write by another thread can end the loop: it counts, or watches a clock.
    Delays,
    /// The loop repeats an atomic update until it is not disturbed.
    Retries,
    /// The loop enters the kernel for more than the time or the scheduler.
    SystemCall,
    /// The loop copies blocks of memory or does other things that the model does not describe.
    Opaque,
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Work::NoLoop => "no loop contains the instruction",
            Work::Stores => "the loop writes memory outside its stack frame",
            Work::Moves => "the loop reads at addresses that move",
            Work::Computes => "the loop computes from round to round",
            Work::Delays => "no write by another thread ends the loop",
            Work::Retries => "the loop repeats an update until it is not disturbed",
            Work::SystemCall => "the loop makes system calls",
            Work::Opaque => "the loop has instructions that are not followed",
        })
    }
}

/// Why nothing can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// The bytes are no longer mapped, or do not form an instruction.
    Undecodable,
    /// The code around is too large.
    Budget,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::Undecodable => "the code is not mapped or cannot be decoded",
            Obstacle::Budget => "the code around the instruction is too large",
        })
    }
}

/// What a waiting loop contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// `pause`, `yield`, `isb` or `wfe`.
    pub pause: bool,
    /// The system call `sched_yield`.
    pub yields: bool,
    /// A system call that sleeps.
    pub sleeps: bool,
    /// A clock or a cycle counter.
    pub clock: bool,
    /// An exchange, compare-exchange or other atomic update.
    pub exchange: bool,
    /// An inner loop, such as a back-off.
    pub inner: bool,
    /// It waits for the words of several threads, which an inner loop visits.
    pub scans: bool,
    /// It counts its rounds, or the length of its back-off.
    pub counts: bool,
}

/// A word that the loop waits for.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The instruction that reads it.
    pub ip: u64,
    /// Bytes.
    pub width: u8,
    /// Whether the pointer to it is itself read from memory outside the stack frame.
    pub indirect: bool,
    pub(crate) at: Id,
}

/// An instruction of the loop.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub address: u64,
    pub length: u8,
    pub state: State,
}

/// A loop that waits for another thread to write a word.
#[derive(Clone, Debug)]
pub struct WaitingLoop {
    /// The lowest address of the loop in its function, without the functions that it calls.
    pub begin: u64,
    /// The first address after it.
    pub end: u64,
    /// The word, or the words if it compares two.
    pub words: Vec<Word>,
    /// What it contains.
    pub features: Features,
    /// How many calls lie between the loop and the sampled instruction: 0 if the loop is in the same function.
    pub calls: u32,
    pub(crate) values: Values,
    pub(crate) spots: Vec<Spot>,
    /// Addresses that the loop writes, which must be in the thread's own stack.
    pub(crate) own: Vec<Id>,
    pub(crate) architecture: Architecture,
}

/// What the loop writes lies in this many bytes above the stack pointer.
pub(crate) const OWN_STACK: u64 = 1 << 20;
/// And in this many bytes below it.
pub(crate) const RED_ZONE: u64 = 256;

impl WaitingLoop {
    /// Whether the loop, or a function that it calls, contains the instruction.
    pub fn contains(&self, ip: u64) -> bool {
        self.spots.iter().any(|it| it.address == ip)
    }

    /// Address and length of each instruction of the loop, in no particular order; some more than once.
    pub fn instructions(&self) -> impl Iterator<Item = (u64, u8)> + '_ {
        self.spots.iter().map(|it| (it.address, it.length))
    }

    /// Whether what the loop writes is in the stack of the thread with these registers.
    pub fn holds(&self, registers: &Registers, code: &dyn Code) -> bool {
        let stack = registers.stack(self.architecture);
        let mut spots = self.spots.iter().filter(|it| it.address == registers.ip);
        spots.any(|spot| self.writes_own(spot, registers, stack, code))
    }

    /// The address of the word that a sample in this loop waited for: the first word whose address can be computed. `None` if the
    /// registers that lead to it are not known at this instruction, or if the loop writes outside the sampled thread's stack.
    pub fn word(&self, registers: &Registers, code: &dyn Code) -> Option<u64> {
        let stack = registers.stack(self.architecture);
        let spots = self.spots.iter().filter(|it| it.address == registers.ip);
        spots
            .filter(|spot| self.writes_own(spot, registers, stack, code))
            .find_map(|spot| {
                let computer = self.computer(spot, registers, code);
                self.words.iter().find_map(|it| computer.compute(it.at))
            })
    }

    fn computer<'a>(
        &'a self,
        spot: &'a Spot,
        registers: &'a Registers,
        code: &'a dyn Code,
    ) -> Computer<'a> {
        Computer {
            values: &self.values,
            state: &spot.state,
            registers,
            code,
        }
    }

    /// Whether all that the loop writes is in the thread's own stack, as far as can be computed.
    fn writes_own(&self, spot: &Spot, registers: &Registers, stack: u64, code: &dyn Code) -> bool {
        let computer = self.computer(spot, registers, code);
        self.own
            .iter()
            .all(|at| computer.compute(*at).is_none_or(|at| is_own(at, stack)))
    }
}

/// Whether the address is in the part of the stack that the thread uses.
pub(crate) fn is_own(at: u64, stack: u64) -> bool {
    at >= stack.saturating_sub(RED_ZONE) && at < stack.saturating_add(OWN_STACK)
}

//! The stacks of some samples, walked by a thread of its own: reading the tables of a large program takes longer than the kernel's
//! rings have room for.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::budget::Budget;
use super::memory::Memory;
use super::tally::SpotKey;
use crate::futexes::{Registers, Walker};
use crate::perf::Sample;

/// The most rows of tables for walking stacks: more than the largest programs have.
const ROWS: u32 = 4 << 20;
/// Stacks that wait for the thread; more are left out.
const QUEUE: usize = 64;
/// How long the last stacks are waited for.
const LAST: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(10);

/// A stack to be walked.
struct Wish {
    pid: u32,
    spot: SpotKey,
    registers: Registers,
    stack: Vec<u8>,
}

/// A stack: return addresses, innermost first.
pub struct Walked {
    /// The loop to which it leads.
    pub spot: SpotKey,
    /// The sampled instruction, and the return addresses.
    pub addresses: Vec<u64>,
}

/// The thread, once it is needed.
#[derive(Default)]
pub struct Walks {
    thread: Option<(SyncSender<Wish>, Receiver<Walked>)>,
    /// Stacks that have not come back.
    outstanding: usize,
}

impl Walks {
    /// Asks for the stack of a sample. Returns whether there was room.
    pub fn ask(&mut self, spot: SpotKey, sample: &Sample<'_>) -> bool {
        if self.thread.is_none() {
            self.thread = start();
        }
        let Some((wishes, _)) = &self.thread else {
            return false;
        };
        let wish = Wish {
            pid: sample.pid,
            spot,
            registers: Registers {
                ip: sample.registers.ip(),
                sp: sample.registers.sp(),
                bp: sample.registers.bp(),
            },
            stack: sample.stack.to_vec(),
        };
        let asked = wishes.try_send(wish).is_ok();
        self.outstanding += usize::from(asked);
        asked
    }

    /// Returns a stack that has been walked since.
    pub fn done(&mut self) -> Option<Walked> {
        let walked = self.thread.as_ref()?.1.try_recv().ok()?;
        self.outstanding -= 1;
        Some(walked)
    }

    /// Waits for the stacks that are asked for, but not for long.
    pub fn finish(&mut self, mut take: impl FnMut(Walked)) {
        let until = Instant::now() + LAST;
        while self.outstanding > 0 && Instant::now() < until {
            match self.done() {
                Some(walked) => take(walked),
                None => std::thread::sleep(LOOK),
            }
        }
    }
}

fn start() -> Option<(SyncSender<Wish>, Receiver<Walked>)> {
    let (wishes, to_do) = sync_channel::<Wish>(QUEUE);
    let (to_tell, done) = sync_channel(QUEUE);
    std::thread::Builder::new()
        .name("stacks".to_owned())
        .spawn(move || {
            let mut budget = Budget::of_stacks();
            let mut walker = Walker::new(ROWS);
            for wish in to_do {
                // Without a budget, the loop is reported without its callers.
                let walked = match budget.is_left() {
                    true => budget.spend(|| walk(&mut walker, &wish)),
                    false => Vec::new(),
                };
                let walked = Walked {
                    spot: wish.spot,
                    addresses: walked,
                };
                if to_tell.send(walked).is_err() {
                    return;
                }
            }
        })
        .ok()?;
    Some((wishes, done))
}

/// Walks the stack: the copied part as it was, the rest as it is now.
fn walk(walker: &mut Walker, wish: &Wish) -> Vec<u64> {
    let number = wish.spot.image as u32;
    walker.take_in(number, wish.pid);
    let memory = Memory::of(wish.pid, Vec::new());
    let word = |address: u64| {
        let at = usize::try_from(address.wrapping_sub(wish.registers.sp)).ok();
        let copied = at.and_then(|at| wish.stack.get(at..)?.first_chunk::<8>());
        match copied {
            Some(copied) => Some(u64::from_ne_bytes(*copied)),
            None => memory.word(address),
        }
    };
    walker.walk(number, &word, wish.registers)
}

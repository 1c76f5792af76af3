//! Verdicts that are kept, so that each instruction is examined once.

use std::collections::HashMap;

use crate::callers::Trail;
use crate::classify::classify;
use crate::machine::{Architecture, Code, Registers};
use crate::verdict::{Verdict, WaitingLoop};

/// Most verdicts of one instruction: it may have many callers.
const PER_INSTRUCTION: usize = 16;
/// The bytes that are kept of an instruction that does not wait.
const KEPT: usize = 16;

/// A verdict, with all that it depends on.
struct Entry {
    verdict: Verdict,
    trail: Trail,
    /// Address and contents of the code that led to it.
    bytes: Vec<(u64, Vec<u8>)>,
}

/// The verdicts of one process. They are found again by the sampled instruction and its callers, and hold as long as the bytes of the
/// code are the same, so that a just-in-time compiler may put other code at the same address.
pub struct Known {
    architecture: Architecture,
    entries: HashMap<u64, Vec<Entry>>,
    decoded: u64,
    examined: u64,
    replaced: u64,
}

impl Known {
    /// No verdicts yet.
    pub fn new(architecture: Architecture) -> Known {
        Known {
            architecture,
            entries: HashMap::new(),
            decoded: 0,
            examined: 0,
            replaced: 0,
        }
    }

    /// Instructions decoded up to now: the work that was done.
    pub fn decoded(&self) -> u64 {
        self.decoded
    }

    /// Samples for which code had to be decoded.
    pub fn examined(&self) -> u64 {
        self.examined
    }

    /// Verdicts that were dropped because the code had changed.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The verdict of a sample, if it is known: nothing is decoded. `None` if [`Known::classify`] would have to decode.
    pub fn get(&mut self, code: &dyn Code, registers: &Registers) -> Option<&Verdict> {
        let at = self.find(code, registers)?;
        Some(&self.entries[&registers.ip][at].verdict)
    }

    /// The verdict of a sample; `callers` as in [`classify`].
    pub fn classify(
        &mut self,
        code: &dyn Code,
        registers: &Registers,
        callers: &[u64],
    ) -> &Verdict {
        let at = match self.find(code, registers) {
            Some(at) => at,
            None => self.examine(code, registers, callers),
        };
        &self.entries[&registers.ip][at].verdict
    }

    /// The place of a verdict that applies. Those whose code has changed are dropped.
    fn find(&mut self, code: &dyn Code, registers: &Registers) -> Option<usize> {
        let entries = self.entries.get_mut(&registers.ip)?;
        let at = entries.iter().position(|it| {
            it.trail.same(registers, code)
                && it
                    .verdict
                    .waiting()
                    .is_none_or(|found| found.holds(registers, code))
        })?;
        if unchanged(code, &entries[at].bytes) {
            return Some(at);
        }
        entries.clear();
        self.replaced += 1;
        None
    }

    fn examine(&mut self, code: &dyn Code, registers: &Registers, callers: &[u64]) -> usize {
        let classified = classify(self.architecture, code, registers, callers);
        self.decoded += classified.decoded;
        self.examined += 1;
        let bytes = match classified.verdict.waiting() {
            Some(found) => of_loop(code, found),
            None => vec![read(code, registers.ip, KEPT)],
        };
        let entries = self.entries.entry(registers.ip).or_default();
        if entries.len() >= PER_INSTRUCTION {
            entries.remove(0);
        }
        entries.push(Entry {
            verdict: classified.verdict,
            trail: classified.trail,
            bytes,
        });
        entries.len() - 1
    }
}

fn read(code: &dyn Code, address: u64, wanted: usize) -> (u64, Vec<u8>) {
    let mut bytes = vec![0; wanted];
    let mapped = code.bytes(address, &mut bytes).min(wanted);
    bytes.truncate(mapped);
    (address, bytes)
}

fn unchanged(code: &dyn Code, bytes: &[(u64, Vec<u8>)]) -> bool {
    bytes
        .iter()
        .all(|(address, kept)| read(code, *address, kept.len()).1 == *kept)
}

/// The loop's bytes, neighbouring instructions in one piece.
fn of_loop(code: &dyn Code, found: &WaitingLoop) -> Vec<(u64, Vec<u8>)> {
    let mut all: Vec<(u64, u8)> = found.instructions().collect();
    all.sort_unstable();
    all.dedup();
    let mut pieces: Vec<(u64, u64)> = Vec::new();
    for (begin, length) in all {
        let end = begin.saturating_add(u64::from(length));
        match pieces.last_mut() {
            Some(last) if last.1 >= begin => last.1 = last.1.max(end),
            _ => pieces.push((begin, end)),
        }
    }
    let pieces = pieces.into_iter();
    pieces
        .map(|(begin, end)| read(code, begin, (end - begin) as usize))
        .collect()
}

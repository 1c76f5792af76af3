//! What instructions do, added up.

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, OpAccess};
use libc::user_regs_struct;

use crate::chain::Chain;
use crate::stepper::value;

/// What one pair takes: the median of many, for each figure, the loop around the pair included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Instructions.
    pub instructions: u32,
    /// Instructions that read memory.
    pub loads: u32,
    /// Instructions that write memory.
    pub stores: u32,
    /// Jumps, calls and returns, taken or not.
    pub branches: u32,
    /// Instructions that are locked against other processors.
    pub locked: u32,
    /// Loads and stores in the longest chain of which each needs the one before it, per pair: a pair cannot take less time than they do.
    pub chain: f64,
}

/// Adds up instructions.
pub struct Counter {
    /// What the present pair took so far.
    pair: [u32; 5],
    /// The pairs before it.
    pairs: Vec<[u32; 5]>,
    info: InstructionInfoFactory,
    chain: Chain,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            pair: [0; 5],
            pairs: Vec::new(),
            info: InstructionInfoFactory::new(),
            chain: Chain::default(),
        }
    }
}

impl Counter {
    /// `instruction` is about to be executed with these registers.
    pub fn add(&mut self, instruction: &Instruction, registers: &user_regs_struct) {
        let info = self.info.info(instruction);
        let (mut reads, mut writes) = (false, false);
        for memory in info.used_memory() {
            reads |= is_read(memory.access());
            writes |= is_written(memory.access());
        }
        let is_branch = instruction.flow_control() != FlowControl::Next;
        // An exchange with memory is locked without saying so.
        let is_exchange = instruction.mnemonic() == iced_x86::Mnemonic::Xchg && writes;
        let is_locked = instruction.has_lock_prefix() || is_exchange;
        let figures = [true, reads, writes, is_branch, is_locked];
        for (sum, counts) in self.pair.iter_mut().zip(figures) {
            *sum += u32::from(counts);
        }
        self.chain.add(info, |register| value(registers, register));
    }

    /// The next instruction is the first of a pair.
    pub fn begin_pair(&mut self) {
        self.pairs.push(std::mem::take(&mut self.pair));
    }

    /// What a pair took. `None` if there was none. Whatever precedes the first and follows the last is left out.
    pub fn finish(self) -> Option<Counts> {
        let pairs = self.pairs.get(1..).filter(|pairs| !pairs.is_empty())?;
        let median = |figure: usize| {
            let mut all: Vec<u32> = pairs.iter().map(|pair| pair[figure]).collect();
            all.sort_unstable();
            all[all.len() / 2]
        };
        Some(Counts {
            instructions: median(0),
            loads: median(1),
            stores: median(2),
            branches: median(3),
            locked: median(4),
            chain: self.chain.longest() as f64 / pairs.len() as f64,
        })
    }
}

pub fn is_read(access: OpAccess) -> bool {
    use OpAccess::{CondRead, Read, ReadCondWrite, ReadWrite};
    matches!(access, Read | CondRead | ReadWrite | ReadCondWrite)
}

pub fn is_written(access: OpAccess) -> bool {
    use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
    matches!(access, Write | CondWrite | ReadWrite | ReadCondWrite)
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions};

    use super::*;

    /// Counts code that is executed `times` times, with all registers zero.
    fn counts(code: &[u8], times: u32) -> Counts {
        // SAFETY: numbers alone.
        let registers: user_regs_struct = unsafe { std::mem::zeroed() };
        let mut counter = Counter::default();
        for _ in 0..times {
            counter.begin_pair();
            for instruction in &mut Decoder::with_ip(64, code, 0, DecoderOptions::NONE) {
                counter.add(&instruction, &registers);
            }
        }
        counter.begin_pair();
        counter.finish().expect("pairs")
    }

    #[test]
    fn each_instruction_is_counted_for_what_it_does() {
        let code = [
            0x48, 0x8B, 0x07, // mov rax, [rdi]
            0x48, 0x89, 0x47, 0x08, // mov [rdi+8], rax
            0xF0, 0x0F, 0xB1, 0x16, // lock cmpxchg [rsi], edx
            0x87, 0x06, // xchg [rsi], eax
            0x74, 0x00, // je
            0xC3, // ret
            0x48, 0x8D, 0x47, 0x08, // lea rax, [rdi+8]
            0x0F, 0x1F, 0x00, // nop [rax]
        ];
        let found = counts(&code, 3);
        assert_eq!(found.instructions, 8);
        assert_eq!((found.loads, found.stores), (4, 3));
        assert_eq!((found.branches, found.locked), (2, 2));
    }

    #[test]
    fn a_long_pair_now_and_then_does_not_count() {
        let mut counter = Counter::default();
        for instructions in [10, 10, 40, 10] {
            counter.begin_pair();
            counter.pair[0] = instructions;
        }
        counter.begin_pair();
        let counts = counter.finish().expect("pairs");
        assert_eq!(counts.instructions, 10);
        assert!(Counter::default().finish().is_none());
    }
}

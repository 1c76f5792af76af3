//! How long instructions have to wait for each other: the loads and stores in the longest chain in which each takes its address or its
//! data from the one before it. Processors run what is independent side by side; a chain takes as long as its links do one after another.

use std::collections::HashMap;

use iced_x86::{InstructionInfo, Register};

use crate::count::{is_read, is_written};

/// Memory is followed in words of this many bytes.
const WORD: u64 = 8;

/// What has been computed so far, each with the length of the chain that led to it.
#[derive(Default)]
pub struct Chain {
    registers: HashMap<Register, u64>,
    words: HashMap<u64, u64>,
    longest: u64,
}

impl Chain {
    /// An instruction is executed; `value` says what a register holds before it.
    pub fn add(&mut self, info: &InstructionInfo, value: impl Fn(Register) -> Option<u64>) {
        let mut from = 0;
        for used in info.used_registers() {
            if is_read(used.access()) {
                from = from.max(self.of(used.register()));
            }
        }
        let mut is_link = false;
        let mut written = Vec::new();
        for memory in info.used_memory() {
            let address = memory.virtual_address(0, |register, _, _| value(register));
            let Some(address) = address else { continue };
            let bytes = memory.memory_size().size().max(1) as u64;
            let words = address / WORD..=(address + bytes - 1) / WORD;
            is_link = true;
            if is_read(memory.access()) {
                let known = words.clone().filter_map(|word| self.words.get(&word));
                from = from.max(known.copied().max().unwrap_or(0));
            }
            if is_written(memory.access()) {
                written.extend(words);
            }
        }
        let length = from + u64::from(is_link);
        for word in written {
            self.words.insert(word, length);
        }
        for used in info.used_registers() {
            if is_written(used.access()) && is_followed(used.register()) {
                self.registers
                    .insert(used.register().full_register(), length);
            }
        }
        self.longest = self.longest.max(length);
    }

    /// How long the longest chain is by now.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    fn of(&self, register: Register) -> u64 {
        match is_followed(register) {
            true => *self.registers.get(&register.full_register()).unwrap_or(&0),
            false => 0,
        }
    }
}

/// The stack pointer is not: processors compute it apart from all else (the stack engine), however much is pushed.
fn is_followed(register: Register) -> bool {
    register.full_register() != Register::RSP
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory};

    use super::*;

    /// The longest chain of code that is executed `times` times with these addresses in RDI and RSI.
    fn longest(code: &[u8], times: u32) -> u64 {
        let mut chain = Chain::default();
        let mut factory = InstructionInfoFactory::new();
        for _ in 0..times {
            for instruction in &mut Decoder::with_ip(64, code, 0, DecoderOptions::NONE) {
                chain.add(factory.info(&instruction), |register| {
                    Some(match register {
                        Register::RDI => 0x1000,
                        Register::RSI => 0x2000,
                        _ => 0,
                    })
                });
            }
        }
        chain.longest()
    }

    #[test]
    fn what_goes_through_memory_is_a_chain_and_what_is_independent_is_none() {
        let increment = [0xFF, 0x07]; // inc dword [rdi]: each needs the last one's sum
        assert_eq!(longest(&increment, 10), 10);
        let independent = [0x8B, 0x07, 0x8B, 0x0E]; // mov eax, [rdi]; mov ecx, [rsi]
        assert_eq!(longest(&independent, 10), 1);
        let copied = [0x8B, 0x07, 0x89, 0x06, 0x8B, 0x0E]; // [rdi] to [rsi], and read there
        assert_eq!(longest(&copied, 1), 3);
        let constant = [0xC7, 0x07, 1, 0, 0, 0, 0x8B, 0x07]; // mov dword [rdi], 1; mov eax, [rdi]
        assert_eq!(longest(&constant, 10), 2);
    }
}

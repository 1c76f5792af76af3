//! Reads the bytes of an instruction and hands them to the decoder of its architecture.

use super::{aarch64, x86};
use crate::instruction::Instruction;
use crate::machine::{Architecture, Code};

/// The longest x86 instruction.
const LONGEST: usize = 15;

/// The instruction at `address`; `None` if the bytes are not mapped or mean nothing.
pub fn decode(architecture: Architecture, code: &dyn Code, address: u64) -> Option<Instruction> {
    let mut bytes = [0; LONGEST];
    match architecture {
        Architecture::X86_64 => {
            let mapped = code.bytes(address, &mut bytes).min(LONGEST);
            x86::decode(&bytes[..mapped], address)
        }
        Architecture::Aarch64 => {
            let mapped = code.bytes(address, &mut bytes[..4]).min(4);
            let word: [u8; 4] = bytes[..mapped].try_into().ok()?;
            aarch64::decode(word, address)
        }
    }
}

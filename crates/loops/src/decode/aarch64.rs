//! 64-bit Arm, decoded by yaxpeax-arm.

use crate::instruction::Instruction;

/// The instruction that `bytes` are; `None` if they are none.
pub fn decode(_bytes: [u8; 4], _address: u64) -> Option<Instruction> {
    None
}

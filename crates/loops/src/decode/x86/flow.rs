//! The entry of the decoder, and where the thread goes after an instruction.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Mnemonic, OpKind};

use super::operand::{CX, SP, address, input, register};
use super::{generic, known};
use crate::instruction::{
    Address, FLAGS, Flow, Hint, How, Instruction, Operand, Operation, Register, SCRATCH,
};

/// The instruction at the beginning of `bytes`; `None` if there is none.
pub fn decode(bytes: &[u8], at: u64) -> Option<Instruction> {
    let mut decoder = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE);
    let iced = decoder.decode();
    if iced.is_invalid() {
        return None;
    }
    let mut it = Instruction {
        address: at,
        length: iced.len() as u8,
        operations: Vec::new(),
        flow: flow(&iced),
        hint: match iced.mnemonic() {
            Mnemonic::Pause | Mnemonic::Tpause | Mnemonic::Umwait => Hint::Pause,
            _ => Hint::None,
        },
    };
    match it.flow {
        Flow::Next if known::operations(&iced, &mut it.operations) => {}
        Flow::Next => {
            it.operations.clear();
            generic::operations(&iced, &mut it.operations);
        }
        Flow::Call(_) | Flow::CallThrough(_) | Flow::CallUnknown(_) => {
            let back = it.next();
            it.operations.extend([
                Operation::Constant(SCRATCH, back),
                Operation::Address(SP, Address::based(SP, -8)),
                Operation::Store {
                    at: Address::based(SP, 0),
                    width: 8,
                    from: Some(SCRATCH),
                },
            ]);
        }
        Flow::Return(_) => {
            let taken = match iced.op_kind(0) {
                OpKind::Immediate16 if iced.op_count() == 1 => i64::from(iced.immediate16()),
                _ => 0,
            };
            it.operations
                .push(Operation::Address(SP, Address::based(SP, 8 + taken)));
        }
        Flow::Branch { on, .. } if on != FLAGS => counted(&iced, &mut it.operations),
        _ => {}
    }
    Some(it)
}

/// `jrcxz` and the `loop` instructions test a register; the latter count it down first.
fn counted(iced: &iced_x86::Instruction, operations: &mut Vec<Operation>) {
    if iced.is_loopcc() || iced.is_loop() {
        operations.push(Operation::Combine(
            CX,
            How::Subtract,
            CX,
            Operand::Constant(1),
        ));
    }
    operations.push(Operation::Combine(
        SCRATCH,
        How::Compare,
        CX,
        Operand::Constant(0),
    ));
}

/// The register that an indirect jump or call reads.
fn target(iced: &iced_x86::Instruction) -> Option<Register> {
    (iced.op_kind(0) == OpKind::Register).then(|| register(iced.op0_register()))
}

fn flow(iced: &iced_x86::Instruction) -> Flow {
    let near = matches!(iced.op_kind(0), OpKind::NearBranch64);
    let memory = iced.op_count() > 0 && iced.op_kind(0) == OpKind::Memory;
    match iced.flow_control() {
        FlowControl::Next => Flow::Next,
        FlowControl::UnconditionalBranch if near => Flow::Jump(iced.near_branch64()),
        FlowControl::ConditionalBranch if near => Flow::Branch {
            target: iced.near_branch64(),
            on: if iced.is_jcc_short_or_near() {
                FLAGS
            } else {
                SCRATCH
            },
            // iced numbers them from 1, each before its opposite.
            when: (iced.condition_code() as u8).wrapping_sub(1),
        },
        FlowControl::IndirectBranch if memory => Flow::JumpThrough(address(iced)),
        FlowControl::Call if near => Flow::Call(iced.near_branch64()),
        FlowControl::IndirectCall if memory => Flow::CallThrough(address(iced)),
        FlowControl::Call if iced.mnemonic() == Mnemonic::Syscall => Flow::SystemCall,
        FlowControl::IndirectCall => Flow::CallUnknown(target(iced)),
        FlowControl::Return if iced.mnemonic() == Mnemonic::Ret => Flow::Return(None),
        FlowControl::IndirectBranch => Flow::JumpUnknown(target(iced)),
        _ if iced.mnemonic() == Mnemonic::Syscall => Flow::SystemCall,
        _ => Flow::Stop,
    }
}

/// Pushes operand 0 as a value to store; kept here because `push` is half flow, half data.
pub(super) fn push(iced: &iced_x86::Instruction, operations: &mut Vec<Operation>) -> bool {
    let value = match input(iced, 0, operations) {
        Some(Operand::Register(register)) => {
            operations.push(Operation::Copy(SCRATCH, register));
            SCRATCH
        }
        Some(Operand::Constant(value)) => {
            operations.push(Operation::Constant(SCRATCH, value));
            SCRATCH
        }
        None => return false,
    };
    operations.extend([
        Operation::Address(SP, Address::based(SP, -8)),
        Operation::Store {
            at: Address::based(SP, 0),
            width: 8,
            from: Some(value),
        },
    ]);
    true
}

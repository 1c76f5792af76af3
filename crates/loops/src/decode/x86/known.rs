//! The instructions whose meaning the model follows: those that compilers put into loops that wait.

use iced_x86::{ConditionCode, Instruction, Mnemonic, OpKind};

use super::flow::push;
use super::operand::{AX, BP, DX, SP, address, input, register, width};
use crate::instruction::{
    Address, FLAGS, How, Operand, Operation, Register, SCRATCH, SCRATCH_2, Update,
};

/// Adds the operations of `iced`; false if it is not one of these instructions.
pub fn operations(iced: &Instruction, to: &mut Vec<Operation>) -> bool {
    use Mnemonic as M;
    let memory_first = iced.op_count() > 0 && iced.op_kind(0) == OpKind::Memory;
    match iced.mnemonic() {
        M::Nop | M::Endbr64 | M::Pause | M::Mfence | M::Lfence | M::Sfence | M::Fnop => {}
        M::Prefetcht0 | M::Prefetcht1 | M::Prefetcht2 | M::Prefetchnta | M::Prefetchw => {}
        M::Mov => return moved(iced, to),
        M::Movzx => return extended(iced, How::ZeroExtend(bits(iced)), to),
        M::Movsx | M::Movsxd => return extended(iced, How::SignExtend(bits(iced)), to),
        M::Lea => to.push(Operation::Address(
            register(iced.op0_register()),
            address(iced),
        )),
        M::Xchg if memory_first || iced.op_kind(1) == OpKind::Memory => exchange(iced, to),
        M::Xchg => {
            let (a, b) = (register(iced.op0_register()), register(iced.op1_register()));
            to.extend([
                Operation::Copy(SCRATCH, a),
                Operation::Copy(a, b),
                Operation::Copy(b, SCRATCH),
            ]);
        }
        M::Cmpxchg | M::Cmpxchg8b | M::Cmpxchg16b if memory_first => {
            to.push(Operation::Atomic {
                to: AX,
                at: address(iced),
                width: width(iced).min(8),
                update: Update::CompareExchange(AX),
            });
            if iced.mnemonic() != M::Cmpxchg {
                to.push(Operation::Copy(DX, AX));
            }
            flags(AX, to);
        }
        M::Xadd if memory_first => {
            atomic(iced, Update::Modify, register(iced.op1_register()), to);
        }
        M::Bts | M::Btr | M::Btc if iced.has_lock_prefix() => {
            let same = iced.mnemonic() != M::Btc;
            let update = if same {
                Update::Exchange(SCRATCH)
            } else {
                Update::Modify
            };
            atomic(iced, update, SCRATCH_2, to);
        }
        M::Push => return push(iced, to),
        M::Pop => return pop(iced, to),
        M::Leave => to.extend([
            Operation::Load {
                to: SCRATCH,
                at: Address::based(BP, 0),
                width: 8,
            },
            Operation::Address(SP, Address::based(BP, 8)),
            Operation::Copy(BP, SCRATCH),
        ]),
        M::Rdtsc | M::Rdtscp => {
            to.extend([Operation::Clock(AX), Operation::Clock(DX)]);
            if iced.mnemonic() == M::Rdtscp {
                to.push(Operation::Unknown(super::operand::CX));
            }
        }
        M::Cdqe => to.push(combine(AX, How::SignExtend(32), AX, Operand::Constant(0))),
        M::Cdq | M::Cqo => {
            to.push(combine(DX, How::ShiftRight, AX, Operand::Constant(31)));
        }
        M::Cmp | M::Test => return compared(iced, to),
        _ => return arithmetic(iced, to),
    }
    true
}

fn combine(to: Register, how: How, a: Register, b: Operand) -> Operation {
    Operation::Combine(to, how, a, b)
}

/// The flags of a result.
fn flags(of: Register, to: &mut Vec<Operation>) {
    to.push(combine(FLAGS, How::Compare, of, Operand::Constant(0)));
}

/// Bits of the source of an extension.
fn bits(iced: &Instruction) -> u8 {
    match iced.op_kind(1) {
        OpKind::Memory => width(iced) * 8,
        _ => iced.op1_register().size() as u8 * 8,
    }
}

fn moved(iced: &Instruction, to: &mut Vec<Operation>) -> bool {
    if iced.op_kind(0) == OpKind::Memory {
        let from = match input(iced, 1, to) {
            Some(Operand::Register(register)) => register,
            Some(Operand::Constant(value)) => {
                to.push(Operation::Constant(SCRATCH, value));
                SCRATCH
            }
            None => return false,
        };
        to.push(Operation::Store {
            at: address(iced),
            width: width(iced),
            from: Some(from),
        });
        return true;
    }
    if !iced.op0_register().is_gpr() {
        return false;
    }
    let target = register(iced.op0_register());
    match iced.op_kind(1) {
        // The rest of a register that is written in part is of no importance to a loop that tests the part.
        OpKind::Memory => to.push(Operation::Load {
            to: target,
            at: address(iced),
            width: width(iced),
        }),
        OpKind::Register if iced.op1_register().is_gpr() => {
            to.push(Operation::Copy(target, register(iced.op1_register())));
        }
        OpKind::Register => to.push(Operation::Unknown(target)),
        _ => match input(iced, 1, to) {
            Some(Operand::Constant(value)) => to.push(Operation::Constant(target, value)),
            _ => return false,
        },
    }
    true
}

fn extended(iced: &Instruction, how: How, to: &mut Vec<Operation>) -> bool {
    let target = register(iced.op0_register());
    match input(iced, 1, to) {
        Some(Operand::Register(from)) => {
            to.push(combine(target, how, from, Operand::Constant(0)));
            true
        }
        _ => false,
    }
}

fn exchange(iced: &Instruction, to: &mut Vec<Operation>) {
    let index = u32::from(iced.op_kind(0) == OpKind::Memory);
    let other = register(iced.op_register(index));
    to.push(Operation::Atomic {
        to: other,
        at: address(iced),
        width: width(iced),
        update: Update::Exchange(other),
    });
}

fn atomic(iced: &Instruction, update: Update, old: Register, to: &mut Vec<Operation>) {
    to.push(Operation::Atomic {
        to: old,
        at: address(iced),
        width: width(iced),
        update,
    });
    flags(old, to);
}

fn pop(iced: &Instruction, to: &mut Vec<Operation>) -> bool {
    if iced.op_kind(0) != OpKind::Register {
        return false;
    }
    let target = register(iced.op0_register());
    to.extend([
        Operation::Load {
            to: SCRATCH,
            at: Address::based(SP, 0),
            width: 8,
        },
        Operation::Address(SP, Address::based(SP, 8)),
        Operation::Copy(target, SCRATCH),
    ]);
    true
}

fn compared(iced: &Instruction, to: &mut Vec<Operation>) -> bool {
    let Some(first) = input(iced, 0, to) else {
        return false;
    };
    let Operand::Register(a) = first else {
        return false;
    };
    let Some(mut b) = input(iced, 1, to) else {
        return false;
    };
    if iced.mnemonic() == Mnemonic::Test {
        // A test of a register with itself compares it with zero; a test with a mask compares some of its bits with zero.
        if b != Operand::Register(a) {
            to.push(combine(SCRATCH_2, How::And, a, b));
            flags(SCRATCH_2, to);
            return true;
        }
        b = Operand::Constant(0);
    }
    to.push(combine(FLAGS, How::Compare, a, b));
    true
}

fn how(iced: &Instruction) -> Option<How> {
    use Mnemonic as M;
    Some(match iced.mnemonic() {
        M::Add | M::Inc => How::Add,
        M::Sub | M::Dec => How::Subtract,
        M::And => How::And,
        M::Or => How::Or,
        M::Xor => How::Xor,
        M::Shl | M::Sal => How::ShiftLeft,
        M::Shr | M::Sar => How::ShiftRight,
        M::Imul if iced.op_count() >= 2 => How::Multiply,
        M::Neg | M::Not => How::Xor,
        // SETcc has one operand, CMOVcc two.
        _ if iced.condition_code() != ConditionCode::None && iced.op_count() == 1 => How::Condition,
        _ if iced.condition_code() != ConditionCode::None && iced.op_count() == 2 => How::Select,
        _ => return None,
    })
}

/// Instructions with a target that is also an input.
fn arithmetic(iced: &Instruction, to: &mut Vec<Operation>) -> bool {
    let Some(how) = how(iced) else {
        return false;
    };
    let in_memory = iced.op_kind(0) == OpKind::Memory;
    if in_memory && iced.has_lock_prefix() {
        let update = match how {
            // Repeated, these leave the word as it is.
            How::And | How::Or => Update::Exchange(SCRATCH),
            _ => Update::Modify,
        };
        atomic(iced, update, SCRATCH_2, to);
        return true;
    }
    if how == How::Condition {
        to.push(combine(
            SCRATCH_2,
            How::Condition,
            FLAGS,
            Operand::Constant(0),
        ));
        finish(iced, SCRATCH_2, to);
        return true;
    }
    let last = iced.op_count() - 1;
    let second = match iced.mnemonic() {
        Mnemonic::Inc | Mnemonic::Dec => Some(Operand::Constant(1)),
        Mnemonic::Neg | Mnemonic::Not => Some(Operand::Constant(u64::MAX)),
        _ => {
            let it = input(iced, last, to);
            if in_memory || it != Some(Operand::Register(SCRATCH)) {
                it
            } else {
                to.push(Operation::Copy(SCRATCH_2, SCRATCH));
                Some(Operand::Register(SCRATCH_2))
            }
        }
    };
    // The product of a constant has its factors second and third, others first and last.
    let first = input(iced, last.min(iced.op_count() - 1).saturating_sub(1), to);
    let (Some(Operand::Register(first)), Some(second)) = (first, second) else {
        return false;
    };
    if matches!(how, How::Xor | How::Subtract) && second == Operand::Register(first) {
        to.push(Operation::Constant(first, 0));
        flags(first, to);
        return true;
    }
    to.push(combine(SCRATCH_2, how, first, second));
    if how == How::Select {
        to.push(combine(
            SCRATCH_2,
            How::Select,
            SCRATCH_2,
            Operand::Register(FLAGS),
        ));
    } else {
        flags(SCRATCH_2, to);
    }
    finish(iced, SCRATCH_2, to);
    true
}

/// Writes the result to operand 0.
fn finish(iced: &Instruction, value: Register, to: &mut Vec<Operation>) {
    to.push(if iced.op_kind(0) == OpKind::Memory {
        Operation::Store {
            at: address(iced),
            width: width(iced),
            from: Some(value),
        }
    } else {
        Operation::Copy(register(iced.op0_register()), value)
    });
}

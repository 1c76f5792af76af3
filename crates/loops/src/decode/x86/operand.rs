//! Registers, memory operands and constants of x86-64 in the terms of the model.

use iced_x86::{Instruction, OpKind, Register as Iced};

use crate::instruction::{Address, OTHER, Operand, Operation, Register, SCRATCH, VECTOR};

/// The stack pointer's number.
pub const SP: Register = 7;
/// RAX.
pub const AX: Register = 0;
/// RCX.
pub const CX: Register = 2;
/// RDX.
pub const DX: Register = 3;
/// The frame pointer's number.
pub const BP: Register = 6;

/// The kernel's numbers of the registers in the order of their encoding (AX, CX, DX, BX, SP, BP, SI, DI).
const NUMBERS: [Register; 16] = [0, 2, 3, 1, 7, 6, 4, 5, 16, 17, 18, 19, 20, 21, 22, 23];

/// The model's register that `register` is a part of.
pub fn register(register: Iced) -> Register {
    if register.is_gpr() {
        NUMBERS[register.full_register().number() & 15]
    } else if register.is_vector_register() {
        VECTOR + (register.number() as Register & 31)
    } else {
        OTHER
    }
}

/// Whether `iced` is a thread's own segment.
pub fn is_own_segment(segment: Iced) -> bool {
    matches!(segment, Iced::FS | Iced::GS)
}

/// The address of the memory operand.
pub fn address(instruction: &Instruction) -> Address {
    let mut it = Address {
        thread_local: is_own_segment(instruction.memory_segment()),
        displacement: instruction.memory_displacement64() as i64,
        ..Address::default()
    };
    if instruction.is_ip_rel_memory_operand() {
        it.displacement = instruction.ip_rel_memory_address() as i64;
        return it;
    }
    if instruction.memory_base() != Iced::None {
        it.base = Some(register(instruction.memory_base()));
    }
    if instruction.memory_index() != Iced::None {
        let scale = instruction.memory_index_scale() as u8;
        it.index = Some((register(instruction.memory_index()), scale));
    }
    it
}

/// The width of the memory operand in bytes.
pub fn width(instruction: &Instruction) -> u8 {
    instruction.memory_size().size().min(64) as u8
}

/// Operand `index` as an input; one in memory is loaded into the scratch register by an operation that is added before.
pub fn input(
    instruction: &Instruction,
    index: u32,
    operations: &mut Vec<Operation>,
) -> Option<Operand> {
    Some(match instruction.op_kind(index) {
        OpKind::Register => Operand::Register(register(instruction.op_register(index))),
        OpKind::Memory => {
            operations.push(Operation::Load {
                to: SCRATCH,
                at: address(instruction),
                width: width(instruction),
            });
            Operand::Register(SCRATCH)
        }
        OpKind::Immediate8
        | OpKind::Immediate16
        | OpKind::Immediate32
        | OpKind::Immediate64
        | OpKind::Immediate8to16
        | OpKind::Immediate8to32
        | OpKind::Immediate8to64
        | OpKind::Immediate32to64 => Operand::Constant(instruction.immediate(index)),
        _ => return None,
    })
}

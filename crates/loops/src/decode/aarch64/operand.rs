//! Registers, memory operands and constants of 64-bit Arm in the terms of the model.

use yaxpeax_arm::armv8::a64::{
    Instruction as Decoded, Operand as Part, SIMDSizeCode, ShiftStyle, SizeCode,
};

use crate::instruction::{Address, How, Operand, Operation, Register, SCRATCH_2, VECTOR};

/// The stack pointer's number, which is the zero register's in other places.
pub const SP: u16 = 31;

/// The address of the memory operand, and what is added to its base afterwards.
pub fn memory(operands: [Part; 4]) -> Option<(Address, Option<(Register, i64)>)> {
    operands.iter().find_map(|part| match *part {
        Part::RegPreIndex(base, offset, written) => {
            let (base, offset) = (base as Register, i64::from(offset));
            let after = written.then_some((base, offset));
            Some((Address::based(base, offset), after))
        }
        Part::RegPostIndex(base, offset) => {
            let (base, offset) = (base as Register, i64::from(offset));
            Some((Address::based(base, 0), Some((base, offset))))
        }
        Part::RegRegOffset(base, index, _, _, shift) => Some((
            Address {
                base: Some(base as Register),
                index: (index != SP).then_some((index as Register, 1 << shift.min(7))),
                ..Address::default()
            },
            None,
        )),
        _ => None,
    })
}

/// The address that is relative to the instruction's own.
pub fn pc(it: &Decoded, address: u64) -> Option<u64> {
    it.operands.iter().find_map(|part| match part {
        Part::PCOffset(offset) => Some(address.wrapping_add(*offset as u64)),
        _ => None,
    })
}

/// Bytes of each register of a load or store.
pub fn width(name: &str, part: Part) -> u8 {
    let end = name.trim_start_matches("LD").trim_start_matches("ST");
    if end.ends_with("SW") {
        return 4;
    }
    if end.ends_with('B') {
        return 1;
    }
    if end.ends_with('H') {
        return 2;
    }
    match part {
        Part::Register(SizeCode::W, _) | Part::SIMDRegister(SIMDSizeCode::S, _) => 4,
        Part::SIMDRegister(SIMDSizeCode::Q, _) => 16,
        _ => 8,
    }
}

/// The register that an operand names as a target; none for the zero register.
pub fn target(part: Part) -> Option<Register> {
    match part {
        Part::Register(_, number) => (number != SP).then_some(number as Register),
        Part::RegisterOrSP(_, number) => Some(number as Register),
        Part::SIMDRegister(_, number)
        | Part::SIMDRegisterElements(_, number, _)
        | Part::SIMDRegisterElementsLane(_, number, ..) => Some(VECTOR + (number as Register & 31)),
        _ => None,
    }
}

/// The value of an operand. One that is shifted is computed first.
pub fn input(part: Part, to: &mut Vec<Operation>) -> Operand {
    match part {
        Part::RegShift(style, amount, _, number) if number != SP => {
            let register = number as Register;
            if amount == 0 {
                return Operand::Register(register);
            }
            let how = match style {
                ShiftStyle::LSL => How::ShiftLeft,
                _ => How::Other,
            };
            let amount = Operand::Constant(u64::from(amount));
            to.push(Operation::Combine(SCRATCH_2, how, register, amount));
            Operand::Register(SCRATCH_2)
        }
        Part::Immediate(value) => Operand::Constant(u64::from(value)),
        Part::Imm64(value) => Operand::Constant(value),
        Part::Imm16(value) => Operand::Constant(u64::from(value)),
        Part::ImmShift(value, shift) => Operand::Constant(u64::from(value) << (shift & 63)),
        _ => target(part).map_or(Operand::Constant(0), Operand::Register),
    }
}

/// The operand in a register: `scratch`, if it is a constant.
pub fn in_register(of: Operand, scratch: Register, to: &mut Vec<Operation>) -> Register {
    match of {
        Operand::Register(register) => register,
        Operand::Constant(value) => {
            to.push(Operation::Constant(scratch, value));
            scratch
        }
    }
}

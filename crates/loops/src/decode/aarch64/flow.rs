//! The entry of the decoder, where the thread goes next, and what an instruction does.

use yaxpeax_arch::{Arch, Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::{ARMv8, Instruction as Decoded, Opcode, Operand as Part, SizeCode};

use super::operand::{SP, in_register, input, memory, pc, target, width};
use crate::instruction::{
    Address, EQUAL, FLAGS, Flow, Hint, How, Instruction, Operand, Operation, Register, SCRATCH,
    SCRATCH_2, Update,
};

/// The instruction that `bytes` encode; `None` if they encode none.
pub fn decode(bytes: [u8; 4], address: u64) -> Option<Instruction> {
    let decoder = <ARMv8 as Arch>::Decoder::default();
    let it = decoder.decode(&mut U8Reader::new(&bytes)).ok()?;
    let mut operations = Vec::new();
    let flow = flow(&it, address, &mut operations);
    if flow == Flow::Next {
        data(&it, address, &mut operations);
    }
    // hint: yield, wfe, wfi; isb is the other way to wait a little.
    let waits = match (it.opcode, it.operands[1]) {
        (Opcode::HINT, Part::Immediate(1..=3)) => u32::from_le_bytes(bytes) & 0xf00 == 0,
        _ => u32::from_le_bytes(bytes) == 0xd503_3fdf,
    };
    Some(Instruction {
        address,
        length: 4,
        operations,
        flow,
        hint: if waits { Hint::Pause } else { Hint::None },
    })
}

fn flow(it: &Decoded, address: u64, to: &mut Vec<Operation>) -> Flow {
    let target = it.operands.iter().find_map(|part| match part {
        Part::PCOffset(offset) => Some(address.wrapping_add(*offset as u64)),
        _ => None,
    });
    let register = match it.operands[0] {
        Part::Register(_, number) if number != SP => Some(number as Register),
        _ => None,
    };
    let link = Operation::Constant(30, address.wrapping_add(4));
    let mut tested = |how: How, with: u64, when: u8| {
        let part = input(it.operands[0], to);
        let a = in_register(part, SCRATCH, to);
        to.push(Operation::Combine(SCRATCH, how, a, Operand::Constant(with)));
        if how == How::And {
            let zero = Operand::Constant(0);
            to.push(Operation::Combine(SCRATCH, How::Compare, SCRATCH, zero));
        }
        let on = SCRATCH;
        target.map_or(Flow::Stop, |target| Flow::Branch { target, on, when })
    };
    match (it.opcode, target) {
        (Opcode::B, Some(target)) => Flow::Jump(target),
        (Opcode::Bcc(condition), Some(target)) => Flow::Branch {
            target,
            on: FLAGS,
            // Equal is the first condition here.
            when: condition ^ EQUAL,
        },
        (Opcode::CBZ, _) => tested(How::Compare, 0, EQUAL),
        (Opcode::CBNZ, _) => tested(How::Compare, 0, EQUAL + 1),
        (Opcode::TBZ | Opcode::TBNZ, _) => {
            let bit = match it.operands[1] {
                Part::Imm16(bit) => u32::from(bit),
                Part::Immediate(bit) => bit,
                _ => 0,
            };
            let when = EQUAL + u8::from(it.opcode == Opcode::TBNZ);
            tested(How::And, 1u64.checked_shl(bit).unwrap_or(0), when)
        }
        (Opcode::BL, Some(target)) => {
            to.push(link);
            Flow::Call(target)
        }
        (Opcode::BLR, _) => {
            to.push(link);
            Flow::CallUnknown(register)
        }
        (Opcode::BR, _) => Flow::JumpUnknown(register),
        (Opcode::RET, _) => Flow::Return(register),
        (Opcode::SVC, _) => Flow::SystemCall,
        (Opcode::BRK | Opcode::HLT | Opcode::UDF | Opcode::ERET, _) => Flow::Stop,
        _ => Flow::Next,
    }
}

/// The operations of an instruction that goes on to the next one.
fn data(it: &Decoded, address: u64, to: &mut Vec<Operation>) {
    let name = format!("{:?}", it.opcode);
    let name = name.split('(').next().unwrap_or_default();
    if memory(it.operands).is_some() || name.starts_with("LDR") && pc(it, address).is_some() {
        return access(it, name, address, to);
    }
    match (it.opcode, it.operands) {
        (Opcode::HINT, _) => {}
        (Opcode::ADR | Opcode::ADRP, [Part::Register(_, number), ..]) if number != SP => {
            let page = if it.opcode == Opcode::ADRP {
                !0xfff
            } else {
                !0
            };
            let base = address & page;
            let offset = pc(it, 0).unwrap_or(0);
            let value = base.wrapping_add(offset);
            to.push(Operation::Constant(number as Register, value));
        }
        (Opcode::MOVZ | Opcode::MOVN, [part, Part::ImmShift(value, shift), ..]) => {
            let value = u64::from(value) << (shift & 63);
            let value = if it.opcode == Opcode::MOVN {
                !value
            } else {
                value
            };
            let value = match part {
                Part::Register(SizeCode::W, _) => value & 0xffff_ffff,
                _ => value,
            };
            if let Some(target) = target(part) {
                to.push(Operation::Constant(target, value));
            }
        }
        (Opcode::MRS, [part, Part::SystemReg(number), ..]) => {
            if let Some(target) = target(part) {
                // cntvct_el0 and its neighbours, the counters of time.
                to.push(match number {
                    0x5f00..=0x5f07 => Operation::Clock(target),
                    _ => Operation::Unknown(target),
                });
            }
        }
        _ => arithmetic(it, name, to),
    }
}

fn arithmetic(it: &Decoded, name: &str, to: &mut Vec<Operation>) {
    let how = match name.trim_end_matches('S') {
        "ADD" => How::Add,
        "SUB" => How::Subtract,
        "AND" | "BIC" => How::And,
        "ORR" | "ORN" => How::Or,
        "EOR" | "EON" => How::Xor,
        "LSLV" => How::ShiftLeft,
        "LSRV" | "ASRV" | "UBFM" | "SBFM" => How::ShiftRight,
        "MADD" if it.operands[3] == Part::Register(SizeCode::X, SP) => How::Multiply,
        "MADD" if it.operands[3] == Part::Register(SizeCode::W, SP) => How::Multiply,
        "CSEL" | "CSINC" | "CSINV" | "CSNEG" => How::Select,
        _ => How::Other,
    };
    let sets_flags = matches!(name, "ADDS" | "SUBS" | "ANDS" | "BICS" | "ADCS" | "SBCS")
        || name.starts_with("CCM")
        || name.starts_with("FCMP")
        || name.starts_with("FCCMP");
    let only_compares = target(it.operands[0]).is_none() || name.contains("CM");
    let first = usize::from(!name.contains("CM"));
    let inputs: Vec<Operand> = it.operands[first..]
        .iter()
        .filter(|part| !matches!(part, Part::Nothing | Part::ConditionCode(_)))
        .map(|part| input(*part, to))
        .collect();
    if name == "SUBS" && only_compares || name.contains("CM") {
        let a = in_register(inputs[0], SCRATCH, to);
        let b = inputs.get(1).copied().unwrap_or(Operand::Constant(0));
        to.push(Operation::Combine(FLAGS, How::Compare, a, b));
        return;
    }
    // Bit fields: the extensions are the ones that matter.
    let extension = match (name, it.operands[2], it.operands[3]) {
        ("UBFM", Part::Immediate(0), Part::Immediate(last)) => {
            Some(How::ZeroExtend(last as u8 + 1))
        }
        ("SBFM", Part::Immediate(0), Part::Immediate(last)) => {
            Some(How::SignExtend(last as u8 + 1))
        }
        _ => None,
    };
    let zero = Operand::Constant(0);
    let mut inputs = inputs.into_iter();
    let a = in_register(inputs.next().unwrap_or(zero), SCRATCH, to);
    match (extension, inputs.next()) {
        (Some(how), _) => to.push(Operation::Combine(SCRATCH_2, how, a, zero)),
        (_, Some(b)) => to.push(Operation::Combine(SCRATCH_2, how, a, b)),
        // A value moved, or the result of one input.
        (_, None) => to.push(Operation::Combine(SCRATCH_2, How::Other, a, zero)),
    }
    for more in inputs.filter(|_| !matches!(how, How::Multiply | How::ShiftRight)) {
        to.push(Operation::Combine(SCRATCH_2, How::Other, SCRATCH_2, more));
    }
    if name.starts_with("CS") {
        let flags = Operand::Register(FLAGS);
        to.push(Operation::Combine(SCRATCH_2, How::Select, SCRATCH_2, flags));
    }
    if matches!(name, "MOVK" | "BFM" | "FMLA")
        && let Some(target) = target(it.operands[0])
    {
        let own = Operand::Register(target);
        to.push(Operation::Combine(SCRATCH_2, How::Other, SCRATCH_2, own));
    }
    if let Some(target) = target(it.operands[0]) {
        to.push(Operation::Copy(target, SCRATCH_2));
    }
    if sets_flags {
        to.push(Operation::Combine(FLAGS, How::Compare, SCRATCH_2, zero));
    }
}

/// Loads, stores and atomic instructions.
fn access(it: &Decoded, name: &str, address: u64, to: &mut Vec<Operation>) {
    let Some((at, written)) = memory(it.operands) else {
        let (Some(target), Some(at)) = (target(it.operands[0]), pc(it, address)) else {
            return;
        };
        let at = Address {
            displacement: at as i64,
            ..Address::default()
        };
        let width = width(name, it.operands[0]);
        return to.push(Operation::Load {
            to: target,
            at,
            width,
        });
    };
    let width = width(name, it.operands[0]);
    let pair = name.ends_with('P') || name.ends_with("PSW");
    let [a, b, ..] = it.operands;
    let old = |part| target(part).unwrap_or(SCRATCH);
    if name.starts_with("PRF") {
    } else if name.starts_with("SWP") {
        to.push(atomic(old(b), at, width, Update::Exchange(SCRATCH)));
    } else if name.starts_with("CAS") && name != "CASP" {
        let expected = in_register(input(a, to), SCRATCH_2, to);
        let update = Update::CompareExchange(expected);
        to.push(atomic(old(a), at, width, update));
    } else if name.starts_with("LDSET") || name.starts_with("LDCLR") {
        to.push(atomic(old(b), at, width, Update::Exchange(SCRATCH)));
    } else if ["LDADD", "LDEOR", "LDSM", "LDUM"]
        .iter()
        .any(|it| name.starts_with(it))
    {
        to.push(atomic(old(b), at, width, Update::Modify));
    } else if (name.starts_with("STX") || name.starts_with("STLX")) && !pair {
        // An update that stores what it has read, changed, is repeated until it is not disturbed.
        let stored = in_register(input(b, to), SCRATCH_2, to);
        to.push(atomic(SCRATCH, at, width, Update::CompareExchange(stored)));
        if let Some(status) = target(a) {
            to.push(Operation::Status(status));
        }
    } else if !plain(it, name, at, to) {
        to.push(Operation::Opaque);
    }
    if name.starts_with("LDX") || name.starts_with("LDAX") {
        to.push(Operation::Exclusive);
    }
    if let Some((base, offset)) = written {
        to.push(Operation::Address(base, Address::based(base, offset)));
    }
}

/// Loads and stores of one or two registers; false if it is neither.
fn plain(it: &Decoded, name: &str, at: Address, to: &mut Vec<Operation>) -> bool {
    let [a, b, ..] = it.operands;
    let old = |part| target(part).unwrap_or(SCRATCH);
    let width = width(name, a);
    let second = Address {
        displacement: at.displacement.wrapping_add(i64::from(width)),
        ..at
    };
    let pair = name.ends_with('P') || name.ends_with("PSW");
    if name.starts_with("LD") && !name.starts_with("LD1") {
        let parts: &[_] = if pair {
            &[(a, at), (b, second)]
        } else {
            &[(a, at)]
        };
        // The first target may be the base of the second.
        if pair && target(a).is_some() && target(a) == at.base {
            to.push(Operation::Load {
                to: old(b),
                at: second,
                width,
            });
            to.push(Operation::Load {
                to: old(a),
                at,
                width,
            });
        } else {
            let loads = parts.iter();
            to.extend(loads.map(|(part, at)| Operation::Load {
                to: old(*part),
                at: *at,
                width,
            }));
        }
        if name.contains("RS") || name.ends_with("SW") {
            let own = old(a);
            let how = How::SignExtend(width * 8);
            to.push(Operation::Combine(own, how, own, Operand::Constant(0)));
        }
    } else if name.starts_with("ST") && !name.starts_with("ST1") {
        let parts: &[_] = if pair {
            &[(a, at), (b, second)]
        } else {
            &[(a, at)]
        };
        for (part, at) in parts {
            let from = in_register(input(*part, to), SCRATCH, to);
            to.push(Operation::Store {
                at: *at,
                width,
                from: Some(from),
            });
        }
    } else {
        return false;
    }
    true
}

fn atomic(to: Register, at: Address, width: u8, update: Update) -> Operation {
    Operation::Atomic {
        to,
        at,
        width,
        update,
    }
}

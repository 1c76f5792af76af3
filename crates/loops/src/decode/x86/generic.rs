//! All other instructions: each register that is written depends on all registers and memory that are read.

use iced_x86::{
    Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, UsedMemory,
};

use super::operand::{is_own_segment, register};
use crate::instruction::{
    Address, FLAGS, How, OTHER, Operand, Operation, Register, SCRATCH, SCRATCH_2,
};

/// Adds the operations of `iced`.
pub fn operations(iced: &Instruction, to: &mut Vec<Operation>) {
    if iced.is_string_instruction() || iced.is_privileged() {
        to.push(Operation::Opaque);
        return;
    }
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info_options(iced, InstructionInfoOptions::NONE);
    if cleared(iced) {
        to.push(Operation::Constant(register(iced.op0_register()), 0));
        return;
    }
    let mut inputs: Vec<Register> = Vec::new();
    let mut outputs: Vec<Register> = Vec::new();
    for used in info.used_registers() {
        let it = register(used.register());
        let (reads, writes) = access(used.access());
        // A write of a part of a vector register, such as a conversion, is a write of what the program uses of it.
        if reads {
            push(&mut inputs, it);
        }
        if writes {
            push(&mut outputs, it);
        }
    }
    if iced.rflags_read() != 0 {
        push(&mut inputs, FLAGS);
    }
    if iced.rflags_modified() != 0 {
        push(&mut outputs, FLAGS);
    }
    let mut stores = Vec::new();
    to.push(Operation::Constant(SCRATCH_2, 0));
    for memory in info.used_memory() {
        let (reads, writes) = access(memory.access());
        let Some(at) = address(memory) else {
            to.push(Operation::Opaque);
            return;
        };
        let width = memory.memory_size().size().min(64) as u8;
        if reads {
            to.push(Operation::Load {
                to: SCRATCH,
                at,
                width,
            });
            to.push(gather(SCRATCH));
        }
        if writes {
            stores.push(Operation::Store {
                at,
                width,
                from: Some(SCRATCH_2),
            });
        }
    }
    to.extend(inputs.into_iter().map(gather));
    to.extend(outputs.into_iter().map(|it| Operation::Copy(it, SCRATCH_2)));
    to.append(&mut stores);
}

fn gather(from: Register) -> Operation {
    Operation::Combine(SCRATCH_2, How::Other, SCRATCH_2, Operand::Register(from))
}

/// The idioms that clear a vector register read it in name only.
fn cleared(iced: &Instruction) -> bool {
    use Mnemonic as M;
    let last = iced.op_count().saturating_sub(1);
    matches!(
        iced.mnemonic(),
        M::Pxor | M::Xorps | M::Xorpd | M::Vpxor | M::Vxorps | M::Vxorpd
    ) && iced.op_count() >= 2
        && iced.op_register(last) != iced_x86::Register::None
        && iced.op_register(last) == iced.op_register(last - 1)
}

fn access(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write => (false, true),
        OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        _ => (false, false),
    }
}

fn push(list: &mut Vec<Register>, it: Register) {
    if it != OTHER && !list.contains(&it) {
        list.push(it);
    }
}

fn address(memory: &UsedMemory) -> Option<Address> {
    let none = iced_x86::Register::None;
    let part = |it| (it != none).then(|| register(it));
    // A gather has a vector as its index.
    if memory.index().is_vector_register() {
        return None;
    }
    Some(Address {
        base: part(memory.base()),
        index: part(memory.index()).map(|it| (it, memory.scale() as u8)),
        displacement: memory.displacement() as i64,
        thread_local: is_own_segment(memory.segment()),
    })
}

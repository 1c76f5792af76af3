//! Where an indirect jump or call goes, if the code before it says so: through the procedure linkage table, through the global
//! offset table, through a pointer in a fixed place.

use super::explore::{Index, Node};
use crate::instruction::{Address, Flow, Operand, Operation, Register};
use crate::machine::Code;

/// Most instructions to look back.
const BACK: usize = 16;
/// Most pointers to follow.
const POINTERS: u8 = 4;

/// The target of the indirect jump or call at `index`.
pub fn target(code: &dyn Code, nodes: &[Node], index: Index) -> Option<u64> {
    let before = nodes[index as usize].found_from;
    let target = match nodes[index as usize].instruction.flow {
        Flow::CallThrough(at) | Flow::JumpThrough(at) => {
            code.data(sum(code, nodes, before, &at, POINTERS)?)?
        }
        Flow::CallUnknown(Some(register)) | Flow::JumpUnknown(Some(register)) => {
            constant(code, nodes, before, register, POINTERS)?
        }
        _ => return None,
    };
    (target != 0).then_some(target)
}

/// The address, if its registers were set to constants.
fn sum(
    code: &dyn Code,
    nodes: &[Node],
    from: Option<Index>,
    at: &Address,
    pointers: u8,
) -> Option<u64> {
    if at.is_fixed() {
        return Some(at.displacement as u64);
    }
    if at.index.is_some() || at.thread_local {
        return None;
    }
    let base = constant(code, nodes, from, at.base?, pointers)?;
    Some(base.wrapping_add(at.displacement as u64))
}

/// The register's value after the instruction `from`, on the way on which it was first found.
fn constant(
    code: &dyn Code,
    nodes: &[Node],
    from: Option<Index>,
    register: Register,
    pointers: u8,
) -> Option<u64> {
    let pointers = pointers.checked_sub(1)?;
    let mut at = from;
    for _ in 0..BACK {
        let index = at?;
        let node = &nodes[index as usize];
        let mut writes = node.instruction.operations.iter().rev();
        match writes.find(|it| written(it) == Some(register)) {
            None => at = node.found_from,
            Some(&Operation::Constant(_, value)) => return Some(value),
            Some(Operation::Copy(_, from)) => {
                return constant(code, nodes, node.found_from, *from, pointers);
            }
            Some(Operation::Address(_, it)) => {
                return sum(code, nodes, node.found_from, it, pointers);
            }
            Some(&Operation::Combine(_, crate::instruction::How::Add, a, Operand::Constant(b))) => {
                return Some(constant(code, nodes, node.found_from, a, pointers)?.wrapping_add(b));
            }
            Some(Operation::Load {
                at: it, width: 8, ..
            }) => return code.data(sum(code, nodes, node.found_from, it, pointers)?),
            Some(_) => return None,
        }
    }
    None
}

/// The register that an operation writes.
fn written(operation: &Operation) -> Option<Register> {
    match *operation {
        Operation::Constant(to, _)
        | Operation::Copy(to, _)
        | Operation::Address(to, _)
        | Operation::Combine(to, ..)
        | Operation::Load { to, .. }
        | Operation::Atomic { to, .. }
        | Operation::Clock(to)
        | Operation::Unknown(to) => Some(to),
        Operation::Store { .. } | Operation::Opaque => None,
    }
}

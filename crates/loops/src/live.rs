//! Which registers a loop reads before it writes them. Only these carry anything from round to round: a register that is free holds
//! the remains of the round before.

use crate::graph::{Graph, Index};
use crate::instruction::{Address, Flow, Instruction, Operand, Operation, Register, Update};

/// A set of registers.
pub type Live = u128;

/// For each instruction of `order`, the registers that it or those after it in the loop read.
pub fn live(graph: &Graph, order: &[Index], place: &[usize]) -> Vec<Live> {
    let uses: Vec<(Live, Live)> = order
        .iter()
        .map(|it| uses(&graph.nodes[*it as usize].instruction))
        .collect();
    let mut before = vec![0; order.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, node) in order.iter().enumerate().rev() {
            let next = graph.nodes[*node as usize].next.iter();
            let after = next
                .map(|it| place[*it as usize])
                .filter(|it| *it != usize::MAX)
                .fold(0, |all, it| all | before[it]);
            let (reads, writes) = uses[at];
            let here = reads | (after & !writes);
            changed |= std::mem::replace(&mut before[at], here) != here;
        }
    }
    before
}

/// The set of one register.
pub fn only(register: Register) -> Live {
    1 << register
}

/// What an instruction reads before it writes it, and what it writes.
fn uses(instruction: &Instruction) -> (Live, Live) {
    let (mut reads, mut writes): (Live, Live) = (0, 0);
    for operation in &instruction.operations {
        let (from, to) = step(operation);
        reads |= from & !writes;
        writes |= to.map_or(0, only);
    }
    match instruction.flow {
        Flow::Branch { on, .. } | Flow::Return(Some(on)) => reads |= only(on) & !writes,
        // The number of the call on either architecture.
        Flow::SystemCall => reads |= (only(0) | only(8)) & !writes,
        _ => {}
    }
    (reads, writes)
}

fn step(operation: &Operation) -> (Live, Option<Register>) {
    match *operation {
        Operation::Constant(to, _)
        | Operation::Clock(to)
        | Operation::Status(to)
        | Operation::Unknown(to) => (0, Some(to)),
        Operation::Copy(to, from) => (only(from), Some(to)),
        Operation::Address(to, at) => (address(&at), Some(to)),
        Operation::Combine(to, _, a, Operand::Register(b)) => (only(a) | only(b), Some(to)),
        Operation::Combine(to, _, a, Operand::Constant(_)) => (only(a), Some(to)),
        Operation::Load { to, at, .. } => (address(&at), Some(to)),
        Operation::Store { at, from, .. } => (address(&at) | from.map_or(0, only), None),
        Operation::Atomic { to, at, update, .. } => {
            let operand = match update {
                Update::CompareExchange(expected) => only(expected),
                Update::Exchange(_) | Update::Modify => 0,
            };
            (address(&at) | operand, Some(to))
        }
        Operation::Exclusive | Operation::Opaque => (0, None),
    }
}

fn address(at: &Address) -> Live {
    at.base.map_or(0, only) | at.index.map_or(0, |(index, _)| only(index))
}

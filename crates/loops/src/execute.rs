//! Executes one instruction on expressions.

use crate::instruction::{
    Address, Flow, How, Instruction, OTHER, Operand, Operation, Register, Update,
};
use crate::machine::Architecture;
use crate::sort::Sort;
use crate::state::State;
use crate::value::{Id, Node, Values};

/// Memory that an instruction reads or writes.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Address.
    pub at: Id,
    /// Bytes.
    pub width: u8,
}

/// What an instruction did besides changing registers.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Reads of memory that the loop did not write itself.
    pub loads: Vec<Access>,
    /// Writes.
    pub stores: Vec<Access>,
    /// Atomic updates, and whether each expects what it read before.
    pub atomics: Vec<(Access, bool)>,
    /// The value that decides a branch.
    pub condition: Option<Id>,
    /// The number of the system call: the inner value is unknown if it is not a constant.
    pub system_call: Option<Option<u64>>,
    /// Whether its read is the first half of an update.
    pub exclusive: bool,
    /// Something outside the model.
    pub opaque: bool,
    /// A clock was read.
    pub clock: bool,
}

/// The stack pointer's number.
pub const fn stack_of(architecture: Architecture) -> Register {
    match architecture {
        Architecture::X86_64 => 7,
        Architecture::Aarch64 => 31,
    }
}

/// The frame pointer's number.
pub const fn frame_of(architecture: Architecture) -> Register {
    match architecture {
        Architecture::X86_64 => 6,
        Architecture::Aarch64 => 29,
    }
}

/// Changes `state` as `instruction` does.
pub fn execute(
    architecture: Architecture,
    values: &mut Values,
    state: &mut State,
    instruction: &Instruction,
) -> Effects {
    let mut effects = Effects::default();
    for operation in &instruction.operations {
        step(values, state, operation, &mut effects);
    }
    match instruction.flow {
        Flow::Branch { on, .. } => effects.condition = Some(state.register(on)),
        Flow::SystemCall => {
            let (number, result, lost): (_, _, &[Register]) = match architecture {
                Architecture::X86_64 => (0, 0, &[2, 19]),
                Architecture::Aarch64 => (8, 0, &[]),
            };
            let number = match values.node(state.register(number)) {
                Node::Constant(number) => Some(number),
                _ => None,
            };
            effects.system_call = Some(number);
            let system = values.add(Node::System);
            state.set(result, system);
            let unknown = values.add(Node::Blend(Sort::FIXED));
            lost.iter().for_each(|it| state.set(*it, unknown));
        }
        _ => {}
    }
    if matches!(instruction.flow, Flow::Return(_)) {
        state.leave(values, stack_of(architecture));
    }
    effects
}

fn step(values: &mut Values, state: &mut State, operation: &Operation, effects: &mut Effects) {
    match *operation {
        Operation::Constant(to, value) => {
            let value = values.constant(value);
            state.set(to, value);
        }
        Operation::Copy(to, from) => state.set(to, state.register(from)),
        Operation::Address(to, at) => {
            let value = address(values, state, &at);
            state.set(to, value);
        }
        Operation::Combine(to, how, a, b) => {
            let a = state.register(a);
            let b = match b {
                Operand::Register(b) => state.register(b),
                Operand::Constant(b) => values.constant(b),
            };
            let value = values.combine(how, a, b);
            state.set(to, value);
        }
        Operation::Load { to, at, width } => {
            let at = address(values, state, &at);
            let value = state.load(values, at, width);
            if values.node(value) == (Node::Memory { at, width }) {
                effects.loads.push(Access { at, width });
            }
            state.set(to, value);
        }
        Operation::Store { at, width, from } => {
            let at = address(values, state, &at);
            let value = match from {
                Some(from) => state.register(from),
                None => values.add(Node::Blend(Sort::FIXED)),
            };
            state.store(at, value, width);
            effects.stores.push(Access { at, width });
        }
        Operation::Atomic {
            to,
            at,
            width,
            update,
        } => {
            let at = address(values, state, &at);
            let retry = match update {
                Update::Exchange(_) => false,
                Update::CompareExchange(expected) => {
                    values.sort(state.register(expected)).has(Sort::WORD)
                }
                Update::Modify => true,
            };
            effects.atomics.push((Access { at, width }, retry));
            let value = values.add(Node::Atomic { at, retry });
            state.set(to, value);
        }
        Operation::Clock(to) => {
            effects.clock = true;
            let value = values.add(Node::Clock);
            state.set(to, value);
        }
        Operation::Status(to) => {
            let value = values.add(Node::Blend(Sort::RETRY));
            state.set(to, value);
        }
        Operation::Unknown(to) => {
            let value = values.add(Node::Blend(Sort::FIXED));
            state.set(to, value);
        }
        Operation::Exclusive => effects.exclusive = true,
        Operation::Opaque => effects.opaque = true,
    }
}

/// The expression of an address.
fn address(values: &mut Values, state: &State, at: &Address) -> Id {
    let mut sum = match at.base {
        Some(base) => state.register(base),
        None => values.constant(0),
    };
    if let Some((index, scale)) = at.index {
        let scale = values.constant(u64::from(scale));
        let index = values.combine(How::Multiply, state.register(index), scale);
        // The index first, so that a constant base ends up as the displacement.
        sum = values.combine(How::Add, index, sum);
    }
    if at.thread_local {
        let own = state.register(OTHER);
        sum = values.combine(How::Add, own, sum);
    }
    values.offset(sum, at.displacement)
}

//! Where an indirect jump or call goes, if the code before it says so: through the procedure linkage table, the global offset
//! table, a pointer in a fixed place, or the table of a `switch` whose value is known.

use super::explore::{Index, Node};
use crate::instruction::{Address, Flow, How, Operand, Operation, Register};
use crate::machine::{Code, Registers};
use crate::value::calculate;

/// Most instructions to look back for one value.
const BACK: usize = 32;
/// Most values to look for.
const VALUES: u32 = 24;

/// Searches backwards from an indirect jump, along the path by which it was first found.
pub struct Search<'a> {
    /// The program's memory.
    pub code: &'a dyn Code,
    /// What was found up to now.
    pub nodes: &'a [Node],
    /// The registers at the root, if it is the sampled instruction.
    pub start: Option<&'a Registers>,
}

impl Search<'_> {
    /// The target of the indirect jump or call at `index`.
    pub fn target(&self, index: Index) -> Option<u64> {
        let before = self.nodes[index as usize].found_from;
        let left = &mut VALUES.clone();
        let target = match self.nodes[index as usize].instruction.flow {
            Flow::CallThrough(at) | Flow::JumpThrough(at) => {
                self.code.data(self.sum(before, &at, left)?)?
            }
            Flow::CallUnknown(Some(register)) | Flow::JumpUnknown(Some(register)) => {
                self.register(before, register, left)?
            }
            _ => return None,
        };
        (target != 0).then_some(target)
    }

    /// The address, if its registers are known after the instruction `from`.
    fn sum(&self, from: Option<Index>, at: &Address, left: &mut u32) -> Option<u64> {
        if at.thread_local {
            return None;
        }
        let mut sum = at.displacement as u64;
        if let Some(base) = at.base {
            sum = sum.wrapping_add(self.register(from, base, left)?);
        }
        if let Some((index, scale)) = at.index {
            let index = self.register(from, index, left)?;
            sum = sum.wrapping_add(index.wrapping_mul(u64::from(scale)));
        }
        Some(sum)
    }

    /// The register's value after the instruction `from`.
    fn register(&self, from: Option<Index>, register: Register, left: &mut u32) -> Option<u64> {
        let mut at = from;
        for _ in 0..BACK {
            let Some(index) = at else {
                return self.at_start(register);
            };
            let node = &self.nodes[index as usize];
            let operations = &node.instruction.operations;
            match operations
                .iter()
                .rposition(|it| it.written() == Some(register))
            {
                None => at = node.found_from,
                Some(place) => return self.result(index, place, left),
            }
        }
        None
    }

    fn at_start(&self, register: Register) -> Option<u64> {
        self.start?.general.get(usize::from(register)).copied()
    }

    /// A register's value before one of an instruction's operations.
    fn before(&self, index: Index, place: usize, of: Register, left: &mut u32) -> Option<u64> {
        let node = &self.nodes[index as usize];
        let earlier = &node.instruction.operations[..place];
        match earlier.iter().rposition(|it| it.written() == Some(of)) {
            Some(place) => self.result(index, place, left),
            None => self.register(node.found_from, of, left),
        }
    }

    /// The value that an operation computes.
    fn result(&self, index: Index, place: usize, left: &mut u32) -> Option<u64> {
        *left = left.checked_sub(1)?;
        let node = &self.nodes[index as usize];
        match node.instruction.operations[place] {
            Operation::Constant(_, value) => Some(value),
            Operation::Copy(_, from) => self.before(index, place, from, left),
            Operation::Address(_, at) => self.sum(node.found_from, &at, left),
            Operation::Combine(_, how, a, b) => {
                let a = self.before(index, place, a, left)?;
                let b = match b {
                    Operand::Register(b) => self.before(index, place, b, left)?,
                    Operand::Constant(b) => b,
                };
                match how {
                    How::Compare | How::Condition | How::Select | How::Other => None,
                    how => calculate(how, a, b),
                }
            }
            Operation::Load { at, width, .. } => {
                let value = match self.stored(node.found_from, &at, left) {
                    Some(value) => value,
                    None => self.code.data(self.sum(node.found_from, &at, left)?)?,
                };
                Some(match width {
                    1..8 => value & ((1 << (8 * width)) - 1),
                    _ => value,
                })
            }
            _ => None,
        }
    }

    /// What an earlier instruction stored at the same place in the frame.
    fn stored(&self, from: Option<Index>, at: &Address, left: &mut u32) -> Option<u64> {
        let base = at.base?;
        let mut here = from;
        for _ in 0..BACK {
            let index = here?;
            let node = &self.nodes[index as usize];
            let operations = &node.instruction.operations;
            for (place, operation) in operations.iter().enumerate().rev() {
                match *operation {
                    Operation::Store {
                        at: to,
                        from: Some(value),
                        ..
                    } if to == *at => return self.before(index, place, value, left),
                    _ if operation.written() == Some(base) => return None,
                    _ => {}
                }
            }
            here = node.found_from;
        }
        None
    }
}

//! The address of a word from the registers of a sample.

use crate::instruction::{How, Register};
use crate::machine::{Code, Registers};
use crate::state::State;
use crate::value::{Id, Node, Values, calculate};

/// Most steps: each is one expression.
const STEPS: u32 = 64;

/// Computes expressions at one sample.
pub struct Computer<'a> {
    /// The expressions.
    pub values: &'a Values,
    /// What registers and memory hold at the sampled instruction.
    pub state: &'a State,
    /// The sampled registers.
    pub registers: &'a Registers,
    /// The program's memory.
    pub code: &'a dyn Code,
}

impl Computer<'_> {
    /// The value of `id`; `None` if nothing that the sample has leads to it.
    pub fn compute(&self, id: Id) -> Option<u64> {
        self.step(id, &mut STEPS.clone())
    }

    fn step(&self, id: Id, steps: &mut u32) -> Option<u64> {
        *steps = steps.checked_sub(1)?;
        let (base, offset) = self.values.split(id);
        if let Node::Constant(value) = self.values.node(id) {
            return Some(value);
        }
        if let Some(value) = self.held(base) {
            return Some(value.wrapping_add(offset as u64));
        }
        if base != id {
            return Some(self.step(base, steps)?.wrapping_add(offset as u64));
        }
        match self.values.node(id) {
            Node::Combine(How::Add | How::Subtract | How::Multiply, ..)
            | Node::Combine(How::ShiftLeft | How::ShiftRight | How::And | How::Or, ..)
            | Node::Combine(How::SignExtend(_) | How::ZeroExtend(_), ..) => {
                let Node::Combine(how, a, b) = self.values.node(id) else {
                    return None;
                };
                calculate(how, self.step(a, steps)?, self.step(b, steps)?)
            }
            Node::Memory { at, width } => {
                let value = self.code.data(self.step(at, steps)?)?;
                Some(match width {
                    0..8 => value & ((1 << (8 * width)) - 1),
                    _ => value,
                })
            }
            _ => self.saved(id, steps),
        }
    }

    /// The value in a register that holds it, or holds it with a constant added.
    fn held(&self, base: Id) -> Option<u64> {
        // The register itself first: it holds its value in most loops.
        let own = match self.values.node(base) {
            Node::Entry(register @ 0..32) => register,
            _ => 0,
        };
        std::iter::once(own)
            .chain(0..32)
            .find_map(|register: Register| {
                let (of, offset) = self.values.split(self.state.register(register));
                (of == base).then(|| {
                    self.registers.general[usize::from(register)].wrapping_sub(offset as u64)
                })
            })
    }

    /// The value in memory that the loop has written, such as a register that a called function has pushed.
    fn saved(&self, id: Id, steps: &mut u32) -> Option<u64> {
        let mut cells = self.state.cells().iter();
        let cell = cells.find(|cell| cell.1 == id && cell.2 == 8)?;
        self.code.data(self.step(cell.0, steps)?)
    }
}

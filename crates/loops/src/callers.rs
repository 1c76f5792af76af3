//! The return addresses of a sampled thread, found by executing the code to the end of each function.
//!
//! That needs neither frame pointers nor unwind tables, and is exact in functions that have set up neither, such as a delay written
//! in assembly.

use std::collections::VecDeque;

use crate::execute::{execute, stack_of};
use crate::graph::{Graph, Index, Reach};
use crate::instruction::{Flow, Register};
use crate::machine::{Architecture, Code, Registers};
use crate::sort::Sort;
use crate::state::State;
use crate::value::{Id, Node, Values};
use crate::word::Computer;

/// The return addresses that were followed, as expressions over the sample's registers.
#[derive(Clone, Debug)]
pub struct Trail {
    values: Values,
    at_sample: State,
    backs: Vec<(Id, u64)>,
}

impl Trail {
    /// Whether another sample of the same instruction has the same callers.
    pub fn same(&self, registers: &Registers, code: &dyn Code) -> bool {
        let computer = Computer {
            values: &self.values,
            state: &self.at_sample,
            registers,
            code,
        };
        let mut backs = self.backs.iter();
        backs.all(|(id, back)| computer.compute(*id) == Some(*back))
    }
}

/// Follows the returns of one sample.
pub struct Callers<'a> {
    architecture: Architecture,
    code: &'a dyn Code,
    registers: &'a Registers,
    values: Values,
    at_sample: State,
    state: State,
    backs: Vec<(Id, u64)>,
}

impl<'a> Callers<'a> {
    /// At the sample.
    pub fn new(architecture: Architecture, code: &'a dyn Code, registers: &'a Registers) -> Self {
        let mut values = Values::new(stack_of(architecture), None);
        let state = State::entry(&mut values);
        Callers {
            architecture,
            code,
            registers,
            values,
            at_sample: state.clone(),
            state,
            backs: Vec::new(),
        }
    }

    /// What was followed.
    pub fn trail(mut self) -> Trail {
        self.values.seal();
        Trail {
            values: self.values,
            at_sample: self.at_sample,
            backs: self.backs,
        }
    }

    /// Leaves the function whose instructions from here on are in `graph`. Returns the address to which it returns. Calls on the way
    /// must have been explored, unless they are stepped over.
    pub fn leave(&mut self, graph: &Graph, reach: Reach) -> Option<u64> {
        let path = way_out(graph, reach)?;
        let (last, inner) = path.split_last()?;
        for index in inner {
            let node = &graph.nodes[*index as usize];
            let instruction = &node.instruction;
            execute(
                self.architecture,
                &mut self.values,
                &mut self.state,
                instruction,
            );
            if is_call(instruction.flow) && node.next.is_empty() {
                self.skip_call();
            }
        }
        let stack = stack_of(self.architecture);
        let back = match graph.nodes[*last as usize].instruction.flow {
            Flow::Return(Some(register)) => self.state.register(register),
            _ => {
                let top = self.state.register(stack);
                self.state.load(&mut self.values, top, 8)
            }
        };
        let last = &graph.nodes[*last as usize].instruction;
        execute(self.architecture, &mut self.values, &mut self.state, last);
        let computer = Computer {
            values: &self.values,
            state: &self.at_sample,
            registers: self.registers,
            code: self.code,
        };
        let address = computer.compute(back)?;
        self.backs.push((back, address));
        Some(address)
    }

    /// A call that is not followed leaves the stack pointer, and the registers that functions keep, as they were.
    fn skip_call(&mut self) {
        let kept: &[Register] = match self.architecture {
            Architecture::X86_64 => &[1, 6, 7, 20, 21, 22, 23],
            Architecture::Aarch64 => &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31],
        };
        let stack = stack_of(self.architecture);
        if self.architecture == Architecture::X86_64 {
            let back = self.values.offset(self.state.register(stack), 8);
            self.state.set(stack, back);
        }
        let unknown = self.values.add(Node::Blend(Sort::FIXED));
        for lost in (0..32).filter(|it| !kept.contains(it)) {
            self.state.set(lost, unknown);
        }
    }
}

fn is_call(flow: Flow) -> bool {
    matches!(
        flow,
        Flow::Call(_) | Flow::CallThrough(_) | Flow::CallUnknown(_)
    )
}

/// The shortest way from the root to a return of its function. A call that could not be followed is stepped over; in the function
/// alone, the way has no calls, since it is not known which of them return.
fn way_out(graph: &Graph, reach: Reach) -> Option<Vec<Index>> {
    let at = |address: u64, call: u32| {
        let mut nodes = graph.nodes.iter();
        let place = nodes.position(|it| it.call == call && it.instruction.address == address);
        place.map(|it| it as Index)
    };
    let mut from = vec![None; graph.nodes.len()];
    let mut queue = VecDeque::from([0]);
    let mut seen = vec![false; graph.nodes.len()];
    *seen.first_mut()? = true;
    while let Some(index) = queue.pop_front() {
        let node = &graph.nodes[index as usize];
        if node.call == 0 && matches!(node.instruction.flow, Flow::Return(_)) {
            let mut path = vec![index];
            let mut here = index;
            while let Some(before) = from[here as usize] {
                path.push(before);
                here = before;
            }
            path.reverse();
            return Some(path);
        }
        if reach == Reach::Function && is_call(node.instruction.flow) {
            continue;
        }
        let over = if node.next.is_empty() && is_call(node.instruction.flow) {
            at(node.instruction.next(), node.call)
        } else {
            None
        };
        for next in node.next.iter().copied().chain(over) {
            if !std::mem::replace(&mut seen[next as usize], true) {
                from[next as usize] = Some(index);
                queue.push_back(next);
            }
        }
    }
    None
}

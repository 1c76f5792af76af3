//! The instructions that can be reached from one of them, with the functions that they call put in their place.

use std::collections::VecDeque;
use std::rc::Rc;

use super::indirect::Search;
use crate::decode::decode;
use crate::hash::Table;
use crate::instruction::{Flow, Instruction};
use crate::machine::{Architecture, Code, Registers};

/// Most functions inside each other.
const DEEPEST: u8 = 6;
/// Most instructions of one call: a function that is longer is followed no further.
pub const PER_CALL: u32 = 260;

/// A node's number.
pub type Index = u32;

/// One instruction in one chain of calls.
#[derive(Clone, Debug)]
pub struct Node {
    /// The chain of calls, 0 for the function of the root.
    pub call: u32,
    /// The instruction.
    pub instruction: Rc<Instruction>,
    /// The instructions after it that were decoded.
    pub next: Next,
    /// The instruction from which it was found.
    pub found_from: Option<Index>,
    /// Some instruction after it was not decoded: it is unknown, unmapped, or the caller's.
    pub leaves: bool,
}

/// The nodes after one: a branch has two. There are hundreds of nodes in each graph, so they are not on the heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Next {
    nodes: [Index; 2],
    length: u8,
}

impl Next {
    /// Adds a node, unless it is one of them. Returns whether there was room for it.
    fn add(&mut self, to: Index) -> bool {
        if self.contains(&to) {
            return true;
        }
        let Some(free) = self.nodes.get_mut(usize::from(self.length)) else {
            return false;
        };
        *free = to;
        self.length += 1;
        true
    }
}

impl std::ops::Deref for Next {
    type Target = [Index];

    fn deref(&self) -> &[Index] {
        &self.nodes[..usize::from(self.length)]
    }
}

/// The code, of which each instruction is decoded once, however many explorations and chains of calls reach it.
pub struct Decoded<'a> {
    architecture: Architecture,
    /// The code.
    pub code: &'a dyn Code,
    known: Table<u64, Option<Rc<Instruction>>>,
}

impl<'a> Decoded<'a> {
    /// Nothing yet.
    pub fn new(architecture: Architecture, code: &'a dyn Code) -> Self {
        Self {
            architecture,
            code,
            known: Table::default(),
        }
    }

    fn at(&mut self, address: u64) -> Option<Rc<Instruction>> {
        let new = || decode(self.architecture, self.code, address).map(Rc::new);
        self.known.entry(address).or_insert_with(new).clone()
    }

    /// Returns how many instructions were decoded.
    pub fn count(&self) -> u64 {
        self.known.len() as u64
    }
}

/// One call.
#[derive(Clone, Debug)]
struct Call {
    parent: u32,
    /// The address after the call instruction.
    back: u64,
    entry: u64,
    depth: u8,
    decoded: u32,
}

/// The instructions and the ways between them.
pub struct Graph {
    /// By number; the root is 0.
    pub nodes: Vec<Node>,
    /// Whether instructions were left out because there were too many in all.
    pub cut: bool,
    /// Whether bytes could not be read or decoded.
    pub unmapped: bool,
    calls: Vec<Call>,
}

/// How far the exploration goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The function of the root alone: calls are stepped over. Every loop of the function is also one here, and perhaps more, since a
    /// call may not return.
    Function,
    /// The functions that it calls, too.
    Calls,
}

/// Builds a graph.
struct Builder<'a, 'c> {
    decoded: &'a mut Decoded<'c>,
    start: Option<&'a Registers>,
    graph: Graph,
    found: Table<(u32, u64), Index>,
    entered: Table<(u32, u64, u64), u32>,
    queue: VecDeque<Index>,
    reach: Reach,
    budget: u32,
}

impl Graph {
    /// Explores from `root`, the nearest instructions first, and at most `budget` of them.
    /// `start` has the registers at the root, if they are known.
    pub fn explore(
        decoded: &mut Decoded<'_>,
        root: u64,
        start: Option<&Registers>,
        reach: Reach,
        budget: u32,
    ) -> Graph {
        let mut it = Builder::begin(decoded, root, start, reach, budget);
        it.node(0, root, None);
        while let Some(index) = it.queue.pop_front() {
            it.follow(index);
        }
        it.graph
    }
}

impl<'a, 'c> Builder<'a, 'c> {
    fn begin(
        decoded: &'a mut Decoded<'c>,
        root: u64,
        start: Option<&'a Registers>,
        reach: Reach,
        budget: u32,
    ) -> Self {
        Self {
            decoded,
            start,
            graph: Graph {
                nodes: Vec::new(),
                cut: false,
                unmapped: false,
                calls: vec![Call {
                    parent: 0,
                    back: 0,
                    entry: root,
                    depth: 0,
                    decoded: 0,
                }],
            },
            found: Table::default(),
            entered: Table::default(),
            queue: VecDeque::new(),
            reach,
            budget,
        }
    }

    /// The node of an instruction; `None` if it cannot be one.
    fn node(&mut self, call: u32, address: u64, from: Option<Index>) -> Option<Index> {
        if let Some(&index) = self.found.get(&(call, address)) {
            return Some(index);
        }
        if self.graph.nodes.len() as u32 >= self.budget {
            self.graph.cut = true;
            return None;
        }
        if call != 0 && self.graph.calls[call as usize].decoded >= PER_CALL {
            return None;
        }
        let Some(instruction) = self.decoded.at(address) else {
            self.graph.unmapped = true;
            return None;
        };
        let index = self.graph.nodes.len() as Index;
        self.graph.calls[call as usize].decoded += 1;
        self.graph.nodes.push(Node {
            call,
            instruction,
            next: Next::default(),
            found_from: from,
            leaves: false,
        });
        self.found.insert((call, address), index);
        self.queue.push_back(index);
        Some(index)
    }

    fn edge(&mut self, from: Index, call: u32, address: u64) {
        let to = self.node(call, address, Some(from));
        let is_added = to.is_some_and(|to| self.graph.nodes[from as usize].next.add(to));
        if !is_added {
            self.leave(from);
        }
    }

    /// Where an indirect jump or call goes.
    fn target(&self, index: Index) -> Option<u64> {
        let search = Search {
            code: self.decoded.code,
            nodes: &self.graph.nodes,
            start: self.start,
        };
        search.target(index)
    }

    fn leave(&mut self, from: Index) {
        self.graph.nodes[from as usize].leaves = true;
    }

    fn follow(&mut self, index: Index) {
        let node = &self.graph.nodes[index as usize];
        let (call, flow, next) = (node.call, node.instruction.flow, node.instruction.next());
        match flow {
            Flow::Next | Flow::SystemCall => self.edge(index, call, next),
            Flow::Jump(target) => self.edge(index, call, target),
            Flow::Branch { target, .. } => {
                self.edge(index, call, next);
                self.edge(index, call, target);
            }
            Flow::Call(target) => self.enter(index, Some(target)),
            Flow::CallThrough(_) | Flow::CallUnknown(_) => {
                let target = match self.reach {
                    Reach::Function => None,
                    Reach::Calls => self.target(index),
                };
                self.enter(index, target);
            }
            Flow::JumpThrough(_) | Flow::JumpUnknown(_) => match self.target(index) {
                Some(target) => self.edge(index, call, target),
                None => self.leave(index),
            },
            Flow::Return(_) if call != 0 => {
                let Call { parent, back, .. } = self.graph.calls[call as usize];
                self.edge(index, parent, back);
            }
            Flow::Return(_) | Flow::Stop => self.leave(index),
        }
    }

    /// Goes into a function, or steps over it.
    fn enter(&mut self, index: Index, target: Option<u64>) {
        let node = &self.graph.nodes[index as usize];
        let (parent, back) = (node.call, node.instruction.next());
        // A call of the next instruction only asks for its address.
        if target == Some(back) {
            return self.leave(index);
        }
        if self.reach == Reach::Function {
            return self.edge(index, parent, back);
        }
        let Some(entry) = target else {
            return self.leave(index);
        };
        let depth = self.graph.calls[parent as usize].depth + 1;
        let mut above = parent;
        let mut recursive = false;
        while above != 0 {
            recursive |= self.graph.calls[above as usize].entry == entry;
            above = self.graph.calls[above as usize].parent;
        }
        if recursive || depth > DEEPEST {
            return self.leave(index);
        }
        let key = (parent, back, entry);
        let call = match self.entered.get(&key) {
            Some(&call) => call,
            None => {
                let call = self.graph.calls.len() as u32;
                self.graph.calls.push(Call {
                    parent,
                    back,
                    entry,
                    depth,
                    decoded: 0,
                });
                self.entered.insert(key, call);
                call
            }
        };
        self.edge(index, call, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory full of `nop`.
    struct Nops;

    impl Code for Nops {
        fn bytes(&self, _: u64, into: &mut [u8]) -> usize {
            into.fill(0x90);
            into.len()
        }

        fn data(&self, _: u64) -> Option<u64> {
            None
        }
    }

    #[test]
    fn a_third_way_from_an_instruction_leaves_the_graph() {
        let mut decoded = Decoded::new(Architecture::X86_64, &Nops);
        let mut it = Builder::begin(&mut decoded, 0x1000, None, Reach::Calls, 10);
        let root = it.node(0, 0x1000, None).unwrap();
        for address in [0x2000, 0x3000, 0x2000] {
            it.edge(root, 0, address);
        }
        assert!(!it.graph.nodes[0].leaves);
        it.edge(root, 0, 0x4000);
        assert!(it.graph.nodes[0].leaves && it.graph.nodes[0].next.len() == 2);
    }
}

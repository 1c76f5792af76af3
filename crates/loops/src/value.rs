//! Values of registers and memory as expressions over the registers at the loop's head. Equal expressions have equal numbers.

use std::collections::BTreeSet;

use crate::hash::Table;
use crate::instruction::{How, Register};
use crate::sort::Sort;

/// The number of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

/// A place that holds a value from one instruction to the next: a register, or memory at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// A register.
    Register(Register),
    /// Memory that the loop wrote.
    Cell(Id),
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// What the register held at the loop's head, in each round the same.
    Entry(Register),
    /// A constant.
    Constant(u64),
    /// A combination.
    Combine(How, Id, Id),
    /// What memory holds at an address.
    Memory { at: Id, width: u8 },
    /// What memory held before an atomic instruction; `retry` if it expected what it had read there before.
    Atomic { at: Id, retry: bool },
    /// A clock's reading.
    Clock,
    /// A system call's result.
    System,
    /// One of two, by the path that was taken.
    Choice(Id, Id),
    /// Something of which only the kind is known.
    Blend(Sort),
    /// What `slot` holds at the head of a loop that changes it. `counts` if it only counts.
    Carried {
        head: u32,
        slot: Slot,
        counts: bool,
        sort: Sort,
    },
}

/// Deeper expressions are forgotten but for their kind.
const DEEPEST: u8 = 24;

/// All expressions of one evaluation.
#[derive(Clone, Debug)]
pub struct Values {
    nodes: Vec<(Node, Sort, u8)>,
    ids: Table<Node, Id>,
    stack: Register,
    /// The frame pointer, if the sampled thread's register points into its stack.
    frame: Option<Register>,
}

impl Values {
    /// No expressions yet.
    pub fn new(stack: Register, frame: Option<Register>) -> Values {
        Values {
            nodes: Vec::new(),
            ids: Table::default(),
            stack,
            frame,
        }
    }

    /// The expression.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.0 as usize].0
    }

    /// What it depends on.
    pub fn sort(&self, id: Id) -> Sort {
        self.nodes[id.0 as usize].1
    }

    fn depth(&self, id: Id) -> u8 {
        self.nodes[id.0 as usize].2
    }

    /// Forgets the table that finds equal expressions; none can be added afterwards.
    pub fn seal(&mut self) {
        self.ids = Table::default();
        self.nodes.shrink_to_fit();
    }

    /// The number of `node`.
    pub fn add(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let depth = match node {
            Node::Combine(_, a, b) | Node::Choice(a, b) => self.depth(a).max(self.depth(b)) + 1,
            Node::Memory { at, .. } | Node::Atomic { at, .. } => self.depth(at) + 1,
            _ => 0,
        };
        let sort = self.sort_of(node);
        if depth > DEEPEST {
            // What it is made of is lost, so it may be made of itself.
            return self.add(Node::Blend(sort | Sort::COMPUTED));
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push((node, sort, depth));
        self.ids.insert(node, id);
        id
    }

    /// A constant.
    pub fn constant(&mut self, value: u64) -> Id {
        self.add(Node::Constant(value))
    }

    /// Whether the address is in the frame of the function or of one it called, as far as the expression shows.
    pub fn in_frame(&self, at: Id) -> bool {
        match self.node(self.split(at).0) {
            Node::Entry(register) => register == self.stack || Some(register) == self.frame,
            _ => false,
        }
    }

    fn sort_of(&self, node: Node) -> Sort {
        match node {
            Node::Entry(_) | Node::Constant(_) => Sort::FIXED,
            Node::Clock => Sort::CLOCK,
            Node::System => Sort::SYSTEM,
            Node::Blend(sort) => sort,
            Node::Carried { sort, .. } => sort,
            Node::Atomic { .. } => Sort::WORD,
            Node::Memory { at, .. } => {
                let of = self.sort(at);
                let kind = if of.has(Sort::CARRIED) {
                    Sort::COMPUTED
                } else if of.has(Sort::INNER) {
                    Sort::SCAN | Sort::INNER
                } else if self.in_frame(at) {
                    Sort::FRAME
                } else {
                    Sort::WORD
                };
                kind | of.only(Sort::CARRIED | Sort::CHOICE)
            }
            Node::Combine(How::Compare, a, b) => self.compared(a, b),
            Node::Combine(_, a, b) => self.sort(a) | self.sort(b),
            Node::Choice(a, b) => self.sort(a) | self.sort(b) | Sort::CHOICE,
        }
    }

    /// A comparison waits if nothing but a write by another thread can change its outcome.
    fn compared(&self, a: Id, b: Id) -> Sort {
        // It is decided anew: what the inputs were compared with before is of no importance here.
        let sort = (self.sort(a) | self.sort(b)).without(Sort::WAITED);
        let retries = |id| matches!(self.node(id), Node::Atomic { retry: true, .. });
        if retries(a) || retries(b) {
            return sort | Sort::RETRY;
        }
        let waits = sort.has(Sort::MEMORY)
            && !sort.has(Sort::CARRIED | Sort::CLOCK | Sort::SYSTEM | Sort::RETRY)
            && (!sort.has(Sort::INNER) || sort.has(Sort::SCAN))
            && a != b;
        if waits { sort | Sort::WAITED } else { sort }
    }

    /// Splits off a constant that is added.
    pub fn split(&self, id: Id) -> (Id, i64) {
        match self.node(id) {
            Node::Combine(How::Add, base, offset) => match self.node(offset) {
                Node::Constant(offset) => (base, offset as i64),
                _ => (id, 0),
            },
            _ => (id, 0),
        }
    }

    /// `id + offset`.
    pub fn offset(&mut self, id: Id, offset: i64) -> Id {
        let (base, before) = self.split(id);
        let offset = before.wrapping_add(offset);
        if let Node::Constant(value) = self.node(base) {
            return self.constant(value.wrapping_add(offset as u64));
        }
        if offset == 0 {
            return base;
        }
        let offset = self.constant(offset as u64);
        self.add(Node::Combine(How::Add, base, offset))
    }

    /// The combination of two values, simplified where constants allow it.
    pub fn combine(&mut self, how: How, a: Id, b: Id) -> Id {
        let constant = |it: &Values, id| match it.node(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        };
        let (x, y) = (constant(self, a), constant(self, b));
        if let (Some(x), Some(y)) = (x, y)
            && let Some(value) = calculate(how, x, y)
        {
            return self.constant(value);
        }
        match (how, x, y) {
            (How::Add, _, Some(y)) => return self.offset(a, y as i64),
            (How::Add, Some(x), _) => return self.offset(b, x as i64),
            (How::Subtract, _, Some(y)) => return self.offset(a, (y as i64).wrapping_neg()),
            (How::And, _, Some(0)) => return self.constant(0),
            (How::Or, _, Some(u64::MAX)) => return self.constant(u64::MAX),
            (How::Multiply, _, Some(1)) | (How::Or | How::Xor, _, Some(0)) => return a,
            (How::ShiftLeft | How::ShiftRight, _, Some(0)) => return a,
            (How::ZeroExtend(bits), _, _) => {
                if let Node::Combine(How::ZeroExtend(narrower), ..) = self.node(a)
                    && narrower <= bits
                {
                    return a;
                }
                if let Node::Memory { width, .. } = self.node(a)
                    && u16::from(width) * 8 <= u16::from(bits)
                {
                    return a;
                }
            }
            _ => {}
        }
        self.add(Node::Combine(how, a, b))
    }

    /// One of two values, by the path that was taken.
    pub fn join(&mut self, a: Id, b: Id) -> Id {
        let (of_a, of_b) = (self.alternatives(a), self.alternatives(b));
        if of_b.is_subset(&of_a) {
            return a;
        }
        if of_a.is_subset(&of_b) {
            return b;
        }
        self.choice(of_a.union(&of_b).copied())
            .expect("neither is empty")
    }

    /// One of several values; `None` if there are none.
    pub fn choice(&mut self, of: impl IntoIterator<Item = Id>) -> Option<Id> {
        of.into_iter()
            .reduce(|a, b| self.add(Node::Choice(a.min(b), a.max(b))))
    }

    /// Adds the addresses of the memory that a value is made of, without the pointers to it.
    pub fn memory_in(&self, id: Id, found: &mut Vec<Id>) {
        let mut stack = vec![id];
        let mut seen = BTreeSet::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.node(id) {
                Node::Memory { at, .. } | Node::Atomic { at, .. } => found.push(at),
                Node::Combine(_, a, b) | Node::Choice(a, b) => stack.extend([a, b]),
                _ => {}
            }
        }
    }

    /// The values of which it is one.
    pub fn alternatives(&self, id: Id) -> BTreeSet<Id> {
        let mut found = BTreeSet::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            match self.node(id) {
                Node::Choice(a, b) => stack.extend([a, b]),
                _ => {
                    found.insert(id);
                }
            }
        }
        found
    }
}

/// The result for constants, if it is known.
pub fn calculate(how: How, x: u64, y: u64) -> Option<u64> {
    Some(match how {
        How::Add => x.wrapping_add(y),
        How::Subtract => x.wrapping_sub(y),
        How::Multiply => x.wrapping_mul(y),
        How::ShiftLeft => x.checked_shl(y as u32).unwrap_or(0),
        How::ShiftRight => x.checked_shr(y as u32).unwrap_or(0),
        How::And => x & y,
        How::Or => x | y,
        How::Xor => x ^ y,
        How::ZeroExtend(bits @ 1..64) => x & ((1 << bits) - 1),
        How::SignExtend(bits @ 1..64) => {
            let unused = 64 - u32::from(bits);
            (((x << unused) as i64) >> unused) as u64
        }
        How::ZeroExtend(_) | How::SignExtend(_) => x,
        _ => return None,
    })
}

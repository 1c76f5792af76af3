//! What registers and written memory hold before an instruction.

use crate::instruction::{REGISTERS, Register};
use crate::value::{Id, Node, Slot, Values};

/// Registers, and the memory that was written since the loop's head.
#[derive(Clone, Debug)]
pub struct State {
    registers: [Id; REGISTERS],
    /// Sorted by address; the value and its width in bytes.
    cells: Vec<(Id, Id, u8)>,
}

impl State {
    /// At the loop's head: each register holds its own value, and nothing has been written.
    pub fn entry(values: &mut Values) -> State {
        State {
            registers: std::array::from_fn(|it| values.add(Node::Entry(it as Register))),
            cells: Vec::new(),
        }
    }

    /// The register's value.
    pub fn register(&self, register: Register) -> Id {
        self.registers[usize::from(register)]
    }

    /// The written memory: address, value, width.
    pub fn cells(&self) -> &[(Id, Id, u8)] {
        &self.cells
    }

    /// Sets a register.
    pub fn set(&mut self, register: Register, value: Id) {
        self.registers[usize::from(register)] = value;
    }

    /// What memory holds; what it held at the head, if nothing was written there.
    pub fn load(&self, values: &mut Values, at: Id, width: u8) -> Id {
        match self.cells.binary_search_by_key(&at, |cell| cell.0) {
            Ok(place) if self.cells[place].2 >= width => self.cells[place].1,
            Ok(place) => {
                let value = self.cells[place].1;
                let sort = values.sort(value);
                values.add(Node::Blend(sort))
            }
            Err(_) => values.add(Node::Memory { at, width }),
        }
    }

    /// Writes memory.
    pub fn store(&mut self, at: Id, value: Id, width: u8) {
        match self.cells.binary_search_by_key(&at, |cell| cell.0) {
            Ok(place) => self.cells[place] = (at, value, width),
            Err(place) => self.cells.insert(place, (at, value, width)),
        }
    }

    /// The value of a slot.
    pub fn slot(&self, values: &mut Values, slot: Slot, width: u8) -> Id {
        match slot {
            Slot::Register(register) => self.register(register),
            Slot::Cell(at) => self.load(values, at, width),
        }
    }

    /// Sets a slot.
    pub fn set_slot(&mut self, slot: Slot, value: Id, width: u8) {
        match slot {
            Slot::Register(register) => self.set(register, value),
            Slot::Cell(at) => self.store(at, value, width),
        }
    }

    /// Every slot of `self` and `other`, with its width.
    pub fn slots(&self, other: &State) -> Vec<(Slot, u8)> {
        let registers = (0..REGISTERS as Register).map(|it| (Slot::Register(it), 8));
        let mut cells: Vec<_> = self.cells.iter().chain(&other.cells).collect();
        cells.sort_by_key(|cell| cell.0);
        cells.dedup_by_key(|cell| cell.0);
        let cells = cells.into_iter().map(|cell| (Slot::Cell(cell.0), cell.2));
        registers.chain(cells).collect()
    }

    /// What holds wherever two paths meet.
    pub fn join(&mut self, values: &mut Values, other: &State) {
        for (slot, width) in self.slots(other) {
            let (a, b) = (
                self.slot(values, slot, width),
                other.slot(values, slot, width),
            );
            if a != b {
                let both = values.join(a, b);
                self.set_slot(slot, both, width);
            } else if let Slot::Cell(at) = slot {
                self.store(at, a, width);
            }
        }
    }

    /// Forgets the memory below the stack pointer: a function that returned has left it.
    pub fn leave(&mut self, values: &Values, stack: Register) {
        let (base, top) = values.split(self.register(stack));
        self.cells.retain(|cell| {
            let (of, offset) = values.split(cell.0);
            of != base || offset >= top
        });
    }
}

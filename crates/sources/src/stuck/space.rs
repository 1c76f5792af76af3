//! The memory of a process, or of a core file, with what is needed to walk stacks in it. All tables are made before any thread
//! is stopped.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

use super::core::CoreMemory;
use super::registers::Registers;
use crate::futexes::{Cut, Processes, Processor, Rule, Spot, Table, Unwindable, walk_by};
use crate::mapped::Mapping;

/// The number by which a look knows its only process.
pub const ONLY: u32 = 0;

/// The most rules of one file.
const MOST_ROWS: usize = 16 << 20;
/// The most bytes of the kernel's page of code.
const MOST_OF_VDSO: u64 = 1 << 20;
/// How much of a stack is read at once: most stacks are shallower.
const AHEAD: usize = 16 << 10;
/// How much of a stack is copied while its thread is stopped.
const COPIED: usize = 32 << 10;
/// No stack is longer, as far as is known.
const MOST_OF_STACK: u64 = 64 << 20;

/// The memory and its code.
pub struct Space {
    /// The files behind the memory.
    pub processes: Processes,
    memory: Memory,
    tables: HashMap<usize, Table>,
    vdso: Option<(u64, Table)>,
    /// The executable mappings, by address.
    code: Vec<(u64, u64)>,
    /// The processor of its code.
    processor: Processor,
}

/// Where bytes come from.
pub enum Memory {
    /// `/proc/PID/mem`.
    Live(File),
    /// A core file.
    Core(CoreMemory),
}

impl Space {
    /// Makes the tables of all code in `mappings`.
    pub fn of(processes: Processes, memory: Memory, mappings: &[Mapping]) -> Self {
        let mut space = Self {
            processes,
            memory,
            tables: HashMap::new(),
            vdso: None,
            code: Vec::new(),
            processor: Processor::OWN,
        };
        for mapping in mappings.iter().filter(|it| it.executable) {
            space.code.push((mapping.start, mapping.end));
            match space.processes.spot(ONLY, mapping.start) {
                Spot::File(place) => {
                    let file = &space.processes.files().all()[place.file].file;
                    if let (false, Some(file)) = (space.tables.contains_key(&place.file), file) {
                        let table = Unwindable::of_file(file, MOST_ROWS).table;
                        space.tables.extend(table.map(|table| (place.file, table)));
                    }
                }
                Spot::Vdso(_) => {
                    let bytes = (mapping.end - mapping.start).min(MOST_OF_VDSO) as usize;
                    let mut image = vec![0; bytes];
                    if space.read(mapping.start, &mut image) {
                        let table = Unwindable::of_image(&image, MOST_ROWS).table;
                        space.vdso = table.map(|table| (mapping.start, table));
                    }
                }
                Spot::Anonymous => {}
            }
        }
        space
    }

    /// The same for code of this processor. There are tables for x86-64 only; other stacks are walked by frame pointers.
    pub fn with_code_of(mut self, processor: Processor) -> Self {
        self.processor = processor;
        self
    }

    /// Returns the processor of its code.
    pub fn processor(&self) -> Processor {
        self.processor
    }

    /// Fills `bytes` with the memory from `address` on. Returns `false` if part of it cannot be read.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        match &self.memory {
            Memory::Live(memory) => memory.read_exact_at(bytes, address).is_ok(),
            Memory::Core(core) => core.read(address, bytes),
        }
    }

    /// Returns the four bytes at `address`.
    pub fn word(&self, address: u64) -> Option<u32> {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes)
            .then(|| u32::from_ne_bytes(bytes))
    }

    /// Returns the eight bytes at `address`.
    pub fn long(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)
            .then(|| u64::from_ne_bytes(bytes))
    }

    /// Returns the stack of calls from these registers on, innermost first, and the reason if it was cut short.
    pub fn walk(&self, registers: Registers) -> (Vec<u64>, Option<Cut>) {
        self.walk_from(registers.ip, registers.sp, Some(registers.bp))
    }

    /// Copies the innermost part of a stack into `room`, to be walked when its thread runs again. The room is made before the thread
    /// is stopped.
    pub fn copy(&self, registers: Registers, room: Room) -> Copied {
        Copied {
            registers,
            ahead: Ahead::read(self, registers.sp, room),
        }
    }

    /// Walks a copied stack; `None` if the walk needs more than was copied.
    pub fn walk_copy(&self, copied: &Copied) -> Option<(Vec<u64>, Option<Cut>)> {
        let is_beyond = Cell::new(false);
        let word = |address: u64| {
            if let Some(word) = copied.ahead.word(address) {
                return Some(word);
            }
            // Elsewhere lies a stack that the thread has left for a while (a signal's), which does not change.
            let is_deeper = (copied.registers.sp..).contains(&address)
                && address - copied.registers.sp < MOST_OF_STACK;
            match is_deeper {
                true => {
                    is_beyond.set(true);
                    None
                }
                false => self.long(address),
            }
        };
        let Registers { ip, sp, bp, .. } = copied.registers;
        let walked = walk_by(
            &|address| self.rule(address),
            &word,
            (ip, sp, Some(bp)),
            self.processor,
        );
        (!is_beyond.get()).then_some(walked)
    }

    /// Returns the stack of calls if the frame pointer is not known.
    pub fn walk_without_frame_pointer(&self, ip: u64, sp: u64) -> (Vec<u64>, Option<Cut>) {
        self.walk_from(ip, sp, None)
    }

    fn walk_from(&self, ip: u64, sp: u64, bp: Option<u64>) -> (Vec<u64>, Option<Cut>) {
        let ahead = Ahead::read(self, sp, Room(vec![0; AHEAD]));
        let word = |address: u64| ahead.word(address).or_else(|| self.long(address));
        walk_by(
            &|address| self.rule(address),
            &word,
            (ip, sp, bp),
            self.processor,
        )
    }

    /// Returns the rule for the instruction at `address`; `None` if there is no code.
    fn rule(&self, address: u64) -> Option<Rule> {
        let after = self.code.partition_point(|&(start, _)| start <= address);
        let &(_, end) = self.code[..after].last()?;
        if address >= end {
            return None;
        }
        let of = |table: &Table, own: u64| {
            let offset = own.checked_sub(table.base)?;
            u32::try_from(offset).ok().map(|offset| table.rule(offset))
        };
        let rule = match self.processes.spot(ONLY, address) {
            Spot::File(place) => {
                let table = self.tables.get(&place.file);
                table.and_then(|table| of(table, place.address))
            }
            Spot::Vdso(offset) => {
                let table = self.vdso.as_ref();
                table.and_then(|(_, table)| of(table, offset))
            }
            Spot::Anonymous => None,
        };
        Some(rule.unwrap_or(Rule::GAP))
    }
}

/// The registers of a thread, and the innermost part of its stack, at one moment.
pub struct Copied {
    registers: Registers,
    ahead: Ahead,
}

/// Room for a copy of the innermost part of a stack.
pub struct Room(Vec<u8>);

impl Room {
    /// Makes room, in memory that is there already when it is written to.
    pub fn new() -> Self {
        // Not zeros: the kernel would provide such memory page by page, at the first use of each.
        Self(vec![1; COPIED])
    }
}

/// The innermost part of a stack, read at once.
struct Ahead {
    from: u64,
    bytes: Vec<u8>,
}

impl Ahead {
    fn read(space: &Space, sp: u64, Room(mut bytes): Room) -> Self {
        let length = match &space.memory {
            Memory::Live(memory) => memory.read_at(&mut bytes, sp).unwrap_or(0),
            Memory::Core(_) => 0,
        };
        bytes.truncate(length);
        Self { from: sp, bytes }
    }

    fn word(&self, address: u64) -> Option<u64> {
        let at = usize::try_from(address.checked_sub(self.from)?).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(8)?)?;
        Some(u64::from_ne_bytes(bytes.try_into().ok()?))
    }
}

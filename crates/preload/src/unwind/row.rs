//! How to find a function's caller from an address in the function: the instructions of its call frame information, executed
//! up to that address (DWARF 5, 6.4).
//!
//! Only the registers that a walk needs are followed: the canonical frame address (CFA, the stack pointer before the call),
//! the frame pointer and the return address. No compiler's table needs another register at a call.

use super::cursor::{Cursor, Memory};
use super::entry::{Block, Entry};

/// The column of the stack pointer: System V ABI for AMD64, figure 3.36; DWARF for the Arm 64-bit Architecture, 4.1.
#[cfg(target_arch = "x86_64")]
pub const STACK_POINTER: u64 = 7;
/// The column of the frame pointer.
#[cfg(target_arch = "x86_64")]
pub const FRAME_POINTER: u64 = 6;
/// The column of the stack pointer.
#[cfg(target_arch = "aarch64")]
pub const STACK_POINTER: u64 = 31;
/// The column of the frame pointer.
#[cfg(target_arch = "aarch64")]
pub const FRAME_POINTER: u64 = 29;

/// The rule for the canonical frame address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cfa {
    /// The value of a register plus an offset.
    Register {
        column: u64,
        /// In bytes.
        offset: i64,
    },
    /// The value of an expression.
    Expression(Block),
}

/// The rule for the caller's value of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// In the register itself.
    Same,
    /// Nowhere.
    Undefined,
    /// In memory, at this many bytes from the canonical frame address.
    At(i64),
    /// The value is the canonical frame address plus this many bytes.
    Is(i64),
    /// In memory, at the address given by an expression.
    AtExpression(Block),
    /// The value is the value of an expression.
    IsExpression(Block),
    /// In another register, which a walk does not keep.
    Elsewhere,
}

/// The rules that hold at one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub cfa: Cfa,
    pub frame_pointer: Saved,
    pub return_address: Saved,
}

/// The number of rows that can be remembered at once. Compilers remember one.
const REMEMBERED: usize = 3;
/// The number of instructions after which the table is treated as garbage.
const INSTRUCTIONS: usize = 1 << 16;

struct Machine<'e> {
    entry: &'e Entry,
    row: Row,
    /// The row after the common instructions.
    initial: Option<Row>,
    remembered: [Row; REMEMBERED],
    depth: usize,
    /// The address from which `row` holds.
    location: usize,
}

/// Returns the rules that hold at `pc` according to `entry`, or `None` if the tables are not understood.
#[inline(always)]
pub fn at<M: Memory>(cursor: &mut Cursor<'_, M>, entry: &Entry, pc: usize) -> Option<Row> {
    let nothing = Row {
        cfa: Cfa::Register {
            column: u64::MAX,
            offset: 0,
        },
        frame_pointer: Saved::Same,
        return_address: Saved::Same,
    };
    let mut machine = Machine {
        entry,
        row: nothing,
        initial: None,
        remembered: [nothing; REMEMBERED],
        depth: 0,
        location: entry.begin,
    };
    machine.run(cursor, entry.common, usize::MAX)?;
    machine.initial = Some(machine.row);
    machine.run(cursor, entry.own, pc)?;
    Some(machine.row)
}

impl Machine<'_> {
    /// Executes `block`, up to the instructions whose effect begins after `pc`.
    fn run<M: Memory>(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        block: Block,
        pc: usize,
    ) -> Option<()> {
        cursor.go_to(block.address, block.bytes);
        for _ in 0..INSTRUCTIONS {
            if cursor.left() == 0 {
                return Some(());
            }
            let instruction = cursor.u8()?;
            self.carry_out(cursor, instruction)?;
            // Instructions that advance the location change nothing else.
            if self.location > pc {
                return Some(());
            }
        }
        None
    }

    // Long: it is one table, with an arm for each instruction of DWARF 5, 7.24.
    fn carry_out<M: Memory>(&mut self, cursor: &mut Cursor<'_, M>, instruction: u8) -> Option<()> {
        let low = u64::from(instruction & 0x3f);
        match instruction {
            // Nothing.
            0x00 => {}
            // The row holds up to an address.
            0x40..=0x7f => self.advance(low),
            0x01 => self.location = cursor.pointer(self.entry.encoding, 0)?,
            0x02 => self.advance(cursor.unsigned(1)?),
            0x03 => self.advance(cursor.unsigned(2)?),
            0x04 => self.advance(cursor.unsigned(4)?),
            // A register is saved at an offset.
            0x80..=0xbf => self.save_at(low, cursor.uleb()? as i64),
            0x05 => {
                let column = cursor.uleb()?;
                self.save_at(column, cursor.uleb()? as i64);
            }
            0x11 => {
                let column = cursor.uleb()?;
                self.save_at(column, cursor.sleb()?);
            }
            // The same with the opposite sign: GNU.
            0x2f => {
                let column = cursor.uleb()?;
                self.save_at(column, (cursor.uleb()? as i64).wrapping_neg());
            }
            0x14 => {
                let column = cursor.uleb()?;
                let offset = self.factored(cursor.uleb()? as i64);
                self.save(column, Saved::Is(offset));
            }
            0x15 => {
                let column = cursor.uleb()?;
                let offset = self.factored(cursor.sleb()?);
                self.save(column, Saved::Is(offset));
            }
            0x10 => {
                let column = cursor.uleb()?;
                self.save(column, Saved::AtExpression(block(cursor)?));
            }
            0x16 => {
                let column = cursor.uleb()?;
                self.save(column, Saved::IsExpression(block(cursor)?));
            }
            0x07 => self.save(cursor.uleb()?, Saved::Undefined),
            0x08 => self.save(cursor.uleb()?, Saved::Same),
            0x09 => {
                let column = cursor.uleb()?;
                cursor.uleb()?;
                self.save(column, Saved::Elsewhere);
            }
            // As after the common instructions.
            0xc0..=0xff => self.restore(low)?,
            0x06 => self.restore(cursor.uleb()?)?,
            0x0a => {
                *self.remembered.get_mut(self.depth)? = self.row;
                self.depth += 1;
            }
            0x0b => {
                self.depth = self.depth.checked_sub(1)?;
                self.row = *self.remembered.get(self.depth)?;
            }
            // The canonical frame address.
            0x0c | 0x12 => {
                let column = cursor.uleb()?;
                let offset = self.offset(cursor, instruction == 0x12)?;
                self.row.cfa = Cfa::Register { column, offset };
            }
            0x0d => {
                let column = cursor.uleb()?;
                let Cfa::Register { offset, .. } = self.row.cfa else {
                    return None;
                };
                self.row.cfa = Cfa::Register { column, offset };
            }
            0x0e | 0x13 => {
                let offset = self.offset(cursor, instruction == 0x13)?;
                let Cfa::Register { column, .. } = self.row.cfa else {
                    return None;
                };
                self.row.cfa = Cfa::Register { column, offset };
            }
            0x0f => self.row.cfa = Cfa::Expression(block(cursor)?),
            // The size of arguments (GNU), which only landing pads need.
            0x2e => drop(cursor.uleb()?),
            // Return addresses are signed from here on, or no longer. This does not matter: signatures are removed from all of
            // them.
            #[cfg(target_arch = "aarch64")]
            0x2d => {}
            _ => return None,
        }
        Some(())
    }

    fn advance(&mut self, by: u64) {
        let by = by.wrapping_mul(self.entry.code_alignment);
        self.location = self.location.saturating_add(by as usize);
    }

    fn factored(&self, offset: i64) -> i64 {
        offset.wrapping_mul(self.entry.data_alignment)
    }

    /// Reads an offset of the canonical frame address: in bytes, or signed and to be multiplied by a factor.
    fn offset<M: Memory>(&self, cursor: &mut Cursor<'_, M>, is_factored: bool) -> Option<i64> {
        if is_factored {
            Some(self.factored(cursor.sleb()?))
        } else {
            Some(cursor.uleb()? as i64)
        }
    }

    fn save_at(&mut self, column: u64, offset: i64) {
        self.save(column, Saved::At(self.factored(offset)));
    }

    fn save(&mut self, column: u64, saved: Saved) {
        if column == self.entry.return_column {
            self.row.return_address = saved;
        } else if column == FRAME_POINTER {
            self.row.frame_pointer = saved;
        }
    }

    fn restore(&mut self, column: u64) -> Option<()> {
        let initial = self.initial?;
        if column == self.entry.return_column {
            self.row.return_address = initial.return_address;
        } else if column == FRAME_POINTER {
            self.row.frame_pointer = initial.frame_pointer;
        }
        Some(())
    }
}

/// Reads the expression that follows.
fn block<M: Memory>(cursor: &mut Cursor<'_, M>) -> Option<Block> {
    let bytes = usize::try_from(cursor.uleb()?).ok()?;
    let address = cursor.address();
    cursor.skip(bytes)?;
    Some(Block { address, bytes })
}

//! The stack machine that evaluates the expressions in some rules (DWARF 5, 2.5).

use super::cursor::{Cursor, Memory};
use super::entry::Block;
use super::frame::Frame;
use super::row::{FRAME_POINTER, STACK_POINTER};

/// The depth of the machine's stack. Compilers' own tables use at most four.
const DEPTH: usize = 12;
/// The number of operations after which an expression is treated as an endless loop.
const OPERATIONS: usize = 256;

struct Values {
    values: [u64; DEPTH],
    depth: usize,
}

impl Values {
    fn push(&mut self, value: u64) -> Option<()> {
        *self.values.get_mut(self.depth)? = value;
        self.depth += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<u64> {
        self.depth = self.depth.checked_sub(1)?;
        self.values.get(self.depth).copied()
    }

    /// Returns the value that lies `below` values under the uppermost one.
    fn pick(&self, below: usize) -> Option<u64> {
        let place = self.depth.checked_sub(below)?.checked_sub(1)?;
        self.values.get(place).copied()
    }
}

/// Evaluates the expression in `block`, starting with `first` on the stack. Memory is read with `word`.
// Long: it is one table, with an arm for each operation of DWARF 5, 7.7.1.
pub fn evaluate<M: Memory>(
    cursor: &mut Cursor<'_, M>,
    block: Block,
    frame: &Frame,
    first: Option<usize>,
    mut word: impl FnMut(usize) -> Option<usize>,
) -> Option<usize> {
    let mut stack = Values {
        values: [0; DEPTH],
        depth: 0,
    };
    if let Some(first) = first {
        stack.push(first as u64)?;
    }
    cursor.go_to(block.address, block.bytes);
    for _ in 0..OPERATIONS {
        if cursor.left() == 0 {
            return stack.pop().map(|value| value as usize);
        }
        let operation = cursor.u8()?;
        match operation {
            0x06 => {
                let address = stack.pop()? as usize;
                stack.push(word(address)? as u64)?;
            }
            0x03 | 0x0e => stack.push(cursor.unsigned(8)?)?,
            0x08 => stack.push(cursor.unsigned(1)?)?,
            0x0a => stack.push(cursor.unsigned(2)?)?,
            0x0c => stack.push(cursor.unsigned(4)?)?,
            0x09 => stack.push(cursor.signed(1)? as u64)?,
            0x0b => stack.push(cursor.signed(2)? as u64)?,
            0x0d => stack.push(cursor.signed(4)? as u64)?,
            0x0f => stack.push(cursor.signed(8)? as u64)?,
            0x10 => stack.push(cursor.uleb()?)?,
            0x11 => stack.push(cursor.sleb()? as u64)?,
            0x12 => stack.push(stack.pick(0)?)?,
            0x13 => drop(stack.pop()?),
            0x14 => stack.push(stack.pick(1)?)?,
            0x15 => {
                let below = cursor.u8()?;
                stack.push(stack.pick(usize::from(below))?)?;
            }
            0x16 => {
                let (upper, lower) = (stack.pop()?, stack.pop()?);
                stack.push(upper)?;
                stack.push(lower)?;
            }
            0x17 => {
                let (first, second, third) = (stack.pop()?, stack.pop()?, stack.pop()?);
                stack.push(first)?;
                stack.push(third)?;
                stack.push(second)?;
            }
            0x19 | 0x1f | 0x20 => {
                let value = stack.pop()?;
                stack.push(one_operand(operation, value))?;
            }
            0x1a..=0x1e | 0x21 | 0x22 | 0x24..=0x27 | 0x29..=0x2e => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                stack.push(two_operands(operation, left, right)?)?;
            }
            0x23 => {
                let (value, more) = (stack.pop()?, cursor.uleb()?);
                stack.push(value.wrapping_add(more))?;
            }
            0x28 | 0x2f => {
                let distance = cursor.signed(2)?;
                if operation == 0x2f || stack.pop()? != 0 {
                    let target = cursor.address().wrapping_add(distance as usize);
                    let offset = target.wrapping_sub(block.address);
                    cursor.go_to(target, block.bytes.checked_sub(offset)?);
                }
            }
            0x30..=0x4f => stack.push(u64::from(operation - 0x30))?,
            0x70..=0x8f | 0x92 => {
                let column = if operation == 0x92 {
                    cursor.uleb()?
                } else {
                    u64::from(operation - 0x70)
                };
                let value = register(column, frame)?;
                stack.push((value as u64).wrapping_add(cursor.sleb()? as u64))?;
            }
            0x94 => {
                let (bytes, address) = (cursor.u8()?, stack.pop()? as usize);
                let whole = word(address)? as u64;
                let unused = 64_u32.checked_sub(8 * u32::from(bytes))?;
                stack.push(whole.checked_shl(unused)? >> unused)?;
            }
            0x96 => {}
            _ => return None,
        }
    }
    None
}

/// Returns the value of a register that a walk keeps: the stack pointer, the frame pointer, and on x86-64 the address.
fn register(column: u64, frame: &Frame) -> Option<usize> {
    match column {
        STACK_POINTER => Some(frame.stack_pointer),
        FRAME_POINTER => Some(frame.frame_pointer),
        #[cfg(target_arch = "x86_64")]
        16 => Some(frame.address),
        _ => None,
    }
}

fn one_operand(operation: u8, value: u64) -> u64 {
    match operation {
        0x19 => (value as i64).unsigned_abs(),
        0x1f => value.wrapping_neg(),
        _ => !value,
    }
}

fn two_operands(operation: u8, left: u64, right: u64) -> Option<u64> {
    let (signed_left, signed_right) = (left as i64, right as i64);
    let shift = u32::try_from(right).unwrap_or(u32::MAX);
    Some(match operation {
        0x1a => left & right,
        0x1b => signed_left.checked_div(signed_right)? as u64,
        0x1c => left.wrapping_sub(right),
        0x1d => left.checked_rem(right)?,
        0x1e => left.wrapping_mul(right),
        0x21 => left | right,
        0x22 => left.wrapping_add(right),
        0x24 => left.checked_shl(shift).unwrap_or(0),
        0x25 => left.checked_shr(shift).unwrap_or(0),
        0x26 => (signed_left >> shift.min(63)) as u64,
        0x27 => left ^ right,
        0x29 => u64::from(left == right),
        0x2a => u64::from(signed_left >= signed_right),
        0x2b => u64::from(signed_left > signed_right),
        0x2c => u64::from(signed_left <= signed_right),
        0x2d => u64::from(signed_left < signed_right),
        0x2e => u64::from(left != right),
        _ => return None,
    })
}

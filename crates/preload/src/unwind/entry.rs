//! The entry of `.eh_frame` for one function: its first and last address, and the location of its instructions (Linux Standard
//! Base 5.0, Core, 10.6).

use super::cursor::{Cursor, Memory};

/// No function's entry is longer than this; a longer one is treated as garbage.
const ENTRY_BYTES: u64 = 1 << 20;

/// Bytes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub address: usize,
    pub bytes: usize,
}

/// The contents of a function's entry and of its common part.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The function's first address.
    pub begin: usize,
    /// The instructions common to several functions.
    pub common: Block,
    /// The function's own instructions.
    pub own: Block,
    /// The factor for advances.
    pub code_alignment: u64,
    /// The factor for offsets.
    pub data_alignment: i64,
    /// The column of the return address.
    pub return_column: u64,
    /// The encoding of addresses.
    pub encoding: u8,
    /// Whether the kernel made the frame to deliver a signal. Then its caller made no call, and was interrupted exactly at its
    /// address.
    pub is_signal_frame: bool,
}

/// Reads the length at the beginning of an entry. Afterwards the cursor is behind the length, and limited to the entry.
/// Returns `None` for the terminator too.
fn begin_entry<M: Memory>(cursor: &mut Cursor<'_, M>, address: usize) -> Option<()> {
    const LONG: u64 = 0xffff_ffff;
    cursor.go_to(address, 12);
    let mut bytes = cursor.unsigned(4)?;
    if bytes == LONG {
        bytes = cursor.unsigned(8)?;
    }
    if bytes == 0 || bytes > ENTRY_BYTES {
        return None;
    }
    cursor.go_to(cursor.address(), bytes as usize);
    Some(())
}

fn rest<M: Memory>(cursor: &Cursor<'_, M>) -> Block {
    Block {
        address: cursor.address(),
        bytes: cursor.left(),
    }
}

/// Reads the entry at `address`, if it is a function's and `pc` lies in that function.
pub fn read<M: Memory>(cursor: &mut Cursor<'_, M>, address: usize, pc: usize) -> Option<Entry> {
    begin_entry(cursor, address)?;
    let (here, own) = (cursor.address(), rest(cursor));
    let back = cursor.unsigned(4)? as usize;
    if back == 0 {
        return None;
    }
    let (mut entry, has_data) = read_common(cursor, here.checked_sub(back)?)?;
    cursor.go_to(own.address, own.bytes);
    cursor.skip(4)?;
    entry.begin = cursor.pointer(entry.encoding, 0)?;
    // The length has the encoding of an address, but is relative to nothing.
    let length = cursor.pointer(entry.encoding & 0x0f, 0)?;
    if pc.wrapping_sub(entry.begin) >= length {
        return None;
    }
    if has_data {
        let bytes = cursor.uleb()?;
        cursor.skip(usize::try_from(bytes).ok()?)?;
    }
    entry.own = rest(cursor);
    Some(entry)
}

/// Reads the common part at `address`, and whether functions' own entries have augmentation data.
fn read_common<M: Memory>(cursor: &mut Cursor<'_, M>, address: usize) -> Option<(Entry, bool)> {
    begin_entry(cursor, address)?;
    if cursor.unsigned(4)? != 0 {
        return None;
    }
    let version = cursor.u8()?;
    let mut augmentation = [0; 8];
    let mut letters = 0;
    loop {
        match cursor.u8()? {
            0 => break,
            letter => *augmentation.get_mut(letters)? = letter,
        }
        letters += 1;
    }
    if version == 4 {
        // The sizes of an address and of a segment selector.
        cursor.skip(2)?;
    }
    let code_alignment = cursor.uleb()?;
    let data_alignment = cursor.sleb()?;
    let return_column = match version {
        1 => u64::from(cursor.u8()?),
        3 | 4 => cursor.uleb()?,
        _ => return None,
    };
    let mut entry = Entry {
        begin: 0,
        common: Block {
            address: 0,
            bytes: 0,
        },
        own: Block {
            address: 0,
            bytes: 0,
        },
        code_alignment,
        data_alignment,
        return_column,
        encoding: 0,
        is_signal_frame: false,
    };
    let has_data = augmentation.first() == Some(&b'z');
    if has_data {
        let bytes = usize::try_from(cursor.uleb()?).ok()?;
        let (data, left) = (cursor.address(), cursor.left());
        for letter in augmentation.get(1..letters)? {
            match letter {
                b'R' => entry.encoding = cursor.u8()?,
                b'P' => {
                    // The routine of the function's language. It has the same size whether it is indirect or not.
                    let encoding = cursor.u8()?;
                    cursor.pointer(encoding & 0x7f, 0)?;
                }
                b'L' => cursor.skip(1)?,
                b'S' => entry.is_signal_frame = true,
                // Return addresses are signed with another key, which makes no difference here.
                b'B' | b'G' => {}
                // Unknown data is skipped, as its length is known.
                _ => break,
            }
        }
        cursor.go_to(data, left);
        cursor.skip(bytes)?;
    } else if letters != 0 {
        return None;
    }
    entry.common = rest(cursor);
    Some((entry, has_data))
}

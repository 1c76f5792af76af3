//! Reads tables with arbitrary contents, from memory that may have been unmapped.
//!
//! A file can be unmapped at any time by dlclose(3), so nothing of it is read in place: the kernel copies it, one buffer at a
//! time. Every read may fail, and no length in the tables can lead past the end that was set.

/// The source of the bytes that are read.
pub trait Memory {
    /// Copies the bytes at `address` into `into`, and returns how many of them are there.
    fn copy(&self, address: usize, into: &mut [u8]) -> usize;
}

/// The number of bytes copied at a time: enough for most entries, and small enough for the smallest stacks.
pub const BUFFER_BYTES: usize = 128;

/// A position in memory from which reading continues.
pub struct Cursor<'m, M> {
    memory: &'m M,
    /// The address that is read next.
    address: usize,
    /// The address where reading has to stop.
    end: usize,
    buffer: [u8; BUFFER_BYTES],
    /// The address of the buffer's first byte.
    buffer_address: usize,
    buffered: usize,
}

impl<'m, M: Memory> Cursor<'m, M> {
    /// Begins with nothing to read.
    pub fn new(memory: &'m M) -> Self {
        Self {
            memory,
            address: 0,
            end: 0,
            buffer: [0; BUFFER_BYTES],
            buffer_address: 0,
            buffered: 0,
        }
    }

    /// Continues at `address`, with at most `bytes` to read.
    pub fn go_to(&mut self, address: usize, bytes: usize) {
        self.address = address;
        self.end = address.saturating_add(bytes);
    }

    /// Fills the buffer from `address`. As long as reading stays within it, no other copy is needed.
    pub fn fill(&mut self, address: usize) {
        // Not limited by `end`: the bytes behind it may be wanted next, and copying is safe anywhere.
        self.buffered = self.memory.copy(address, &mut self.buffer);
        self.buffer_address = address;
    }

    pub fn address(&self) -> usize {
        self.address
    }

    /// Returns how many bytes are left to read.
    pub fn left(&self) -> usize {
        self.end.saturating_sub(self.address)
    }

    pub fn skip(&mut self, bytes: usize) -> Option<()> {
        if bytes > self.left() {
            return None;
        }
        self.address += bytes;
        Some(())
    }

    pub fn u8(&mut self) -> Option<u8> {
        if self.address >= self.end {
            return None;
        }
        let mut offset = self.address.wrapping_sub(self.buffer_address);
        if offset >= self.buffered {
            self.fill(self.address);
            offset = 0;
        }
        let byte = *self.buffer.get(..self.buffered)?.get(offset)?;
        self.address += 1;
        Some(byte)
    }

    /// Reads the next `bytes` bytes, eight at most, as a little-endian number.
    pub fn unsigned(&mut self, bytes: u32) -> Option<u64> {
        let mut number = 0;
        for place in 0..bytes {
            number |= u64::from(self.u8()?) << (8 * place);
        }
        Some(number)
    }

    /// Reads the next `bytes` bytes, one to eight, as a signed little-endian number.
    pub fn signed(&mut self, bytes: u32) -> Option<i64> {
        let unused = 64 - 8 * bytes;
        Some(((self.unsigned(bytes)? << unused) as i64) >> unused)
    }

    /// Reads an unsigned number of variable length (DWARF 5, 7.6). Returns `None` if it does not fit.
    pub fn uleb(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in 0..10 {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a signed number of variable length.
    pub fn sleb(&mut self) -> Option<i64> {
        let mut number = 0_u64;
        for place in 0..10 {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                let used = (7 * (place + 1)).min(64);
                let unused = 64 - used;
                return Some(((number << unused) as i64) >> unused);
            }
        }
        None
    }

    /// Reads a pointer in one of the encodings of `.eh_frame` (Linux Standard Base 5.0, Core, 10.5.1). `data` is the base of
    /// pointers that are relative to data.
    pub fn pointer(&mut self, encoding: u8, data: usize) -> Option<usize> {
        const INDIRECT: u8 = 0x80;
        const PC_RELATIVE: u8 = 0x10;
        const DATA_RELATIVE: u8 = 0x30;
        let base = match encoding & 0x70 {
            0 => 0,
            PC_RELATIVE => self.address,
            DATA_RELATIVE => data,
            _ => return None,
        };
        let value = match encoding & 0x0f {
            0x00 | 0x04 | 0x0c => self.unsigned(8)?,
            0x01 => self.uleb()?,
            0x02 => self.unsigned(2)?,
            0x03 => self.unsigned(4)?,
            0x09 => self.sleb()? as u64,
            0x0a => self.signed(2)? as u64,
            0x0b => self.signed(4)? as u64,
            _ => return None,
        };
        // The target of an indirect pointer is never needed here: only the routines of languages are encoded that way.
        (encoding & INDIRECT == 0).then(|| base.wrapping_add(value as usize))
    }
}

//! The memory of this process.

use super::cursor::Memory;
use crate::sys;

pub struct Process;

impl Memory for Process {
    fn copy(&self, address: usize, into: &mut [u8]) -> usize {
        sys::read_memory(address as u64, into).unwrap_or(0)
    }
}

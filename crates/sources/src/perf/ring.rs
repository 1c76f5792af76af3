//! The memory in which the kernel puts an event's records.
//!
//! # Invariants
//!
//! - **R1** The mapping begins with a page of `struct perf_event_mmap_page`, followed by `data` bytes, a power of two. It lives as
//!   long as this value.
//! - **R2** Bytes from `data_tail` up to `data_head` are records that the kernel has finished; it does not touch them until
//!   `data_tail` has passed them.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::{MmapOptions, MmapRaw};

use super::event::Event;

/// Offsets in `struct perf_event_mmap_page`.
const DATA_HEAD: usize = 1024;
const DATA_TAIL: usize = 1032;

/// Records that arrive.
#[derive(Debug)]
pub(super) struct Ring {
    memory: MmapRaw,
    page: usize,
    data: usize,
    /// One record, put together if it is at the end and at the beginning of the memory.
    whole: Vec<u8>,
}

/// `struct perf_event_header`: the kind of record, bits, and its length with this header.
const HEADER: usize = 8;

impl Ring {
    /// Maps a ring of `pages` pages, a power of two.
    pub fn of(event: &Event, pages: usize) -> io::Result<Self> {
        let page = rustix::param::page_size();
        let memory = MmapOptions::new()
            .len(page * (pages + 1))
            .map_raw(event.descriptor())?;
        Ok(Self {
            memory,
            page,
            data: page * pages,
            whole: Vec::new(),
        })
    }

    fn position(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: R1: in the first page, aligned to 8; the kernel only accesses it as a whole word.
        unsafe { &*self.memory.as_ptr().add(offset).cast::<AtomicU64>() }
    }

    /// Hands every record that has arrived to `take`: kind, bits, and what follows the header.
    pub fn drain(&mut self, mut take: impl FnMut(u32, u16, &[u8])) {
        // Acquire: the records were written before the position that covers them (linux/perf_event.h).
        let head = self.position(DATA_HEAD).load(Ordering::Acquire);
        let mut at = self.position(DATA_TAIL).load(Ordering::Relaxed);
        let mut whole = std::mem::take(&mut self.whole);
        while head.wrapping_sub(at) >= HEADER as u64 {
            let mut header = [0; HEADER];
            self.copy(at, &mut header);
            let kind = u32::from_ne_bytes([header[0], header[1], header[2], header[3]]);
            let bits = u16::from_ne_bytes([header[4], header[5]]);
            let length = usize::from(u16::from_ne_bytes([header[6], header[7]]));
            if length < HEADER || length as u64 > head.wrapping_sub(at) {
                // The kernel does not write such a record: nothing behind it can be trusted.
                at = head;
                break;
            }
            whole.resize(length - HEADER, 0);
            self.copy(at.wrapping_add(HEADER as u64), &mut whole);
            take(kind, bits, &whole);
            at = at.wrapping_add(length as u64);
        }
        self.whole = whole;
        // Release: the records have been read before the kernel may write over them.
        self.position(DATA_TAIL).store(at, Ordering::Release);
    }

    fn copy(&self, at: u64, to: &mut [u8]) {
        let begin = at as usize & (self.data - 1);
        let first = to.len().min(self.data - begin);
        // SAFETY: R1, R2: both pieces are inside the data, and the kernel does not write there now.
        unsafe {
            let data = self.memory.as_ptr().add(self.page);
            std::ptr::copy_nonoverlapping(data.add(begin), to.as_mut_ptr(), first);
            std::ptr::copy_nonoverlapping(data, to.as_mut_ptr().add(first), to.len() - first);
        }
    }
}

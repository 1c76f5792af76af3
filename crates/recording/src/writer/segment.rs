//! Begins segments and appends records to them.

use core::marker::PhantomData;
use core::ptr::NonNull;
use core::slice;
use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering::{Relaxed, Release};

use crate::layout::{PAGE_BYTES, Record, SEGMENT_HEADER_BYTES, SEGMENT_MAGIC, SegmentHeader};

/// Returns the number of bytes that a segment needs for `records` records of `record_bytes` bytes each.
#[must_use]
pub const fn segment_bytes(records: u32, record_bytes: u32) -> u64 {
    (SEGMENT_HEADER_BYTES + records as u64 * record_bytes as u64).next_multiple_of(PAGE_BYTES)
}

/// Returns the number of records of `record_bytes` bytes that fit into a segment of `bytes` bytes.
#[must_use]
pub const fn capacity_of(bytes: u64, record_bytes: u32) -> u32 {
    let records = bytes.saturating_sub(SEGMENT_HEADER_BYTES) / record_bytes as u64;
    if records > u32::MAX as u64 {
        u32::MAX
    } else {
        records as u32
    }
}

/// Appends records of one kind to one segment.
pub struct SegmentWriter<R> {
    header: NonNull<SegmentHeader>,
    capacity: u32,
    count: u32,
    record_bytes: u32,
    _records: PhantomData<R>,
}

impl<R: Record> SegmentWriter<R> {
    /// Writes the header of a segment of `bytes` bytes at `memory`, for records of their plain size.
    ///
    /// # Safety
    /// W1 for `bytes` bytes at `memory`, W2 and W3.
    #[must_use]
    pub unsafe fn begin(memory: NonNull<u8>, bytes: u64, owner: u32) -> Self {
        // SAFETY: the caller's promise is the callee's.
        unsafe { Self::begin_long(memory, bytes, owner, size_of::<R>() as u32) }
    }

    /// Like [`begin`](Self::begin), for records of `record_bytes` bytes: the structure and what follows it.
    ///
    /// # Safety
    /// W1 for `bytes` bytes at `memory`, W2 and W3. `record_bytes` is a multiple of 8 and no less than `R`'s size.
    #[must_use]
    pub unsafe fn begin_long(
        memory: NonNull<u8>,
        bytes: u64,
        owner: u32,
        record_bytes: u32,
    ) -> Self {
        let header = memory.cast::<SegmentHeader>();
        // SAFETY: W1 gives at least a page of aligned, zeroed memory, and zeros are a valid header.
        let fields = unsafe { header.as_ref() };
        let capacity = capacity_of(bytes, record_bytes);
        fields.kind.store(R::KIND.number(), Relaxed);
        fields.owner.store(owner, Relaxed);
        fields.record_bytes.store(record_bytes, Relaxed);
        fields.capacity.store(capacity, Relaxed);
        fields.bytes.store(bytes, Relaxed);
        // Release: a thread that sees the magic number sees the fields above.
        fields.magic.store(SEGMENT_MAGIC, Release);
        Self {
            header,
            capacity,
            count: 0,
            record_bytes,
            _records: PhantomData,
        }
    }

    /// Returns the length of the segment in bytes, including the header.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        // SAFETY: W1.
        unsafe { self.header.as_ref() }.bytes.load(Relaxed)
    }

    /// Returns how many more records fit.
    #[must_use]
    pub fn room(&self) -> u32 {
        self.capacity - self.count
    }

    /// Lets `fill` fill the next record, makes it visible to readers and returns where it lies; `None` if the segment is full.
    pub fn append(&mut self, fill: impl FnOnce(&R)) -> Option<NonNull<R>> {
        self.append_with_tail(|record, _| fill(record))
    }

    /// Returns the number of bytes that follow the structure in each record.
    #[must_use]
    pub fn tail_bytes(&self) -> usize {
        self.record_bytes as usize - size_of::<R>()
    }

    /// Like [`append`](Self::append); `fill` also gets the bytes that follow the structure.
    pub fn append_with_tail(&mut self, fill: impl FnOnce(&R, &[AtomicU8])) -> Option<NonNull<R>> {
        if self.count == self.capacity {
            return None;
        }
        let offset =
            SEGMENT_HEADER_BYTES as usize + self.count as usize * self.record_bytes as usize;
        // SAFETY: capacity_of keeps every record inside the segment's memory (W1).
        let record = unsafe { self.header.cast::<u8>().add(offset) }.cast::<R>();
        // SAFETY: `record_bytes` reaches that far beyond the structure, and bytes need no alignment.
        let tail = unsafe {
            slice::from_raw_parts(record.as_ptr().add(1).cast::<AtomicU8>(), self.tail_bytes())
        };
        // SAFETY: W1 and the multiple of 8 in `record_bytes` make it aligned and mapped; `Record` says that any bytes
        // are a valid value; W2 and W3 say that nobody else fills it.
        fill(unsafe { record.as_ref() }, tail);
        self.count += 1;
        // SAFETY: W1.
        let header = unsafe { self.header.as_ref() };
        // Release: a thread that sees the count sees the record.
        header.count.store(self.count, Release);
        Some(record)
    }
}

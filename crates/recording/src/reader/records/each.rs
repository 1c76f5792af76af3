//! Walks the records of a segment, one buffer at a time.

use std::io;

use crate::reader::bytes::Fields;
use crate::reader::segments::Segment;
use crate::reader::source::Source;

/// The number of bytes to read at a time. A longer record is read only up to this length: there is none in this version, and a
/// longer one has the fields that we know in its first bytes.
pub(in crate::reader) const BUFFER_BYTES: usize = 64 << 10;

/// Calls `visit` with each record of `segment`; it returns whether the record made sense. Returns how many did not.
///
/// Stops at the first record that contains only zeros: a published record never does, and a sparse file could otherwise hold more
/// of them than memory does.
pub(in crate::reader) fn for_each<S: Source + ?Sized>(
    source: &S,
    segment: &Segment,
    mut visit: impl FnMut(Fields<'_>) -> bool,
) -> io::Result<u64> {
    let stride = segment.record_bytes;
    // Records that are longer than the buffer are read one at a time, and only their beginning.
    let per_read = (BUFFER_BYTES as u64 / stride).max(1);
    let mut buffer = std::vec![0; BUFFER_BYTES];
    let mut bad = 0;
    let mut next = 0;
    while next < segment.records {
        let records = per_read.min(segment.records - next);
        let wanted = (records * stride).min(BUFFER_BYTES as u64) as usize;
        let offset = segment.first_record + next * stride;
        let read = source.read_at(&mut buffer[..wanted], offset)?;
        let chunk = stride.min(BUFFER_BYTES as u64) as usize;
        for (index, record) in (next..).zip(buffer[..read].chunks(chunk)) {
            if record.iter().all(|&byte| byte == 0) {
                return Ok(bad + (segment.records - index));
            }
            bad += u64::from(!visit(Fields(record)));
        }
        if read < wanted {
            break;
        }
        next += records;
    }
    Ok(bad)
}

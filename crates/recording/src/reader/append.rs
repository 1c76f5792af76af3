//! Appends a part to a recording.

use std::io::Write;

use super::compact::{Modules, compacted};
use super::source::Source;
use super::{ReadError, header};
use crate::appendix::Appendix;
use crate::layout::{Header, PAGE_BYTES};
use core::mem::offset_of;

/// Appends the first part of `part` to `recording`, at its current position, and returns the number of bytes written.
///
/// The part may still be growing: the length that its header has at the beginning is copied. If the file is shorter than its
/// header says, its whole pages are copied, and the copy's header is given their length; a reader finds that the last segment was
/// cut off.
///
/// # Errors
/// If `part` does not begin with a readable header, or if reading or writing fails.
pub fn append_part<S: Source + ?Sized>(
    recording: &mut impl Write,
    part: &S,
) -> Result<u64, ReadError> {
    append_part_with(recording, part, &Appendix::default())
}

/// Like [`append_part_with`], without the unused space in the part, if that is worthwhile.
///
/// # Errors
/// As [`append_part`].
pub fn append_compacted<S: Source + ?Sized>(
    recording: &mut impl Write,
    part: &S,
    appendix: &Appendix,
    modules: Modules,
) -> Result<u64, ReadError> {
    match compacted(part, modules) {
        Some(compact) => append_part_with(recording, &compact[..], appendix),
        None => append_part_with(recording, part, appendix),
    }
}

/// Like [`append_part`], with `appendix` after the part's own segments.
///
/// The appendix is left out if the file is shorter than its header says: the last segment, which is incomplete, would seem to
/// reach into it.
///
/// # Errors
/// As [`append_part`].
pub fn append_part_with<S: Source + ?Sized>(
    recording: &mut impl Write,
    part: &S,
    appendix: &Appendix,
) -> Result<u64, ReadError> {
    let header = header::read(part, 0)?;
    let available = part.length()?;
    let length = header.part_bytes.min(available - available % PAGE_BYTES);
    if length < header.header_bytes {
        return Err(ReadError::Truncated {
            available,
            needed: header.header_bytes,
        });
    }
    let whole = length == header.part_bytes;
    let appended = if whole { appendix.length() } else { 0 };
    let mut buffer = std::vec![0; 1 << 20];
    let mut copied = 0;
    while copied < length {
        let wanted = usize::try_from(length - copied)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let read = part.read_at(&mut buffer[..wanted], copied)?;
        buffer[read..wanted].fill(0);
        if copied == 0 {
            // The part, and the length in its header, may have grown since its length was read.
            let end = offset_of!(Header, end);
            buffer[end..end + 8].copy_from_slice(&(length + appended).to_le_bytes());
        }
        recording.write_all(&buffer[..wanted])?;
        copied += wanted as u64;
    }
    if appended > 0 {
        recording.write_all(&appendix.bytes())?;
    }
    debug_assert!((copied + appended).is_multiple_of(PAGE_BYTES));
    Ok(copied + appended)
}

//! Reads a recording part by part.

use std::fs::File;
use std::path::Path;
use std::vec::Vec;

use super::source::Source;
use super::{Problem, ReadError, Recording, Warning, header, part};
use crate::layout::{MAGIC, PAGE_BYTES};

impl Recording {
    /// Reads the file at `path`, which a running process may still be writing.
    ///
    /// # Errors
    /// If the file cannot be read or does not begin with a readable header: see [`ReadError`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::read(&File::open(path)?)
    }

    /// Reads a recording that is in memory.
    ///
    /// # Errors
    /// If it does not begin with a readable header: see [`ReadError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::read(bytes)
    }

    /// Reads a recording from any [`Source`].
    ///
    /// # Errors
    /// If it cannot be read or does not begin with a readable header: see [`ReadError`].
    pub fn read<S: Source + ?Sized>(source: &S) -> Result<Self, ReadError> {
        let available = source.length()?;
        let mut parts = Vec::new();
        let mut warnings = Vec::new();
        let mut offset = 0;
        // The first part decides whether this is a recording at all; without later ones, it is only incomplete.
        let mut next = Some(header::read(source, offset)?);
        while let Some(header) = next {
            let end = offset + header.part_bytes;
            parts.push(part::read(
                source,
                header,
                offset,
                available,
                &mut warnings,
            )?);
            offset = end;
            next = next_header(source, offset, available, &mut warnings)?;
        }
        Ok(Self { parts, warnings })
    }
}

/// Returns the header of the part after the one that ended at `offset`, if there is one.
fn next_header<S: Source + ?Sized>(
    source: &S,
    offset: u64,
    available: u64,
    warnings: &mut Vec<Warning>,
) -> Result<Option<header::CheckedHeader>, ReadError> {
    if offset >= available {
        return Ok(None);
    }
    let mut start = [0; 8];
    let read = source.read_at(&mut start, offset)?;
    if start == [0; 8] {
        // Space that a part reserved and never used.
        return Ok(None);
    }
    let problem = if read < start.len() || u64::from_le_bytes(start) != MAGIC {
        Problem::TrailingBytes
    } else {
        match header::read(source, offset) {
            Ok(header) => return Ok(Some(header)),
            Err(ReadError::Io(error)) => return Err(ReadError::Io(error)),
            Err(ReadError::NewerVersion { major, minor }) => {
                Problem::UnreadablePart { major, minor }
            }
            Err(ReadError::Truncated { available, needed }) => Problem::Truncated {
                missing_bytes: needed - available,
            },
            Err(_) => Problem::Corrupt {
                what: "the header of a part makes no sense",
            },
        }
    };
    debug_assert!(offset.is_multiple_of(PAGE_BYTES));
    warnings.push(Warning { offset, problem });
    Ok(None)
}

//! A part as bytes of records.

use core::mem::offset_of;
use std::string::String;
use std::vec::Vec;

use crate::layout::{
    Header, PAGE_BYTES, RecordKind, SEGMENT_HEADER_BYTES, SEGMENT_MAGIC, SegmentHeader,
};
use crate::reader::header::{self, CheckedHeader};
use crate::reader::records;
use crate::reader::segments::{Segments, Step};
use crate::reader::source::Source;
use crate::reader::{Process, ReadError};
use crate::writer::segment_bytes;

/// The kinds that a recorded process writes itself, except events by time, which are no counters.
const KINDS: [RecordKind; 12] = [
    RecordKind::Thread,
    RecordKind::Module,
    RecordKind::Range,
    RecordKind::Site,
    RecordKind::Count,
    RecordKind::Contention,
    RecordKind::Hold,
    RecordKind::Blame,
    RecordKind::Stack,
    RecordKind::Birth,
    RecordKind::StackWait,
    RecordKind::Order,
];

/// A part of a recording, as far as its process wrote it: names, and most other facts that were added later, are left out.
#[derive(Clone, Debug)]
pub struct RawPart {
    /// The header page.
    pub(in crate::reader) header: Vec<u8>,
    /// The records, by kind, owner and length, in the order in which the first of each were found.
    pub(in crate::reader) groups: Vec<Group>,
    process: Process,
    about: Option<String>,
}

/// Records of one kind, one owner and one length.
#[derive(Clone, Debug)]
pub(in crate::reader) struct Group {
    pub kind: RecordKind,
    pub owner: u32,
    pub record_bytes: usize,
    pub bytes: Vec<u8>,
}

impl Group {
    /// Returns an empty group of the same records.
    pub fn like(other: &Self) -> Self {
        Self {
            bytes: Vec::new(),
            ..*other
        }
    }

    pub fn records(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.record_bytes)
    }
}

impl RawPart {
    /// Reads all parts of a recording. Damage after the first header ends the part in which it is, as in
    /// [`Recording::read`](crate::reader::Recording::read).
    ///
    /// # Errors
    /// If the recording cannot be read or does not begin with a readable header.
    pub fn read_all<S: Source + ?Sized>(source: &S) -> Result<Vec<Self>, ReadError> {
        let available = source.length()?;
        let mut parts = Vec::new();
        let mut offset = 0;
        let mut next = header::read(source, offset);
        loop {
            match next {
                Ok(header) => {
                    let end = offset + header.part_bytes;
                    parts.push(Self::read(source, header, offset, available)?);
                    offset = end;
                }
                Err(ReadError::Io(error)) => return Err(error.into()),
                Err(error) if parts.is_empty() => return Err(error),
                Err(_) => return Ok(parts),
            }
            if offset >= available {
                return Ok(parts);
            }
            next = header::read(source, offset);
        }
    }

    fn read<S: Source + ?Sized>(
        source: &S,
        header: CheckedHeader,
        offset: u64,
        available: u64,
    ) -> Result<Self, ReadError> {
        let mut page = std::vec![0; PAGE_BYTES as usize];
        source.read_at(&mut page, offset)?;
        let end = offset + header.part_bytes;
        let mut walk = Segments::new(source, offset + header.header_bytes, end, available);
        let mut groups: Vec<Group> = Vec::new();
        let mut about = None;
        loop {
            let segment = match walk.step()? {
                Step::Segment(segment) => segment,
                Step::Passed => continue,
                Step::Warning(_) | Step::End => break,
            };
            if segment.kind == RecordKind::About {
                records::for_each(source, &segment, |fields| {
                    about = about.take().or_else(|| records::about(fields));
                    true
                })?;
                continue;
            }
            // Longer records are read only in part, and this version knows none.
            let Some(record_bytes) = usize::try_from(segment.record_bytes)
                .ok()
                .filter(|&bytes| bytes <= records::MOST_BYTES && KINDS.contains(&segment.kind))
            else {
                continue;
            };
            let is_same = |it: &Group| {
                it.kind == segment.kind
                    && it.owner == segment.owner
                    && it.record_bytes == record_bytes
            };
            let place = groups.iter().position(is_same).unwrap_or_else(|| {
                groups.push(Group {
                    kind: segment.kind,
                    owner: segment.owner,
                    record_bytes,
                    bytes: Vec::new(),
                });
                groups.len() - 1
            });
            let bytes = &mut groups[place].bytes;
            records::for_each(source, &segment, |fields| {
                // The last record of a file that was cut off is not whole.
                if fields.0.len() == record_bytes {
                    bytes.extend_from_slice(fields.0);
                }
                true
            })?;
        }
        Ok(Self {
            header: page,
            groups,
            process: header.process,
            about,
        })
    }

    /// Returns the part without its records.
    pub(in crate::reader) fn without_records(&self) -> Self {
        Self {
            header: self.header.clone(),
            groups: Vec::new(),
            process: self.process.clone(),
            about: None,
        }
    }

    /// Returns the process, as the part describes it.
    #[must_use]
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Returns the text that was added about the part: [`AboutRecord`](crate::layout::AboutRecord).
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// Whether both are looks at the same part: a process id is used again, a process id and a start are not.
    #[must_use]
    pub fn is_same_part(&self, other: &Self) -> bool {
        let id = |it: &Self| {
            let it = &it.process;
            (
                it.pid,
                it.sequence,
                it.start_monotonic_ns,
                it.start_realtime_ns,
            )
        };
        id(self) == id(other)
    }

    /// Whether it has records of locks.
    #[must_use]
    pub fn has_counts(&self) -> bool {
        let counts = [RecordKind::Count, RecordKind::Contention, RecordKind::Hold];
        let mut groups = self.groups.iter();
        groups.any(|it| counts.contains(&it.kind) && !it.bytes.is_empty())
    }

    /// Returns the bytes of a part with these records, without unused room.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut all = self.header.clone();
        put(
            &mut all,
            offset_of!(Header, header_bytes),
            &(PAGE_BYTES as u32).to_le_bytes(),
        );
        for group in self.groups.iter().filter(|it| !it.bytes.is_empty()) {
            group.append_to(&mut all);
        }
        let end = all.len() as u64;
        put(&mut all, offset_of!(Header, end), &end.to_le_bytes());
        all
    }
}

impl Group {
    fn append_to(&self, all: &mut Vec<u8>) {
        let record_bytes = self.record_bytes as u32;
        let count = (self.bytes.len() / self.record_bytes) as u32;
        let length = segment_bytes(count, record_bytes);
        let mut head = std::vec![0; SEGMENT_HEADER_BYTES as usize];
        let mut word = |offset, word: u32| put(&mut head, offset, &word.to_le_bytes());
        word(offset_of!(SegmentHeader, magic), SEGMENT_MAGIC);
        word(offset_of!(SegmentHeader, owner), self.owner);
        word(offset_of!(SegmentHeader, record_bytes), record_bytes);
        word(offset_of!(SegmentHeader, capacity), count);
        word(offset_of!(SegmentHeader, count), count);
        put(
            &mut head,
            offset_of!(SegmentHeader, kind),
            &self.kind.number().to_le_bytes(),
        );
        put(
            &mut head,
            offset_of!(SegmentHeader, bytes),
            &length.to_le_bytes(),
        );
        let end = all.len() + length as usize;
        all.extend_from_slice(&head);
        all.extend_from_slice(&self.bytes);
        all.resize(end, 0);
    }
}

/// Writes a field, as far as the bytes reach: a record of an earlier version may be shorter.
pub(in crate::reader) fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|it| it.get_mut(..field.len())) {
        place.copy_from_slice(field);
    }
}

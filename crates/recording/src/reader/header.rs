//! Reads and checks the first page of a part.

use core::mem::offset_of;

use super::bytes::Fields;
use super::source::Source;
use super::system::text;
use super::{CommandLine, Dropped, Process, ReadError, Stopped, Usage};
use crate::layout::{
    Architecture, BYTE_ORDER, COMMAND_BYTES, DropReason, Header, Keeps, MAGIC, MAJOR, Mode, Origin,
    PAGE_BYTES, StopReason, flags,
};

/// The version of the format that first had the lifetimes of threads that are not listed.
const HAS_UNLISTED: (u16, u16) = (1, 8);

/// A header that is complete and readable.
pub(super) struct CheckedHeader {
    pub process: Process,
    pub dropped: Dropped,
    /// The length of the header, that is, where segments begin, relative to the part.
    pub header_bytes: u64,
    /// The length of the part, a multiple of the page.
    pub part_bytes: u64,
}

/// Reads the header that begins at `offset` of `source`.
pub(super) fn read<S: Source + ?Sized>(
    source: &S,
    offset: u64,
) -> Result<CheckedHeader, ReadError> {
    let mut page = [0; PAGE_BYTES as usize];
    let available = source.read_at(&mut page, offset)?;
    let fields = Fields(&page[..available]);
    let magic = MAGIC.to_le_bytes();
    let seen = available.min(magic.len());
    if page[..seen] != magic[..seen] {
        return Err(ReadError::NotARecording { offset });
    }
    if available < page.len() {
        return Err(ReadError::Truncated {
            available: available as u64,
            needed: PAGE_BYTES,
        });
    }
    check_version(fields)?;

    let header_bytes = u64::from(fields.u32(offset_of!(Header, header_bytes)));
    if header_bytes < PAGE_BYTES || !header_bytes.is_multiple_of(PAGE_BYTES) {
        return Err(ReadError::Corrupt {
            offset: offset + offset_of!(Header, header_bytes) as u64,
            what: "the header gives an impossible length of itself",
        });
    }
    let part_bytes = fields
        .u64(offset_of!(Header, end))
        .checked_next_multiple_of(PAGE_BYTES)
        .filter(|&bytes| bytes >= header_bytes && offset.checked_add(bytes).is_some())
        .ok_or(ReadError::Corrupt {
            offset: offset + offset_of!(Header, end) as u64,
            what: "the header gives an impossible length of the part",
        })?;
    Ok(CheckedHeader {
        process: process(fields),
        dropped: dropped(fields),
        header_bytes,
        part_bytes,
    })
}

fn check_version(fields: Fields<'_>) -> Result<(), ReadError> {
    // The byte order comes first: if it differs, the version number cannot be trusted.
    if fields.u32(offset_of!(Header, byte_order)) != BYTE_ORDER {
        return Err(ReadError::ForeignMachine);
    }
    let (major, minor) = format(fields);
    if major > MAJOR {
        return Err(ReadError::NewerVersion { major, minor });
    }
    if major == 0 {
        return Err(ReadError::Corrupt {
            offset: offset_of!(Header, major) as u64,
            what: "there never was a version 0 of the format",
        });
    }
    if fields.u8(offset_of!(Header, word_bytes)) != 8 {
        return Err(ReadError::ForeignMachine);
    }
    Ok(())
}

fn format(fields: Fields<'_>) -> (u16, u16) {
    (
        fields.u16(offset_of!(Header, major)),
        fields.u16(offset_of!(Header, minor)),
    )
}

fn process(fields: Fields<'_>) -> Process {
    let nonzero = |value: u64| (value != 0).then_some(value);
    let bits = fields.u32(offset_of!(Header, flags));
    let stopped = bits & flags::STOPPED != 0;
    let errno = fields.u32(offset_of!(Header, stop_errno)).cast_signed();
    Process {
        pid: fields.u32(offset_of!(Header, pid)),
        parent_pid: fields.u32(offset_of!(Header, parent_pid)),
        sequence: fields.u32(offset_of!(Header, sequence)),
        origin: Origin::from_number(fields.u8(offset_of!(Header, origin))),
        architecture: Architecture::from_number(fields.u8(offset_of!(Header, architecture))),
        word_bytes: fields.u8(offset_of!(Header, word_bytes)),
        command: command(fields),
        start_realtime_ns: fields.u64(offset_of!(Header, start_realtime_ns)),
        start_monotonic_ns: fields.u64(offset_of!(Header, start_monotonic_ns)),
        end_monotonic_ns: nonzero(fields.u64(offset_of!(Header, end_monotonic_ns))),
        stopped: stopped.then(|| Stopped {
            reason: StopReason::from_number(fields.u32(offset_of!(Header, stop_reason))),
            errno: (errno != 0).then_some(errno),
            monotonic_ns: fields.u64(offset_of!(Header, stopped_monotonic_ns)),
        }),
        mode: Mode::from_number(fields.u32(offset_of!(Header, mode))),
        usage: usage(fields, offset_of!(Header, user_ns)),
        command_usage: usage(fields, offset_of!(Header, command_user_ns)),
        added_ps_per_pair: nonzero(fields.u64(offset_of!(Header, added_ps_per_pair))),
        notes_order: bits & flags::NOTES_ORDER != 0,
        keeps: u32::try_from(fields.u64(offset_of!(Header, keeps)))
            .ok()
            .and_then(Keeps::from_number)
            .map(|keeps| (keeps, fields.u64(offset_of!(Header, event_bytes)))),
        added_up: added_up(fields),
        unlisted_ns: (format(fields) >= HAS_UNLISTED)
            .then(|| fields.u64(offset_of!(Header, unlisted_ns))),
        format: format(fields),
    }
}

/// Returns the number of processes in a sum. Only a sum has no process id. It has at least one process, whose last image may still run.
fn added_up(fields: Fields<'_>) -> Option<u64> {
    let processes = fields.u64(offset_of!(Header, processes));
    let is_sum = processes != 0 || fields.u32(offset_of!(Header, pid)) == 0;
    is_sum.then_some(processes.max(1))
}

/// Returns the four figures that begin at this offset, in the order of [`Usage`]. A process that ran at all used some time, so
/// all zeros mean that they were not measured.
fn usage(fields: Fields<'_>, first: usize) -> Option<Usage> {
    let figure = |place: usize| fields.u64(first + place * size_of::<u64>());
    let usage = Usage {
        user_ns: figure(0),
        system_ns: figure(1),
        voluntary_switches: figure(2),
        involuntary_switches: figure(3),
    };
    (usage != Usage::default()).then_some(usage)
}

const _: () = {
    assert!(offset_of!(Header, involuntary_switches) == offset_of!(Header, user_ns) + 24);
    assert!(
        offset_of!(Header, command_involuntary_switches)
            == offset_of!(Header, command_user_ns) + 24
    );
};

fn command(fields: Fields<'_>) -> CommandLine {
    let claimed = fields.u32(offset_of!(Header, command_bytes)) as usize;
    let total = fields.u32(offset_of!(Header, command_total_bytes)) as usize;
    let used = claimed.min(COMMAND_BYTES);
    let bytes = fields.bytes(offset_of!(Header, command), used);
    // Every argument ends with a zero byte, so the last piece of a split is not an argument, unless it was cut off.
    let ended = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let arguments = if bytes.is_empty() {
        std::vec::Vec::new()
    } else {
        ended.split(|&byte| byte == 0).map(text).collect()
    };
    CommandLine {
        arguments,
        truncated: total > used,
    }
}

fn dropped(fields: Fields<'_>) -> Dropped {
    let mut dropped = Dropped::default();
    for reason in DropReason::ALL {
        let index = usize::from(reason.number());
        dropped.counters[index] = fields.u64(offset_of!(Header, dropped) + 8 * index);
    }
    dropped
}

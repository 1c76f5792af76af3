//! The threads and events of a part that is still being written, read again and again.

use core::mem::offset_of;
use std::vec::Vec;

use super::bytes::Fields;
use super::segments::{Segments, Step};
use super::source::Source;
use super::{EventSegment, ReadError, header, records};
use crate::layout::{EntryPoint, RecordKind, SEGMENT_HEADER_BYTES, ThreadRecord};

/// How often the header of a ring is read until three readings in a row are of the same round.
const READINGS: u32 = 6;

/// A part that is still being written.
pub struct Live<S> {
    source: S,
    /// Where the segments of threads begin.
    segments: Vec<u64>,
    /// Where the segments of events begin.
    rings: Vec<u64>,
    /// The end of the part when they were looked for.
    looked_until: u64,
    /// Whether a segment had been reserved and not begun then.
    was_whole: bool,
    pid: u32,
    start_ns: u64,
}

/// A thread that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveThread {
    /// Thread id.
    pub tid: u32,
    /// When the recorder first saw it.
    pub start_ns: u64,
    /// Where its list of held locks lies in the process; `None` before minor version 4 of the format.
    pub held_list: Option<u64>,
    /// The wait in which it is.
    pub waiting: Option<LiveWait>,
}

/// A wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveWait {
    /// When it began, `CLOCK_MONOTONIC`.
    pub since_ns: u64,
    /// The lock's address.
    pub lock: u64,
    /// The function; `None` for a word of a newer version.
    pub entry: Option<EntryPoint>,
    /// [`Site::id`](super::Site::id) of the place that waits.
    pub site: u32,
    /// The holder's thread id and the site where it had acquired the lock, if that was seen.
    pub holder: Option<(u32, u32)>,
}

impl<S: Source> Live<S> {
    /// Begins to read a part.
    ///
    /// # Errors
    /// If it does not begin with a readable header.
    pub fn open(source: S) -> Result<Self, ReadError> {
        let header = header::read(&source, 0)?;
        Ok(Self {
            segments: Vec::new(),
            rings: Vec::new(),
            looked_until: 0,
            was_whole: false,
            pid: header.process.pid,
            start_ns: header.process.start_monotonic_ns,
            source,
        })
    }

    /// Returns the process id, as seen by the process itself.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns when the part began, `CLOCK_MONOTONIC`.
    #[must_use]
    pub fn start_ns(&self) -> u64 {
        self.start_ns
    }

    /// Returns the threads that live now. Each figure is whole, but figures of one thread may be of different moments.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn threads(&mut self) -> Result<Vec<LiveThread>, ReadError> {
        let (end, available) = self.renew()?;
        let mut threads = Vec::new();
        for &segment in &self.segments {
            let mut walk = Segments::new(&self.source, segment, end, available);
            if let Step::Segment(segment) = walk.step()? {
                records::for_each(&self.source, &segment, |fields| {
                    threads.extend(thread(fields));
                    true
                })?;
            }
        }
        Ok(threads)
    }

    /// Returns where the events by time are now, in any order.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn events(&mut self) -> Result<Vec<EventSegment>, ReadError> {
        let (end, available) = self.renew()?;
        let mut rings = Vec::new();
        for &ring in &self.rings {
            rings.extend(self.ring(ring, end, available)?);
        }
        Ok(rings)
    }

    /// Reads the header of a segment of events; `None` if its thread begins round after round in the meantime.
    ///
    /// A thread may begin another round while the header is read, whose fields are then of two rounds, whichever is read first. The
    /// numbers of a round never come again. So if the readings before and after one are of the same round, it is wholly of that round.
    fn ring(&self, at: u64, end: u64, available: u64) -> Result<Option<EventSegment>, ReadError> {
        let mut earlier: [Option<EventSegment>; 2] = [None; 2];
        for _ in 0..READINGS {
            let mut walk = Segments::new(&self.source, at, end, available);
            let now = match walk.step()? {
                Step::Segment(segment) => EventSegment::of(&segment),
                _ => None,
            };
            let Some(now) = now else {
                return Ok(None);
            };
            if earlier[0].is_some_and(|it| it.round() == now.round()) {
                return Ok(earlier[1]);
            }
            earlier = [earlier[1], Some(now)];
        }
        Ok(None)
    }

    /// Returns the part's bytes.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Finds the segments again if the part has grown. Returns the end of the part, and that of the source.
    fn renew(&mut self) -> Result<(u64, u64), ReadError> {
        let header = header::read(&self.source, 0)?;
        let available = self.source.length()?;
        let end = header.part_bytes.min(available);
        if !self.was_whole || end != self.looked_until {
            self.look(header.header_bytes, end, available)?;
        }
        Ok((end, available))
    }

    /// Finds the segments of threads and of events.
    fn look(&mut self, first: u64, end: u64, available: u64) -> Result<(), ReadError> {
        self.segments.clear();
        self.rings.clear();
        self.was_whole = true;
        let mut walk = Segments::new(&self.source, first, end, available);
        loop {
            match walk.step()? {
                Step::Segment(segment) if segment.kind == RecordKind::Thread => {
                    self.segments
                        .push(segment.first_record - SEGMENT_HEADER_BYTES);
                }
                Step::Segment(segment) if segment.kind == RecordKind::Event => {
                    self.rings.push(segment.first_record - SEGMENT_HEADER_BYTES);
                }
                Step::Segment(_) => {}
                Step::Passed => self.was_whole = false,
                Step::Warning(_) | Step::End => break,
            }
        }
        self.looked_until = end;
        Ok(())
    }
}

fn thread(fields: Fields<'_>) -> Option<LiveThread> {
    let word = |offset| fields.u32(offset);
    let number = |offset| fields.u64(offset);
    let tid = word(offset_of!(ThreadRecord, tid));
    if tid == 0 || number(offset_of!(ThreadRecord, end_ns)) != 0 {
        return None;
    }
    let since_ns = number(offset_of!(ThreadRecord, waiting_since_ns));
    let holder = word(offset_of!(ThreadRecord, waiting_holder));
    let entry = u8::try_from(word(offset_of!(ThreadRecord, waiting_entry))).ok();
    let held_list = number(offset_of!(ThreadRecord, held_list));
    Some(LiveThread {
        tid,
        start_ns: number(offset_of!(ThreadRecord, start_ns)),
        held_list: (held_list != 0).then_some(held_list),
        waiting: (since_ns != 0).then(|| LiveWait {
            since_ns,
            lock: number(offset_of!(ThreadRecord, waiting_lock)),
            entry: entry.and_then(EntryPoint::from_number),
            site: word(offset_of!(ThreadRecord, waiting_site)),
            holder: (holder != 0).then(|| {
                let site = word(offset_of!(ThreadRecord, waiting_holder_site));
                (holder, site)
            }),
        }),
    })
}

//! Packets of one sequence, which refer to names, places and stacks by numbers of their own.

use std::io::{self, Write};

use super::message::Message;
use super::seen::Seen;
use crate::profile::words;
use locktoll_results::profile::timeline::{Index, Timeline};
use locktoll_terminal::escape::shown_text;

// Fields of `Trace` and `TracePacket`.
const PACKET: u32 = 1;
const TIMESTAMP: u32 = 8;
const SEQUENCE: u32 = 10;
const TRACK_EVENT: u32 = 11;
const INTERNED_DATA: u32 = 12;
const SEQUENCE_FLAGS: u32 = 13;
const DEFAULTS: u32 = 59;
const TRACK_DESCRIPTOR: u32 = 60;
// Bits of `sequence_flags`.
const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
// Fields of `TrackEvent`.
const CATEGORY: u32 = 3;
const ANNOTATION: u32 = 4;
const TYPE: u32 = 9;
const NAME: u32 = 10;
const TRACK: u32 = 11;
const VALUE: u32 = 30;
const FLOW: u32 = 47;
const LAST_OF_FLOW: u32 = 48;
const CALLSTACK: u32 = 56;
// Fields of `InternedData`.
const CATEGORIES: u32 = 1;
const NAMES: u32 = 2;
const ANNOTATION_NAMES: u32 = 3;
const FUNCTIONS: u32 = 5;
const FRAMES: u32 = 6;
const CALLSTACKS: u32 = 7;
const SOURCES: u32 = 18;
const STRINGS: u32 = 29;

/// The kind of an event, and its category.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A slice: a wait.
    Wait,
    /// A slice: a hold.
    Hold,
    /// A moment: a signal.
    Signal,
    /// A slice: a call that may block.
    Block,
    /// A moment: a release, or the acquisition after it.
    HandOver,
    /// A slice: a time without a CPU; and the moments at which it was woken.
    OffCpu,
}

impl Kind {
    /// All of them, in the order of their numbers.
    const ALL: [(Self, &'static str); 6] = [
        (Self::Wait, "wait"),
        (Self::Hold, "hold"),
        (Self::Signal, "signal"),
        (Self::Block, "call that may block"),
        (Self::HandOver, "hand-over"),
        (Self::OffCpu, "no CPU"),
    ];

    fn number(self) -> u64 {
        self as u64 + 1
    }
}

/// An event that begins a slice, or is a moment.
pub struct Event<'n> {
    /// When, nanoseconds.
    pub at_ns: u64,
    /// Its kind.
    pub kind: Kind,
    /// The number of its name, the same in all sequences, and the name.
    pub name: (u64, &'n str),
    /// The calls that led to it.
    pub stack: Index,
    /// The track; `None` for the thread's own.
    pub track: Option<u64>,
    /// The flow that leads on from it.
    pub flow: Option<u64>,
    /// The flow that ends with it.
    pub last_of_flow: Option<u64>,
}

/// A sequence that is being written.
pub struct Sequence<'a, W> {
    out: &'a mut W,
    timeline: &'a Timeline,
    number: u64,
    names: Seen,
    stacks: Seen,
    frames: Seen,
    interned: Message,
    packet: Message,
    event: Message,
    scratch: Message,
}

impl<'a, W: Write> Sequence<'a, W> {
    /// Begins a sequence with this number, which is not zero, whose events are of `track` unless they say otherwise.
    pub fn begin(
        out: &'a mut W,
        timeline: &'a Timeline,
        number: u64,
        track: u64,
    ) -> io::Result<Self> {
        let mut sequence = Self {
            out,
            timeline,
            number,
            names: Seen::default(),
            stacks: Seen::default(),
            frames: Seen::default(),
            interned: Message::default(),
            packet: Message::default(),
            event: Message::default(),
            scratch: Message::default(),
        };
        sequence.packet.number(SEQUENCE, number);
        sequence.packet.number(SEQUENCE_FLAGS, STATE_CLEARED);
        sequence.packet.with(DEFAULTS, |defaults| {
            defaults.with(11, |events| events.number(11, track));
        });
        sequence.packet.with(INTERNED_DATA, |interned| {
            for (kind, name) in Kind::ALL {
                interned.with(CATEGORIES, |it| named(it, kind.number(), name));
            }
            interned.with(ANNOTATION_NAMES, |it| named(it, 1, "place"));
        });
        sequence.write()?;
        Ok(sequence)
    }

    /// Describes a track.
    pub fn describe(&mut self, fill: impl FnOnce(&mut Message)) -> io::Result<()> {
        self.packet.number(SEQUENCE, self.number);
        self.packet.with(TRACK_DESCRIPTOR, fill);
        self.write()
    }

    /// Begins a slice.
    pub fn begin_slice(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.put(1, event)
    }

    /// Writes a moment.
    pub fn moment(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.put(3, event)
    }

    /// Ends the innermost slice of a track.
    pub fn end_slice(&mut self, at_ns: u64, track: Option<u64>) -> io::Result<()> {
        self.event.number(TYPE, 2);
        if let Some(track) = track {
            self.event.number(TRACK, track);
        }
        self.put_event(at_ns)
    }

    /// Sets a counter.
    pub fn count(&mut self, at_ns: u64, track: u64, value: u64) -> io::Result<()> {
        self.event.number(TYPE, 4);
        self.event.number(TRACK, track);
        self.event.number(VALUE, value);
        self.put_event(at_ns)
    }

    fn put(&mut self, kind_of_event: u64, event: &Event<'_>) -> io::Result<()> {
        let (number, name) = event.name;
        if self.names.insert(number as usize) {
            self.interned.with(NAMES, |it| named(it, number, name));
        }
        self.event.number(CATEGORY, event.kind.number());
        self.event.number(TYPE, kind_of_event);
        self.event.number(NAME, number);
        if let Some(track) = event.track {
            self.event.number(TRACK, track);
        }
        if let Some(flow) = event.flow {
            self.event.fixed(FLOW, flow);
        }
        if let Some(flow) = event.last_of_flow {
            self.event.fixed(LAST_OF_FLOW, flow);
        }
        if let Some(stack) = event.stack.get() {
            self.intern_stack(stack);
            let number = stack as u64 + 1;
            self.event.number(CALLSTACK, number);
            self.scratch.clear();
            self.scratch.number(1, 1);
            self.scratch.number(17, number);
            self.event.message(ANNOTATION, &self.scratch);
        }
        self.put_event(event.at_ns)
    }

    /// Writes the names of a stack if this sequence has not used it yet. Stacks begin with the outermost call.
    fn intern_stack(&mut self, stack: usize) {
        let frames = self.timeline.stacks.get(stack);
        let frames = frames.map(Vec::as_slice).unwrap_or_default();
        if !self.stacks.insert(stack) {
            return;
        }
        for &number in frames {
            let Some(frame) = self.timeline.frames.get(number as usize) else {
                continue;
            };
            if !self.frames.insert(number as usize) {
                continue;
            }
            let iid = u64::from(number) + 1;
            let function = words::one_frame(frame);
            self.interned
                .with(FUNCTIONS, |it| named(it, iid, &function));
            if let Some(file) = &frame.file {
                let file = shown_text(file);
                self.interned.with(SOURCES, |it| named(it, iid, &file));
            }
            self.interned.with(FRAMES, |it| {
                it.number(1, iid);
                it.number(2, iid);
                if frame.file.is_some() {
                    it.number(5, iid);
                }
                if let Some(line) = frame.line {
                    it.number(6, u64::from(line));
                }
            });
        }
        let iid = stack as u64 + 1;
        self.interned.with(CALLSTACKS, |it| {
            it.number(1, iid);
            for &frame in frames.iter().rev() {
                it.number(2, u64::from(frame) + 1);
            }
        });
        let innermost = frames.first();
        let innermost = innermost.and_then(|&frame| self.timeline.frames.get(frame as usize));
        let place = innermost.map_or_else(|| "place not known".to_owned(), words::one_frame);
        self.interned.with(STRINGS, |it| named(it, iid, &place));
    }

    fn put_event(&mut self, at_ns: u64) -> io::Result<()> {
        self.packet.number(TIMESTAMP, at_ns);
        self.packet.number(SEQUENCE, self.number);
        self.packet.number(SEQUENCE_FLAGS, NEEDS_STATE);
        if !self.interned.is_empty() {
            self.packet.message(INTERNED_DATA, &self.interned);
            self.interned.clear();
        }
        self.packet.message(TRACK_EVENT, &self.event);
        self.event.clear();
        self.write()
    }

    fn write(&mut self) -> io::Result<()> {
        let mut head = [0; 16];
        let length = {
            let mut room = &mut head[..];
            prost::encoding::encode_key(
                PACKET,
                prost::encoding::WireType::LengthDelimited,
                &mut room,
            );
            prost::encoding::encode_varint(self.packet.written().len() as u64, &mut room);
            16 - room.len()
        };
        self.out.write_all(&head[..length])?;
        self.out.write_all(self.packet.written())?;
        self.packet.clear();
        Ok(())
    }
}

/// Fills a name, text or other row of interned data.
fn named(message: &mut Message, number: u64, text: &str) {
    message.number(1, number);
    message.text(2, text);
}

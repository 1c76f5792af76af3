//! Every byte of a part, and the rules by which the format grows.
//!
//! ```text
//! offset 0      header page (4096 bytes): magic, version, process, flags, dropped counters, command line
//!        4096   segment: 64-byte header, then records of one kind and one size
//!        ...    segment ...                      each begins and ends on a multiple of 4096 bytes
//!        end    zeros up to the end of the file, or the header page of the next part
//! ```
//!
//! All integers are little-endian. All times are nanoseconds of `CLOCK_MONOTONIC` (clock_gettime(2)) unless a field
//! says otherwise. The structures here are made of atomics because the file is shared memory: the profiled process
//! writes while a reader may read.
//!
//! # Who writes what
//!
//! A segment with an owner is written by that thread slot alone, by plain relaxed stores. Segments of the process
//! (modules, sites, threads) are written under the recorder's own lock. A record becomes visible by the segment's
//! `count`, stored last with release ordering; its counters may continue to change, but none is ever torn. Segments of events
//! are rings, whose records are overwritten.
//!
//! # How it grows
//!
//! - A new *kind* of record: a reader skips segments of unknown kinds.
//! - A longer record: the segment states the length of its records; a reader uses the prefix that it knows. A
//!   record that is shorter than the reader expects counts as padded with zeros, so zero always means "not
//!   recorded".
//! - New fields in the header: taken from the reserved bytes, zero until then.
//!
//! These raise [`MINOR`]. A change of meaning raises [`MAJOR`], and a reader refuses a major version above its own.

mod calls;
mod event;
mod header;
mod keyed;
mod names;
mod order;
mod places;
mod preemption;
mod record;
mod segment;
mod thread;
mod vocabulary;

pub use calls::{CALL_COUNT_BITS, CALLS_KEPT, call_name, call_number};
pub use event::{EventRecord, EventWords, event_flags};
pub use header::{
    BYTE_ORDER, COMMAND_BYTES, DROPPED_COUNTERS, Header, MAGIC, MAJOR, MINOR, PAGE_BYTES,
};
pub use keyed::{BlameRecord, ContentionRecord, CountRecord, HoldRecord, POOLED, StackWaitRecord};
pub use names::{AboutRecord, AlertRecord, NameRecord, SpinningRecord, SymbolRecord};
pub use order::{HELD_KEPT, HeldRecord, OrderRecord, THREADS_KEPT, order_flags};
pub use places::{
    BirthRecord, ModuleRecord, RangeRecord, STACK_FRAMES, SiteRecord, StackRecord, range_flags,
};
pub use preemption::{PreemptedWaitRecord, PreemptionRecord, WatchRecord};
pub use record::Record;
pub use segment::{NO_OWNER, Ring, SEGMENT_HEADER_BYTES, SEGMENT_MAGIC, SegmentHeader};
pub use thread::{HELD_LISTED, HeldList, THREAD_NAME_BYTES, ThreadRecord};
pub use vocabulary::{
    Architecture, BirthBy, DropReason, EntryPoint, EventKind, Keeps, LockKind, Mode, OffCpu,
    OrderEvent, Origin, RecordKind, StopReason, WatchedBy, flags, is_value_of_a_lock,
};

//! The schema `locktoll.profile/1`: what each lock of a program cost, by name and call site.
//!
//! - `whole`: the profile itself; `thread`: processes and threads; `recorder`: how it was recorded, and what was lost.
//! - `lock`: one lock; `waits`, `holds`: its waits and holds; `preemption`: preempted holders; `frame`: a function at a place.
//! - `alert`: locks that were held or waited for too long.
//! - `order`: the order of locks, and the cycles in it.
//! - [`timeline`]: which thread held and awaited which lock, and when.
//! - `spinning`: busy waiting, and `spinner`: remedies for the code that is known for it.
//! - `anchor`: how a row's locks are found again in another run.
//! - `caller`: the frame of a stack that is the program's; `named`: the names of frames and of kinds of locks.
//! - `waited`: sums over waits.

mod alert;
mod anchor;
mod caller;
mod frame;
mod holds;
mod lock;
mod named;
mod order;
mod preemption;
mod recorder;
mod spinner;
mod spinning;
mod thread;
pub mod timeline;
mod waited;
mod waits;
mod whole;

pub use alert::{Alert, AlertKind, AlertThread, AlertWaiters};
pub use anchor::{Anchor, Anchored};
pub use caller::{caller, is_c_library, is_openmp, is_wrapper};
pub use frame::Frame;
pub use holds::{Blame, HeldCall, HoldTimes, HolderThread, WhileHeld};
pub use lock::{Lock, LockKind, MEMBERS, Member, STILL_WAITING, Site, Takers, Use};
pub use named::{base, described, kind_word, place_in_id};
pub use order::{
    HeldDuring, LockOrder, OrderCycle, OrderCycleKind, OrderEdge, OrderMode, UnusualKind,
};
pub use preemption::{
    HolderPreemption, OffCpuTimes, PreemptedSite, PreemptedWaiter, PreemptionDropped,
    PreemptionSource, PreemptionTotal,
};
pub use recorder::{Dropped, Recorder, RecorderMode};
pub use spinner::{SPINNERS, Spinner, spinner};
pub use spinning::{SpinSamples, Spinning, SpunWord, WriterState};
pub use thread::{Process, Thread, ThreadTime};
pub use waits::{
    FutexCalls, OwnerField, OwnerState, SignalWaits, StackWaits, StillWaiting, WaitSplit,
    WaitTimes, WokenBy,
};
pub use whole::{Module, Profile, SCHEMA, Source};

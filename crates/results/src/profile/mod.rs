//! The schema `locktoll.profile/1`: what each lock of a program cost, by name and call site.
//!
//! - `whole`: the profile itself; `thread`: processes and threads; `recorder`: how it was recorded, and what was lost.
//! - `lock`: one lock; `waits`, `holds`: what it says of them; `preemption`: holders that lost their processor; `frame`: a function at a place.
//! - `anchor`: where a row's locks are found again in another run.
//! - `caller`: which frame of a stack is the program's; `named`: what frames and kinds of locks are called.
//! - `waited`: sums over waits.

mod anchor;
mod caller;
mod frame;
mod holds;
mod lock;
mod named;
mod preemption;
mod recorder;
mod thread;
mod waited;
mod waits;
mod whole;

pub use anchor::{Anchor, Anchored};
pub use caller::{caller, is_c_library, is_openmp, is_wrapper};
pub use frame::Frame;
pub use holds::{Blame, HoldTimes, HolderThread, WhileHeld};
pub use lock::{Lock, LockKind, MEMBERS, Member, STILL_WAITING, Site, Takers, Use};
pub use named::{base, described, kind_word, place_in_id};
pub use preemption::{
    HolderPreemption, OffCpuTimes, PreemptedSite, PreemptedWaiter, PreemptionDropped,
    PreemptionSource, PreemptionTotal,
};
pub use recorder::{Dropped, Recorder, RecorderMode};
pub use thread::{Process, Thread, ThreadTime};
pub use waits::{FutexCalls, SignalWaits, StackWaits, StillWaiting, WaitSplit, WaitTimes, WokenBy};
pub use whole::{Module, Profile, SCHEMA, Source};

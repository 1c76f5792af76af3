//! The kernel's performance events (perf_event_open(2)), as far as locktoll needs them: samples of running code, and watchpoints.
//!
//! - `attributes`: what is asked of the kernel. `event`: an event that is open. `ring`: the memory in which its records arrive.
//! - `record`: those records. `registers`: the registers of a sample. `sampler`: samples of a program and its children.
//! - `watchpoint`: writes to a word of memory.
//!
//! Only software events and breakpoints are used, so that everything works in virtual machines.

mod attributes;
mod event;
mod record;
mod registers;
mod ring;
mod sampler;
mod watchpoint;

pub use event::{Refused, may_sample};
pub use record::{Lost, Mapped, Record, Sample, Task};
pub use registers::{REGISTERS, Registers};
pub use sampler::{Rate, Sampler, Scope};
pub use watchpoint::{Watchpoint, Written};

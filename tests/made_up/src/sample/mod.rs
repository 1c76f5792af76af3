//! A made-up profile for tests of reports: every kind of row, no real timings.
//!
//! - `server`: the whole profile, [`job_server`].
//! - `attached`: the same as seen by the kernel, [`attached_server`].
//! - `locks`: its rows.
//! - `preempted`: holders that lost their processor.
//! - `spinning`: busy waiting.
//! - `places`: frames and call sites.

mod attached;
mod locks;
mod places;
mod preempted;
mod server;
mod spinning;

pub use attached::attached_server;
pub use locks::lock;
pub use preempted::preemption;
pub use server::job_server;
pub use spinning::{spin_samples, spinning};

//! Holders that lost their processor: by lock, where they had acquired it, and who waited meanwhile.
//!
//! - `model`: what is shown, part of the schema.
//! - `sums`: added up from what the kernel saw.
//! - `estimate`: from the recorder's own holds, where nobody watched.
//! - `whole`: of the whole profile.

mod estimate;
mod model;
mod sums;
mod whole;

pub use estimate::estimate;
pub use model::{
    HolderPreemption, OffCpuTimes, PreemptedSite, PreemptedWaiter, PreemptionDropped,
    PreemptionSource, PreemptionTotal,
};
pub use sums::Preempted;
pub use whole::total;

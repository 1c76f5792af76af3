//! One cell of an experiment: one setting of every parameter, and the figures of one timed slice of it.

mod description;
mod invalid;
mod knobs;
mod setting;
mod slice;
mod turned;
mod workload_kind;

pub use crate::platform::SwitchesAndCpu;
pub use description::{Calibration, Cell, DELAY_LOOP_NS, Part};
pub use invalid::Invalid;
pub(crate) use invalid::{within, wrong};
pub use knobs::{Arrival, LONGEST_ROUNDS, Length, SleepPoints};
pub use setting::{MAX_DEPTH, MAX_THREADS, Setting};
pub use slice::{CutOff, Slice};
pub use turned::{Shown, Turned};
pub use workload_kind::{Kind, UnknownWorkload};

//! One cell of an experiment: every knob at one setting, and what one timed slice of it measured.

mod description;
mod knobs;
mod slice;

pub use description::{Calibration, Cell, DELAY_LOOP_NS, Part};
pub use knobs::{Arrival, LONGEST_ROUNDS, Length, SleepPoints};
pub use slice::{CutOff, Slice, SwitchesAndCpu};

//! The families on Windows.

use crate::probe::measure::Section;
use crate::probe::{memory, transfer, windows};

/// In the order in which they run. Parts stand in the order of [`Group`](crate::probe::Group) afterwards.
pub(in crate::probe) const SECTIONS: &[Section] = &[
    memory::measure,
    transfer::measure,
    windows::measure,
    windows::measure_timers,
];

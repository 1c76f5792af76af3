//! The families on Windows.

use crate::probe::measure::Section;
use crate::probe::{memory, transfer, windows};

/// The families in the order in which they run. The parts are sorted by [`Group`](crate::probe::Group) afterwards.
pub(in crate::probe) const SECTIONS: &[Section] = &[
    memory::measure,
    transfer::measure,
    windows::measure,
    windows::measure_timers,
];

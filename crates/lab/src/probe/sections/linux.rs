//! The families on Linux.

use crate::probe::measure::Section;
use crate::probe::session::Session;
use crate::probe::{Prices, counters, java, memory, refill, switching, transfer};

/// In the order in which they run. Parts stand in the order of [`Group`](crate::probe::Group) afterwards.
pub(in crate::probe) const SECTIONS: &[Section] = &[
    memory,
    transfer::measure,
    switching::measure,
    refill::measure,
    counters::measure,
    java::measure,
];

/// What takes a process of its own comes last.
fn memory(session: &Session<'_>, prices: &mut Prices) {
    memory::measure(session, prices);
    memory::measure_split(session, prices);
}

//! The families on Linux.

use crate::probe::measure::Section;
use crate::probe::session::Session;
use crate::probe::{Prices, counters, java, memory, parks, refill, switching, transfer};

/// The families in the order in which they run. The parts are sorted by [`Group`](crate::probe::Group) afterwards.
pub(in crate::probe) const SECTIONS: &[Section] = &[
    memory,
    transfer::measure,
    switching::measure,
    refill::measure,
    counters::measure,
    parks::measure,
    java::measure,
];

/// The probe that needs a process of its own comes last.
fn memory(session: &Session<'_>, prices: &mut Prices) {
    memory::measure(session, prices);
    memory::measure_split(session, prices);
}

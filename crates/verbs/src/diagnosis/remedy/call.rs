//! System calls that every current Linux has, but that are refused here.

use crate::diagnosis::Reading;
use locktoll_results::doctor::{Remedy, Where};

/// Returns what would let `call` through: the machine itself instead of the system that emulates it, or no filter.
pub fn call(reading: &Reading, call: &str) -> Remedy {
    on_the_machine(reading).unwrap_or_else(|| {
        let note = format!("start locktoll where no seccomp filter refuses {call}");
        Remedy::words(Where::Outside, note)
    })
}

/// Returns the remedy where the machine is emulated: no setting brings back what the emulator does not pass on.
pub fn on_the_machine(reading: &Reading) -> Option<Remedy> {
    let stand_in = reading.machine.stand_in.as_ref()?;
    let note = format!("run locktoll on the machine itself: this is {stand_in}");
    Some(Remedy::words(Where::Nowhere, note))
}

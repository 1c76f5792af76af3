//! System calls that every Linux of today has, and that are refused all the same.

use crate::diagnosis::Reading;
use locktoll_results::doctor::{Remedy, Where};

/// What would have `call` come through: the machine itself in the place of what plays it, or no filter.
pub fn call(reading: &Reading, call: &str) -> Remedy {
    on_the_machine(reading).unwrap_or_else(|| {
        let note = format!("start locktoll where no seccomp filter refuses {call}");
        Remedy::words(Where::Outside, note)
    })
}

/// Where something plays the machine, what it does not pass on no setting brings back.
pub fn on_the_machine(reading: &Reading) -> Option<Remedy> {
    let stand_in = reading.machine.stand_in.as_ref()?;
    let note = format!("run locktoll on the machine itself: this is {stand_in}");
    Some(Remedy::words(Where::Nowhere, note))
}

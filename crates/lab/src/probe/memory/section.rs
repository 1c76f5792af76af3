//! The probe family as a whole.

use super::list::uncontended;
use crate::probe::Prices;
use crate::probe::scheduling::Rank;
use crate::probe::session::{Seat, Session};

const ROUNDS: usize = 61;
const QUICK_ROUNDS: usize = 31;

/// Measures what one thread pays for memory that is in its own cache.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    session.progress("loads, stores, atomics");
    prices
        .parts
        .extend(uncontended(seat(session), rounds(session)));
}

/// Returns where the family runs, unless the user has stopped the run.
pub(super) fn seat(session: &Session<'_>) -> Result<Seat, String> {
    match session.interrupted() {
        true => Err("stopped before its turn".to_owned()),
        false => Ok(session.seat(session.home_cpu(), Rank::Measured)),
    }
}

/// Returns the number of rounds for each of the family's lines.
pub(super) fn rounds(session: &Session<'_>) -> usize {
    match session.plan().quick {
        true => QUICK_ROUNDS,
        false => ROUNDS,
    }
}

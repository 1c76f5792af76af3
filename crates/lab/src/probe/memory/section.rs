//! The family as a whole.

use super::list::uncontended;
use super::split::split_lock;
use crate::probe::Prices;
use crate::probe::scheduling::Rank;
use crate::probe::session::Session;

const ROUNDS: usize = 61;
const QUICK_ROUNDS: usize = 31;

/// What one thread pays for memory that is in its own cache, and for an atomic across two lines.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    session.progress("loads, stores, atomics");
    let rounds = if session.plan().quick {
        QUICK_ROUNDS
    } else {
        ROUNDS
    };
    let seat = match session.interrupted() {
        true => Err("stopped before its turn".to_owned()),
        false => Ok(session.seat(session.home_cpu(), Rank::Measured)),
    };
    prices.parts.extend(uncontended(seat.clone(), rounds));
    prices.parts.push(split_lock(seat, rounds));
}

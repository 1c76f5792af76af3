//! The state of a candidate during the tournament.

use super::costs::Price;
use locktoll_results::trial::{Coverage, Dropped};

/// The state of a candidate while it plays.
#[derive(Clone, Debug, Default)]
pub(super) struct CandidateState {
    /// Why it no longer plays.
    pub dropped: Option<Dropped>,
    /// What its last whole run replaced.
    pub coverage: Option<Coverage>,
    /// How long its runs take.
    pub price: Price,
}

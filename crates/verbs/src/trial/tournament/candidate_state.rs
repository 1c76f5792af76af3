//! The state of a candidate during the tournament.

use super::costs::Price;
use locktoll_results::trial::{Coverage, Dropped};

/// What is known of a candidate while it plays.
#[derive(Clone, Debug, Default)]
pub(super) struct CandidateState {
    /// Why it plays no longer.
    pub dropped: Option<Dropped>,
    /// What its last whole run replaced.
    pub coverage: Option<Coverage>,
    /// What its runs take.
    pub price: Price,
}

//! The places of all records that have an id.

use super::ids::Ids;

/// Positions in the lists of a part.
#[derive(Default)]
pub(super) struct Index {
    pub modules: Ids,
    pub sites: Ids,
    pub stacks: Ids,
    pub births: Ids,
}

//! One walk over all locks, each with its type: the registry takes the loop compiled for it, the
//! tests take the lock itself.

use super::{Contender, Family};

/// The part of an [`Entry`](super::Entry) that does not depend on the lock's type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing {
    pub(super) name: &'static str,
    pub(super) family: Family,
    pub(super) summary: &'static str,
    pub(super) fifo_spinner: bool,
    pub(super) knobs: &'static [&'static str],
}

impl Listing {
    pub(super) const fn new(name: &'static str, family: Family, summary: &'static str) -> Listing {
        Listing {
            name,
            family,
            summary,
            fifo_spinner: false,
            knobs: &[],
        }
    }

    /// Waits by pure spinning in a fixed order.
    pub(super) const fn fifo(mut self) -> Listing {
        self.fifo_spinner = true;
        self
    }

    /// Obeys these options.
    pub(super) const fn knobs(mut self, knobs: &'static [&'static str]) -> Listing {
        self.knobs = knobs;
        self
    }
}

/// Something to be done with every lock.
pub(super) trait Visitor {
    /// Called once for each lock, in the order of `bench --list`.
    fn lock<L: Contender>(&mut self, listing: Listing);
}

/// Shows `visitor` every lock of this build.
pub(super) fn all(visitor: &mut impl Visitor) {
    super::ours::visit(visitor);
    super::rust::visit(visitor);
    super::system::visit(visitor);
    super::kernel::visit(visitor);
    #[cfg(any(
        feature = "peer-absl",
        feature = "peer-tbb",
        feature = "peer-nsync",
        feature = "peer-ck"
    ))]
    super::cpp::visit(visitor);
}

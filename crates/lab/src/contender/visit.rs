//! One walk over all locks, each with its type: the registry takes the loop compiled for it, the
//! tests take the lock itself.

use locktoll_locks::catalogue::{Lock, Order, Preset, Timed, Waits};

use super::{Contender, Family};

/// The part of an [`Entry`](super::Entry) that does not depend on the lock's type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing {
    /// Its row in the catalogue; of a lock that is not ours, one made for it.
    pub(super) lock: Lock,
    pub(super) family: Family,
    /// The number that it is listed with, and the line of the list.
    pub(super) preset: Option<Preset>,
    pub(super) knobs: &'static [&'static str],
}

impl Listing {
    /// A lock that is not of the catalogue.
    pub(super) const fn new(name: &'static str, family: Family, summary: &'static str) -> Listing {
        let lock = Lock {
            name,
            summary,
            line: summary,
            waits: Waits::AsItsOwner,
            timed: Timed::Never,
            order: Order::None,
            ..Lock::SPINS
        };
        Listing::of(lock, family)
    }

    /// A lock of the catalogue.
    pub(super) const fn of(lock: Lock, family: Family) -> Listing {
        Listing {
            lock,
            family,
            preset: None,
            knobs: &[],
        }
    }

    /// Waits by pure spinning in a fixed order.
    pub(super) const fn fifo(mut self) -> Listing {
        self.lock.waits = Waits::Spins;
        self.lock.order = Order::Arrival;
        self
    }

    /// Obeys these options.
    pub(super) const fn knobs(mut self, knobs: &'static [&'static str]) -> Listing {
        self.knobs = knobs;
        self
    }

    /// The lock with a number of its own, whatever the options say.
    pub(super) const fn preset(mut self, preset: Preset) -> Listing {
        self.preset = Some(preset);
        self
    }

    /// What `--lock` takes.
    pub(super) fn name(&self) -> &'static str {
        self.preset.map_or(self.lock.name, |preset| preset.name)
    }

    /// The number behind the colon.
    #[cfg(test)]
    pub(super) fn number(&self) -> Option<u32> {
        self.preset.map(|preset| preset.number)
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

//! A walk over all locks, each with its type: the registry takes the loop compiled for it, the tests take the lock itself.

use locktoll_locks::catalogue::{Lock, Order, Preset, Timed, Waits};

use super::{Contender, Family};

/// The part of an [`Entry`](super::Entry) that does not depend on the lock's type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing {
    /// Its row in the catalogue; for a lock that is not ours, a row made for it.
    pub(super) lock: Lock,
    pub(super) family: Family,
    /// The number that it is listed with, and its line in the list.
    pub(super) preset: Option<Preset>,
    pub(super) knobs: &'static [&'static str],
}

impl Listing {
    /// Makes the listing of a lock outside the catalogue.
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

    /// Makes the listing of a lock in the catalogue.
    pub(super) const fn of(lock: Lock, family: Family) -> Listing {
        Listing {
            lock,
            family,
            preset: None,
            knobs: &[],
        }
    }

    /// Marks the lock as waiting by pure spinning in a fixed order.
    pub(super) const fn fifo(mut self) -> Listing {
        self.lock.waits = Waits::Spins;
        self.lock.order = Order::Arrival;
        self
    }

    /// Sets the options that the lock obeys.
    pub(super) const fn knobs(mut self, knobs: &'static [&'static str]) -> Listing {
        self.knobs = knobs;
        self
    }

    /// Lists the lock with a fixed number, whatever the options say.
    pub(super) const fn preset(mut self, preset: Preset) -> Listing {
        self.preset = Some(preset);
        self
    }

    /// Returns the name that `--lock` takes.
    pub(super) fn name(&self) -> &'static str {
        self.preset.map_or(self.lock.name, |preset| preset.name)
    }

    /// Returns the number after the colon.
    #[cfg(test)]
    pub(super) fn number(&self) -> Option<u32> {
        self.preset.map(|preset| preset.number)
    }
}

/// An action for every lock.
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

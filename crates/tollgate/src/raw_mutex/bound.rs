//! How long the heir lets others acquire before it does.

use crate::Deadline;

/// The end of the heir's patience.
pub(super) struct Due {
    #[cfg(not(locktoll_loom))]
    at: Deadline,
    /// `None`: in this model it never comes.
    #[cfg(locktoll_loom)]
    at: Option<Deadline>,
}

#[cfg(not(locktoll_loom))]
impl Due {
    /// Returns the moment this many nanoseconds from now.
    pub(super) fn after_ns(nanoseconds: u64) -> Self {
        Self {
            at: Deadline::after_ns(nanoseconds),
        }
    }

    pub(super) fn deadline(&self) -> Option<&Deadline> {
        Some(&self.at)
    }

    pub(super) fn has_come(&self) -> bool {
        self.at.has_passed()
    }

    /// Whether a thread can sleep for a length of time that ends by itself.
    pub(super) fn allows_naps(&self) -> bool {
        true
    }

    /// Returns the earliest of this moment, the moment this many nanoseconds from now, and the caller's own deadline.
    pub(super) fn or_earlier<'a>(
        &'a self,
        nap: Option<&'a Deadline>,
        deadline: Option<&'a Deadline>,
    ) -> Option<&'a Deadline> {
        let first = |a: &'a Deadline, b: Option<&'a Deadline>| match b {
            Some(b) if b.remaining_ns() < a.remaining_ns() => b,
            _ => a,
        };
        Some(first(first(&self.at, nap), deadline))
    }
}

#[cfg(locktoll_loom)]
impl Due {
    /// With 0, the moment comes when the thread asks for the second time, or sleeps for it. Otherwise it never comes.
    pub(super) fn after_ns(nanoseconds: u64) -> Self {
        Self {
            at: (nanoseconds == 0).then(Deadline::new),
        }
    }

    pub(super) fn deadline(&self) -> Option<&Deadline> {
        self.at.as_ref()
    }

    pub(super) fn has_come(&self) -> bool {
        self.at.as_ref().is_some_and(Deadline::has_passed)
    }

    pub(super) fn allows_naps(&self) -> bool {
        self.at.is_some()
    }

    /// Returns the caller's own deadline if there is one, otherwise this moment.
    pub(super) fn or_earlier<'a>(
        &'a self,
        _: Option<&'a Deadline>,
        deadline: Option<&'a Deadline>,
    ) -> Option<&'a Deadline> {
        deadline.or(self.at.as_ref())
    }
}

//! The meaning of a state, as pure functions.

use super::{Preference, RwPark};

/// A writer is inside.
pub(super) const WRITER: u64 = 1 << 63;
/// Readers may sleep.
pub(super) const READERS_PARKED: u64 = 1 << 62;
/// Writers may sleep.
pub(super) const WRITERS_PARKED: u64 = 1 << 61;
/// One waiting writer, if writers are preferred.
pub(super) const WAITING_WRITER: u64 = 1 << 32;

const WAITING_WRITERS: u64 = 0xff_ffff << 32;
const READERS: u64 = u32::MAX as u64;

/// Whether a writer may go in.
#[inline]
pub(super) const fn is_free(state: u64) -> bool {
    state & (WRITER | READERS) == 0
}

/// Whether one more reader may be counted.
#[inline]
pub(super) const fn may_count(state: u64) -> bool {
    state & READERS < RwPark::MOST_READERS as u64
}

/// Returns the bits that keep readers out.
#[inline]
pub(super) const fn shutting(preference: Preference) -> u64 {
    match preference {
        Preference::Readers => WRITER,
        Preference::Writers => WRITER | WAITING_WRITERS,
    }
}

/// Returns what is left in a forked child: the holders inside, and no waiters. Readers that are counted together with a writer
/// are waiting (I1).
pub(super) const fn adopted(state: u64) -> u64 {
    if state & WRITER != 0 {
        WRITER
    } else {
        state & READERS
    }
}

#[cfg(all(test, not(locktoll_loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_child_keeps_who_is_inside_and_forgets_who_waits() {
        assert_eq!(adopted(0), 0);
        assert_eq!(adopted(3 | READERS_PARKED | WRITERS_PARKED), 3);
        assert_eq!(adopted(WRITER | READERS_PARKED | 2), WRITER);
        assert_eq!(adopted(7 + 5 * WAITING_WRITER), 7);
    }

    #[test]
    fn the_parts_of_a_state_do_not_overlap() {
        let parts = [
            WRITER,
            READERS_PARKED,
            WRITERS_PARKED,
            WAITING_WRITERS,
            READERS,
        ];
        assert_eq!(
            parts.iter().fold(0, |sum, part| sum | part),
            parts.iter().sum()
        );
    }
}

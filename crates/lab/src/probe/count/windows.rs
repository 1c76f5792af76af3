//! The count of one thread's switches from Windows' list of all threads: no call reports it for a single thread.

mod listed;
mod truth;

use super::Count;

/// Switches of one thread, since its start; `None` where the system does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::probe) struct Counted(Option<u64>);

impl Counted {
    /// Reads the system's count for the calling thread, if the system counts at all.
    pub fn of_this_thread() -> Counted {
        Counted(
            truth::is_counted()
                .then(listed::switches_of_this_thread)
                .flatten(),
        )
    }

    /// Returns the switches since `earlier`, modulo 2^32: the counter has 32 bits.
    pub fn since(self, earlier: Counted) -> Counted {
        Counted(self.0.zip(earlier.0).map(|(now, then)| {
            // The system's counter has 32 bits.
            u64::from((now as u32).wrapping_sub(then as u32))
        }))
    }

    /// Returns the sum of both threads.
    pub fn plus(self, other: Counted) -> Counted {
        Counted(self.0.zip(other.0).map(|(one, other)| one + other))
    }

    /// Returns the switches per unit. Windows does not distinguish their kinds.
    pub fn per(self, units: u64) -> Count {
        Count {
            total: self.0.map(|switches| switches as f64 / units as f64),
            kinds: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_counted_stays_unknown() {
        let unknown = Counted(None);
        let known = Counted(Some(7));
        assert_eq!(known.since(Counted(Some(3))).plus(known), Counted(Some(11)));
        assert_eq!(known.since(unknown).per(2).total, None);
        assert_eq!(unknown.plus(known).per(2).total, None);
        assert_eq!(known.per(2).total, Some(3.5));
        // Past the end of 32 bits.
        let wrapped = Counted(Some(2)).since(Counted(Some(u64::from(u32::MAX))));
        assert_eq!(wrapped, Counted(Some(3)));
    }
}

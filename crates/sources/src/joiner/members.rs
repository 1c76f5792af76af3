//! The single locks of a row that cost most.

use std::cmp::Reverse;

use locktoll_results::profile::{MEMBERS, Member};

/// Keeps the most expensive of any number of locks in limited space.
#[derive(Default)]
pub struct Members(Vec<Member>);

impl Members {
    /// Adds a lock.
    pub fn add(&mut self, member: Member) {
        // The list may grow to twice the limit, so that sorting is rare.
        if self.0.len() >= 2 * MEMBERS {
            self.cut();
            let last = self.0.last().map(cost);
            if last.is_some_and(|last| cost(&member) >= last) {
                return;
            }
        }
        self.0.push(member);
    }

    /// Returns the locks, the most expensive first.
    pub fn into_list(mut self) -> Vec<Member> {
        self.cut();
        self.0
    }

    fn cut(&mut self) {
        self.0.sort_by_key(cost);
        self.0.truncate(MEMBERS);
    }
}

/// Returns a key that is least for the most expensive lock; by address if the cost is the same.
fn cost(member: &Member) -> impl Ord + use<> {
    let cost = Reverse((member.wait_ns, member.contended, member.acquisitions));
    (cost, member.pid, member.address, member.generation)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn member(address: u64, wait_ns: u64) -> Member {
        Member {
            pid: 1,
            address,
            generation: 0,
            offset: None,
            acquisitions: Some(1),
            contended: 0,
            wait_ns,
            hold_ns: None,
        }
    }

    proptest! {
        #[test]
        fn the_dearest_are_kept(waits in proptest::collection::vec(0_u64..100, 0..200)) {
            let mut members = Members::default();
            let mut all: Vec<Member> = Vec::new();
            for (address, wait_ns) in (0..).zip(waits) {
                members.add(member(address, wait_ns));
                all.push(member(address, wait_ns));
            }
            all.sort_by_key(cost);
            all.truncate(MEMBERS);
            prop_assert_eq!(members.into_list(), all);
        }
    }
}

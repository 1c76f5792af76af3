//! Room for lists of mappings, one for each process, in one map of the kernel.
//!
//! After a list has been replaced, its room is not used again for a while: the kernel's program may be reading it, and a process
//! that was forked in the meantime uses its parent's list until it has its own.

/// How often the processes are looked at before a list's room is used again.
const RESTS: u64 = 2;

/// A range of consecutive entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first entry.
    pub first: u32,
    /// The number of entries.
    pub entries: u32,
}

/// Which entries are in use.
#[derive(Debug)]
pub struct Regions {
    /// Free regions by their first entry; no two of them touch.
    free: Vec<Region>,
    /// Regions that were given back, with the turn in which that happened.
    resting: Vec<(u64, Region)>,
    turn: u64,
}

impl Regions {
    /// Starts with all of `entries` free.
    pub fn of(entries: u32) -> Self {
        Self {
            free: vec![Region { first: 0, entries }],
            resting: Vec::new(),
            turn: 0,
        }
    }

    /// Takes room for this many entries; `None` if there is none.
    pub fn take(&mut self, entries: u32) -> Option<Region> {
        let at = self.free.iter().position(|it| it.entries >= entries)?;
        let found = &mut self.free[at];
        let taken = Region {
            first: found.first,
            entries,
        };
        found.first += entries;
        found.entries -= entries;
        if found.entries == 0 {
            self.free.remove(at);
        }
        Some(taken)
    }

    /// Gives a region back; it rests before its room is used again.
    pub fn give_back(&mut self, region: Region) {
        if region.entries > 0 {
            self.resting.push((self.turn, region));
        }
    }

    /// Notes that all processes are about to be looked at.
    pub fn next_turn(&mut self) {
        self.turn += 1;
        let turn = self.turn;
        let rested: Vec<Region> = self
            .resting
            .extract_if(.., |(since, _)| *since + RESTS <= turn)
            .map(|(_, region)| region)
            .collect();
        for region in rested {
            self.free(region);
        }
    }

    fn free(&mut self, mut region: Region) {
        let at = self.free.partition_point(|it| it.first < region.first);
        if let Some(next) = self.free.get(at)
            && region.first + region.entries == next.first
        {
            region.entries += next.entries;
            self.free.remove(at);
        }
        if let Some(last) = at.checked_sub(1).map(|last| &mut self.free[last])
            && last.first + last.entries == region.first
        {
            last.entries += region.entries;
            return;
        }
        self.free.insert(at, region);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_used_again_once_it_has_rested_and_never_twice_at_once() {
        let mut regions = Regions::of(10);
        let a = regions.take(4).unwrap();
        let b = regions.take(6).unwrap();
        assert_eq!((a.first, b.first), (0, 4));
        assert_eq!(regions.take(1), None);
        regions.give_back(a);
        regions.next_turn();
        assert_eq!(regions.take(1), None, "it rests");
        regions.next_turn();
        assert_eq!(
            regions.take(3),
            Some(Region {
                first: 0,
                entries: 3
            })
        );
        regions.give_back(b);
        regions.next_turn();
        regions.next_turn();
        // The rest of the first region and the second region behind it have become one.
        assert_eq!(
            regions.take(7),
            Some(Region {
                first: 3,
                entries: 7
            })
        );
    }

    #[test]
    fn what_is_given_back_in_any_order_becomes_whole_again() {
        for order in [[0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 0, 2]] {
            let mut regions = Regions::of(9);
            let taken: Vec<Region> = (0..3).map(|_| regions.take(3).unwrap()).collect();
            for at in order {
                regions.give_back(taken[at]);
                regions.next_turn();
                regions.next_turn();
            }
            assert_eq!(
                regions.take(9),
                Some(Region {
                    first: 0,
                    entries: 9
                }),
                "{order:?}"
            );
        }
    }
}

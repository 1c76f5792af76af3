//! The key of a record, and the sequence of places in a table where the record may be.

use locktoll_recording::layout::{EntryPoint, LockKind, POOLED};

/// The key of a record.
#[derive(Clone, Copy)]
pub struct Key {
    pub lock: usize,
    /// Distinguishes locks at the same address: see `identity`.
    pub generation: u32,
    /// The return address of the call.
    pub site: usize,
    pub entry: EntryPoint,
    /// The kind of lock. It goes into new records, but is not used to find them.
    pub kind: LockKind,
    /// `BirthRecord::id` of the lock. Not used to find records either.
    pub birth: u32,
    /// A further part of the key: the holder's [`Place`](crate::place::Place) in blame, the stack in waits by stack, a number
    /// made of the held locks in orders, zero in all other records.
    pub other: u32,
}

/// A run, in grains. Locks in one run, such as those of one array or one slab, have entries near each other. So a pass over
/// the locks reads the table in order, as it reads the locks, and memory is fetched ahead.
const RUN: u64 = 512;
/// Hardly any two locks have addresses closer together than this.
const GRAIN_BYTES: usize = 1 << 4;
/// A generation with this bit was not counted up from lock to lock: see `identity`.
pub const NOT_IN_SEQUENCE: u32 = 1 << 31;

/// The place where a search begins, and the tag that it looks for.
#[derive(Clone, Copy)]
pub struct Way {
    hash: u64,
    offset: u64,
    lock: u64,
}

impl Way {
    #[inline(always)]
    pub fn first_place(self, shift: u32) -> usize {
        // The caller's mask wraps what runs past the end back to the beginning.
        (self.hash >> shift) as usize + self.offset as usize
    }

    #[inline(always)]
    pub fn tag(self) -> u64 {
        // These are other bits of the product than those that choose the place. Keys that share them are distinguished by
        // address.
        (self.hash >> 16 ^ self.lock >> 2) & 0xffff
    }
}

/// The number of entries in a cache line. An entry's own line is searched before any other is fetched.
pub const LINE: usize = 8;

/// Returns the next place to look at after `place`, which was the `step`th, counted from 0.
#[inline(always)]
pub fn next_place(place: usize, step: usize, mask: usize) -> usize {
    let (before, now) = (step % LINE, (step + 1) % LINE);
    // Visits each place of the line once: the exclusive or of the starting place with 0, 1, ... 7.
    let begin = place ^ before;
    if now != 0 {
        return begin ^ now;
    }
    // The search moves to another line by an odd number of lines, so that it reaches every line of a table whose length is a
    // power of two. The step is long, the fractional part of the square root of 2: a run that meets another goes round it as a
    // whole, still in order. It is not the golden ratio, with which `Key::way` spreads the runs: a step from one run must not
    // lead to the next.
    let lines = (mask / LINE) as u64;
    let stride = lines.wrapping_mul(0x6A09_E667) as usize >> 32 | 1;
    (begin + stride * LINE) & mask
}

impl Key {
    /// Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4) of the site and the run: the upper bits are well
    /// mixed.
    #[inline(always)]
    pub fn way(self) -> Way {
        // By the address, not by the generation, so that a new lock finds the record of the lock that was there before.
        let lock = if self.lock as u64 == POOLED {
            u64::from(self.generation) << 6
        } else {
            self.lock as u64
        };
        let spot = lock / GRAIN_BYTES as u64;
        let mixed = (spot / RUN)
            ^ (self.site as u64).rotate_left(29)
            ^ u64::from(self.entry.number()) << 58
            ^ u64::from(self.other).rotate_left(40);
        Way {
            hash: mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            offset: spot % RUN,
            lock,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Key = Key {
        lock: 0x7f00_0000_0000,
        generation: 0,
        site: 0x40_1000,
        entry: EntryPoint::Lock,
        kind: LockKind::Mutex,
        birth: 0,
        other: 0,
    };
    const SHIFT: u32 = 64 - 10;

    fn place(key: Key) -> usize {
        key.way().first_place(SHIFT)
    }

    #[test]
    fn a_search_comes_to_every_place_once_and_to_its_own_line_first() {
        for mask in [7, 255, 1023] {
            for begin in [0, 5, mask] {
                let mut place = begin;
                let mut seen = vec![false; mask + 1];
                for step in 0..=mask {
                    assert!(
                        !seen[place],
                        "{place} again after {step} steps from {begin}"
                    );
                    seen[place] = true;
                    if step < LINE {
                        assert_eq!(place / LINE, begin / LINE, "step {step} from {begin}");
                    }
                    place = next_place(place, step, mask);
                }
            }
        }
        // Another line, and not the next one.
        let next = next_place(0, LINE - 1, 1023) / LINE;
        assert!((20..108).contains(&next), "{next}");
    }

    #[test]
    fn locks_of_one_run_have_places_in_a_row() {
        for number in 1..RUN as usize {
            let key = Key {
                lock: FIRST.lock + GRAIN_BYTES * number,
                ..FIRST
            };
            assert_eq!(place(key), place(FIRST) + number);
            assert_ne!(key.way().tag(), FIRST.way().tag());
        }
        let run = GRAIN_BYTES * RUN as usize;
        let places = (0..100).map(|number| {
            place(Key {
                lock: FIRST.lock + run * number,
                ..FIRST
            })
        });
        let places: std::collections::BTreeSet<usize> = places.collect();
        assert!(places.len() > 80, "{} of 100 runs", places.len());
    }

    #[test]
    fn all_parts_of_a_key_decide_where_it_is_looked_for() {
        let others = [
            Key {
                site: FIRST.site + 5,
                ..FIRST
            },
            Key {
                entry: EntryPoint::TryLock,
                ..FIRST
            },
            Key { other: 1, ..FIRST },
            Key {
                other: 0x1_0001,
                ..FIRST
            },
        ];
        for other in others {
            assert_ne!(place(other), place(FIRST));
            assert!(other.way().tag() <= 0xffff);
        }
        // A new lock finds the record of the one that was there before.
        let later = Key {
            generation: 7,
            ..FIRST
        };
        assert_eq!(place(later), place(FIRST));
        assert_eq!(later.way().tag(), FIRST.way().tag());
    }

    #[test]
    fn pools_are_told_apart_by_the_birth_of_their_locks() {
        let pool = |birth| Key {
            lock: POOLED as usize,
            generation: birth,
            ..FIRST
        };
        assert_eq!(place(pool(3)), place(pool(2)) + 4);
        assert_ne!(pool(3).way().tag(), pool(2).way().tag());
    }
}

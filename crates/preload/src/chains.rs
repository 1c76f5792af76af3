//! The chains of held locks that a thread has gone through recently, each with its record, so that an acquisition like an
//! earlier one, with the same locks held, only adds one.
//!
//! A chain is a number made of the held locks and the new one, in the order of their acquisition. Each step takes the number of
//! the locks below it, so a new lock costs one multiplication. (The kernel's lockdep finds known chains in the same way.)
//!
//! # Invariants
//!
//! - **K1** A place's record is null or a record that stays mapped, of this thread's slot.

use core::cell::Cell;
use core::ptr::{from_ref, null};
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::compiler_fence;

use locktoll_recording::layout::{CountRecord, OrderRecord};

/// The number of chains that are remembered. Each has two places that it can be in, next to each other.
const PLACES: usize = 256;
/// A thread that has looked up this many records of forgotten chains uses more chains than can be remembered.
const MANY_FORGOTTEN: u32 = 4096;
/// The same for a thread that distinguishes only locks of one birth.
const TOO_MANY_FORGOTTEN: u32 = 1 << 17;

/// What distinguishes two chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Chained {
    /// The locks themselves, and where they were acquired.
    Locks = 0,
    /// Where the locks come from and where they were acquired. Only locks that come from the same place as the lock below are
    /// distinguished, since their order shows in nothing else. The thread goes through more locks than can be remembered.
    Mixed = 1,
    /// Where the locks come from and where they were acquired: the thread has gone through too many locks to keep each.
    Births = 2,
    /// Nothing is noted.
    Off = 3,
}

/// The chains by their number. All zeros, as in wiped memory, remembers nothing.
#[repr(C)]
pub struct RecentChains {
    chained: Cell<u8>,
    forgotten: Cell<u32>,
    places: [Place; PLACES],
}

#[repr(C)]
struct Place {
    chain: Cell<u64>,
    record: Cell<*const OrderRecord>,
}

impl RecentChains {
    #[inline(always)]
    pub fn chained(&self) -> Chained {
        match self.chained.get() {
            0 => Chained::Locks,
            1 => Chained::Mixed,
            2 => Chained::Births,
            _ => Chained::Off,
        }
    }

    pub fn set_chained(&self, chained: Chained) {
        self.chained.set(chained as u8);
    }

    /// Counts a chain whose record had been forgotten.
    pub fn had_forgotten(&self) {
        let forgotten = self.forgotten.get().saturating_add(1);
        self.forgotten.set(forgotten);
        match self.chained() {
            Chained::Locks if forgotten >= MANY_FORGOTTEN => self.set_chained(Chained::Mixed),
            Chained::Mixed if forgotten >= TOO_MANY_FORGOTTEN => {
                self.set_chained(Chained::Births);
            }
            _ => {}
        }
    }

    /// Returns the record of the chain, if it is remembered.
    #[inline(always)]
    pub fn find(&self, chain: u64) -> Option<&'static OrderRecord> {
        let places = self.places_of(chain);
        let place = match places[0].chain.get() == chain {
            true => places[0],
            false => places[1],
        };
        if place.chain.get() != chain {
            return None;
        }
        // SAFETY: K1.
        unsafe { place.record.get().as_ref() }
    }

    pub fn note(&self, chain: u64, record: &'static OrderRecord) {
        let [first, second] = self.places_of(chain);
        // The chain that came last is in the first place.
        // SAFETY: K1.
        let before = unsafe { first.record.get().as_ref() };
        if let Some(before) = before.filter(|_| first.chain.get() != chain) {
            second.put(first.chain.get(), before);
        }
        first.put(chain, record);
    }

    /// Forgets all chains, so that each comes by once more where its record is looked up.
    pub fn forget(&self) {
        for place in &self.places {
            place.chain.set(0);
            compiler_fence(SeqCst);
            place.record.set(null());
        }
    }

    #[inline(always)]
    fn places_of(&self, chain: u64) -> [&Place; 2] {
        // The upper bits of a product are well mixed.
        let place = (chain >> (u64::BITS - PLACES.ilog2())) as usize;
        [&self.places[place], &self.places[place ^ 1]]
    }
}

impl Place {
    fn put(&self, chain: u64, record: &'static OrderRecord) {
        let place = self;
        // A signal handler may interrupt this at any step and use the same place: a chain is not set before its record is.
        place.chain.set(0);
        compiler_fence(SeqCst);
        place.record.set(from_ref(record));
        compiler_fence(SeqCst);
        place.chain.set(chain);
        compiler_fence(SeqCst);
        if !core::ptr::eq(place.record.get(), record) {
            place.chain.set(0);
        }
    }
}

/// Returns the number of the chain that ends with `count`. `before` is the chain of the locks below it, or zero, and `below` the
/// lock just below it.
#[inline(always)]
pub fn step(before: u64, below: Option<&CountRecord>, count: &CountRecord, by: Chained) -> u64 {
    let is_one_birth = by == Chained::Mixed
        && below.is_some_and(|it| it.birth.load(Relaxed) == count.birth.load(Relaxed));
    let link = match by {
        _ if is_one_birth => {
            from_ref(count).addr() as u64 ^ u64::from(count.generation.load(Relaxed)) << 32
        }
        // A record may serve another lock later, at the same address: the generation shows that.
        Chained::Locks => {
            from_ref(count).addr() as u64 ^ u64::from(count.generation.load(Relaxed)) << 32
        }
        _ => {
            let lock = count.lock.load(Relaxed);
            let is_up = below.is_some_and(|below| below.lock.load(Relaxed) < lock);
            let (birth, site) = (count.birth.load(Relaxed), count.site.load(Relaxed));
            (u64::from(birth) << 32 | u64::from(site)).wrapping_mul(2) ^ u64::from(is_up)
        }
    };
    (before.rotate_left(23) ^ link).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(lock: u64, birth: u32, site: u32) -> &'static CountRecord {
        // SAFETY: zeros are a valid record.
        let count: CountRecord = unsafe { core::mem::zeroed() };
        count.lock.store(lock, Relaxed);
        count.birth.store(birth, Relaxed);
        count.site.store(site, Relaxed);
        Box::leak(Box::new(count))
    }

    #[test]
    fn a_chain_is_made_of_all_locks_in_their_order() {
        let [a, b, c] = [1, 2, 3].map(|it| count(64 * it, it as u32, it as u32));
        for by in [Chained::Locks, Chained::Mixed, Chained::Births] {
            let chain = |locks: &[&'static CountRecord]| {
                let mut below = None;
                locks.iter().fold(0, |before, &count| {
                    step(before, below.replace(count), count, by)
                })
            };
            let all = [
                chain(&[a]),
                chain(&[a, b]),
                chain(&[b, a]),
                chain(&[a, b, c]),
                chain(&[a, c, b]),
                chain(&[c, b]),
            ];
            for (place, one) in all.iter().enumerate() {
                assert!(*one != 0 && !all[..place].contains(one), "{by:?} {place}");
            }
            assert_eq!(chain(&[a, b, c]), all[3]);
        }
    }

    #[test]
    fn locks_of_one_birth_are_one_link_by_births_except_for_their_direction() {
        let below = count(0x1000, 1, 1);
        let [higher, highest, lower] = [0x2000, 0x3000, 0x800].map(|lock| count(lock, 5, 7));
        let link = |count, by| step(9, Some(below), count, by);
        assert_eq!(
            link(higher, Chained::Births),
            link(highest, Chained::Births)
        );
        assert_ne!(link(higher, Chained::Births), link(lower, Chained::Births));
        assert_ne!(link(higher, Chained::Locks), link(highest, Chained::Locks));
        assert_eq!(link(higher, Chained::Mixed), link(highest, Chained::Mixed));
        let [one, other] = [higher, highest].map(|it| step(9, Some(lower), it, Chained::Mixed));
        assert_ne!(one, other, "of the same birth as the one below");
        let before = link(higher, Chained::Locks);
        higher.generation.store(2, Relaxed);
        assert_ne!(link(higher, Chained::Locks), before, "another lock there");
    }

    #[test]
    fn a_chain_is_remembered_until_another_takes_its_place() {
        // SAFETY: zeros remember nothing, and are a valid record.
        let (recent, record): (RecentChains, OrderRecord) = unsafe { core::mem::zeroed() };
        let record: &'static OrderRecord = Box::leak(Box::new(record));
        assert!(recent.find(77).is_none());
        recent.note(77 << 58, record);
        assert!(recent.find(77 << 58).is_some());
        assert!(recent.find(77 << 58 | 1).is_none(), "of the same place");
        recent.note(77 << 58 | 1, record);
        assert!(recent.find(77 << 58).is_some(), "in the second place");
        recent.note(77 << 58 | 2, record);
        assert!(recent.find(77 << 58).is_none() && recent.find(77 << 58 | 1).is_some());
        recent.forget();
        assert!(recent.find(77 << 58 | 1).is_none());
        for (forgotten, expected) in [
            (MANY_FORGOTTEN - 1, Chained::Locks),
            (1, Chained::Mixed),
            (TOO_MANY_FORGOTTEN, Chained::Births),
        ] {
            (0..forgotten).for_each(|_| recent.had_forgotten());
            assert_eq!(recent.chained(), expected);
        }
        recent.set_chained(Chained::Locks);
        assert_eq!(recent.chained(), Chained::Locks);
        recent.set_chained(Chained::Off);
        assert_eq!(recent.chained(), Chained::Off);
    }
}

//! The known rules of addresses, for the whole process.
//!
//! This is a table of fixed size in which newer rules replace older ones. A rule that was replaced is computed again, which
//! takes some microseconds. Reading and writing take no lock, and a signal handler may interrupt them.
//!
//! # Invariants
//!
//! - **R1** An entry's two words belong together, or the check fails: `check` is the key, mixed with the rule by [`scramble`].
//!   If the words of two writers meet in one entry, they pass the check with a probability of 2^-64.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use super::rule::Rule;

/// The number of entries that one address may be in: one cache line.
const WAYS: usize = 4;
const SET_BITS: u32 = 11;
const SETS: usize = 1 << SET_BITS;

/// All zeros is an entry without a rule.
struct Entry {
    check: AtomicU64,
    rule: AtomicU64,
}

#[repr(align(64))]
struct Set([Entry; WAYS]);

/// Rules by address. All zeros is an empty table.
pub struct Rules {
    sets: [Set; SETS],
    /// Selects the way to replace next.
    turn: AtomicU64,
}

/// An address, in a generation of the tables: a new file may bring other code to an address.
#[derive(Clone, Copy)]
pub struct RuleKey(u64);

impl RuleKey {
    /// Makes the key of `address` in `generation`.
    #[inline]
    pub fn new(address: usize, generation: u32) -> Self {
        // An address in a process has 47 or 48 bits. A mistake needs a rule that lies unused for 65,536 generations, and code
        // that has changed.
        Self(address as u64 ^ u64::from(generation) << 48)
    }

    #[inline]
    fn set(self) -> usize {
        (self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SET_BITS)) as usize
    }
}

/// Mixes a rule's bits, so that different rules and keys do not cancel each other out: see R1.
#[inline]
fn scramble(rule: u64) -> u64 {
    rule.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(32)
}

impl Rules {
    /// Returns the rule for `key`, if it is known.
    #[inline]
    pub fn get(&self, key: RuleKey) -> Option<Rule> {
        // The remainder changes nothing, and saves a bounds check.
        for entry in &self.sets[key.set() % SETS].0 {
            // Relaxed: R1 detects words that do not belong together, and a rule publishes no other memory.
            let rule = entry.rule.load(Relaxed);
            if entry.check.load(Relaxed) ^ scramble(rule) == key.0 {
                return Rule::from_word(rule);
            }
        }
        None
    }

    pub fn put(&self, key: RuleKey, rule: Rule) {
        let set = &self.sets[key.set() % SETS].0;
        let free = set.iter().find(|entry| entry.rule.load(Relaxed) == 0);
        let entry = free.unwrap_or_else(|| {
            // Relaxed: any way will do.
            &set[self.turn.fetch_add(1, Relaxed) as usize % WAYS]
        });
        // Relaxed: R1.
        entry.check.store(key.0 ^ scramble(rule.word()), Relaxed);
        entry.rule.store(rule.word(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Box<Rules> {
        // SAFETY: zeros are a valid table.
        unsafe { Box::<Rules>::new_zeroed().assume_init() }
    }

    #[test]
    fn a_rule_is_found_by_its_key_and_by_no_other() {
        let rules = rules();
        let key = RuleKey::new(0x7f00_1234_5678, 30);
        assert_eq!(rules.get(key), None);
        assert_eq!(rules.get(RuleKey::new(0, 0)), None);
        rules.put(key, Rule::OUTERMOST);
        assert_eq!(rules.get(key), Some(Rule::OUTERMOST));
        assert_eq!(rules.get(RuleKey::new(0x7f00_1234_5678, 31)), None);
        assert_eq!(rules.get(RuleKey::new(0x7f00_1234_5679, 30)), None);
    }

    #[test]
    fn more_rules_than_fit_push_out_others_and_are_never_mistaken() {
        let rules = rules();
        let rule_of = |address: usize| [Rule::OUTERMOST, Rule::UNKNOWN][address / 16 % 2];
        for address in (0x40_0000..0x60_0000).step_by(16) {
            rules.put(RuleKey::new(address, 1), rule_of(address));
            assert_eq!(rules.get(RuleKey::new(address, 1)), Some(rule_of(address)));
        }
        let known = (0x40_0000..0x60_0000)
            .step_by(16)
            .filter_map(|address| Some((address, rules.get(RuleKey::new(address, 1))?)));
        let known: Vec<_> = known.collect();
        assert!(known.len() > SETS, "{} of {}", known.len(), SETS * WAYS);
        assert!(
            known
                .iter()
                .all(|&(address, rule)| rule == rule_of(address))
        );
    }

    #[test]
    fn words_of_two_writers_do_not_check() {
        let rules = rules();
        let (first, second) = (RuleKey::new(0x40_1000, 1), RuleKey::new(0x40_1000, 2));
        rules.put(first, Rule::OUTERMOST);
        // A reader sees this between the two stores of another rule for the same place.
        let entry = &rules.sets[first.set()].0[0];
        entry.rule.store(Rule::UNKNOWN.word(), Relaxed);
        assert_eq!(rules.get(first), None);
        assert_eq!(rules.get(second), None);
    }
}

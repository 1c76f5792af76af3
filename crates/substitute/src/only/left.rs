//! The word that marks an object as left to the C library for good.

/// Returns the word that an object at this address holds once it has been left, in a place that the C library does not use. It
/// depends on the address, so that memory copied from another object is not mistaken for it. Any initialiser of an object
/// writes zeros there.
pub fn left(address: usize) -> u64 {
    const SALT: u64 = 0x6c65_6674_2d62_6568;
    (address as u64).rotate_left(32) ^ SALT
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn every_address_has_a_word_of_its_own_and_none_has_zero() {
        let words = (1..1000).map(|number| left(0x7f00_0000_0000 + 8 * number));
        let words: std::collections::BTreeSet<u64> = words.collect();
        assert!(words.len() == 999 && !words.contains(&0) && left(0) != 0);
    }
}

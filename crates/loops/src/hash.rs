//! Tables that are made anew for each examination, with a few thousand numbers at most. The standard library's hash would take a third
//! of the time: it protects tables that may grow at will against chosen keys.

use std::hash::{BuildHasherDefault, Hasher};

/// A table of numbers, or of what is made of numbers.
pub type Table<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Numbers>>;

/// Mixes numbers by multiplication.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers(u64);

/// An odd number without a pattern.
const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

impl Hasher for Numbers {
    fn finish(&self) -> u64 {
        // In a product, the upper bits depend on most of the factors' bits. A table uses the lower ones, and the uppermost.
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(FACTOR);
        mixed ^ mixed >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(FACTOR);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::*;

    /// Of 4096 hashes that are random numbers, the lower 12 bits have some 2,600 values, and the upper 7 bits all of their 128.
    #[test]
    fn numbers_at_any_distance_are_spread_over_a_table() {
        let hash = BuildHasherDefault::<Numbers>::default();
        for shift in [0, 2, 4, 12, 32] {
            let hashes =
                (0..4096_u64).map(|it| hash.hash_one((7_u32, 0x55ee_69f1_5000 + (it << shift))));
            let hashes: Vec<u64> = hashes.collect();
            let lower: HashSet<u64> = hashes.iter().map(|it| it & 0xfff).collect();
            let upper: HashSet<u64> = hashes.iter().map(|it| it >> 57).collect();
            assert!(
                lower.len() > 2000 && upper.len() == 128,
                "{shift}: {} {}",
                lower.len(),
                upper.len()
            );
        }
    }
}

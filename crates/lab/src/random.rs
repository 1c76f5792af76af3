//! Random numbers, for the measured loop and for the statistics.

/// xorshift64* (Vigna, 2016): a few arithmetic instructions, no lock, no memory access. `rand()` would put glibc's own lock into
/// every figure.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Makes a separate sequence for each thread.
    pub(crate) fn new(thread: u32) -> Self {
        // Spreads neighbouring seeds (the odd constant is 2^64 over the golden ratio); never zero.
        Self((u64::from(thread) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Makes the sequence of a seed.
    pub(crate) fn of_seed(seed: u64) -> Self {
        // The finaliser of SplitMix64 (Steele, Lea, Flood, 2014): neighbouring seeds have unlike sequences.
        let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        // A zero state would stay zero.
        Self((mixed ^ (mixed >> 31)) | 1)
    }

    /// Makes a separate sequence for each thread of each round.
    pub(crate) fn of_round(round: u32, thread: u32) -> Self {
        let mut random = Self::new(thread);
        random.0 ^= Self::new(round).bits();
        // A zero state would stay zero.
        random.0 |= 1;
        random
    }

    /// Returns the next 64 bits.
    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number in `0..bound`; 0 if `bound` is 0.
    #[inline]
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // Multiply-shift: there is no division in the loop (Lemire, 2019; the bias is below 2^-32 here).
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Puts `items` into a new random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// Returns a number in `0.0..1.0`.
    #[inline]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_their_range_evenly() {
        let mut random = Random::new(3);
        let mut seen = [0u32; 10];
        for _ in 0..100_000 {
            seen[random.below(10) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (9_000..11_000).contains(n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
    }

    #[test]
    fn threads_get_sequences_of_their_own() {
        assert_ne!(Random::new(0).bits(), Random::new(1).bits());
        let first = |round| Random::of_round(round, 3).bits();
        assert_ne!(first(0), first(1));
    }
}

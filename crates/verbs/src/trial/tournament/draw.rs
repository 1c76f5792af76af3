//! The random order of the runs.

/// A pseudorandom sequence: SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014). The
/// statistics require that every order is equally probable, not that nobody can guess it.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// Starts the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Shuffles the items, with every order equally probable (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            // The modulo favours small numbers by less than one in 2^50 here.
            items.swap(last, (self.bits() % (last as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_are_those_of_the_published_generator() {
        let mut draw = Draw::new(1_234_567);
        let bits = [(); 3].map(|()| draw.bits());
        assert_eq!(
            bits,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn every_order_comes_up_equally_often() {
        let mut draw = Draw::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            draw.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        // 1000 of each, within five standard deviations.
        assert!(
            counts.values().all(|it| (845..1_155).contains(it)),
            "{counts:?}"
        );
    }
}

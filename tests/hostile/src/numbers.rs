//! Numbers by which tests change what they try.

/// Numbers that look like chance and are the same in each run: splitmix64 (Steele et al., Fast splittable pseudorandom number generators, 2014).
pub struct Numbers(pub u64);

impl Numbers {
    /// Returns the next number, from 0 up to but without `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }
}

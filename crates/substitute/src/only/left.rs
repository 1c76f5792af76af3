//! The word which marks an object as left to the C library for ever.

/// What an object at this address holds, in a word that the C library leaves alone, once it has been left: of the address, so
/// that memory copied from another is not taken for it. Whatever initialises an object writes zeros there.
pub fn left(address: usize) -> u64 {
    const SALT: u64 = 0x6c65_6674_2d62_6568;
    (address as u64).rotate_left(32) ^ SALT
}

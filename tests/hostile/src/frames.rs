//! Call frame information.

use locktoll_sources::futexes::fuzzed;

use crate::preload;

/// Takes the first eight bytes for an address, and the rest for a section `.eh_frame` there, as `attach` does; then for an index with its
/// tables and for an expression, as the preload library does.
pub fn exercise(bytes: &[u8]) {
    let Some((address, section)) = bytes.split_first_chunk() else {
        return;
    };
    let address = u64::from_le_bytes(*address);
    fuzzed::frames(section, address);
    preload::tables(section, address as usize);
}

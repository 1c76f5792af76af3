//! Names of generated code.

use locktoll_sources::futexes::fuzzed;

/// Takes the first bytes for an address, and the rest for a perf map.
pub fn exercise(bytes: &[u8]) {
    let Some((address, map)) = bytes.split_first_chunk() else {
        return;
    };
    let address = u64::from_le_bytes(*address);
    let asked = [address, 0, 0x1000, 0x7f00_0000_1000, u64::MAX];
    let names = fuzzed::perf_map(map, &asked);
    assert!(names.len() <= asked.len());
    for (at, name) in names {
        assert!(asked.contains(&at));
        assert!(name.chars().count() <= 2_000);
    }
}

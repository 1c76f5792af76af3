//! Which version of a file it is.

use std::fs::File;
use std::path::Path;

use object::read::elf::ElfFile64;
use object::read::{Object, ReadCache};

/// The GNU build id of a file, or nothing.
pub fn build_id(path: &Path) -> Vec<u8> {
    let Ok(file) = File::open(path) else {
        return Vec::new();
    };
    let data = &ReadCache::new(file);
    ElfFile64::<object::Endianness, _>::parse(data)
        .ok()
        .and_then(|elf| elf.build_id().ok().flatten().map(<[u8]>::to_vec))
        .unwrap_or_default()
}

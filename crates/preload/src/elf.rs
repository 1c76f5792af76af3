//! The ELF header of a mapped file (elf(5)): its load address and its build id.
//!
//! Only the first page of a mapping is read, or the object that the kernel maps. Anything outside it counts as unknown.

/// The greatest length of a build id that is kept.
pub const BUILD_ID_BYTES: usize = 32;

/// The contents of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// The address in the ELF file of the file's first byte. The load bias is the mapping's start minus this address.
    pub first_address: u64,
    pub build_id: [u8; BUILD_ID_BYTES],
    /// The number of bytes of `build_id` that are used.
    pub build_id_bytes: u8,
    /// The address in the ELF file of `.eh_frame_hdr`, which locates the unwind tables, if the file has one.
    pub unwind_index: Option<u64>,
}

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const PT_NOTE: u32 = 4;
const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
const NT_GNU_BUILD_ID: u32 = 3;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;

/// Reads `image`, which is mapped from offset 0 of a file. Returns `None` if it is not a 64-bit ELF file.
pub fn read(image: &[u8]) -> Option<Image> {
    let mut found = Image {
        first_address: 0,
        build_id: [0; BUILD_ID_BYTES],
        build_id_bytes: 0,
        unwind_index: None,
    };
    let mut loaded = false;
    for header in headers(image)? {
        let (offset, address) = (u64_at(header, 8)?, u64_at(header, 16)?);
        match u32_at(header, 0)? {
            PT_LOAD if !loaded => {
                loaded = true;
                found.first_address = address.wrapping_sub(offset);
            }
            PT_GNU_EH_FRAME => found.unwind_index = Some(address),
            PT_NOTE if found.build_id_bytes == 0 => {
                let begin = offset as usize;
                let end = begin.checked_add(u64_at(header, 32)? as usize);
                let notes = end.and_then(|end| image.get(begin..end));
                if let Some(id) = notes.and_then(build_id) {
                    let kept = id.len().min(BUILD_ID_BYTES);
                    found
                        .build_id
                        .get_mut(..kept)?
                        .copy_from_slice(id.get(..kept)?);
                    found.build_id_bytes = kept as u8;
                }
            }
            _ => {}
        }
    }
    loaded.then_some(found)
}

/// Returns the length in the file of the first `PT_LOAD` segment of `image`, if that segment begins at offset 0.
pub fn first_load_bytes(image: &[u8]) -> Option<usize> {
    let load = headers(image)?.find(|header| u32_at(header, 0) == Some(PT_LOAD))?;
    (u64_at(load, 8)? == 0).then_some(u64_at(load, 32)? as usize)
}

/// Returns the offset in `image` of the function called `name`, from the dynamic symbol table.
///
/// The symbol table is assumed to end where the string table begins, which is how linkers lay them out. Its length is not
/// stored anywhere else, short of walking a hash table.
pub fn function(image: &[u8], name: &[u8]) -> Option<u64> {
    const SYMBOL_BYTES: usize = 24;
    const STT_FUNC: u8 = 2;
    let first_address = read(image)?.first_address;
    let dynamic = headers(image)?.find(|header| u32_at(header, 0) == Some(PT_DYNAMIC))?;
    let (begin, bytes) = (u64_at(dynamic, 8)? as usize, u64_at(dynamic, 32)? as usize);
    let entries = image.get(begin..begin.checked_add(bytes)?)?;
    let value = |tag: u64| {
        let mut entries = entries.chunks_exact(16);
        let entry = entries.find(|entry| u64_at(entry, 0) == Some(tag))?;
        Some(u64_at(entry, 8)?.wrapping_sub(first_address) as usize)
    };
    let (names, symbols) = (value(DT_STRTAB)?, value(DT_SYMTAB)?);
    let table = image.get(symbols..names)?;
    let names = image.get(names..)?;
    let found = table.chunks_exact(SYMBOL_BYTES).find(|symbol| {
        let is_function = symbol.get(4).is_some_and(|info| info & 15 == STT_FUNC);
        let offset = u32_at(symbol, 0).map_or(usize::MAX, |offset| offset as usize);
        let rest = names.get(offset..).unwrap_or(&[]);
        is_function && rest.strip_prefix(name).and_then(<[u8]>::first) == Some(&0)
    })?;
    let offset = u64_at(found, 8)?.wrapping_sub(first_address);
    (offset < image.len() as u64).then_some(offset)
}

/// Returns the program headers that lie within `image`, or `None` if it is not a 64-bit ELF file.
fn headers(image: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    if image.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let table = u64_at(image, 32)? as usize;
    let entry_bytes = usize::from(u16_at(image, 54)?);
    let entries = usize::from(u16_at(image, 56)?);
    Some((0..entries).map_while(move |entry| {
        let begin = table.checked_add(entry.checked_mul(entry_bytes)?)?;
        image.get(begin..begin.checked_add(56)?)
    }))
}

fn build_id(mut notes: &[u8]) -> Option<&[u8]> {
    loop {
        let name_bytes = u32_at(notes, 0)? as usize;
        let id_bytes = u32_at(notes, 4)? as usize;
        let kind = u32_at(notes, 8)?;
        let name = notes.get(12..)?.get(..name_bytes)?;
        let id_begin = name_bytes.checked_next_multiple_of(4)?.checked_add(12)?;
        let id = notes.get(id_begin..)?.get(..id_bytes)?;
        if kind == NT_GNU_BUILD_ID && name == b"GNU\0" {
            return Some(id);
        }
        let next = id_begin.checked_add(id_bytes.checked_next_multiple_of(4)?)?;
        notes = notes.get(next..)?;
    }
}

fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_program_is_an_image() {
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        let image = read(&bytes).unwrap();
        assert_eq!(image.first_address % 4096, 0);
    }

    #[test]
    fn an_image_cut_off_anywhere_is_read_without_a_panic() {
        let mut bytes = std::fs::read("/proc/self/exe").unwrap();
        bytes.truncate(2048);
        for length in 0..bytes.len() {
            let _ = read(&bytes[..length]);
            let _ = function(&bytes[..length], b"main");
        }
        for place in 0..1024 {
            bytes[place] ^= 0xff;
            let _ = read(&bytes);
            let _ = function(&bytes, b"main");
            let _ = first_load_bytes(&bytes);
            bytes[place] ^= 0xff;
        }
        assert_eq!(read(b"#!/bin/sh"), None);
    }

    /// An image with two segments, notes, an index of unwind tables, and a symbol table.
    fn image() -> Vec<u8> {
        const LOADED_AT: u64 = 0x40_0000;
        let mut bytes = vec![0; 0x400];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        put(0, b"\x7fELF\x02\x01");
        put(32, &64_u64.to_le_bytes());
        put(54, &56_u16.to_le_bytes());
        put(56, &6_u16.to_le_bytes());
        for (number, (kind, offset, address, length)) in [
            (PT_LOAD, 0, LOADED_AT, 0x300_u64),
            (PT_LOAD, 0x1000, LOADED_AT + 0x5000, 0x40),
            (PT_NOTE, 0x200, LOADED_AT + 0x200, 0x30),
            (PT_NOTE, 0x200, LOADED_AT + 0x200, 0x10),
            (PT_GNU_EH_FRAME, 0x240, LOADED_AT + 0x240, 8),
            (PT_DYNAMIC, 0x250, LOADED_AT + 0x250, 32),
        ]
        .into_iter()
        .enumerate()
        {
            let header = 64 + 56 * number;
            put(header, &kind.to_le_bytes());
            put(header + 8, &u64::to_le_bytes(offset));
            put(header + 16, &address.to_le_bytes());
            put(header + 32, &length.to_le_bytes());
        }
        // A note of somebody else, and that with the build id.
        for (at, id_bytes, kind, name) in [(0x200, 1_u32, 3_u32, b"ABC\0"), (0x214, 7, 3, b"GNU\0")]
        {
            put(at, &4_u32.to_le_bytes());
            put(at + 4, &id_bytes.to_le_bytes());
            put(at + 8, &kind.to_le_bytes());
            put(at + 12, name);
        }
        put(0x224, &[1, 2, 3, 4, 5, 6, 7]);
        for (at, tag, value) in [(0x250, DT_STRTAB, 0x2e0), (0x260, DT_SYMTAB, 0x280)] {
            put(at, &tag.to_le_bytes());
            put(at + 8, &u64::to_le_bytes(LOADED_AT + value));
        }
        for (at, name, info, value) in [
            // A variable, a function with a longer name, and the function itself.
            (0x280, 1_u32, 1, 0x11),
            (0x298, 6, 0x12, 0x22),
            (0x2b0, 1, 0x12, 0x33),
        ] {
            put(at, &name.to_le_bytes());
            put(at + 4, &[info]);
            put(at + 8, &u64::to_le_bytes(LOADED_AT + value));
        }
        put(0x2e0, b"\0read\0readers\0");
        bytes
    }

    #[test]
    fn the_first_segment_says_where_it_is_loaded() {
        let found = read(&image()).unwrap();
        assert_eq!(found.first_address, 0x40_0000);
        assert_eq!(found.unwind_index, Some(0x40_0240));
        assert_eq!(found.build_id_bytes, 7);
        assert_eq!(found.build_id[..8], [1, 2, 3, 4, 5, 6, 7, 0]);
        assert_eq!(first_load_bytes(&image()), Some(0x300));
        let mut elsewhere = image();
        elsewhere[64 + 8..64 + 16].copy_from_slice(&0x1000_u64.to_le_bytes());
        assert_eq!(read(&elsewhere).unwrap().first_address, 0x3f_f000);
        assert_eq!(first_load_bytes(&elsewhere), None);
    }

    #[test]
    fn a_function_is_found_by_its_whole_name() {
        let image = image();
        assert_eq!(function(&image, b"read"), Some(0x33));
        assert_eq!(function(&image, b"readers"), Some(0x22));
        assert_eq!(function(&image, b"rea"), None);
        assert_eq!(function(&image, b"reads"), None);
        // It would lie behind the end of the image.
        let mut far = image.clone();
        far[0x2b8..0x2c0].copy_from_slice(&0x40_0400_u64.to_le_bytes());
        assert_eq!(function(&far, b"read"), None);
        far[0x2b8..0x2c0].copy_from_slice(&0x40_03ff_u64.to_le_bytes());
        assert_eq!(function(&far, b"read"), Some(0x3ff));
    }

    #[test]
    fn only_whole_images_of_64_bits_are_read() {
        let mut narrow = image();
        narrow[4] = 1;
        assert_eq!(read(&narrow), None);
        let mut nothing_loaded = image();
        nothing_loaded[64] = 0;
        nothing_loaded[64 + 56] = 0;
        assert_eq!(read(&nothing_loaded), None);
        let mut long = image();
        long[0x218] = 60;
        long[64 + 2 * 56 + 32] = 0xff;
        let found = read(&long).unwrap();
        assert_eq!(usize::from(found.build_id_bytes), BUILD_ID_BYTES);
        assert_eq!(found.build_id[..8], [1, 2, 3, 4, 5, 6, 7, 0]);
    }
}

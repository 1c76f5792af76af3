//! What the ELF header of a mapped file says (elf(5)): where the file was put, and which build it is.
//!
//! Only the first stretch of a mapping is looked at, which the dynamic linker read before us. Whatever does not lie
//! within it is taken as not known.

/// The greatest length of a build id that is kept.
pub const BUILD_ID_BYTES: usize = 32;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// The address in the ELF file of the file's first byte: the mapping's start less this is the load bias.
    pub first_address: u64,
    /// GNU build id.
    pub build_id: [u8; BUILD_ID_BYTES],
    /// How much of `build_id` is used.
    pub build_id_bytes: u8,
}

const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
const NT_GNU_BUILD_ID: u32 = 3;

/// Reads `image`, which is mapped from offset 0 of a file. `None` if that is not a 64-bit ELF file.
pub fn read(image: &[u8]) -> Option<Image> {
    if image.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let table = u64_at(image, 32)? as usize;
    let entry_bytes = usize::from(u16_at(image, 54)?);
    let entries = usize::from(u16_at(image, 56)?);
    let headers = (0..entries).map_while(|entry| {
        let begin = table.checked_add(entry.checked_mul(entry_bytes)?)?;
        image.get(begin..begin.checked_add(56)?)
    });
    let mut found = Image {
        first_address: 0,
        build_id: [0; BUILD_ID_BYTES],
        build_id_bytes: 0,
    };
    let mut loaded = false;
    for header in headers {
        let (offset, address) = (u64_at(header, 8)?, u64_at(header, 16)?);
        match u32_at(header, 0)? {
            PT_LOAD if !loaded => {
                loaded = true;
                found.first_address = address.wrapping_sub(offset);
            }
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

/// The build id among `notes`.
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
        }
        for place in 0..1024 {
            bytes[place] ^= 0xff;
            let _ = read(&bytes);
            bytes[place] ^= 0xff;
        }
        assert_eq!(read(b"#!/bin/sh"), None);
    }
}

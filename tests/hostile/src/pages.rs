//! Recordings without the empty ends of their pages.
//!
//! A recording consists of pages that are mostly zeros, and among them few changes would meet anything. So an input is packed: for each page
//! two bytes that say how many bytes follow, the others of the page are zeros; what follows the last such page is taken as it is. Any file
//! can be written so.

/// Bytes of a page.
pub const PAGE: usize = 4096;
/// Pages that are unpacked at most.
const MOST: usize = 256;

/// The file that `packed` stands for.
pub fn unpacked(packed: &[u8]) -> Vec<u8> {
    let (mut file, mut rest) = (Vec::new(), packed);
    for _ in 0..MOST {
        let Some((length, after)) = rest.split_first_chunk() else {
            break;
        };
        let length = usize::from(u16::from_le_bytes(*length)).min(PAGE);
        let Some((page, after)) = after.split_at_checked(length) else {
            break;
        };
        let end = file.len() + PAGE;
        file.extend_from_slice(page);
        file.resize(end, 0);
        rest = after;
    }
    file.extend_from_slice(rest);
    file
}

/// The shortest input that stands for `file`.
pub fn packed(file: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let pages = file.chunks_exact(PAGE);
    let rest = pages.remainder();
    for page in pages {
        let used = page.iter().rposition(|&byte| byte != 0);
        let used = used.map_or(0, |last| last + 1);
        packed.extend_from_slice(&(used as u16).to_le_bytes());
        packed.extend_from_slice(&page[..used]);
    }
    packed.extend_from_slice(rest);
    packed
}

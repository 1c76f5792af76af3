//! Reads the memory of another process.

/// Fills `buffer` from `address` in the process. Returns whether all of it could be read: process_vm_readv(2).
pub fn read(pid: u32, address: u64, buffer: &mut [u8]) -> bool {
    let (Ok(pid), Ok(address)) = (i32::try_from(pid), usize::try_from(address)) else {
        return false;
    };
    let here = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    let there = libc::iovec {
        iov_base: std::ptr::without_provenance_mut(address),
        iov_len: buffer.len(),
    };
    // SAFETY: the kernel writes into `buffer` alone, and refuses addresses that are not mapped there.
    let read = unsafe { libc::process_vm_readv(pid, &raw const here, 1, &raw const there, 1, 0) };
    usize::try_from(read) == Ok(buffer.len())
}

/// Returns the 32-bit number at an offset.
pub fn half(bytes: &[u8], offset: usize) -> u32 {
    let bytes = bytes
        .get(offset..offset + 4)
        .and_then(|it| it.try_into().ok());
    bytes.map_or(0, u32::from_ne_bytes)
}

/// Returns the 64-bit number at an offset.
pub fn word(bytes: &[u8], offset: usize) -> u64 {
    let bytes = bytes
        .get(offset..offset + 8)
        .and_then(|it| it.try_into().ok());
    bytes.map_or(0, u64::from_ne_bytes)
}

//! Memory.

use core::ffi::{c_int, c_void};
use core::ptr::NonNull;

use super::call::{Errno, call, checked};
use super::process::pid;

/// Maps readable and writable memory.
pub fn map(length: usize, flags: c_int, fd: c_int, offset: u64) -> Result<NonNull<u8>, Errno> {
    let arguments = [
        0,
        length,
        (libc::PROT_READ | libc::PROT_WRITE) as usize,
        flags as usize,
        fd as usize,
        offset as usize,
    ];
    // SAFETY: S1: without MAP_FIXED the kernel takes an address that nothing else uses.
    let address = unsafe { checked(libc::SYS_mmap, arguments) }?;
    NonNull::new(address as *mut u8).ok_or(Errno(libc::ENOMEM))
}

/// Maps zeroed private memory, which the child of a fork(2) sees as zeros again.
///
/// This (`MADV_WIPEONFORK`, madvise(2), Linux 4.14) is how a forked child recognises that it is one, whichever system call
/// made it, before it writes anything into its parent's file.
pub fn map_private_wiped_on_fork(length: usize) -> Result<NonNull<u8>, Errno> {
    let memory = map(length, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0)?;
    let arguments = [
        memory.as_ptr() as usize,
        length,
        libc::MADV_WIPEONFORK as usize,
    ];
    // SAFETY: S1; the range is the one just mapped.
    if let Err(error) = unsafe { checked(libc::SYS_madvise, arguments) } {
        // SAFETY: just mapped, and nobody has been given a pointer into it.
        unsafe { unmap(memory, length) };
        return Err(error);
    }
    Ok(memory)
}

/// Asks for large pages under memory that is long enough for them: madvise(2), `MADV_HUGEPAGE`. Otherwise, a table in which
/// every look-up goes somewhere else costs a page walk in addition to each cache miss.
pub fn prefer_large_pages(memory: NonNull<u8>, length: usize) {
    /// The size of a large page when the usual page size is 4 KiB.
    const LARGE_PAGE_BYTES: usize = 2 << 20;
    if length < LARGE_PAGE_BYTES {
        return;
    }
    let arguments = [
        memory.as_ptr() as usize,
        length,
        libc::MADV_HUGEPAGE as usize,
    ];
    // SAFETY: S1; advice does not change the contents of memory.
    let _ = unsafe { call(libc::SYS_madvise, arguments) };
}

/// Returns memory to the system; it reads as zeros afterwards.
///
/// # Safety
/// The range is private memory mapped by [`map_private_wiped_on_fork`], and no code breaks if it becomes zeros.
pub unsafe fn discard(memory: *const u8, length: usize) {
    let arguments = [memory as usize, length, libc::MADV_DONTNEED as usize];
    // SAFETY: the caller's promise. Failure leaves the memory as it is, which costs only space.
    let _ = unsafe { call(libc::SYS_madvise, arguments) };
}

/// munmap(2).
///
/// # Safety
/// The range was mapped here and nothing points into it any more.
pub unsafe fn unmap(memory: NonNull<u8>, length: usize) {
    let arguments = [memory.as_ptr() as usize, length];
    // SAFETY: the caller's promise.
    let _ = unsafe { call(libc::SYS_munmap, arguments) };
}

/// Reads this process's own memory at `address` into `buffer`, and returns how many bytes are there: process_vm_readv(2).
///
/// The kernel does the copying, so memory that another thread unmaps meanwhile causes an error and not a `SIGSEGV`.
pub fn read_memory(address: u64, buffer: &mut [u8]) -> Result<usize, Errno> {
    let local = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    let remote = libc::iovec {
        iov_base: address as *mut c_void,
        iov_len: buffer.len(),
    };
    let arguments = [
        pid() as usize,
        (&raw const local) as usize,
        1,
        (&raw const remote) as usize,
        1,
    ];
    // SAFETY: S2: `local` is the buffer. `remote` may be anything: the kernel checks it.
    unsafe { checked(libc::SYS_process_vm_readv, arguments) }
}

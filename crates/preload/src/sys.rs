//! System calls without the C library.
//!
//! The C library's wrappers set `errno`, are cancellation points, and can be interposed; a hook may do none of these
//! to the program. An error comes back as its errno(3) number.
//!
//! # Invariants
//!
//! - **S1** `call` changes no memory of this process but what the kernel is given a pointer to.
//! - **S2** Every pointer handed to the kernel here is valid for the length that goes with it.

use core::ffi::{CStr, c_int, c_void};
use core::ptr::NonNull;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

/// An errno(3) number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub c_int);

/// A file descriptor that is closed when dropped.
pub struct Fd(c_int);

#[cfg(target_arch = "x86_64")]
unsafe fn call(number: i64, a: [usize; 6]) -> isize {
    let result;
    // SAFETY: the kernel's calling convention on x86-64; rcx and r11 are clobbered by `syscall`. The caller answers
    // for what the call itself does.
    unsafe {
        core::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a[0], in("rsi") a[1], in("rdx") a[2],
            in("r10") a[3], in("r8") a[4], in("r9") a[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

#[cfg(target_arch = "aarch64")]
unsafe fn call(number: i64, a: [usize; 6]) -> isize {
    let result;
    // SAFETY: the kernel's calling convention on aarch64. The caller answers for what the call itself does.
    unsafe {
        core::arch::asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a[0] as isize => result,
            in("x1") a[1], in("x2") a[2], in("x3") a[3], in("x4") a[4], in("x5") a[5],
            options(nostack),
        );
    }
    result
}

/// How often the process has given up system calls, and all that are forked off from it with it.
pub static GIVEN_UP: AtomicU32 = AtomicU32::new(0);

/// Whether the process has given up system calls, or is about to.
pub fn are_calls_given_up() -> bool {
    // Relaxed: nothing makes the moment between this and a call go away.
    GIVEN_UP.load(Relaxed) != 0
}

unsafe fn checked(number: i64, a: [usize; 6]) -> Result<usize, Errno> {
    // Another thread may have given them up for all while the caller was on its way: it would be ended for the call.
    if are_calls_given_up() {
        return Err(Errno(libc::EPERM));
    }
    // SAFETY: the caller's promise is the callee's.
    let result = unsafe { call(number, a) };
    // The kernel returns -4095..-1 for errors and nothing else in that range.
    if (-4095..0).contains(&result) {
        Err(Errno(-result as c_int))
    } else {
        Ok(result as usize)
    }
}

/// open(2) with `O_CLOEXEC`, relative to nothing: `path` is absolute.
pub fn open(path: &CStr, flags: c_int, mode: u32) -> Result<Fd, Errno> {
    let flags = flags | libc::O_CLOEXEC;
    let arguments = [
        libc::AT_FDCWD as usize,
        path.as_ptr() as usize,
        flags as usize,
        mode as usize,
        0,
        0,
    ];
    // SAFETY: S2, `path` ends with a zero byte.
    unsafe { checked(libc::SYS_openat, arguments) }.map(|fd| Fd(fd as c_int))
}

impl Drop for Fd {
    fn drop(&mut self) {
        // SAFETY: S1. The descriptor is ours alone.
        let _ = unsafe { call(libc::SYS_close, [self.0 as usize, 0, 0, 0, 0, 0]) };
    }
}

impl Fd {
    /// read(2), begun again when a signal interrupts it.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize, Errno> {
        let arguments = [
            self.0 as usize,
            buffer.as_mut_ptr() as usize,
            buffer.len(),
            0,
            0,
            0,
        ];
        loop {
            // SAFETY: S2, the slice is writable.
            match unsafe { checked(libc::SYS_read, arguments) } {
                Err(Errno(libc::EINTR)) => {}
                result => return result,
            }
        }
    }

    /// Device and inode, fstat(2): what the file is, whatever its name.
    pub fn identity(&self) -> Result<(u64, u64), Errno> {
        // SAFETY: a `stat` of zeros is a valid value.
        let mut stat: libc::stat = unsafe { core::mem::zeroed() };
        let arguments = [self.0 as usize, (&raw mut stat) as usize, 0, 0, 0, 0];
        // SAFETY: S2.
        unsafe { checked(libc::SYS_fstat, arguments) }?;
        Ok((stat.st_dev, stat.st_ino))
    }

    /// Gives the file real blocks from `offset` on, so that writing through a mapping cannot fail later.
    ///
    /// fallocate(2) where the file system can; else zeros are written.
    pub fn allocate(&self, offset: u64, length: u64) -> Result<(), Errno> {
        let arguments = [self.0 as usize, 0, offset as usize, length as usize, 0, 0];
        loop {
            // SAFETY: S1.
            match unsafe { checked(libc::SYS_fallocate, arguments) } {
                Err(Errno(libc::EINTR)) => {}
                Err(Errno(libc::EOPNOTSUPP | libc::ENOSYS | libc::EINVAL)) => break,
                result => return result.map(|_| ()),
            }
        }
        self.write_zeros(offset, length)
    }

    fn write_zeros(&self, offset: u64, length: u64) -> Result<(), Errno> {
        static ZEROS: [u8; 4096] = [0; 4096];
        let mut written = 0;
        while written < length {
            let piece = (length - written).min(ZEROS.len() as u64);
            let arguments = [
                self.0 as usize,
                ZEROS.as_ptr() as usize,
                piece as usize,
                (offset + written) as usize,
                0,
                0,
            ];
            // SAFETY: S2.
            match unsafe { checked(libc::SYS_pwrite64, arguments) } {
                Ok(0) => return Err(Errno(libc::ENOSPC)),
                Ok(bytes) => written += bytes as u64,
                Err(Errno(libc::EINTR)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Maps `length` bytes of the file from `offset` on, shared, to read and write.
    pub fn map_shared(&self, offset: u64, length: u64) -> Result<NonNull<u8>, Errno> {
        map(length as usize, libc::MAP_SHARED, self.0, offset)
    }
}

fn map(length: usize, flags: c_int, fd: c_int, offset: u64) -> Result<NonNull<u8>, Errno> {
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

/// Maps zeroed memory of this process alone, which the child of a fork(2) sees as zeros again.
///
/// That (`MADV_WIPEONFORK`, madvise(2), Linux 4.14) is how a child notices that it is one, by whatever system call
/// it was made, before it writes anything into its parent's file.
pub fn map_private_wiped_on_fork(length: usize) -> Result<NonNull<u8>, Errno> {
    let memory = map(length, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0)?;
    let arguments = [
        memory.as_ptr() as usize,
        length,
        libc::MADV_WIPEONFORK as usize,
        0,
        0,
        0,
    ];
    // SAFETY: S1; the range is the one just mapped.
    if let Err(error) = unsafe { checked(libc::SYS_madvise, arguments) } {
        // SAFETY: just mapped, and nobody has been given a pointer into it.
        unsafe { unmap(memory, length) };
        return Err(error);
    }
    Ok(memory)
}

/// Asks for large pages under memory that is long enough for them: madvise(2), `MADV_HUGEPAGE`. A table in which every
/// look-up lands elsewhere otherwise costs a page walk beside each cache miss.
pub fn prefer_large_pages(memory: NonNull<u8>, length: usize) {
    /// The size of such a page with the usual page size of 4 KiB.
    const LARGE_PAGE_BYTES: usize = 2 << 20;
    if length < LARGE_PAGE_BYTES {
        return;
    }
    let arguments = [
        memory.as_ptr() as usize,
        length,
        libc::MADV_HUGEPAGE as usize,
        0,
        0,
        0,
    ];
    // SAFETY: S1; advice changes nothing that is in memory.
    let _ = unsafe { call(libc::SYS_madvise, arguments) };
}

/// Gives memory back to the system; it reads as zeros afterwards.
///
/// # Safety
/// The range is private memory mapped by [`map_private_wiped_on_fork`], and zeros in it harm nobody.
pub unsafe fn discard(memory: *const u8, length: usize) {
    let arguments = [
        memory as usize,
        length,
        libc::MADV_DONTNEED as usize,
        0,
        0,
        0,
    ];
    // SAFETY: the caller's promise. Failure leaves the memory as it is, which costs only space.
    let _ = unsafe { call(libc::SYS_madvise, arguments) };
}

/// munmap(2).
///
/// # Safety
/// The range was mapped here and nothing points into it any more.
pub unsafe fn unmap(memory: NonNull<u8>, length: usize) {
    let arguments = [memory.as_ptr() as usize, length, 0, 0, 0, 0];
    // SAFETY: the caller's promise.
    let _ = unsafe { call(libc::SYS_munmap, arguments) };
}

/// The greatest length a file may be given by this process, getrlimit(2) `RLIMIT_FSIZE`.
pub fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit64 {
        rlim_cur: 0,
        rlim_max: 0,
    };
    let arguments = [
        0,
        libc::RLIMIT_FSIZE as usize,
        0,
        (&raw mut limit) as usize,
        0,
        0,
    ];
    // SAFETY: S2.
    match unsafe { checked(libc::SYS_prlimit64, arguments) } {
        Ok(_) => limit.rlim_cur,
        Err(_) => u64::MAX,
    }
}

/// Blocks every signal for this thread and returns which were blocked before.
pub fn block_signals() -> u64 {
    let all = u64::MAX;
    let mut before = 0_u64;
    let arguments = [
        libc::SIG_SETMASK as usize,
        (&raw const all) as usize,
        (&raw mut before) as usize,
        size_of::<u64>(),
        0,
        0,
    ];
    // SAFETY: S2; the kernel's signal set is 8 bytes long on 64-bit machines.
    let _ = unsafe { call(libc::SYS_rt_sigprocmask, arguments) };
    before
}

/// Blocks exactly the signals in `mask`, as [`block_signals`] returned it.
pub fn restore_signals(mask: u64) {
    let arguments = [
        libc::SIG_SETMASK as usize,
        (&raw const mask) as usize,
        0,
        size_of::<u64>(),
        0,
        0,
    ];
    // SAFETY: S2.
    let _ = unsafe { call(libc::SYS_rt_sigprocmask, arguments) };
}

/// Sleeps while `word` is `value`, until woken: futex(2), `FUTEX_WAIT_PRIVATE`.
pub fn futex_wait(word: &AtomicU32, value: u32) {
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    let arguments = [
        word.as_ptr() as usize,
        operation as usize,
        value as usize,
        0,
        0,
        0,
    ];
    // SAFETY: S2. Waking without cause and EAGAIN are what the caller loops for.
    let _ = unsafe { call(libc::SYS_futex, arguments) };
}

/// Wakes one sleeper on `word`.
pub fn futex_wake_one(word: &AtomicU32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    let arguments = [word.as_ptr() as usize, operation as usize, 1, 0, 0, 0];
    // SAFETY: S2.
    let _ = unsafe { call(libc::SYS_futex, arguments) };
}

/// Process id.
pub fn pid() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_getpid, [0; 6]) as u32 }
}

/// Parent's process id.
pub fn parent_pid() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_getppid, [0; 6]) as u32 }
}

/// The effective user: geteuid(2).
pub fn effective_user() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_geteuid, [0; 6]) as u32 }
}

/// Thread id.
pub fn tid() -> u32 {
    // SAFETY: S1.
    unsafe { call(libc::SYS_gettid, [0; 6]) as u32 }
}

/// getrusage(2).
pub fn resource_usage(whom: c_int, usage: &mut libc::rusage) -> Result<(), Errno> {
    let usage: *mut libc::rusage = usage;
    let arguments = [whom as usize, usage as usize, 0, 0, 0, 0];
    // SAFETY: S2: the kernel writes a `rusage` or nothing.
    unsafe { checked(libc::SYS_getrusage, arguments) }.map(drop)
}

/// This thread's name, prctl(2) `PR_GET_NAME`: ended by a zero byte.
pub fn thread_name() -> [u8; 16] {
    let mut name = [0; 16];
    let arguments = [
        libc::PR_GET_NAME as usize,
        name.as_mut_ptr() as usize,
        0,
        0,
        0,
        0,
    ];
    // SAFETY: S2; the kernel writes at most 16 bytes.
    let _ = unsafe { call(libc::SYS_prctl, arguments) };
    name
}

/// Writes to stderr, as far as it goes.
pub fn write_stderr(text: &[u8]) {
    let arguments = [
        libc::STDERR_FILENO as usize,
        text.as_ptr() as usize,
        text.len(),
        0,
        0,
        0,
    ];
    // SAFETY: S2.
    let _ = unsafe { call(libc::SYS_write, arguments) };
}

/// Ends the process by `SIGABRT`.
#[cfg_attr(
    not(panic = "abort"),
    expect(dead_code, reason = "only the library itself brings a panic handler")
)]
pub fn abort() -> ! {
    loop {
        let arguments = [
            pid() as usize,
            tid() as usize,
            libc::SIGABRT as usize,
            0,
            0,
            0,
        ];
        // SAFETY: S1.
        let _ = unsafe { call(libc::SYS_tgkill, arguments) };
    }
}

/// The time of `clock` by clock_gettime(2), asked of the kernel itself.
pub extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> c_int {
    let arguments = [clock as usize, time as usize, 0, 0, 0, 0];
    // SAFETY: the kernel checks the pointer and writes a `timespec` or nothing.
    unsafe { call(libc::SYS_clock_gettime, arguments) as c_int }
}

/// Reads this process's own memory at `address` into `buffer` and says how much of it is there: process_vm_readv(2).
///
/// The kernel copies, so that memory which another thread unmaps meanwhile is an error and not a `SIGSEGV`.
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
        0,
    ];
    // SAFETY: S2: `local` is the buffer. `remote` may be anything, which the kernel finds out.
    unsafe { checked(libc::SYS_process_vm_readv, arguments) }
}

//! A sandbox in which membarrier(2) is refused: a filter of system calls (seccomp(2)) for all threads of the process, for good.

use libc::{
    BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, PR_SET_NO_NEW_PRIVS,
    SECCOMP_FILTER_FLAG_TSYNC, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SECCOMP_SET_MODE_FILTER,
    sock_filter, sock_fprog,
};

/// From here on every call of membarrier fails with EPERM.
pub fn forbid_membarrier() {
    let instruction = |code: u32, jt: u8, jf: u8, k: u32| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let number = libc::SYS_membarrier as u32;
    let mut filter = [
        // The call's number lies at the beginning of what the filter sees.
        instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, 0),
        instruction(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number),
        instruction(
            BPF_RET | BPF_K,
            0,
            0,
            SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned(),
        ),
        instruction(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW),
    ];
    let program = sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: numbers only.
    assert_eq!(unsafe { libc::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }, 0);
    // SAFETY: the program lives during the call.
    let set = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            SECCOMP_SET_MODE_FILTER,
            SECCOMP_FILTER_FLAG_TSYNC,
            &raw const program,
        )
    };
    assert_eq!(
        set,
        0,
        "the filter is set: {}",
        std::io::Error::last_os_error()
    );
    // SAFETY: asks which commands there are.
    let asked = unsafe { libc::syscall(libc::SYS_membarrier, 0, 0, 0) };
    assert_eq!(asked, -1, "the filter works");
    assert_eq!(
        std::io::Error::last_os_error().raw_os_error(),
        Some(libc::EPERM)
    );
}

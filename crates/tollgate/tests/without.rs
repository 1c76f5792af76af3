//! A Tollgate if the kernel or the C library does not offer the features that a release by a store needs, or withdraws them
//! later. Each test runs itself again in a process of its own, because the choice is made once per process.
#![cfg(all(not(locktoll_loom), target_os = "linux"))]

mod forbidden;
mod own_process;

use own_process::in_a_process;
use tollgate::RawMutex;

fn contend() {
    own_process::contend::<RawMutex>();
}

fn last_releases() {
    own_process::last_releases::<RawMutex>();
}

#[test]
fn restartable_sequences() {
    in_a_process("restartable_sequences", "glibc.pthread.rseq=0", || {
        // SAFETY: the name of a variable, or of nothing.
        let size =
            unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()) }.cast::<u32>();
        // SAFETY: the C library's variable, if it has one.
        assert!(size.is_null() || unsafe { *size } == 0, "they are off");
        contend();
        last_releases();
    });
}

#[test]
fn membarrier_from_the_beginning() {
    in_a_process("membarrier_from_the_beginning", "", || {
        forbidden::forbid_membarrier();
        contend();
        last_releases();
    });
}

#[test]
fn membarrier_after_it_was_relied_on() {
    in_a_process("membarrier_after_it_was_relied_on", "", || {
        contend();
        forbidden::forbid_membarrier();
        contend();
        last_releases();
    });
}

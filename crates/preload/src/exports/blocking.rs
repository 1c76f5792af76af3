//! Functions that may block in the kernel, which a thread should not call while others wait for its locks.
//!
//! The calls are only noted, and only if the calling thread holds a lock (calls that yield are also counted). Without a lock, each
//! jumps to the real function, with all arguments in their places and nothing added to the stack. With a lock, it is called from a
//! frame that unwinders know, and its end is noted too. Results, `errno`, cancellation and variable arguments are handled by the
//! real function.

use core::ffi::c_int;

use locktoll_recording::layout::call_number;

use super::trampoline::onward;
use crate::hooks::blocking as hooks;
use crate::real;

/// Defines functions that note the call and go on to the real functions of the same name.
macro_rules! noted {
    ($($(#[$meta:meta])* $name:ident => $real:ident, $note:ident;)*) => {$(
        $(#[$meta])*
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            onward!(real::$real, hooks::$note, call_number(stringify!($name)))
        }
    )*};
}

// Files.
noted! {
    /// read(2).
    read => READ, note;
    /// write(2).
    write => WRITE, note;
    /// pread(2).
    pread => PREAD, note;
    /// pread(2).
    pread64 => PREAD64, note;
    /// pwrite(2).
    pwrite => PWRITE, note;
    /// pwrite(2).
    pwrite64 => PWRITE64, note;
    /// readv(2).
    readv => READV, note;
    /// writev(2).
    writev => WRITEV, note;
    /// preadv(2).
    preadv => PREADV, note;
    /// preadv(2).
    preadv64 => PREADV64, note;
    /// pwritev(2).
    pwritev => PWRITEV, note;
    /// pwritev(2).
    pwritev64 => PWRITEV64, note;
    /// open(2).
    open => OPEN, note;
    /// open(2).
    open64 => OPEN64, note;
    /// openat(2).
    openat => OPENAT, note;
    /// openat(2).
    openat64 => OPENAT64, note;
    /// creat(2).
    creat => CREAT, note;
    /// creat(2).
    creat64 => CREAT64, note;
    /// fsync(2).
    fsync => FSYNC, note;
    /// fdatasync(2).
    fdatasync => FDATASYNC, note;
    /// msync(2).
    msync => MSYNC, note;
    /// flock(2).
    flock => FLOCK, note;
    /// sendfile(2).
    sendfile => SENDFILE, note;
    /// sendfile(2).
    sendfile64 => SENDFILE64, note;
    /// splice(2).
    splice => SPLICE, note;
}

// The same, with a check of the buffer's length or of the flags. Programs compiled with `_FORTIFY_SOURCE` call these.
noted! {
    /// The checked form of `read`.
    __read_chk => CHECKED_READ_CHK, note;
    /// The checked form of `pread`.
    __pread_chk => CHECKED_PREAD_CHK, note;
    /// The checked form of `pread64`.
    __pread64_chk => CHECKED_PREAD64_CHK, note;
    /// The checked form of `recv`.
    __recv_chk => CHECKED_RECV_CHK, note;
    /// The checked form of `recvfrom`.
    __recvfrom_chk => CHECKED_RECVFROM_CHK, note_beginning;
    /// The checked form of `poll`.
    __poll_chk => CHECKED_POLL_CHK, note;
    /// The checked form of `ppoll`.
    __ppoll_chk => CHECKED_PPOLL_CHK, note;
    /// The checked form of `open`.
    __open_2 => CHECKED_OPEN_2, note;
    /// The checked form of `open64`.
    __open64_2 => CHECKED_OPEN64_2, note;
    /// The checked form of `openat`.
    __openat_2 => CHECKED_OPENAT_2, note;
    /// The checked form of `openat64`.
    __openat64_2 => CHECKED_OPENAT64_2, note;
}

// Sockets.
noted! {
    /// recv(2).
    recv => RECV, note;
    /// recvfrom(2).
    recvfrom => RECVFROM, note;
    /// recvmsg(2).
    recvmsg => RECVMSG, note;
    /// recvmmsg(2).
    recvmmsg => RECVMMSG, note;
    /// send(2).
    send => SEND, note;
    /// sendto(2).
    sendto => SENDTO, note;
    /// sendmsg(2).
    sendmsg => SENDMSG, note;
    /// sendmmsg(2).
    sendmmsg => SENDMMSG, note;
    /// accept(2).
    accept => ACCEPT, note;
    /// accept4(2).
    accept4 => ACCEPT4, note;
    /// connect(2).
    connect => CONNECT, note;
}

// Waiting for one of several descriptors.
noted! {
    /// poll(2).
    poll => POLL, note;
    /// ppoll(2).
    ppoll => PPOLL, note;
    /// select(2).
    select => SELECT, note;
    /// pselect(2).
    pselect => PSELECT, note;
    /// epoll_wait(2).
    epoll_wait => EPOLL_WAIT, note;
    /// epoll_pwait(2).
    epoll_pwait => EPOLL_PWAIT, note;
}

// Waiting for a time, a processor, a signal, a process or a thread.
noted! {
    /// nanosleep(2).
    nanosleep => NANOSLEEP, note;
    /// clock_nanosleep(2).
    clock_nanosleep => CLOCK_NANOSLEEP, note;
    /// usleep(3).
    usleep => USLEEP, note;
    /// sleep(3).
    sleep => SLEEP, note;
    /// thrd_sleep(3).
    thrd_sleep => THRD_SLEEP, note;
    /// pause(2).
    pause => PAUSE, note;
    /// wait(2).
    wait => WAIT, note;
    /// waitpid(2).
    waitpid => WAITPID, note;
    /// wait4(2).
    wait4 => WAIT4, note;
    /// waitid(2).
    waitid => WAITID, note;
    /// pthread_join(3).
    pthread_join => PTHREAD_JOIN, note;
    /// thrd_join(3).
    thrd_join => THRD_JOIN, note;
}

// Waiting for a lock on a file: only the commands that wait are noted.
noted! {
    /// fcntl(2).
    fcntl => FCNTL, note_fcntl;
    /// fcntl(2).
    fcntl64 => FCNTL64, note_fcntl;
}

/// sched_yield(2).
#[unsafe(no_mangle)]
pub extern "C" fn sched_yield() -> c_int {
    hooks::sched_yield()
}

/// pthread_yield(3), which is the same function. glibc since 2.34 has it only for programs that were linked before.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_yield() -> c_int {
    hooks::sched_yield()
}

/// thrd_yield(3).
#[unsafe(no_mangle)]
pub extern "C" fn thrd_yield() {
    hooks::thrd_yield();
}

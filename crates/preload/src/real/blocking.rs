//! Functions that may block in the kernel. They are only jumped to, except those that yield.

use core::ffi::c_int;

use super::{Function, Opaque};

/// sched_yield(2).
pub static SCHED_YIELD: Function<extern "C" fn() -> c_int> = Function::named(c"sched_yield");
/// thrd_yield(3).
pub static THRD_YIELD: Function<extern "C" fn()> = Function::named(c"thrd_yield");

macro_rules! jumped_to {
    ($($name:ident: $c_name:literal;)*) => {
        $(pub static $name: Function<Opaque> = Function::named($c_name);)*
    };
}

jumped_to! {
    READ: c"read";
    WRITE: c"write";
    PREAD: c"pread";
    PREAD64: c"pread64";
    PWRITE: c"pwrite";
    PWRITE64: c"pwrite64";
    READV: c"readv";
    WRITEV: c"writev";
    PREADV: c"preadv";
    PREADV64: c"preadv64";
    PWRITEV: c"pwritev";
    PWRITEV64: c"pwritev64";
    OPEN: c"open";
    OPEN64: c"open64";
    OPENAT: c"openat";
    OPENAT64: c"openat64";
    CREAT: c"creat";
    CREAT64: c"creat64";
    FSYNC: c"fsync";
    FDATASYNC: c"fdatasync";
    MSYNC: c"msync";
    FLOCK: c"flock";
    SENDFILE: c"sendfile";
    SENDFILE64: c"sendfile64";
    SPLICE: c"splice";
    CHECKED_READ_CHK: c"__read_chk";
    CHECKED_PREAD_CHK: c"__pread_chk";
    CHECKED_PREAD64_CHK: c"__pread64_chk";
    CHECKED_RECV_CHK: c"__recv_chk";
    CHECKED_RECVFROM_CHK: c"__recvfrom_chk";
    CHECKED_POLL_CHK: c"__poll_chk";
    CHECKED_PPOLL_CHK: c"__ppoll_chk";
    CHECKED_OPEN_2: c"__open_2";
    CHECKED_OPEN64_2: c"__open64_2";
    CHECKED_OPENAT_2: c"__openat_2";
    CHECKED_OPENAT64_2: c"__openat64_2";
    RECV: c"recv";
    RECVFROM: c"recvfrom";
    RECVMSG: c"recvmsg";
    RECVMMSG: c"recvmmsg";
    SEND: c"send";
    SENDTO: c"sendto";
    SENDMSG: c"sendmsg";
    SENDMMSG: c"sendmmsg";
    ACCEPT: c"accept";
    ACCEPT4: c"accept4";
    CONNECT: c"connect";
    POLL: c"poll";
    PPOLL: c"ppoll";
    SELECT: c"select";
    PSELECT: c"pselect";
    EPOLL_WAIT: c"epoll_wait";
    EPOLL_PWAIT: c"epoll_pwait";
    NANOSLEEP: c"nanosleep";
    CLOCK_NANOSLEEP: c"clock_nanosleep";
    USLEEP: c"usleep";
    SLEEP: c"sleep";
    THRD_SLEEP: c"thrd_sleep";
    PAUSE: c"pause";
    WAIT: c"wait";
    WAITPID: c"waitpid";
    WAIT4: c"wait4";
    WAITID: c"waitid";
    PTHREAD_JOIN: c"pthread_join";
    THRD_JOIN: c"thrd_join";
    FCNTL: c"fcntl";
    FCNTL64: c"fcntl64";
}

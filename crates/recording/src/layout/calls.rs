//! Functions of the C library that may block, by number.

/// The functions, in the order of their numbers, from 1. A function with several names, such as `pread64` and `__pread_chk`, has the
/// shortest. New ones are added at the end.
const CALLS: [&str; 47] = [
    "read",
    "write",
    "pread",
    "pwrite",
    "readv",
    "writev",
    "preadv",
    "pwritev",
    "open",
    "openat",
    "creat",
    "fsync",
    "fdatasync",
    "msync",
    "flock",
    "sendfile",
    "splice",
    "recv",
    "recvfrom",
    "recvmsg",
    "recvmmsg",
    "send",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "accept",
    "accept4",
    "connect",
    "poll",
    "ppoll",
    "select",
    "pselect",
    "epoll_wait",
    "epoll_pwait",
    "nanosleep",
    "clock_nanosleep",
    "usleep",
    "sleep",
    "thrd_sleep",
    "pause",
    "wait",
    "waitpid",
    "wait4",
    "waitid",
    "pthread_join",
    "thrd_join",
    "fcntl",
];

/// The number of functions that a record of holds counts one by one.
pub const CALLS_KEPT: usize = 4;

/// The bits of a counter of calls that are the count; the number of the function is above them.
pub const CALL_COUNT_BITS: u32 = 56;

/// Returns the number of a function by one of its names.
///
/// # Panics
/// If the function has no number. It is called while the library is compiled.
#[must_use]
pub const fn call_number(name: &str) -> u8 {
    let name = name.as_bytes();
    let mut index = 0;
    while index < CALLS.len() {
        if is_name_of(name, CALLS[index].as_bytes()) {
            return index as u8 + 1;
        }
        index += 1;
    }
    panic!("the function has no number")
}

/// Returns the name of the function with this number; `None` if this version does not know it.
#[must_use]
pub fn call_name(number: u8) -> Option<&'static str> {
    CALLS.get(usize::from(number).checked_sub(1)?).copied()
}

/// Whether `name` is `call`, with `__` before it, and `64`, `_chk`, `64_chk`, `_2` or `64_2` after it, if anything.
const fn is_name_of(name: &[u8], call: &[u8]) -> bool {
    let begin = if name.len() > 2 && name[0] == b'_' && name[1] == b'_' {
        2
    } else {
        0
    };
    if name.len() < begin + call.len() {
        return false;
    }
    let mut at = 0;
    while at < call.len() {
        if name[begin + at] != call[at] {
            return false;
        }
        at += 1;
    }
    let (_, rest) = name.split_at(begin + call.len());
    matches!(rest, b"" | b"64" | b"_chk" | b"64_chk" | b"_2" | b"64_2")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_the_number_of_its_function() {
        let named = |name| call_name(call_number(name)).unwrap();
        for (name, call) in [
            ("read", "read"),
            ("readv", "readv"),
            ("pread64", "pread"),
            ("__pread64_chk", "pread"),
            ("__open64_2", "open"),
            ("openat", "openat"),
            ("wait", "wait"),
            ("wait4", "wait4"),
            ("accept4", "accept4"),
            ("fcntl64", "fcntl"),
        ] {
            assert_eq!(named(name), call);
        }
        assert_eq!(call_name(0), None);
        assert_eq!(call_name(CALLS.len() as u8 + 1), None);
    }
}

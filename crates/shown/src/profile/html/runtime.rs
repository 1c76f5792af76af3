//! Recognises calls that begin a thread or pass a call on. They belong to the language's runtime, not to the program.

use locktoll_results::profile::Frame;

/// Sources of Rust's and C++'s standard libraries, whatever folder they were built in.
const SOURCES: &[&str] = &[
    "/library/std/src/",
    "/library/core/src/",
    "/library/alloc/src/",
    "/include/c++/",
    "/libstdc++-v3/",
];

/// Beginnings of function names, for calls whose source is not known.
const NAMES: &[&str] = &[
    "std::",
    "core::",
    "alloc::",
    "<std::",
    "<core::",
    "<alloc::",
    "__rust_",
    "__gthread",
    "__gnu_cxx::",
];

/// The functions with which the C library starts programs and threads.
const STARTS: &[&str] = &[
    "_start",
    "__libc_start_main",
    "__libc_start_main_impl",
    "__libc_start_call_main",
    "start_thread",
    "clone",
    "clone3",
    "__clone",
    "__clone3",
    "execute_native_thread_routine",
];

/// Whether a call is the runtime's.
pub fn is_runtime(frame: &Frame) -> bool {
    let of_library = |file: &str| SOURCES.iter().any(|source| file.contains(source));
    let called = |name: &str| {
        STARTS.contains(&name) || NAMES.iter().any(|beginning| name.starts_with(beginning))
    };
    frame.file.as_deref().is_some_and(of_library) || frame.function.as_deref().is_some_and(called)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, file: Option<&str>) -> Frame {
        Frame {
            function: Some(function.to_owned()),
            file: file.map(str::to_owned),
            ..Frame::default()
        }
    }

    #[test]
    fn plumbing_is_told_from_the_programs_own_calls() {
        for (function, file) in [
            (
                "call_once<>",
                Some("/rustc/59807616e/library/core/src/ops/function.rs"),
            ),
            (
                "do_call",
                Some("/opt/rust/lib/rustlib/src/rust/library/std/src/panicking.rs"),
            ),
            (
                "_M_invoke<0>",
                Some("/usr/include/c++/12/bits/std_thread.h"),
            ),
            (
                "<alloc::boxed::Box<F> as core::ops::FnOnce<A>>::call_once",
                None,
            ),
            ("__rust_begin_short_backtrace", None),
            ("start_thread", None),
        ] {
            assert!(is_runtime(&frame(function, file)), "{function}");
        }
        for (function, file) in [
            ("call_once<>", Some("/home/ann/app/src/library.rs")),
            ("main", Some("main.c")),
            ("start_threads", None),
            ("stdout_writer", None),
        ] {
            assert!(!is_runtime(&frame(function, file)), "{function}");
        }
        assert!(!is_runtime(&Frame::default()), "nothing is known of it");
    }
}

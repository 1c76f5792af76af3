//! The place in the program that asked for a lock, behind the wrappers of libraries.

use super::frame::Frame;

/// Functions whose names begin like this are paths to a lock, not places in the program: standard libraries, and libraries that
/// wrap the system's locks one to one.
const WRAPPERS: &[&str] = &[
    "std::",
    "core::",
    "alloc::",
    "<std::",
    "<core::",
    "<alloc::",
    "__gthread",
    "__gnu_cxx::",
    "__glibcxx_rwlock",
    "__cxxabi",
    "pthread_",
    "__pthread_",
    "mtx_",
    "cnd_",
    "sem_",
    "g_mutex_",
    "g_rec_mutex_",
    "g_rw_lock_",
    "g_cond_",
    "uv_mutex_",
    "uv_rwlock_",
    "uv_cond_",
    "uv_sem_",
    "apr_thread_",
    "ngx_thread_mutex_",
    "ngx_thread_cond_",
    "CRYPTO_THREAD_read_lock",
    "CRYPTO_THREAD_write_lock",
    "CRYPTO_THREAD_unlock",
    "ossl_crypto_mutex_",
    "ossl_crypto_condvar_",
    "SDL_LockMutex",
    "SDL_UnlockMutex",
    "SDL_CondWait",
    "SDL_SemWait",
    "PR_Lock",
    "PR_Unlock",
    "PR_WaitCondVar",
    "PGSemaphoreLock",
    "LWLockAcquire",
    "LWLockConditionalAcquire",
    "LWLockWaitForVar",
    "PyThread_",
    "boost::mutex::",
    "boost::shared_mutex::",
    "boost::unique_lock",
    "boost::lock_guard",
    "boost::condition_variable",
    "lock_api::",
    "<lock_api::",
    "parking_lot::",
    "<parking_lot::",
    "parking_lot_core::",
    "<parking_lot_core::",
    "tollgate::",
    "<tollgate::",
    "locktoll_locks::",
    "<locktoll_locks::",
    "locktoll_waiting::",
];

/// Functions that make the system call, and those of Go's runtime and of its locks.
const BENEATH: &[&str] = &["runtime.", "internal/runtime/", "sync.(*", "internal/sync."];

/// As above, in the C library, and in Java's virtual machine and its locks.
const SYSTEM_CALLS: &[&str] = &[
    "syscall",
    "__lll_",
    "lll_mutex_lock",
    "__libc_",
    "_int_malloc",
    "_int_free",
    "__futex_",
    "futex_wait",
    "___pthread_",
    "__new_sem_",
    "__GI_",
];

/// Functions of Java's virtual machine and of its library that wait and wake, for any purpose.
const JAVA: &[&str] = &[
    "os::Platform",
    "Parker::",
    "Unsafe_Park",
    "Unsafe_Unpark",
    "ObjectMonitor::",
    "ObjectSynchronizer::",
    "SharedRuntime::",
    "_complete_monitor_locking_Java",
    "Runtime1::monitor",
    "Monitor::",
    "Mutex::",
    "JavaThread::sleep",
    "JVM_Sleep",
    "JVM_MonitorWait",
    "jdk.internal.misc.Unsafe.",
    "java.util.concurrent.locks.",
    "java.lang.Object.wait",
    "java.lang.Thread.sleep",
];

/// Whether a place lies in Java's virtual machine or in generated code.
fn is_of_java(frame: &Frame) -> bool {
    let module = frame.module.as_deref();
    module.is_none_or(|module| module.ends_with("/libjvm.so"))
}

/// The names of the C library's allocator, which a static program has in its own file.
const ALLOCATOR: &[&str] = &["malloc", "calloc", "realloc", "free"];

/// Where the source files of these libraries are: C++'s and Rust's standard libraries, and crates of locks.
const SOURCES: &[&str] = &[
    "/include/c++/",
    "/rustlib/src/rust/library/",
    "/lock_api-",
    "/parking_lot-",
    "/parking_lot_core-",
];

/// Whether a file is a source file of one of these libraries. In released Rust toolchains, their names begin with
/// `/rustc/HASH/library/`.
fn is_source(file: &str) -> bool {
    (file.starts_with("/rustc/") && file.contains("/library/"))
        || SOURCES.iter().any(|folder| file.contains(folder))
}

/// Returns the innermost frame that is not a standard library's wrapper; if all of them are, the innermost of all.
pub fn caller(frames: &[Frame]) -> Option<&Frame> {
    frames
        .iter()
        .find(|frame| !is_wrapper(frame))
        .or_else(|| frames.iter().find(|frame| !is_sleep(frame)))
        .or(frames.first())
}

/// How Go's runtime puts threads to sleep and wakes them.
const SLEEPS: &[&str] = &[
    "runtime.futex",
    "runtime.note",
    "runtime.sema",
    "runtime.mPark",
];

/// How Rust's standard library makes the system call, whatever it waits or wakes for: the names end like this.
const FUTEX_CALLS: &[&str] = &["::futex_wait", "::futex_wake", "::futex_wake_all"];

/// Whether a function is only a way to sleep: if nothing else is known about a stack, its caller shows more.
fn is_sleep(frame: &Frame) -> bool {
    let name = frame.function.as_deref().unwrap_or_default();
    is_c_library(frame)
        || SLEEPS.iter().any(|sleep| name.starts_with(sleep))
        || FUTEX_CALLS.iter().any(|call| name.ends_with(call))
}

/// Whether a function is a standard library's path to a lock. A function without a name is not known to be one.
pub fn is_wrapper(frame: &Frame) -> bool {
    // Debug information may leave `std::` out: for a call that was inlined from a header, and for all functions if it contains
    // only line tables.
    if frame.file.as_deref().is_some_and(is_source) {
        return true;
    }
    let Some(name) = &frame.function else {
        return is_c_library(frame) || is_openmp(frame);
    };
    // A call in the program never lies there, whatever the function is called.
    if is_c_library(frame) || is_openmp(frame) || ALLOCATOR.contains(&name.as_str()) {
        return true;
    }
    // The locks that `locktoll try` puts in.
    if is_in(frame, &["liblocktoll_substitute"]) {
        return true;
    }
    let path = without_return_type(name);
    // Code that the virtual machine has generated for itself.
    if is_of_java(frame) && name.ends_with(" stub") {
        return true;
    }
    if is_of_java(frame) && JAVA.iter().any(|wrapper| path.starts_with(wrapper)) {
        return true;
    }
    [WRAPPERS, BENEATH, SYSTEM_CALLS]
        .iter()
        .any(|all| all.iter().any(|wrapper| path.starts_with(wrapper)))
}

/// Whether a place lies in an OpenMP runtime library: GCC's, or LLVM's under either of its names.
pub fn is_openmp(frame: &Frame) -> bool {
    is_in(frame, &["libgomp.so", "libomp.so", "libiomp5.so"])
}

/// Whether a place lies in the C library or the dynamic loader.
pub fn is_c_library(frame: &Frame) -> bool {
    const FILES: &[&str] = &[
        "libc.so",
        "libc-2.",
        "libpthread",
        "ld-linux",
        "ld-2.",
        "ld-musl",
        "libc.musl",
        "ld64.so",
    ];
    is_in(frame, FILES)
}

/// Whether a place lies in a file whose name begins like one of these.
fn is_in(frame: &Frame, files: &[&str]) -> bool {
    let module = frame.module.as_deref().unwrap_or_default();
    let file = module.rsplit('/').next().unwrap_or(module);
    files.iter().any(|name| file.starts_with(name))
}

/// Returns `std::lock<...>(...)` for `void std::lock<...>(...)`: the names of functions made from C++ templates contain the type
/// that they return.
fn without_return_type(name: &str) -> &str {
    let mut depth = 0_u32;
    let mut begin = 0;
    for (position, byte) in name.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => begin = position + 1,
            b'(' if depth == 0 => break,
            _ => {}
        }
    }
    &name[begin..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<Frame> {
        let frame = |name: &&str| Frame {
            function: Some((*name).to_owned()),
            ..Frame::default()
        };
        names.iter().map(frame).collect()
    }

    #[test]
    fn the_standard_librarys_inlined_wrappers_are_passed_over() {
        let frames = named(&["__gthread_mutex_lock(int*)", "std::mutex::lock()", "push"]);
        let function = |frames: &[Frame]| caller(frames).unwrap().function.clone().unwrap();
        assert_eq!(function(&frames), "push");
        assert_eq!(function(&frames[..2]), "__gthread_mutex_lock(int*)");
        assert_eq!(caller(&[]), None);
    }

    #[test]
    fn what_lies_in_a_librarys_source_is_a_wrapper_by_any_name() {
        for (file, wrapper) in [
            ("/usr/include/c++/12/condition_variable", true),
            (
                "/rustc/59807616e1/library/std/src/sync/poison/mutex.rs",
                true,
            ),
            (
                "/opt/lib/rustlib/src/rust/library/std/src/sync/mpsc.rs",
                true,
            ),
            ("/registry/src/lock_api-0.4.12/src/mutex.rs", true),
            ("/registry/src/parking_lot-0.12.5/src/raw_mutex.rs", true),
            ("/registry/src/parking_lots-0.1.0/src/lib.rs", false),
            ("/home/app/library/src/queue.rs", false),
        ] {
            let mut frame = named(&["lock"]).remove(0);
            assert!(!is_wrapper(&frame));
            frame.file = Some(file.to_owned());
            assert_eq!(is_wrapper(&frame), wrapper, "{file}");
        }
    }

    #[test]
    fn where_only_a_library_is_seen_it_is_named_by_what_it_waits_for() {
        let wait = "std::sys::pal::unix::futex::futex_wait";
        let lock = "std::sys::sync::mutex::futex::Mutex::lock_contended";
        assert_eq!(
            caller(&named(&[wait, lock])).unwrap().function.as_deref(),
            Some(lock)
        );
        let wake = "std::sys::pal::unix::futex::futex_wake";
        let unpark = "std::thread::Thread::unpark";
        assert_eq!(
            caller(&named(&[wake, unpark])).unwrap().function.as_deref(),
            Some(unpark)
        );
        // A stack about which nothing else is known.
        assert_eq!(
            caller(&named(&[wait])).unwrap().function.as_deref(),
            Some(wait)
        );
    }

    #[test]
    fn libraries_that_wrap_the_systems_locks_are_passed_over() {
        for (wrapper, place) in [
            ("ngx_thread_mutex_lock", "ngx_thread_pool_cycle"),
            ("CRYPTO_THREAD_write_lock", "CRYPTO_THREAD_run_once"),
            ("ossl_crypto_mutex_lock", "ossl_crypto_thread_native_join"),
            ("SDL_LockMutex", "SDL_PushEvent"),
            ("PR_Lock", "PR_Read"),
            ("PGSemaphoreLock", "ProcArrayEndTransaction"),
            ("LWLockAcquire", "LockBuffer"),
        ] {
            let frames = named(&["pthread_mutex_lock", wrapper, place, "main"]);
            assert_eq!(caller(&frames), Some(&frames[2]));
        }
    }

    #[test]
    fn a_return_type_hides_no_wrapper_and_makes_none() {
        for (name, wrapper) in [
            (
                "void std::lock<std::mutex, std::mutex>(std::mutex&, std::mutex&)",
                true,
            ),
            ("std::unique_lock<std::mutex>::lock()", true),
            (
                "<std::sync::mutex::MutexGuard<T> as core::ops::Drop>::drop",
                true,
            ),
            ("std::vector<int> app::snapshot(std::mutex&)", false),
            ("app::push(std::mutex&)", false),
            ("standard_lock", false),
            ("semaphore_wait", false),
        ] {
            assert_eq!(is_wrapper(&named(&[name])[0]), wrapper, "{name}");
        }
    }
}

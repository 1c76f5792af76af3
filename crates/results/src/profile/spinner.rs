//! Code that is known for busy waiting, and the setting that changes it.
//!
//! This is the only table of them. `known_as` in a profile is a name from it.

use std::path::Path;

use super::frame::Frame;
use super::named::base;

/// Code that waits busily, and what to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spinner {
    /// Its name, `known_as` in a profile.
    pub name: &'static str,
    /// The beginnings of the file names of its code.
    modules: &'static [&'static str],
    /// The functions to which the row applies, by their beginnings; empty for all functions of the modules.
    functions: &'static [&'static str],
    /// What to try, as a sentence.
    pub remedy: &'static str,
    /// Where that is documented.
    pub source: &'static str,
}

/// The table. The first row that fits applies.
pub const SPINNERS: &[Spinner] = &[
    Spinner {
        name: "libgomp",
        modules: &["libgomp.so"],
        functions: &[],
        remedy: "OMP_WAIT_POLICY=passive lets threads sleep at barriers, GOMP_SPINCOUNT=N bounds their spinning, OMP_NUM_THREADS=N starts no more threads than CPUs",
        source: "https://gcc.gnu.org/onlinedocs/libgomp/GOMP_005fSPINCOUNT.html",
    },
    Spinner {
        name: "libomp",
        modules: &["libomp.so", "libiomp5.so"],
        functions: &[],
        remedy: "KMP_BLOCKTIME=0 or OMP_WAIT_POLICY=passive lets threads sleep, OMP_NUM_THREADS=N starts no more threads than CPUs",
        source: "https://openmp.llvm.org/design/Runtimes.html#kmp-blocktime",
    },
    Spinner {
        name: "OpenBLAS",
        modules: &["libopenblas", "libscipy_openblas"],
        functions: &[],
        remedy: "OPENBLAS_THREAD_TIMEOUT=4 shortens the spinning of idle threads to 2^4 cycles (4 to 30; 26 by default), OPENBLAS_NUM_THREADS=N starts no more threads than CPUs",
        source: "https://github.com/OpenMathLib/OpenBLAS/blob/develop/Makefile.rule, THREAD_TIMEOUT",
    },
    Spinner {
        name: "redis",
        modules: &["redis-server", "redis-check-rdb", "valkey-server"],
        functions: &[],
        remedy: "set `io-threads` to 1, or to less than the number of CPUs",
        source: "https://github.com/redis/redis/blob/7.0/redis.conf, THREADED I/O",
    },
    Spinner {
        name: "PostgreSQL",
        modules: &["postgres"],
        functions: &["s_lock", "perform_spin_delay", "LWLockWaitListLock", "tas"],
        remedy: "huge_pages=on shortens the faults under the lock, fewer backends (a connection pool) make preemption of the holder rarer",
        source: "https://www.postgresql.org/docs/current/kernel-resources.html#LINUX-HUGE-PAGES",
    },
    Spinner {
        name: "Go",
        modules: &[],
        functions: &[
            "runtime.procyield",
            "runtime.lock2",
            "runtime.gcDrain",
            "runtime.osyield",
        ],
        remedy: "GOMAXPROCS=N runs no more threads at once than CPUs; Go before 1.25 does not know the control group's limit",
        source: "https://pkg.go.dev/runtime#hdr-Environment_Variables",
    },
    Spinner {
        name: "HotSpot",
        modules: &["libjvm.so"],
        functions: &[],
        remedy: "-XX:ActiveProcessorCount=N tells the JVM how many CPUs it has; fewer threads than CPUs spin in vain less often",
        source: "https://docs.oracle.com/en/java/javase/17/docs/specs/man/java.html",
    },
    Spinner {
        name: "ggml",
        modules: &["libggml", "libllama", "llama-"],
        functions: &[],
        remedy: "--threads N starts no more threads than CPUs; --poll 0 lets them sleep",
        source: "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
    },
    Spinner {
        name: "glibc",
        modules: &["libc.so", "libpthread"],
        functions: &[
            "pthread_spin_lock",
            "__pthread_mutex_lock",
            "___pthread_mutex_lock",
            "pthread_mutex_lock",
        ],
        remedy: "glibc.pthread.mutex_spin_count=N in GLIBC_TUNABLES bounds the spinning of adaptive mutexes; a mutex that sleeps replaces a spin lock",
        source: "https://www.gnu.org/software/libc/manual/html_node/POSIX-Thread-Tunables.html",
    },
];

/// Returns the row for a place, by the innermost frames of its stack.
#[must_use]
pub fn spinner(frames: &[Frame]) -> Option<&'static Spinner> {
    // The loop itself, and the function that called it if the loop is in a small one.
    frames.iter().take(3).find_map(of_frame)
}

fn of_frame(frame: &Frame) -> Option<&'static Spinner> {
    let module = base(Path::new(frame.module.as_deref().unwrap_or_default()));
    let function = frame.function.as_deref().unwrap_or_default();
    SPINNERS.iter().find(|row| {
        let of_module =
            row.modules.is_empty() || row.modules.iter().any(|it| module.starts_with(it));
        let of_function =
            row.functions.is_empty() || row.functions.iter().any(|it| function.starts_with(it));
        of_module && of_function
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(module: &str, function: Option<&str>) -> Frame {
        Frame {
            module: Some(module.to_owned()),
            function: function.map(str::to_owned),
            ..Frame::default()
        }
    }

    #[test]
    fn code_is_known_by_its_file_or_its_function() {
        let name = |frames: &[Frame]| spinner(frames).map(|it| it.name);
        let gomp = frame("/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0", None);
        assert_eq!(name(std::slice::from_ref(&gomp)), Some("libgomp"));
        let postgres = |function| frame("/usr/lib/postgresql/15/bin/postgres", Some(function));
        assert_eq!(name(&[postgres("s_lock")]), Some("PostgreSQL"));
        // Its other loops are not that lock.
        assert_eq!(name(&[postgres("hash_search")]), None);
        assert_eq!(
            name(&[frame("/opt/server", Some("runtime.lock2"))]),
            Some("Go")
        );
        assert_eq!(name(&[frame("/opt/server", Some("main"))]), None);
        let own = frame("/opt/server", Some("atomic_load"));
        assert_eq!(name(&[own, gomp]), Some("libgomp"));
    }

    #[test]
    fn each_row_names_its_remedy_and_its_source_once() {
        for (index, row) in SPINNERS.iter().enumerate() {
            assert!(!row.modules.is_empty() || !row.functions.is_empty());
            assert!(!row.remedy.is_empty() && row.source.starts_with("https://"));
            let same = |other: &Spinner| other.name == row.name;
            assert_eq!(SPINNERS.iter().position(same), Some(index));
        }
    }
}

//! Made-up system files for tests.

/// Makes `/proc/PID/task/TID/status` of a thread of a program.
pub(super) fn status(name: &str, state: char, voluntary: u64, involuntary: u64) -> String {
    format!(
        "Name:\t{name}\nUmask:\t0022\nState:\t{state} (whatever)\nTgid:\t7\nVmSize:\t 100 kB\nThreads:\t2\n\
         voluntary_ctxt_switches:\t{voluntary}\nnonvoluntary_ctxt_switches:\t{involuntary}\n"
    )
}

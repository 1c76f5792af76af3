//! The namespace of process ids.

use std::fs;

/// Whether process ids here are those that the kernel's programs see, which are those of the whole machine: pid_namespaces(7).
pub fn in_outermost_namespace() -> bool {
    /// PROC_PID_INIT_INO of the kernel's `include/linux/proc_ns.h`.
    const OUTERMOST: &str = "pid:[4026531836]";
    fs::read_link("/proc/self/ns/pid").is_ok_and(|link| link.as_os_str() == OUTERMOST)
}

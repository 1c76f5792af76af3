//! Facts about a process that several sources need.

use std::fs;

use locktoll_terminal::system::files::of_process;

/// Returns its short name, as the process chose it: any characters.
pub fn name_of(pid: u32) -> String {
    let name = of_process(pid, "comm").unwrap_or_default();
    String::from_utf8_lossy(&name).trim_end().to_owned()
}

/// Whether process ids here are those that the kernel's programs see, which are those of the whole machine: pid_namespaces(7).
pub fn in_outermost_namespace() -> bool {
    /// PROC_PID_INIT_INO of the kernel's `include/linux/proc_ns.h`.
    const OUTERMOST: &str = "pid:[4026531836]";
    fs::read_link("/proc/self/ns/pid").is_ok_and(|link| link.as_os_str() == OUTERMOST)
}

//! Facts about a process that several sources need.

use locktoll_terminal::system::files::of_process;

/// Returns its short name, as the process chose it: any characters.
pub fn name_of(pid: u32) -> String {
    let name = of_process(pid, "comm").unwrap_or_default();
    String::from_utf8_lossy(&name).trim_end().to_owned()
}

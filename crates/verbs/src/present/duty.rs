//! Whether writing an output needs privileges.

use std::io;
use std::path::Path;

use locktoll_sources::ebpf::privileges::{Duty, without};
use locktoll_terminal::system::files::Destination;

/// Returns the privilege that writing to `output` needs, if any: only where the folder, or the file to be replaced, is another
/// user's.
pub fn duty(output: Option<&Path>) -> Option<Duty> {
    let output = output.filter(|path| path.as_os_str() != "-")?;
    duty_at(|| Destination::find(output))
}

/// Returns the same for files that are going to be saved in `folder`.
pub fn duty_in(folder: &Path) -> Option<Duty> {
    // The name does not matter: a saved file never replaces another.
    duty_at(|| Destination::within(folder, ".locktoll"))
}

fn duty_at(find: impl Fn() -> io::Result<Destination>) -> Option<Duty> {
    let is_ours = without(|| find().is_ok_and(|destination| destination.is_all_ours()));
    (!is_ours).then_some(Duty::WriteForOthers)
}

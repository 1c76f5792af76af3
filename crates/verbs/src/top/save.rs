//! The collected data about one program, as a file that `locktoll report` opens.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Gatherer;
use super::source::Form;
use locktoll_terminal::system::files::{Destination, NewFile};

/// Most files that may have been saved for one process id.
const ATTEMPTS: u32 = 1000;

/// Writes the data into `folder` under a name that was free. Never overwrites another file, and never leaves half a file.
///
/// # Errors
/// If nothing is known of the program's locks, or the folder cannot be written to.
pub fn save(gatherer: &mut Gatherer, pid: u32, folder: &Path) -> anyhow::Result<PathBuf> {
    let cannot = || format!("nothing can be written to {}", folder.display());
    let place = Destination::within(folder, &name(pid, 1, Form::Profile)).with_context(cannot)?;
    let mut file = NewFile::begin_free(&place, ".top-").with_context(cannot)?;
    let mut writer = BufWriter::new(file.file());
    let form = gatherer.write(&mut writer)?;
    writer.flush().with_context(cannot)?;
    drop(writer);
    for attempt in 1..=ATTEMPTS {
        let name = name(pid, attempt, form);
        match file.put_if_free(&name) {
            Ok(()) => return Ok(folder.join(name)),
            Err((error, whole)) if error.kind() == io::ErrorKind::AlreadyExists => file = whole,
            Err((error, _)) => return Err(error).with_context(cannot),
        }
    }
    anyhow::bail!("{ATTEMPTS} files of process {pid} are there already")
}

fn name(pid: u32, attempt: u32, form: Form) -> String {
    let ending = form.ending();
    match attempt {
        1 => format!("top-{pid}.{ending}"),
        _ => format!("top-{pid}-{attempt}.{ending}"),
    }
}

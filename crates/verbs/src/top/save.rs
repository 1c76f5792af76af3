//! What was gathered of one program, as a file that `locktoll report` opens.

use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Gatherer;
use super::source::Form;

/// As many files may have been saved of one process id.
const ATTEMPTS: u32 = 1000;

/// Writes it into `folder` under a name that was free. Never over another file, and never half of it.
///
/// # Errors
/// If nothing is known of the program's locks, or the folder cannot be written to.
pub fn save(gatherer: &mut Gatherer, pid: u32, folder: &Path) -> anyhow::Result<PathBuf> {
    let cannot = || format!("nothing can be written to {}", folder.display());
    let mut file = tempfile::Builder::new()
        .prefix(".top-")
        // As any new file: tempfile's own default would hide it from the user's group.
        .permissions(PermissionsExt::from_mode(0o666))
        .tempfile_in(folder)
        .with_context(cannot)?;
    let mut writer = BufWriter::new(file.as_file_mut());
    let form = gatherer.write(&mut writer)?;
    writer.flush().with_context(cannot)?;
    drop(writer);
    for attempt in 1..=ATTEMPTS {
        let path = folder.join(name(pid, attempt, form));
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => file = taken.file,
            Err(error) => return Err(error.error).with_context(cannot),
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

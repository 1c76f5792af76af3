//! `locktoll report FILE`.

use std::io::Write;
use std::path::Path;

use crate::cli::{ProfileFormat, ReportArgs};
use crate::exit::{Ending, Failure, Outcome};
use crate::profile::{self, shown};
use crate::{output, report};

/// Runs the verb.
pub fn run(args: &ReportArgs) -> Outcome {
    if let Some(output) = &args.output {
        check_output(output, &args.recording)?;
    }
    let profile = profile::load(&args.recording)?;
    let format = if args.json {
        ProfileFormat::Json
    } else {
        args.format
    };
    let page = match format {
        ProfileFormat::Json => report::json(&profile)?,
        ProfileFormat::Text => report::text(
            &profile,
            report::TextOptions {
                sort: args.sort,
                top: args.top as usize,
            },
        ),
    };
    match &args.output {
        Some(output) => write_whole(output, &page),
        None => output::print(&page),
    }
}

/// Looks at the output before anything is read, so that a wrong one costs nothing.
fn check_output(output: &Path, recording: &Path) -> Result<(), Failure> {
    let name = shown(output.as_os_str());
    if output.is_dir() {
        return Err(Failure::Usage(format!(
            "{name} is a directory; give a file with -o"
        )));
    }
    let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if same(output, recording) {
        return Err(Failure::Usage(format!(
            "{name} is the recording itself; give another file with -o"
        )));
    }
    let folder = output
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Failure::Usage(format!(
            "the folder of {name} does not exist; choose another file with -o"
        )));
    }
    Ok(())
}

/// Writes the report without styles. A regular file appears whole or not at all.
fn write_whole(output: &Path, page: &str) -> Outcome {
    let page = anstream::adapter::strip_str(page).to_string();
    let write = || -> std::io::Result<()> {
        let target = output.canonicalize().unwrap_or_else(|_| output.to_owned());
        if target.exists() && !target.is_file() {
            // A pipe or a terminal is written to, never replaced.
            return std::fs::File::options()
                .write(true)
                .open(&target)?
                .write_all(page.as_bytes());
        }
        if target.exists() {
            // Replacing would get around a write protection.
            std::fs::File::options().append(true).open(&target)?;
        }
        let folder = target
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::Builder::new()
            .prefix(".report-")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        file.write_all(page.as_bytes())?;
        file.persist(&target)?;
        Ok(())
    };
    write().map_err(|error| {
        let name = shown(output.as_os_str());
        Failure::Run(anyhow::Error::from(error).context(format!("{name} cannot be written")))
    })?;
    Ok(Ending::Done)
}

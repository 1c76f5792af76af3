//! From a file to a profile.

use std::fs::File;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::{ReadError, Recording};

use super::timeline::EventFiles;
use super::{join, part_files, unfinished};
use locktoll_results::profile::Profile;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::open_regular;
use locktoll_terminal::system::help;

/// Reads the recording at `path` and joins it. A folder of parts, as left by an interrupted run, is read as the recording that it
/// would have become. If `path` does not exist yet, the folder of parts next to it is read.
///
/// # Errors
/// [`Failure::Usage`] for a file that is missing or not a whole recording, [`Failure::Unsupported`] for one that another version
/// or machine wrote.
pub fn load(path: &Path) -> Result<Profile, Failure> {
    let name = shown(path.as_os_str());
    // The path is examined before it is opened: opening a pipe would wait for a writer.
    let (recording, files) = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let Some(parts) = unfinished::parts_of(path) else {
                let how = match path.extension().is_some_and(|it| it == "json") {
                    true => format!(
                        "check the path, or make it with -o, as in `locktoll bench -o {name}`"
                    ),
                    false if name == help::RECORDING => format!(
                        "name a file, or make it: {}",
                        help::makes_a_recording(&name)
                    ),
                    false => format!(
                        "check the path, or make it: {}",
                        help::makes_a_recording(&name)
                    ),
                };
                return Err(Failure::Usage(format!("{name} does not exist; {how}")));
            };
            let parts_name = shown(parts.as_os_str());
            let (mut recording, files) = folder(&parts, &parts_name)?;
            let goes_on = unfinished::end_now(&parts, &mut recording);
            let mut profile = join::profile_with_events(&recording, &files);
            let why = match goes_on {
                true => "the recording goes on",
                false => "the recording was cut short",
            };
            let remark = format!(
                "{why}, and {name} is not there{}: this is what {parts_name} holds",
                if goes_on { " yet" } else { "" }
            );
            profile.warnings.insert(0, remark);
            return Ok(profile);
        }
        Err(error) => return Err(Failure::Usage(format!("{name} cannot be read: {error}"))),
        Ok(metadata) if metadata.is_dir() => folder(path, &name)?,
        Ok(metadata) if !metadata.is_file() => {
            return Err(Failure::Usage(format!(
                "{name} is not a regular file; give a file that `locktoll record` made"
            )));
        }
        Ok(_) => open(path).map_err(|error| explain(&name, &error))?,
    };
    Ok(join::profile_with_events(&recording, &files))
}

fn folder(path: &Path, name: &str) -> Result<(Recording, EventFiles), Failure> {
    #[cfg(target_os = "linux")]
    let _steady = super::steady::Steady::shared(path);
    let files = part_files(path)
        .map_err(|error| Failure::Usage(format!("{name} cannot be read: {error}")))?;
    // Whole recordings that happen to be in one folder are not parts of one run.
    let mut files: Vec<PathBuf> = files.into_iter().map(|file| file.path).collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "part")
    });
    if files.is_empty() {
        return Err(Failure::Usage(format!(
            "{name} is a directory without parts of a recording; give a file that `locktoll record` made"
        )));
    }
    let mut whole = Recording {
        parts: Vec::new(),
        warnings: Vec::new(),
    };
    let mut with_events = EventFiles::default();
    for file in files {
        let (part, file) =
            open_file(&file).map_err(|error| explain(&shown(file.as_os_str()), &error))?;
        with_events.add(file, &part);
        whole.parts.extend(part.parts);
        whole.warnings.extend(part.warnings);
    }
    Ok((whole, with_events))
}

/// Reads the file if it is still a regular file: somebody else may control the folder.
fn open_file(path: &Path) -> Result<(Recording, File), ReadError> {
    let file = open_regular(path)?;
    Ok((Recording::read(&file)?, file))
}

fn open(path: &Path) -> Result<(Recording, EventFiles), ReadError> {
    let (recording, file) = open_file(path)?;
    let mut files = EventFiles::default();
    files.add(file, &recording);
    Ok((recording, files))
}

fn explain(name: &str, error: &ReadError) -> Failure {
    let text = format!("{name} {error}");
    match error {
        ReadError::NewerVersion { .. } | ReadError::ForeignMachine => Failure::Unsupported(text),
        _ => Failure::Usage(format!(
            "{text}; give a file that `locktoll record` made, or JSON that another verb of locktoll wrote"
        )),
    }
}

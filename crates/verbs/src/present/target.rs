//! The destination of a report.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::pictures;
use locktoll_shown::{Content, Document, Format, Part, Place, Subject};
use locktoll_terminal::cannot_write::cannot_write;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::output;
use locktoll_terminal::system::files::{Destination, NewFile, There};
use locktoll_terminal::width::{WIDTH_OF_FILES, columns, line_width};

/// The destination of a report.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// Standard output.
    Stdout,
    /// A file; a second document goes to another file next to it.
    File(&'a Path),
}

/// The kind of output that goes there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Goes {
    /// Not fit for a terminal.
    pub binary: bool,
    /// A second document goes next to the first.
    pub second: bool,
    /// Pictures go into a folder next to it.
    pub pictures: bool,
}

impl<'a> Target<'a> {
    /// Returns the named file, or standard output, which is also called `-`.
    pub fn of(output: Option<&'a Path>) -> Self {
        match output {
            Some(path) if path.as_os_str() != "-" => Self::File(path),
            _ => Self::Stdout,
        }
    }

    /// Whether there is no place for a second document: standard output, a pipe, a device.
    pub fn holds_one(&self) -> bool {
        match self {
            Self::Stdout => true,
            Self::File(path) => {
                Destination::find(path).is_ok_and(|place| place.there() == There::Stream)
            }
        }
    }

    /// Returns the number of characters in a line of text.
    pub fn line_width(&self) -> usize {
        match self {
            Self::Stdout => line_width(),
            Self::File(_) => columns().unwrap_or(WIDTH_OF_FILES),
        }
    }

    /// Checks the target before anything is read, so that a wrong one costs nothing.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a target that cannot be used.
    pub fn check(&self, input: Option<&Path>, goes: Goes) -> Result<(), Failure> {
        match self {
            Self::Stdout => {
                if goes.binary && io::stdout().is_terminal() {
                    return Err(Failure::Usage(
                        "this format is not for terminals; give a file with -o, or pipe it to \
                         its reader"
                            .to_owned(),
                    ));
                }
                Ok(())
            }
            Self::File(path) => {
                check_file(path, input)?;
                if goes.second && !self.holds_one() {
                    check_file(&beside(path, "holders"), input)?;
                }
                match goes.pictures && !self.holds_one() {
                    true => pictures::check(path),
                    false => Ok(()),
                }
            }
        }
    }

    /// Writes a result there in a format.
    ///
    /// # Errors
    /// If the format cannot show the result, or the result cannot be written.
    pub fn put_in(&self, format: &Format, result: Subject<'_>) -> Outcome {
        let holds_one = self.holds_one();
        let folder = match self {
            Self::File(path) if !holds_one => Some(pictures::folder(path)),
            _ => None,
        };
        let place = Place {
            width: self.line_width(),
            holds_one,
            pictures: folder.as_deref(),
        };
        match format.stream(result) {
            Some(write) => self.put_as_it_comes(write),
            None => self.put(format.documents(result, place)?),
        }
    }

    /// Writes a document there while it is made. A regular file appears whole or not at all.
    fn put_as_it_comes(&self, write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> Outcome {
        match self {
            Self::Stdout => {
                let mut out = io::stdout().lock();
                write(&mut out).map_err(|error| match error.downcast::<io::Error>() {
                    Ok(error) => Failure::from(error),
                    Err(error) => Failure::Run(error),
                })?;
                out.flush()?;
            }
            Self::File(path) => {
                let cannot = || format!("cannot write {}", shown(path.as_os_str()));
                let place = Destination::find(path).with_context(cannot)?;
                if place.there() == There::Stream {
                    write(&mut place.open_stream().with_context(cannot)?).with_context(cannot)?;
                } else {
                    let mut new = NewFile::begin(&place, ".report-").with_context(cannot)?;
                    write(new.file()).with_context(cannot)?;
                    new.put().with_context(cannot)?;
                }
            }
        }
        Ok(Ending::Done)
    }

    /// Writes the documents there.
    pub fn put(&self, documents: Vec<Document>) -> Outcome {
        match self {
            Self::Stdout => {
                for document in documents {
                    match document.content {
                        Content::Styled(page) => {
                            output::print(&page)?;
                        }
                        Content::Plain(text) => raw(text.as_bytes())?,
                        Content::Binary(bytes) => raw(&bytes)?,
                    };
                }
            }
            Self::File(path) => {
                let (drawn, documents): (Vec<_>, Vec<_>) = (documents.into_iter())
                    .partition(|it| matches!(it.part, Some(Part::Picture(_))));
                pictures::put(path, drawn)?;
                let several = documents.len() > 1;
                for document in documents {
                    let path = match document.part {
                        Some(Part::Beside(part)) => beside(path, part),
                        _ => path.to_path_buf(),
                    };
                    write_whole(&path, &document.content).map_err(|error| {
                        let name = shown(path.as_os_str());
                        let error = anyhow::Error::from(error);
                        Failure::Run(error.context(format!("cannot write {name}")))
                    })?;
                    if several {
                        let name = shown(path.as_os_str());
                        let what = match document.part {
                            None => "by the stacks that waited",
                            Some(_) => "by the places where the holders had acquired the lock",
                        };
                        output::say(&format!("locktoll: {name}: {what}"));
                    }
                }
            }
        }
        Ok(Ending::Done)
    }
}

/// Bypasses the filter for styles, which would take bytes for commands to a terminal.
fn raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

fn check_file(output: &Path, input: Option<&Path>) -> Result<(), Failure> {
    let name = shown(output.as_os_str());
    let place = Destination::find(output).map_err(|error| {
        Failure::Usage(match error.kind() {
            io::ErrorKind::IsADirectory => format!("{name} is a directory; give a file with -o"),
            _ => cannot_write(output, &error),
        })
    })?;
    let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if input.is_some_and(|input| same(output, input)) {
        return Err(Failure::Usage(format!(
            "-o {name} would overwrite the input; choose another file"
        )));
    }
    place
        .try_writing()
        .map_err(|error| Failure::Usage(cannot_write(output, &error)))
}

/// Returns the file for another document of the same report: `locks.pb.gz` has `locks.holders.pb.gz` next to it.
fn beside(output: &Path, part: &str) -> PathBuf {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let stem = match name.strip_suffix(".pb.gz") {
        Some(stem) if !stem.is_empty() => stem.len(),
        _ => name.rfind('.').filter(|&at| at > 0).unwrap_or(name.len()),
    };
    let mut other = OsString::from(&name[..stem]);
    other.push(".");
    other.push(part);
    other.push(&name[stem..]);
    output.with_file_name(other)
}

/// Writes a document without styles. A regular file appears whole or not at all.
pub(super) fn write_whole(output: &Path, content: &Content) -> io::Result<()> {
    let stripped;
    let bytes = match content {
        Content::Styled(page) => {
            stripped = anstream::adapter::strip_str(page).to_string();
            stripped.as_bytes()
        }
        Content::Plain(text) => text.as_bytes(),
        Content::Binary(bytes) => bytes,
    };
    let place = Destination::find(output)?;
    if place.there() == There::Stream {
        return place.open_stream()?.write_all(bytes);
    }
    let mut new = NewFile::begin(&place, ".report-")?;
    new.file().write_all(bytes)?;
    new.put()
}

// Permissions and links as on Linux.
#[cfg(all(test, target_os = "linux"))]
mod tests;

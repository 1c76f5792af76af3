//! Files that the user names for output. On Windows, creating links needs a privilege.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};

/// A file's place.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
}

/// The file at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum There {
    /// Nothing yet.
    Nothing,
    /// A regular file, which is replaced.
    File,
    /// A pipe or a device: written to, never replaced.
    Stream,
}

impl Destination {
    /// Finds where `path` leads, through links.
    ///
    /// # Errors
    /// The error of the system.
    pub fn find(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Self {
            path: followed(path),
        })
    }

    /// Returns the kind of the file there.
    pub fn there(&self) -> There {
        match (self.path.exists(), self.path.is_file()) {
            (false, _) => There::Nothing,
            (true, true) => There::File,
            (true, false) => There::Stream,
        }
    }

    /// Tries the steps of writing, without changing the existing file.
    ///
    /// # Errors
    /// The obstacle to writing it.
    pub fn try_writing(&self) -> io::Result<()> {
        match self.there() {
            There::Stream => Ok(()),
            There::Nothing | There::File => NewFile::begin(self, ".try-").map(drop),
        }
    }

    /// Opens the pipe or device for writing.
    ///
    /// # Errors
    /// The error of the system.
    pub fn open_stream(&self) -> io::Result<File> {
        File::options().write(true).open(&self.path)
    }

    /// Opens the file for reading; `None` if there is nothing.
    ///
    /// # Errors
    /// The error of the system.
    pub fn open_file(&self) -> io::Result<Option<File>> {
        match File::open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A new file next to its place, which is removed when it is dropped. It has the permissions that its folder gives every new file.
#[derive(Debug)]
pub struct NewFile<'a> {
    place: &'a Destination,
    file: NamedTempFile,
}

impl<'a> NewFile<'a> {
    /// Begins a new file for `place`. Its name begins with `prefix` until it is complete.
    ///
    /// # Errors
    /// If it cannot be created, or the file that it would replace may not be written.
    pub fn begin(place: &'a Destination, prefix: &str) -> io::Result<Self> {
        if place.there() == There::File {
            // Replacing would circumvent a write protection.
            File::options().append(true).open(&place.path)?;
        }
        let folder = place
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let file = Builder::new()
            .prefix(prefix)
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        Ok(Self { place, file })
    }

    /// Returns the open file for writing.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Gives the file its name, and replaces the file that may have that name now.
    ///
    /// # Errors
    /// The error of the system.
    pub fn put(self) -> io::Result<()> {
        if let Ok(old) = std::fs::metadata(&self.place.path) {
            // A user who closed the old file to others does not want the new one open.
            self.file.as_file().set_permissions(old.permissions())?;
        }
        self.file.persist(&self.place.path)?;
        Ok(())
    }
}

/// Makes a temporary folder next to the user's others.
///
/// # Errors
/// The error of the system.
pub fn private_folder(prefix: &str) -> io::Result<TempDir> {
    Builder::new().prefix(prefix).tempdir()
}

/// Whether another user may have placed the file: folders in which all users may write are not common here.
pub fn is_planted(_path: &Path) -> bool {
    false
}

/// Returns where a name leads: through links, to a file that may not exist yet.
fn followed(output: &Path) -> PathBuf {
    const LINKS: usize = 40;
    let mut place = output.to_owned();
    for _ in 0..LINKS {
        match (place.canonicalize(), std::fs::read_link(&place)) {
            (Ok(whole), _) => return whole,
            (Err(_), Ok(next)) => {
                place = place.parent().unwrap_or(Path::new("")).join(next);
            }
            (Err(_), Err(_)) => break,
        }
    }
    place
}

/// Opens the regular file to which `path` leads. On Windows, pipes have names of a different form.
///
/// # Errors
/// The error of the system; [`io::ErrorKind::InvalidInput`] if it is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // A folder cannot be opened at all.
    match path.metadata()?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    }
}

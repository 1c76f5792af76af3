//! The place of a file that the user names.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, mkdirat, openat};
use rustix::io::Errno;

use super::walk::{End, is, walk};
use super::{NewFile, planted};

/// A name in an open folder. The file goes there, whatever happens to the folder's own name.
#[derive(Debug)]
pub struct Destination {
    pub(super) folder: OwnedFd,
    pub(super) name: OsString,
    path: PathBuf,
    there: Option<Stat>,
}

/// The file at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum There {
    /// Nothing yet.
    Nothing,
    /// A regular file, which is replaced.
    File,
    /// A pipe, a terminal, another device, or a descriptor of this process: written to, never replaced.
    Stream,
}

impl Destination {
    /// Finds where `path` leads, through links.
    ///
    /// # Errors
    /// The error of the system; [`io::ErrorKind::IsADirectory`] for a folder; [`io::ErrorKind::PermissionDenied`] if the path
    /// leads through a link that another user may have planted, or to a file of such a user.
    pub fn find(path: &Path) -> io::Result<Self> {
        let End {
            folder,
            path,
            name,
            there,
        } = walk(path)?;
        let name = name.ok_or(Errno::ISDIR)?;
        if let Some(there) = &there {
            planted::refuse(&fstat(&folder)?, there)?;
        }
        Ok(Self {
            path: path.join(&name),
            folder,
            name,
            there,
        })
    }

    /// Returns the place of a file with this name in the folder to which `folder` leads.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn within(folder: &Path, name: &str) -> io::Result<Self> {
        let end = walk(folder)?;
        if end.name.is_some() {
            return Err(match end.there {
                None => Errno::NOENT.into(),
                Some(_) => Errno::NOTDIR.into(),
            });
        }
        Ok(Self {
            path: end.path.join(name),
            folder: end.folder,
            name: name.into(),
            there: None,
        })
    }

    /// Returns the path without links: relative if the given path was.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the kind of the file that was there when the place was found.
    pub fn there(&self) -> There {
        match &self.there {
            None => There::Nothing,
            Some(there) if is(there, FileType::RegularFile) => There::File,
            Some(_) => There::Stream,
        }
    }

    /// Tries the steps of writing, without changing the existing file.
    ///
    /// # Errors
    /// The obstacle to writing it.
    pub fn try_writing(&self) -> io::Result<()> {
        match self.there() {
            // Opening a pipe would wait for its reader, which would then see its end.
            There::Stream => Ok(()),
            There::Nothing | There::File => NewFile::begin(self, ".try-").map(drop),
        }
    }

    /// Whether no other user's file is replaced, and there is no obstacle to writing.
    pub fn is_all_ours(&self) -> bool {
        let own = rustix::process::geteuid().as_raw();
        let replaced = (self.there.as_ref()).filter(|it| is(it, FileType::RegularFile));
        replaced.is_none_or(|it| it.st_uid == own) && self.try_writing().is_ok()
    }

    /// Opens the pipe, terminal or device for writing.
    ///
    /// # Errors
    /// The error of the system; if something else has its name by now.
    pub fn open_stream(&self) -> io::Result<File> {
        let was = self.there.as_ref().ok_or(Errno::NOENT)?;
        if is(was, FileType::Symlink) {
            // The name in proc(5) of one of our descriptors. It may lead to a file that already has contents.
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CLOEXEC;
            return Ok(openat(&self.folder, &self.name, flags, Mode::empty())?.into());
        }
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = openat(&self.folder, &self.name, flags, Mode::empty())?;
        let is_now = fstat(&opened)?;
        match (is_now.st_dev, is_now.st_ino) == (was.st_dev, was.st_ino) {
            true => Ok(opened.into()),
            false => Err(io::Error::other(
                "it was replaced by another file in the meantime",
            )),
        }
    }

    /// Opens the regular file that is there now for reading; `None` if there is nothing.
    ///
    /// # Errors
    /// The error of the system; if it is not a regular file, or another user may have planted it.
    pub fn open_file(&self) -> io::Result<Option<File>> {
        // Opening a pipe would wait for a writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = match openat(&self.folder, &self.name, flags, Mode::empty()) {
            Ok(opened) => opened,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let found = fstat(&opened)?;
        planted::refuse(&fstat(&self.folder)?, &found)?;
        match is(&found, FileType::RegularFile) {
            true => Ok(Some(opened.into())),
            false => Err(io::Error::other("it is not a regular file")),
        }
    }

    /// Makes a folder next to it that no other user can read, and returns its path.
    ///
    /// # Errors
    /// The error of the system; [`io::ErrorKind::AlreadyExists`] if the name is taken.
    pub fn make_folder_beside(&self, name: &OsStr) -> io::Result<PathBuf> {
        mkdirat(&self.folder, name, Mode::RWXU)?;
        Ok(self.path.with_file_name(name))
    }
}

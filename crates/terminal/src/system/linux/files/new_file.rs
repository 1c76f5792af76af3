//! A file that gets its name once it is whole.

use std::ffi::OsString;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;

use rustix::fs::{
    AtFlags, FileType, Gid, Mode, OFlags, RenameFlags, Stat, Uid, fchmod, fchown, fstat, openat,
    renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use super::walk::is;
use super::{Destination, planted};

/// The number of names that are tried. Each is as likely to be free as the one before.
const ATTEMPTS: u32 = 100;

/// The permissions of a new file, before the user's mask removes some.
const OF_A_NEW_FILE: Mode = Mode::from_raw_mode(0o666);

/// The permissions that are taken over from a replaced file, without the set-user-ID and set-group-ID bits.
const RIGHTS: u32 = 0o777;
const RIGHTS_OF_THE_GROUP: u32 = 0o070;

/// A new file next to its place, under a name that no other user can have created. It is removed when it is dropped.
#[derive(Debug)]
pub struct NewFile<'a> {
    place: &'a Destination,
    file: File,
    /// Its temporary name.
    name: OsString,
    is_placed: bool,
}

impl<'a> NewFile<'a> {
    /// Begins a new file for `place`. Its name begins with `prefix` until it is complete.
    ///
    /// # Errors
    /// If it cannot be created, or the file that it would replace may not be written.
    pub fn begin(place: &'a Destination, prefix: &str) -> io::Result<Self> {
        let replaced = replaced(place)?;
        if replaced.is_some() {
            // Replacing would circumvent a write protection.
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK;
            let flags = flags | OFlags::CLOEXEC;
            openat(&place.folder, &place.name, flags, Mode::empty())?;
        }
        // A user who closed the old file to others does not want the new one open, not even for a moment.
        let mode = match replaced {
            Some(_) => Mode::RUSR | Mode::WUSR,
            None => OF_A_NEW_FILE,
        };
        let new = Self::create(place, prefix, mode)?;
        if let Some(replaced) = replaced {
            new.take_over(&replaced)?;
        }
        Ok(new)
    }

    /// Begins a new file in the folder of `place` that is not going to replace another ([`put_if_free`](Self::put_if_free)).
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn begin_free(place: &'a Destination, prefix: &str) -> io::Result<Self> {
        Self::create(place, prefix, OF_A_NEW_FILE)
    }

    fn create(place: &'a Destination, prefix: &str, mode: Mode) -> io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        for _ in 0..ATTEMPTS {
            let name = OsString::from(format!("{prefix}{:08x}", any_number()));
            match openat(&place.folder, &name, flags | OFlags::CLOEXEC, mode) {
                Ok(file) => {
                    return Ok(Self {
                        place,
                        file: file.into(),
                        name,
                        is_placed: false,
                    });
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Errno::EXIST.into())
    }

    /// Returns the open file for writing.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name, and replaces the file that may have that name now.
    ///
    /// # Errors
    /// The error of the system.
    pub fn put(mut self) -> io::Result<()> {
        let (folder, name) = (&self.place.folder, &self.place.name);
        renameat(folder, &self.name, folder, name)?;
        self.is_placed = true;
        Ok(())
    }

    /// Gives the file this name in the same folder, if the name is free.
    ///
    /// # Errors
    /// The error of the system, with the file as it was: [`io::ErrorKind::AlreadyExists`] if the name is taken.
    pub fn put_if_free(mut self, name: &str) -> Result<(), (io::Error, Self)> {
        let folder = &self.place.folder;
        let mut placed = renameat_with(folder, &self.name, folder, name, RenameFlags::NOREPLACE);
        if matches!(placed, Err(Errno::INVAL | Errno::NOSYS)) {
            // Some file systems cannot do that. A hard link does not replace another file either; the first name is removed with
            // this value.
            placed = rustix::fs::linkat(folder, &self.name, folder, name, AtFlags::empty());
        } else {
            self.is_placed = placed.is_ok();
        }
        placed.map_err(|error| (error.into(), self))
    }

    /// Takes over owner and permissions, as far as permitted. Permissions that cannot be kept are removed.
    fn take_over(&self, replaced: &Stat) -> io::Result<()> {
        let own = fstat(&self.file)?;
        let mut rights = replaced.st_mode & RIGHTS;
        let group = (replaced.st_gid != own.st_gid).then(|| Gid::from_raw(replaced.st_gid));
        let owner = (replaced.st_uid != own.st_uid).then(|| Uid::from_raw(replaced.st_uid));
        if group.is_some() && fchown(&self.file, None, group).is_err() {
            // These permissions belonged to another group.
            rights &= !RIGHTS_OF_THE_GROUP;
        }
        // The owner comes last: after a file has been given away, its permissions can perhaps no longer be changed.
        fchmod(&self.file, Mode::from_raw_mode(rights))?;
        if owner.is_some() {
            // Only root can do this; the new file of any other user stays their own.
            let _ = fchown(&self.file, owner, None);
        }
        Ok(())
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // Somebody else may already have removed the file.
            let _ = unlinkat(&self.place.folder, &self.name, AtFlags::empty());
        }
    }
}

/// Returns the present regular file that is to be replaced.
fn replaced(place: &Destination) -> io::Result<Option<Stat>> {
    let found = match statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    planted::refuse(&fstat(&place.folder)?, &found)?;
    match is(&found, FileType::Directory) {
        true => Err(Errno::ISDIR.into()),
        // Nothing is taken over from any other file that came meanwhile.
        false => Ok(is(&found, FileType::RegularFile).then_some(found)),
    }
}

fn any_number() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

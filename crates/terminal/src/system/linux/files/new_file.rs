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

/// As many names are tried, each as likely to be free as the one before.
const ATTEMPTS: u32 = 100;

/// Less what the user's mask takes.
const OF_A_NEW_FILE: Mode = Mode::from_raw_mode(0o666);

/// Rights that are taken over from a file that is replaced: not those to become its owner.
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
    /// Begins one for `place`. Its name begins with `prefix` until it is whole.
    ///
    /// # Errors
    /// If there can be none, or what it would replace may not be written to.
    pub fn begin(place: &'a Destination, prefix: &str) -> io::Result<Self> {
        let replaced = replaced(place)?;
        if replaced.is_some() {
            // Replacing would get around a write protection.
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK;
            let flags = flags | OFlags::CLOEXEC;
            openat(&place.folder, &place.name, flags, Mode::empty())?;
        }
        // Whoever closed the old file to others does not want the new one open, not even for a moment.
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

    /// Begins one in the folder of `place` that is going to replace nothing ([`put_if_free`](Self::put_if_free)).
    ///
    /// # Errors
    /// If there can be none.
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

    /// What is written to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it its name, in the stead of what may have that name now.
    ///
    /// # Errors
    /// The error of the system.
    pub fn put(mut self) -> io::Result<()> {
        let (folder, name) = (&self.place.folder, &self.place.name);
        renameat(folder, &self.name, folder, name)?;
        self.is_placed = true;
        Ok(())
    }

    /// Gives it this name in the same folder, if nothing has it.
    ///
    /// # Errors
    /// The error of the system, with the file as it was: [`io::ErrorKind::AlreadyExists`] if the name is taken.
    pub fn put_if_free(mut self, name: &str) -> Result<(), (io::Error, Self)> {
        let folder = &self.place.folder;
        let mut placed = renameat_with(folder, &self.name, folder, name, RenameFlags::NOREPLACE);
        if matches!(placed, Err(Errno::INVAL | Errno::NOSYS)) {
            // Some file systems cannot. A second name is never put over another, either; the first goes with this value.
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
            // They were another group's.
            rights &= !RIGHTS_OF_THE_GROUP;
        }
        // The owner comes last: who has given a file away may not be allowed to change its rights.
        fchmod(&self.file, Mode::from_raw_mode(rights))?;
        if owner.is_some() {
            // For root alone; anybody else's new file is their own.
            let _ = fchown(&self.file, owner, None);
        }
        Ok(())
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // Whoever empties the folder may have been faster.
            let _ = unlinkat(&self.place.folder, &self.name, AtFlags::empty());
        }
    }
}

/// The regular file that is to be replaced, as it is now.
fn replaced(place: &Destination) -> io::Result<Option<Stat>> {
    let found = match statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    planted::refuse(&fstat(&place.folder)?, &found)?;
    match is(&found, FileType::Directory) {
        true => Err(Errno::ISDIR.into()),
        // Of anything else that came meanwhile, nothing is taken over.
        false => Ok(is(&found, FileType::RegularFile).then_some(found)),
    }
}

fn any_number() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

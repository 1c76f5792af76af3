//! A folder of parts that stays as it is while it is read: the recorder adds up no parts in the meantime.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::fd::OwnedFd;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};

/// How long a reader waits for the recorder, which adds up parts in a fraction of a second.
const ATTEMPTS: u32 = 500;
const PAUSE: Duration = Duration::from_millis(10);

/// A lock on the folder (flock(2)), until it is dropped.
pub struct Steady {
    _folder: OwnedFd,
}

impl Steady {
    /// Locks the folder for reading. `None` if that is not possible, or takes too long: then parts may move while they are read.
    pub fn shared(folder: &Path) -> Option<Self> {
        let opened = open_folder(folder)?;
        for _ in 0..ATTEMPTS {
            if flock(&opened, FlockOperation::NonBlockingLockShared).is_ok() {
                return Some(Self { _folder: opened });
            }
            thread::sleep(PAUSE);
        }
        None
    }

    /// Locks the folder for the recorder, unless somebody reads it.
    pub fn alone(folder: &Path) -> Option<Self> {
        let opened = open_folder(folder)?;
        let locked = flock(&opened, FlockOperation::NonBlockingLockExclusive);
        locked.is_ok().then_some(Self { _folder: opened })
    }
}

/// Opens a folder, and nothing else.
fn open_folder(path: &Path) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    open(path, flags, Mode::empty()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_the_folder_and_the_recorder_waits_for_them() {
        let folder = tempfile::tempdir().unwrap();
        let first = Steady::shared(folder.path());
        let second = Steady::shared(folder.path());
        assert!(first.is_some() && second.is_some());
        assert!(Steady::alone(folder.path()).is_none());
        drop((first, second));
        assert!(Steady::alone(folder.path()).is_some());
    }
}

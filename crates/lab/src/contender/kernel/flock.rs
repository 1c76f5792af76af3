//! `flock` on an anonymous file (flock(2)).
//!
//! The lock belongs to the open file description, not to the process or the thread: two threads that use one descriptor, or
//! duplicates of one, do not exclude each other at all. So every thread needs its own open file description. It gets one at its
//! first acquisition, by opening the file again through `/proc/self/fd`; after that an acquisition is one system call, and so is
//! a release. Each thread costs a file descriptor for each such lock.
//!
//! # Invariants
//!
//! - **F1** A place in `descriptors` is [`UNOPENED`] or holds a descriptor of the lock's file with
//!   an open file description that no other place has. It stays open until the lock is dropped.
//! - **F2** A place is used only by the one living thread that has its slot.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, Family, LockOptions};
use super::thread_slot;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Flock>(Listing::new(
        "flock",
        Family::Kernel,
        "flock(LOCK_EX) on an anonymous file, an open file description for each thread",
    ));
}

/// Threads in a chunk of descriptors. A chunk is made when the first of its threads arrives.
const CHUNK: usize = 64;
/// Enough chunks for somewhat more than the 10,000 threads that `bench` allows.
const CHUNKS: usize = 160;
const UNOPENED: i32 = -1;

type Chunk = Box<[AtomicI32; CHUNK]>;

/// An anonymous file, and each thread's descriptor for it.
struct Flock {
    file: File,
    descriptors: Box<[OnceLock<Chunk>; CHUNKS]>,
}

impl Flock {
    /// Returns the calling thread's descriptor.
    #[inline]
    fn descriptor(&self) -> i32 {
        let slot = thread_slot::current();
        let place = self
            .descriptors
            .get(slot / CHUNK)
            .map(|chunk| &chunk.get_or_init(new_chunk)[slot % CHUNK])
            .unwrap_or_else(|| panic!("flock is made for {} threads at once", CHUNK * CHUNKS));
        // Relaxed: only this thread reads or writes its place (F2), and slots are handed over through a mutex.
        match place.load(Relaxed) {
            UNOPENED => self.open(place),
            descriptor => descriptor,
        }
    }

    #[cold]
    fn open(&self, place: &AtomicI32) -> i32 {
        let opened = reopen(&self.file).unwrap_or_else(|error| {
            panic!("flock needs a file descriptor for each thread and lock: {error}")
        });
        let descriptor = opened.into_raw_fd();
        place.store(descriptor, Relaxed);
        descriptor
    }
}

fn new_chunk() -> Chunk {
    Box::new([const { AtomicI32::new(UNOPENED) }; CHUNK])
}

/// Opens the same file with its own open file description.
fn reopen(file: &File) -> io::Result<File> {
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Calls flock(2), again if a signal handler interrupted it.
#[inline]
fn flock(descriptor: i32, operation: libc::c_int) {
    // SAFETY: flock takes no pointer, and the descriptor is open (F1).
    while unsafe { libc::flock(descriptor, operation) } != 0 {
        let error = io::Error::last_os_error();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted, "flock: {error}");
    }
}

/// One acquisition.
struct Held<'a> {
    descriptor: i32,
    /// Keeps the descriptor open.
    _lock: &'a Flock,
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        flock(self.descriptor, libc::LOCK_UN);
    }
}

impl Contender for Flock {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        // By its number, since C libraries before 2.27 have no function of this name.
        // SAFETY: the name is a NUL-terminated string.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_memfd_create,
                c"locktoll-flock".as_ptr(),
                libc::MFD_CLOEXEC,
            )
        } as libc::c_int;
        if descriptor < 0 {
            return Err(CreateError {
                what: "memfd_create",
                source: io::Error::last_os_error(),
            });
        }
        // SAFETY: the descriptor was just made, and nothing else has it.
        let file = unsafe { File::from_raw_fd(descriptor) };
        // Tried here, so that a system without /proc refuses before threads have started.
        reopen(&file).map_err(|source| CreateError {
            what: "open /proc/self/fd",
            source,
        })?;
        Ok(Self {
            file,
            descriptors: Box::new([const { OnceLock::new() }; CHUNKS]),
        })
    }

    #[inline]
    fn acquire(&self) -> Held<'_> {
        let descriptor = self.descriptor();
        flock(descriptor, libc::LOCK_EX);
        Held {
            descriptor,
            _lock: self,
        }
    }
}

impl Drop for Flock {
    fn drop(&mut self) {
        for chunk in self.descriptors.iter().filter_map(OnceLock::get) {
            for place in chunk.iter() {
                let descriptor = place.load(Relaxed);
                if descriptor != UNOPENED {
                    // SAFETY: F1: open, and owned by this place alone.
                    drop(unsafe { File::from_raw_fd(descriptor) });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    /// Counts the open descriptors of this process that refer to the file with this device and inode.
    fn descriptors_of(identity: (u64, u64)) -> usize {
        std::fs::read_dir("/proc/self/fd")
            .unwrap()
            .flatten()
            .filter_map(|entry| std::fs::metadata(entry.path()).ok())
            .filter(|file| (file.dev(), file.ino()) == identity)
            .count()
    }

    #[test]
    fn a_descriptor_a_thread_all_closed_with_the_lock() {
        let lock = Flock::create(&LockOptions {
            spin: None,
            gate: None,
        })
        .unwrap();
        let file = lock.file.metadata().unwrap();
        let identity = (file.dev(), file.ino());
        assert_eq!(descriptors_of(identity), 1);
        for _ in 0..3 {
            drop(lock.acquire());
        }
        assert_eq!(descriptors_of(identity), 2);
        std::thread::scope(|scope| {
            scope.spawn(|| drop(lock.acquire()));
        });
        assert_eq!(descriptors_of(identity), 3);
        drop(lock);
        assert_eq!(descriptors_of(identity), 0);
    }
}

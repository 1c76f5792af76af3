//! The libraries.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;

/// A library that `build.rs` builds, to be put under a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Records the program's locks.
    Recorder,
    /// Puts other locks in place of the program's.
    Substitute,
}

impl Library {
    /// Returns its file's name, without the part that distinguishes versions.
    pub fn stem(self) -> &'static str {
        match self {
            Self::Recorder => "liblocktoll_preload",
            Self::Substitute => "liblocktoll_substitute",
        }
    }

    /// Returns its contents.
    ///
    /// # Errors
    /// If the carried bytes are damaged.
    ///
    /// # Panics
    /// If the program carries no libraries, which its `main` rules out.
    pub fn bytes(self) -> std::io::Result<Vec<u8>> {
        let carried = CARRIED.get().expect("main hands the libraries over first");
        let packed = match self {
            Self::Recorder => carried.recorder,
            Self::Substitute => carried.substitute,
        };
        let mut bytes = Vec::new();
        ZlibDecoder::new(packed).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// The contents of both libraries, as zlib compresses them.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// Of [`Library::Recorder`].
    pub recorder: &'static [u8],
    /// Of [`Library::Substitute`].
    pub substitute: &'static [u8],
}

static CARRIED: OnceLock<Carried> = OnceLock::new();

/// Stores the libraries that the program carries. Called when it starts.
pub fn carry(libraries: Carried) {
    // A second call would pass the same libraries.
    let _ = CARRIED.set(libraries);
}

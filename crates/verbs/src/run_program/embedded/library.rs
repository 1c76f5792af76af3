//! The libraries.

use std::sync::OnceLock;

/// A library that is put under a program, built by `build.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Records the program's locks.
    Recorder,
    /// Puts other locks in their place.
    Substitute,
}

impl Library {
    /// Its file's name, without what tells versions apart.
    pub fn stem(self) -> &'static str {
        match self {
            Self::Recorder => "liblocktoll_preload",
            Self::Substitute => "liblocktoll_substitute",
        }
    }

    /// Its contents.
    ///
    /// # Panics
    /// If the program carries none, which its `main` rules out.
    pub fn bytes(self) -> &'static [u8] {
        let carried = CARRIED.get().expect("main hands the libraries over first");
        match self {
            Self::Recorder => carried.recorder,
            Self::Substitute => carried.substitute,
        }
    }
}

/// The contents of both libraries.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// Of [`Library::Recorder`].
    pub recorder: &'static [u8],
    /// Of [`Library::Substitute`].
    pub substitute: &'static [u8],
}

static CARRIED: OnceLock<Carried> = OnceLock::new();

/// Takes over the libraries that the program carries, where it starts.
pub fn carry(libraries: Carried) {
    // A second time they would be the same.
    let _ = CARRIED.set(libraries);
}

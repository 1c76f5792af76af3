//! Which libraries there are.

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
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Recorder => {
                include_bytes!(concat!(env!("OUT_DIR"), "/liblocktoll_preload.so"))
            }
            Self::Substitute => {
                include_bytes!(concat!(env!("OUT_DIR"), "/liblocktoll_substitute.so"))
            }
        }
    }
}

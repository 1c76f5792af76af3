//! The library that is loaded into a program for a run.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::run_program::launch::{Orders, in_front_of_users, prepare_environment};

/// The library that is loaded into a program.
#[derive(Clone, Copy, Debug)]
pub enum Preloaded<'a> {
    /// None: the program runs as it would without locktoll.
    Nothing,
    /// The recorder.
    Recorder(Orders<'a>),
    /// The library with other locks.
    Locks(Locks<'a>),
}

/// The settings for the library with other locks.
#[derive(Clone, Copy, Debug)]
pub struct Locks<'a> {
    /// The library.
    pub library: &'a Path,
    /// The name of the candidate.
    pub candidate: &'a str,
    /// The file that the library counts in, as an absolute path.
    pub tally: &'a Path,
    /// The only locks to replace, in the library's own notation; `None` to replace all.
    pub only: Option<&'a OsStr>,
}

impl Preloaded<'_> {
    /// Returns the file that the library with other locks counts in, or `None` if that library is not loaded.
    pub fn tally(&self) -> Option<&Path> {
        match self {
            Self::Locks(locks) => Some(locks.tally),
            Self::Nothing | Self::Recorder(_) => None,
        }
    }

    /// Sets up a command so that its process, and the processes that it starts, load this library.
    pub fn prepare(&self, command: &mut Command) {
        match self {
            Self::Nothing => {}
            Self::Recorder(orders) => prepare_environment(command, orders),
            Self::Locks(locks) => {
                let users = std::env::var_os("LD_PRELOAD");
                command
                    .env(
                        "LD_PRELOAD",
                        in_front_of_users(locks.library, users.as_deref()),
                    )
                    .env("LOCKTOLL_LOCK", locks.candidate)
                    .env("LOCKTOLL_TALLY", locks.tally);
                match locks.only {
                    Some(only) => command.env("LOCKTOLL_ONLY", only),
                    None => command.env_remove("LOCKTOLL_ONLY"),
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_is_the_program_without_us() {
        let mut command = Command::new("true");
        Preloaded::Nothing.prepare(&mut command);
        assert_eq!(command.get_envs().count(), 0);
    }

    #[test]
    fn a_candidate_is_told_to_the_library() {
        let mut command = Command::new("true");
        let mut locks = Locks {
            library: Path::new("/c/ours.so"),
            candidate: "gate:2",
            tally: Path::new("/t/tally"),
            only: None,
        };
        let said = |command: &Command, name: &str| {
            let found = command.get_envs().find(|(key, _)| *key == name);
            found.map(|(_, value)| value.map(|value| value.to_str().unwrap().to_owned()))
        };
        Preloaded::Locks(locks).prepare(&mut command);
        let preload = said(&command, "LD_PRELOAD").flatten().unwrap();
        assert!(preload.starts_with("/c/ours.so"), "{preload}");
        assert_eq!(said(&command, "LOCKTOLL_LOCK"), Some(Some("gate:2".into())));
        assert_eq!(
            said(&command, "LOCKTOLL_TALLY"),
            Some(Some("/t/tally".into()))
        );
        assert_eq!(
            said(&command, "LOCKTOLL_ONLY"),
            Some(None),
            "that of a `try` around us"
        );
        locks.only = Some(OsStr::new("object:/p:10"));
        Preloaded::Locks(locks).prepare(&mut command);
        assert_eq!(
            said(&command, "LOCKTOLL_ONLY"),
            Some(Some("object:/p:10".into()))
        );
    }
}

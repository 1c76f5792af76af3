//! One recording that is still being written.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use locktoll_recording::reader::{ReadError, Recording, append_part_with};

use super::shared_names::SharedNames;
use locktoll_lab::machine::Machine;
use locktoll_results::Made;
use locktoll_results::profile::Profile;
use locktoll_sources::clock::now_ns;
use locktoll_sources::mapped::part_of;
use locktoll_sources::recording::{Embedder, Symbols, profile_with};

/// A process and the file into which it records.
pub struct Followed {
    file: File,
    /// Functions found so far: looking them up again each time would cost more than everything else.
    symbols: Symbols,
    last: Option<Arc<Profile>>,
}

impl Followed {
    /// Starts to follow a process that is recorded.
    pub fn start(pid: u32) -> Option<Self> {
        Some(Self {
            file: part_of(pid)?,
            symbols: Symbols::default(),
            last: None,
        })
    }

    /// Follows the process that records into this file.
    #[cfg(test)]
    pub fn of(file: File) -> Self {
        Self {
            file,
            symbols: Symbols::default(),
            last: None,
        }
    }

    /// Whether this is still the file into which the process records: after exec(2) it is another one.
    pub fn is_of(&self, pid: u32) -> bool {
        let of = |file: &File| {
            use std::os::unix::fs::MetadataExt;
            let data = file.metadata().ok()?;
            Some((data.dev(), data.ino()))
        };
        part_of(pid).is_some_and(|now| of(&now) == of(&self.file))
    }

    /// Returns the current profile, with names that other processes of the same program have found.
    ///
    /// # Errors
    /// Why the recording cannot be read, in words.
    pub fn profile_by(&mut self, names: &mut SharedNames, alive: bool) -> Result<Profile, String> {
        let recording = self.read(alive).map_err(|error| why(&error))?;
        Ok(self.named(&recording, names))
    }

    /// Returns the profile of a recording of this process.
    pub fn named(&mut self, recording: &Recording, names: &mut SharedNames) -> Profile {
        let symbols = names.of(recording).unwrap_or(&mut self.symbols);
        profile_with(recording, symbols)
    }

    /// Returns the file into which the process records.
    pub fn file(&self) -> &File {
        &self.file
    }

    fn read(&self, alive: bool) -> Result<Recording, ReadError> {
        let mut recording = Recording::read(&self.file)?;
        if alive {
            end_now(&mut recording);
        }
        Ok(recording)
    }

    /// Returns the current profile, or the last one if the file cannot be read.
    pub fn profile(&mut self, alive: bool) -> Result<Arc<Profile>, String> {
        match self.read(alive) {
            Ok(recording) => {
                let profile = Arc::new(profile_with(&recording, &mut self.symbols));
                self.last = Some(Arc::clone(&profile));
                Ok(profile)
            }
            Err(error) => self.last.clone().ok_or_else(|| why(&error)),
        }
    }

    /// Writes a copy of the recording so far, with the names of functions and variables, and with where it was made.
    pub fn copy(&self, to: &mut dyn Write) -> anyhow::Result<()> {
        let recording = Recording::read(&self.file)?;
        let part = recording.parts.first().context("it has no part")?;
        let made = serde_json::to_string(&Made::now_on(&Machine::observe()))?;
        let appendix = Embedder::default().names(part).with_about(&made);
        append_part_with(&mut { to }, &self.file, &appendix)?;
        Ok(())
    }
}

/// Ends waits that have not ended, and lives of threads, at the present moment.
fn end_now(recording: &mut Recording) {
    let now_ns = now_ns();
    for part in &mut recording.parts {
        part.process.end_monotonic_ns.get_or_insert(now_ns);
    }
}

/// Says why a recording cannot be read.
pub fn why(error: &ReadError) -> String {
    format!("its recording {error}")
}

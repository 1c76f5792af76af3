//! The snapshot's file.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use locktoll_lab::machine::Machine;
use locktoll_recording::appendix::Appendix;
use locktoll_recording::reader::{RawPart, Recording, append_part_with};

use locktoll_results::Made;
use locktoll_sources::recording::Embedder;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{Destination, NewFile, There};

/// Most snapshots of one process id under names that locktoll chooses.
const ATTEMPTS: u32 = 10_000;

/// The place of the file, checked before anything is read.
pub struct Place {
    destination: Destination,
    /// The process id, if locktoll chooses the name.
    chooses: Option<u32>,
}

impl Place {
    /// Checks the place.
    ///
    /// # Errors
    /// [`Failure::Usage`] if nothing can be written there.
    pub fn of(output: Option<&Path>, pid: u32) -> Result<Self, Failure> {
        let path = output.map_or_else(|| name(pid, 1), Path::to_owned);
        let cannot = |error: io::Error| {
            Failure::Usage(format!(
                "cannot write {}: {error}; choose a file in a directory that you can write to with -o",
                shown(path.as_os_str())
            ))
        };
        let found = match output {
            Some(path) => Destination::find(path),
            None => Destination::within(Path::new("."), &path.to_string_lossy()),
        };
        let destination = found.map_err(cannot)?;
        if destination.there() == There::Stream {
            return Err(Failure::Usage(format!(
                "{} is not a regular file; give a file for the snapshot with -o",
                shown(path.as_os_str())
            )));
        }
        destination.try_writing().map_err(cannot)?;
        Ok(Self {
            destination,
            chooses: output.is_none().then_some(pid),
        })
    }

    /// Writes the parts as a recording, with the names of functions and variables. Returns the file's path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, parts: &[RawPart]) -> anyhow::Result<PathBuf> {
        let cannot = || format!("cannot write {}", self.destination.path().display());
        let mut whole = match self.chooses {
            Some(_) => NewFile::begin_free(&self.destination, ".snapshot-"),
            None => NewFile::begin(&self.destination, ".snapshot-"),
        }
        .with_context(cannot)?;
        let mut writer = BufWriter::new(whole.file());
        let mut embedder = Embedder::default();
        for (position, part) in parts.iter().enumerate() {
            let bytes = part.bytes();
            let mut appendix = names(&mut embedder, &bytes);
            if position == 0 {
                let made = Made::now_on(&Machine::observe());
                appendix = appendix.with_about(&serde_json::to_string(&made)?);
            }
            append_part_with(&mut writer, &bytes[..], &appendix)
                .map_err(anyhow::Error::from)
                .with_context(cannot)?;
        }
        writer.flush().with_context(cannot)?;
        drop(writer);
        let Some(pid) = self.chooses else {
            whole.put().with_context(cannot)?;
            return Ok(self.destination.path().to_owned());
        };
        for attempt in 1..=ATTEMPTS {
            let name = name(pid, attempt);
            match whole.put_if_free(&name.to_string_lossy()) {
                Ok(()) => return Ok(name),
                Err((error, again)) if error.kind() == io::ErrorKind::AlreadyExists => {
                    whole = again;
                }
                Err((error, _)) => return Err(error).with_context(cannot),
            }
        }
        anyhow::bail!(
            "this folder already has {ATTEMPTS} snapshots of process {pid}; give a name with -o"
        )
    }
}

fn names(embedder: &mut Embedder, part: &[u8]) -> Appendix {
    let read = Recording::from_bytes(part).ok();
    let part = read.and_then(|it| it.parts.into_iter().next());
    part.map_or_else(Appendix::default, |part| embedder.names(&part))
}

fn name(pid: u32, attempt: u32) -> PathBuf {
    PathBuf::from(match attempt {
        1 => format!("snapshot-{pid}.locktoll"),
        _ => format!("snapshot-{pid}-{attempt}.locktoll"),
    })
}

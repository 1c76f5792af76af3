//! What earlier snapshots of a recording have reported.
//!
//! The state is a recording in a folder of its own, next to the parts: each part with the figures that have been reported, and the
//! time of the last snapshot as the text about the first part.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use locktoll_recording::appendix::Appendix;
use locktoll_recording::reader::{RawPart, Sums, append_part_with};
use serde::{Deserialize, Serialize};

use super::as_owner::AsOwner;
use super::run_in_progress::RunInProgress;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{Destination, NewFile};

/// The folder within that of the parts: files in the latter would be taken for parts.
const FOLDER: &str = "snapshot";
/// The file in it.
const FILE: &str = "reported.locktoll";

/// The permissions that the state must not give.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// When a snapshot was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// `CLOCK_MONOTONIC`.
    pub monotonic_ns: u64,
    /// `CLOCK_REALTIME`.
    pub realtime_ns: u64,
}

/// What was reported, and when.
pub struct Reported {
    /// The parts of the processes at the last snapshot.
    pub parts: Vec<RawPart>,
    /// When it was.
    pub at: Moment,
}

impl Reported {
    /// Returns the earlier look at the same part.
    pub fn of(&self, part: &RawPart) -> Option<&RawPart> {
        self.parts.iter().find(|it| it.is_same_part(part))
    }

    /// Adds up what was reported of processes that the recorder has added up since.
    ///
    /// # Errors
    /// If the sums cannot be read back.
    pub fn with_sums(self, now: &[(RawPart, bool)]) -> Result<Self, Failure> {
        let is_sum = |part: &RawPart| part.process().added_up.is_some();
        let (sums, processes): (Vec<&RawPart>, Vec<&RawPart>) =
            now.iter().map(|(part, _)| part).partition(|it| is_sum(it));
        if sums.is_empty() {
            return Ok(self);
        }
        let goes_on = |part: &RawPart| processes.iter().any(|it| it.is_same_part(part));
        let (there, gone): (Vec<RawPart>, Vec<RawPart>) = self.parts.into_iter().partition(goes_on);
        let (then, gone): (Vec<&RawPart>, Vec<&RawPart>) = gone.iter().partition(|it| is_sum(it));
        // A process id may have been used again: those that have gone come last, and are found first.
        let others: Vec<&RawPart> = processes.into_iter().chain(gone.iter().copied()).collect();
        let now = sums.into_iter().cloned().collect();
        let reported = Sums::reported(now, &then, &gone, &others);
        let reported = reported.map_err(|error| {
            Failure::Run(anyhow::anyhow!(
                "the sum of processes that have ended {error}"
            ))
        })?;
        Ok(Self {
            parts: there.into_iter().chain(reported).collect(),
            at: self.at,
        })
    }
}

/// The place of the state, locked: no other snapshot of the same recording is taken at the same time.
pub struct State<'a> {
    run: &'a RunInProgress,
    place: Destination,
    _lock: File,
}

impl<'a> State<'a> {
    /// Finds the place, and makes its folder if it is not there.
    ///
    /// # Errors
    /// If it cannot be made, if others could write there, or if another snapshot is being taken.
    pub fn of(run: &'a RunInProgress) -> Result<Self, Failure> {
        let _as_owner = AsOwner::begin(run.owner);
        let cannot = |error: io::Error| {
            Failure::Unsupported(format!(
                "the state of snapshots cannot be kept in {}: {error}",
                shown(run.folder.as_os_str())
            ))
        };
        let beside = Destination::within(&run.folder, FOLDER).map_err(cannot)?;
        match beside.make_folder_beside(FOLDER.as_ref()) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot(error)),
        }
        let folder = run.folder.join(FOLDER);
        let metadata = std::fs::symlink_metadata(&folder).map_err(cannot)?;
        check(&metadata, run.owner, &folder)?;
        let place = Destination::within(&folder, FILE).map_err(cannot)?;
        if let Some(file) = place.open_file().map_err(cannot)? {
            let metadata = file.metadata().map_err(cannot)?;
            check(&metadata, run.owner, place.path())?;
        }
        let lock = run.first_part().map_err(cannot)?;
        let exclusively = rustix::fs::FlockOperation::NonBlockingLockExclusive;
        rustix::fs::flock(&lock, exclusively).map_err(|_| {
            Failure::Unsupported(
                "another snapshot of this recording is being taken; try again once it has ended"
                    .to_owned(),
            )
        })?;
        Ok(Self {
            run,
            place,
            _lock: lock,
        })
    }

    /// Reads what was reported; `None` if this is the first snapshot.
    ///
    /// # Errors
    /// If the state is damaged.
    pub fn read(&self) -> Result<Option<Reported>, Failure> {
        let _as_owner = AsOwner::begin(self.run.owner);
        let name = shown(self.place.path().as_os_str());
        let damaged = |what: String| {
            Failure::Run(anyhow::anyhow!(
                "{name}, the state of snapshots, {what}; if you remove it, the next snapshot contains everything since the recording began"
            ))
        };
        let Some(file) = self
            .place
            .open_file()
            .map_err(|error| damaged(format!("cannot be read: {error}")))?
        else {
            return Ok(None);
        };
        let parts = RawPart::read_all(&file).map_err(|error| damaged(error.to_string()))?;
        let at = parts.first().and_then(RawPart::about);
        let at = at.and_then(|text| serde_json::from_str(text).ok());
        let Some(at) = at else {
            return Err(damaged("does not say when it was written".to_owned()));
        };
        Ok(Some(Reported { parts, at }))
    }

    /// Puts the present state in place of the last one.
    ///
    /// # Errors
    /// If it cannot be written; the last state then stays.
    pub fn put(&self, parts: &[RawPart], at: Moment) -> anyhow::Result<()> {
        let _as_owner = AsOwner::begin(self.run.owner);
        let mut whole = NewFile::begin(&self.place, ".reported-")?;
        rustix::fs::fchmod(whole.file(), rustix::fs::Mode::from_raw_mode(0o600))?;
        let mut writer = io::BufWriter::new(whole.file());
        for (position, part) in parts.iter().enumerate() {
            let appendix = match position {
                0 => Appendix::default().with_about(&serde_json::to_string(&at)?),
                _ => Appendix::default(),
            };
            append_part_with(&mut writer, &part.bytes()[..], &appendix)?;
        }
        writer.flush()?;
        drop(writer);
        whole.put()?;
        Ok(())
    }
}

/// Refuses what another user may have written.
fn check(metadata: &std::fs::Metadata, owner: u32, path: &Path) -> Result<(), Failure> {
    let is_owners = metadata.uid() == owner && metadata.mode() & WRITABLE_BY_OTHERS == 0;
    if is_owners && !metadata.file_type().is_symlink() {
        return Ok(());
    }
    Err(Failure::Unsupported(format!(
        "{} can be written by other users or does not belong to the owner of the recording, so it may have been changed; remove it",
        shown(path.as_os_str())
    )))
}

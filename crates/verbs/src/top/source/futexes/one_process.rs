//! The locks of one process, as `locktoll attach` shows them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::diagnosis::explained;
use locktoll_results::doctor::Verb;
use locktoll_results::profile::Profile;
use locktoll_sources::futexes::{
    Capacity, Names, Processes, Seen, Subject, Watch, Whom, profile, profile_with,
};
use locktoll_terminal::failure::Failure;

/// Longest time for one look-up of names.
const NAMES: Duration = Duration::from_secs(3);
/// The fraction of the total time for names is 1 in this many: debug information of large programs is read again for each new
/// place.
const NAMES_SHARE: u32 = 4;

/// One process under watch. The programs in the kernel end when this value is dropped.
pub struct One {
    subject: Subject,
    watch: Watch,
    processes: Processes,
    names: Names,
    /// Time spent on names so far.
    naming: Duration,
    began: Instant,
    last: Option<Arc<Profile>>,
}

impl One {
    /// Begins watching.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is no such process, or the kernel does not allow it.
    pub fn begin(pid: u32, capacity: Capacity) -> Result<Self, Failure> {
        let subject = Subject::of(pid)?;
        let watch = Watch::begin(Whom::One(pid), capacity).map_err(explained(Verb::Attach))?;
        Ok(Self {
            processes: Processes::begin([(pid, subject.clone())]),
            subject,
            watch,
            names: Names::default(),
            naming: Duration::ZERO,
            began: Instant::now(),
            last: None,
        })
    }

    /// Returns the process id.
    pub fn pid(&self) -> u32 {
        self.subject.pid
    }

    /// Whether it has become another program, whose addresses have other meanings.
    pub fn is_replaced(&self) -> bool {
        let lives = self.watch.lives();
        lives.is_ok_and(|lives| lives.programs_replaced > 0)
    }

    /// Returns the profile so far, or the last one if a new one cannot be read.
    ///
    /// # Errors
    /// If it could never be read.
    pub fn profile(&mut self, alive: bool) -> anyhow::Result<Arc<Profile>> {
        if !alive && let Some(last) = &self.last {
            // The memory of a process that has ended can no longer be read.
            return Ok(Arc::clone(last));
        }
        self.watch.refresh()?;
        self.processes.look();
        let gathered = self.watch.gathered()?;
        let allowed = NAMES + self.began.elapsed() / NAMES_SHARE;
        let time = NAMES.min(allowed.saturating_sub(self.naming));
        let seen = Seen {
            processes: &self.processes,
            gathered: &gathered,
            duration_ns: self.processes.watched_ns(),
        };
        let begun = Instant::now();
        let profile = Arc::new(profile_with(&seen, &mut self.names, begun + time));
        self.naming += begun.elapsed();
        self.last = Some(Arc::clone(&profile));
        Ok(profile)
    }

    /// Returns the complete profile, with all names that can be found, and what the threads did.
    ///
    /// # Errors
    /// If the kernel does not permit reading it.
    pub fn whole(&mut self) -> anyhow::Result<Arc<Profile>> {
        if !self.subject.runs() {
            return self.profile(false);
        }
        self.processes.end();
        let seen = Seen {
            processes: &self.processes,
            gathered: &self.watch.gathered()?,
            duration_ns: self.processes.watched_ns(),
        };
        Ok(Arc::new(profile(&seen, Instant::now() + NAMES)))
    }
}

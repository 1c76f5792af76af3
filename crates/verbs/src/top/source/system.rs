//! `/proc`, for all users: the same watch that `locktoll machine --watch` shows.

use locktoll_lab::watch::{Subject, Unwatchable, Watcher};

use super::Source;
use crate::top::model::Reading;

/// The machine, or one process and its threads.
pub struct SystemSource {
    watcher: Option<Watcher>,
    /// Whether the chosen process has ended.
    ended: bool,
}

impl SystemSource {
    /// Begins to watch.
    ///
    /// # Errors
    /// [`Unwatchable`] for a process that does not exist, has ended, or is closed to this user.
    pub fn start(pid: Option<u32>) -> Result<Self, Unwatchable> {
        Ok(Self {
            watcher: Some(Watcher::start(subject(pid))?),
            ended: false,
        })
    }
}

impl Source for SystemSource {
    fn read(&mut self, reading: &mut Reading) {
        let interval = self.watcher.as_mut().map(Watcher::next_interval);
        if let Some(Err(_)) = interval {
            // What the machine does is still worth a line.
            self.ended = true;
            self.watcher = Watcher::start(Subject::Machine).ok();
        }
        reading.system = interval.and_then(Result::ok);
        if let Some(chosen) = &mut reading.chosen {
            chosen.ended |= self.ended;
        }
    }

    fn look(&mut self) {
        if let Some(watcher) = &mut self.watcher {
            watcher.look();
        }
    }

    fn choose(&mut self, pid: Option<u32>) {
        let watcher = Watcher::start(subject(pid));
        self.ended = watcher.is_err();
        self.watcher = watcher.or_else(|_| Watcher::start(Subject::Machine)).ok();
    }
}

fn subject(pid: Option<u32>) -> Subject {
    pid.map_or(Subject::Machine, Subject::Process)
}

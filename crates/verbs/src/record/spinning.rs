//! The detector of busy waiting, from before the program starts until after it has ended.

use std::sync::{Mutex, PoisonError};

use super::notices;
use crate::arguments::Spin;
use crate::run_program::launch::Children;
use locktoll_sources::spinning::{AtWork, Detector, Subjects};
use locktoll_sources::spun::Report;

/// The detector, if it is wanted and permitted.
pub struct Spinning(Mutex<State>);

enum State {
    Absent,
    Waits(Detector),
    Works(AtWork),
}

impl Spinning {
    /// Begins to sample. Must be called by the thread that starts the program. Where it is not permitted, it says so once.
    pub fn begin(spin: Spin, children: Children) -> Self {
        let state = spin.rate().map_or(State::Absent, |rate| {
            let children = children == Children::Included;
            match Detector::begin(Subjects::Started { children }, rate) {
                Ok(detector) => State::Waits(detector),
                Err(why) => {
                    notices::busy_waiting_is_not_seen(why);
                    State::Absent
                }
            }
        });
        Self(Mutex::new(state))
    }

    /// Goes on with the process that was started.
    pub fn follow(&self, pid: u32) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match std::mem::replace(&mut *state, State::Absent) {
            State::Waits(detector) => detector
                .follow(Some(pid))
                .map_or(State::Absent, State::Works),
            other => other,
        };
    }

    /// Ends it, and returns what was seen.
    pub fn end(self) -> Option<Report> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            State::Works(at_work) => at_work.end(),
            State::Absent | State::Waits(_) => None,
        }
    }
}

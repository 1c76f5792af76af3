//! What happened in an interval.

use prost::Message;

use super::otlp::{self, Resource};
use crate::formats::pprof::{compressed, message, proto};
use crate::{Selection, Side, SortKey};
use locktoll_results::profile::{Lock, Profile};

/// What happened in an interval.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The figures of the interval.
    profile: Profile,
    /// When it began: nanoseconds since 1970.
    pub began_unix_ns: u64,
    /// When it ended.
    pub ended_unix_ns: u64,
}

impl Interval {
    /// Takes the waits that ended in an interval. A wait that goes on counts, as a whole, in the interval in which it ends: the
    /// sum of all intervals is then the recording.
    #[must_use]
    pub fn of(mut profile: Profile, began_unix_ns: u64, ended_unix_ns: u64) -> Self {
        for lock in &mut profile.locks {
            (lock.still_waiting, lock.still_waiting_ns) = (0, 0);
            lock.longest_still_waiting = None;
            lock.still_waiting_threads.clear();
        }
        Self {
            profile,
            began_unix_ns,
            ended_unix_ns,
        }
    }

    /// Returns the waits as pprof, compressed; `None` if there were none. `lock_name` is the label `lock`.
    ///
    /// # Errors
    /// Never: memory has room for it.
    pub fn pprof(
        &self,
        side: Side,
        lock_name: &dyn Fn(&Lock) -> String,
    ) -> std::io::Result<Option<Vec<u8>>> {
        let Some(profile) = self.message(side, lock_name) else {
            return Ok(None);
        };
        compressed(&profile.encode_to_vec()).map(Some)
    }

    /// Returns the waits as a request in OTLP, compressed; `None` if there were none. `lock_name` is the attribute `lock`.
    ///
    /// # Errors
    /// Never: memory has room for it.
    pub fn otlp(
        &self,
        side: Side,
        resource: &Resource<'_>,
        lock_name: &dyn Fn(&Lock) -> String,
    ) -> std::io::Result<Option<Vec<u8>>> {
        let Some(profile) = self.message(side, lock_name) else {
            return Ok(None);
        };
        let request = otlp::request(profile, side, self, resource);
        compressed(&request.encode_to_vec()).map(Some)
    }

    fn message(&self, side: Side, lock_name: &dyn Fn(&Lock) -> String) -> Option<proto::Profile> {
        let selection = Selection::new(&self.profile, SortKey::Wait, None);
        let mut profile = message(&selection, side, lock_name);
        profile.time_nanos = i64::try_from(self.began_unix_ns).unwrap_or(i64::MAX);
        (!profile.sample.is_empty()).then_some(profile)
    }
}

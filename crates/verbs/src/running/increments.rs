//! What a recording in progress gains from one reading to the next.

use locktoll_recording::reader::{Interval as Times, RawPart, ReadError, Recording, since};
use rustix::time::{ClockId, clock_gettime};

use super::followed::{Followed, why};
use super::shared_names::SharedNames;
use locktoll_shown::pushed::Interval;
use locktoll_sources::clock::now_ns;

/// The figures of a recording that have been taken.
pub struct Increments {
    /// `None` before the first reading, if it is to have everything since the recording began.
    taken: Option<(RawPart, Moment)>,
}

/// A moment by both clocks.
#[derive(Clone, Copy)]
struct Moment {
    monotonic_ns: u64,
    unix_ns: u64,
}

impl Moment {
    fn now() -> Self {
        let unix = clock_gettime(ClockId::Realtime);
        let part = |value: i64| u64::try_from(value).unwrap_or(0);
        Self {
            monotonic_ns: now_ns(),
            unix_ns: part(unix.tv_sec) * 1_000_000_000 + part(unix.tv_nsec),
        }
    }
}

impl Increments {
    /// Begins now; with a recording that began at `all_since_ns` (`CLOCK_MONOTONIC`) or later, where it began.
    pub fn begin(followed: &Followed, all_since_ns: u64) -> Self {
        let taken = read(followed)
            .ok()
            .filter(|part| part.process().start_monotonic_ns < all_since_ns);
        Self {
            taken: taken.map(|part| (part, Moment::now())),
        }
    }

    /// Returns what has happened since the last reading. A process that is not `alive` has written everything.
    ///
    /// # Errors
    /// Why the recording cannot be read, in words; the next reading then has all of it.
    pub fn next(
        &mut self,
        followed: &mut Followed,
        names: &mut SharedNames,
        alive: bool,
    ) -> Result<Interval, String> {
        let part = read(followed).map_err(|error| why(&error))?;
        let now = Moment::now();
        let start_ns = part.process().start_monotonic_ns;
        let then = self.taken.as_ref();
        let began_ns = then.map_or(start_ns, |(_, at)| at.monotonic_ns);
        // By the steady clock: the other one may have been set back.
        let length_ns = now.monotonic_ns.saturating_sub(began_ns);
        let began_unix_ns = now.unix_ns.saturating_sub(length_ns);
        let times = Times {
            began_ns: then.map(|(_, at)| (at.monotonic_ns, at.unix_ns)),
            now_ns: alive.then_some(now.monotonic_ns),
        };
        let found = since(&part, then.map(|(part, _)| part), times);
        let recording =
            Recording::from_bytes(&found.difference.bytes()).map_err(|error| why(&error))?;
        let profile = followed.named(&recording, names);
        self.taken = Some((found.reported, now));
        Ok(Interval::of(profile, began_unix_ns, now.unix_ns))
    }
}

fn read(followed: &Followed) -> Result<RawPart, ReadError> {
    let parts = RawPart::read_all(followed.file())?;
    // A file has a part, or it could not be read.
    parts
        .into_iter()
        .next()
        .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into())
}

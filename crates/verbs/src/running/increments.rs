//! What a recording in progress gains from one reading to the next.

use locktoll_recording::reader::{Interval as Times, RawPart, ReadError, Recording, since};
use rustix::time::{ClockId, clock_gettime};

use super::followed::{Followed, why};
use super::shared_names::SharedNames;
use locktoll_shown::pushed::Interval;
use locktoll_sources::clock::now_ns;

/// The figures of a recording that have been taken.
pub struct Increments {
    /// `None` before the first reading.
    taken: Option<(RawPart, Moment)>,
    /// The first reading has everything since the recording began, if it began then (`CLOCK_MONOTONIC`) or later.
    all_since_ns: u64,
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

    /// Returns what the other clock would have shown at an earlier moment, had it not been set since.
    fn unix_at(self, monotonic_ns: u64) -> u64 {
        self.unix_ns
            .saturating_sub(self.monotonic_ns.saturating_sub(monotonic_ns))
    }
}

impl Increments {
    /// Begins now; with a recording that began at `all_since_ns` (`CLOCK_MONOTONIC`) or later, where it began. If the recording cannot be
    /// read now, it begins with the first reading.
    pub fn begin(followed: &Followed, all_since_ns: u64) -> Self {
        let taken = read(followed)
            .ok()
            .filter(|part| part.process().start_monotonic_ns < all_since_ns);
        Self {
            taken: taken.map(|part| (part, Moment::now())),
            all_since_ns,
        }
    }

    /// Returns what has happened since the last reading; nothing if this is the first of a recording that had begun before. A process that is not `alive` has written everything.
    ///
    /// # Errors
    /// Why the recording cannot be read, in words; the next reading then has all of it.
    pub fn next(
        &mut self,
        followed: &mut Followed,
        names: &mut SharedNames,
        alive: bool,
    ) -> Result<Option<Interval>, String> {
        let part = read(followed).map_err(|error| why(&error))?;
        let now = Moment::now();
        let start_ns = part.process().start_monotonic_ns;
        if self.taken.is_none() && start_ns < self.all_since_ns {
            self.taken = Some((part, now));
            return Ok(None);
        }
        let then = self.taken.as_ref();
        let began_ns = then.map_or(start_ns, |(_, at)| at.monotonic_ns);
        let began_unix_ns = now.unix_at(began_ns);
        let times = Times {
            began_ns: then.map(|(_, at)| (at.monotonic_ns, at.unix_ns)),
            now_ns: alive.then_some(now.monotonic_ns),
        };
        let found = since(&part, then.map(|(part, _)| part), times);
        let recording =
            Recording::from_bytes(&found.difference.bytes()).map_err(|error| why(&error))?;
        let profile = followed.named(&recording, names);
        self.taken = Some((found.reported, now));
        Ok(Some(Interval::of(profile, began_unix_ns, now.unix_ns)))
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::mem::offset_of;
    use std::path::Path;

    use locktoll_recording::layout::{BYTE_ORDER, Header, MAGIC, MAJOR, PAGE_BYTES};

    use super::*;

    /// Writes a recording that began at this time, without locks.
    fn write(path: &Path, start_ns: u64) {
        let mut page = vec![0; PAGE_BYTES as usize];
        let mut put = |at: usize, field: &[u8]| page[at..at + field.len()].copy_from_slice(field);
        put(offset_of!(Header, magic), &MAGIC.to_le_bytes());
        put(offset_of!(Header, major), &MAJOR.to_le_bytes());
        put(
            offset_of!(Header, header_bytes),
            &(PAGE_BYTES as u32).to_le_bytes(),
        );
        put(offset_of!(Header, byte_order), &BYTE_ORDER.to_le_bytes());
        put(offset_of!(Header, word_bytes), &[8]);
        put(offset_of!(Header, pid), &7_u32.to_le_bytes());
        put(
            offset_of!(Header, start_monotonic_ns),
            &start_ns.to_le_bytes(),
        );
        put(offset_of!(Header, end), &PAGE_BYTES.to_le_bytes());
        fs::write(path, page).unwrap();
    }

    /// The first two readings of a recording that began at `start_ns`, with everything since 500, which can be read at first or not.
    fn readings(start_ns: u64, at_first: bool) -> [Option<Interval>; 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("7-0.part");
        fs::write(&path, "").unwrap();
        if at_first {
            write(&path, start_ns);
        }
        let mut followed = Followed::of(fs::File::open(&path).unwrap());
        let mut names = SharedNames::default();
        let mut increments = Increments::begin(&followed, 500);
        if !at_first {
            assert!(increments.next(&mut followed, &mut names, true).is_err());
            write(&path, start_ns);
        }
        [(); 2].map(|()| increments.next(&mut followed, &mut names, true).unwrap())
    }

    #[test]
    fn an_interval_is_as_long_as_it_was_even_if_the_clock_is_set_back() {
        let began_ns = 1_000;
        for unix_ns in [9_000_000, 5_000_000] {
            let now = Moment {
                monotonic_ns: 3_000,
                unix_ns,
            };
            assert_eq!(unix_ns - now.unix_at(began_ns), 2_000);
        }
    }

    #[test]
    fn what_happened_before_the_agent_began_is_not_taken_even_if_it_could_not_be_read_then() {
        for at_first in [true, false] {
            let [first, second] = readings(400, at_first);
            assert_eq!(first.is_some(), at_first);
            assert!(second.is_some());
            // A recording that began later is taken from its beginning.
            assert!(readings(600, at_first)[0].is_some());
        }
    }
}

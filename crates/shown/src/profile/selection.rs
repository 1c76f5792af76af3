//! The locks of a profile that a report shows, and their order.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;

use super::names::Names;
use super::view::{Side, View};
use super::words;
use crate::SortKey;
use locktoll_results::profile::timeline::TimelineLock;
use locktoll_results::profile::{Lock, Profile};
use locktoll_terminal::escape::shown_text;

/// A profile, and the part of it that is wanted.
#[derive(Clone, Debug)]
pub struct Selection<'a> {
    /// The whole profile.
    pub profile: &'a Profile,
    /// The wanted locks, in the wanted order.
    pub locks: Vec<&'a Lock>,
    /// The sort key.
    pub sort: SortKey,
    /// The most locks to show, if the reader specified it.
    pub top: Option<usize>,
    /// The names of rows.
    pub names: Names<'a>,
    /// Whether a single lock was asked for, to be shown in full.
    pub opened: bool,
    /// The table to show, if a format has several.
    pub view: View,
    /// The side by whose places time is shown, if a format has both; `None` if it was not specified.
    pub side: Option<Side>,
}

/// No single lock has the name that was asked for.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchLock {
    /// No lock has that name.
    #[error("no lock has the id or name {asked}; {}", hint(.nearest))]
    Unknown {
        /// The name that was asked for.
        asked: String,
        /// Similar ids.
        nearest: Vec<String>,
    },
    /// Several locks have it.
    #[error("{asked} matches {number} locks; give the id of one: {}", .ids.join(", "))]
    Several {
        /// The name that was asked for.
        asked: String,
        /// The number of such locks.
        number: usize,
        /// The ids of the first few.
        ids: Vec<String>,
    },
}

/// The number of ids that an error mentions.
const NAMED: usize = 4;

fn hint(nearest: &[String]) -> String {
    match nearest {
        [] => "the recording has none".to_owned(),
        some => format!("there are {}", some.join(", ")),
    }
}

impl<'a> Selection<'a> {
    /// Selects all locks, the largest by `sort` first.
    pub fn new(profile: &'a Profile, sort: SortKey, top: Option<usize>) -> Self {
        let mut locks: Vec<&Lock> = profile.locks.iter().collect();
        locks.sort_by_key(|lock| Reverse(key(lock, sort)));
        Self {
            profile,
            locks,
            sort,
            top,
            names: Names::of(&profile.locks),
            opened: false,
            view: View::Locks,
            side: None,
        }
    }

    /// Selects the one lock with this id; otherwise the one with this name; otherwise the only one with this text in its id or
    /// name; otherwise the only one with it in its row's name, shortened as the page shortens it.
    ///
    /// # Errors
    /// [`NoSuchLock`] if there is none or more than one.
    pub fn open(profile: &'a Profile, asked: &str) -> Result<Self, NoSuchLock> {
        let by = |matches: &dyn Fn(&Lock) -> bool| -> Vec<&'a Lock> {
            profile.locks.iter().filter(|lock| matches(lock)).collect()
        };
        let mut found = by(&|lock| lock.id == asked);
        if found.is_empty() {
            found = by(&|lock| lock.name == asked);
        }
        if found.is_empty() && !asked.is_empty() {
            found = by(&|lock| lock.id.contains(asked) || lock.name.contains(asked));
        }
        let names = Names::of(&profile.locks);
        let part = asked.trim_start_matches('.');
        if found.is_empty() && !part.is_empty() {
            found = by(&|lock| {
                let name = names.name(lock);
                name.contains(part) || words::brief(&name).contains(part)
            });
        }
        match found[..] {
            [_] => Ok(Self {
                profile,
                locks: found,
                sort: SortKey::Wait,
                top: None,
                names,
                opened: true,
                view: View::Locks,
                side: None,
            }),
            [] => Err(NoSuchLock::Unknown {
                asked: shown_text(asked),
                nearest: nearest(profile, asked),
            }),
            _ => Err(NoSuchLock::Several {
                asked: shown_text(asked),
                number: found.len(),
                ids: ids(found.into_iter()),
            }),
        }
    }

    /// Selects another table.
    pub fn with_view(self, view: View) -> Self {
        Self { view, ..self }
    }

    /// Selects the places of one side.
    pub fn with_side(self, side: Option<Side>) -> Self {
        Self { side, ..self }
    }

    /// Returns the profile with only the wanted locks.
    pub fn cut(&self) -> Cow<'a, Profile> {
        let locks = self.shown();
        let unchanged = locks.len() == self.profile.locks.len()
            && locks
                .iter()
                .zip(&self.profile.locks)
                .all(|(a, b)| std::ptr::eq(*a, b));
        if unchanged && (!self.opened || self.profile.timeline.is_none()) {
            return Cow::Borrowed(self.profile);
        }
        let locks = locks.iter().map(|&lock| lock.clone()).collect();
        let timeline = self.profile.timeline.as_deref().map(|timeline| {
            Box::new(match self.opened {
                true => timeline.of_locks(self.in_timeline()),
                false => timeline.clone(),
            })
        });
        Cow::Owned(self.profile.with(locks, timeline))
    }

    /// Returns the number of events of the timeline that [`cut`](Self::cut) has: of a single lock that was asked for, those of that lock.
    pub fn events(&self) -> usize {
        let timeline = self.profile.timeline.as_deref();
        timeline.map_or(0, |timeline| match self.opened {
            true => timeline.events_of_locks(self.in_timeline()),
            false => timeline.events(),
        })
    }

    /// Returns whether a lock of the timeline is shown.
    fn in_timeline(&self) -> impl Fn(&TimelineLock) -> bool {
        let ids: HashSet<&str> = self.shown().iter().map(|it| it.id.as_str()).collect();
        move |lock| ids.contains(lock.id.as_str())
    }

    /// Returns the wanted locks, at most as many as asked for.
    pub fn shown(&self) -> &[&'a Lock] {
        &self.locks[..self.locks.len().min(self.top.unwrap_or(usize::MAX))]
    }
}

fn ids<'l>(locks: impl Iterator<Item = &'l Lock>) -> Vec<String> {
    locks.take(NAMED).map(|lock| shown_text(&lock.id)).collect()
}

/// Returns the ids most similar to what was asked for, or those of the most expensive locks if none is similar.
fn nearest(profile: &Profile, asked: &str) -> Vec<String> {
    /// Below this, names have no more in common than any two names.
    const ALIKE: f64 = 0.7;
    let likeness = |lock: &Lock| {
        let id = strsim::jaro_winkler(asked, &lock.id);
        let last = lock.id.rsplit(':').next().unwrap_or_default();
        let tail = strsim::jaro_winkler(asked, last);
        id.max(tail).max(strsim::jaro_winkler(asked, &lock.name))
    };
    // Comparing names takes time: in a very long profile, the most expensive locks are enough.
    let mut alike: Vec<(f64, &Lock)> = profile
        .locks
        .iter()
        .take(10_000)
        .map(|lock| (likeness(lock), lock))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .collect();
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    if alike.is_empty() {
        return ids(profile.locks.iter());
    }
    ids(alike.into_iter().map(|(_, lock)| lock))
}

/// Returns the sort key of a lock: the key asked for, then the other measures of cost.
fn key(lock: &Lock, sort: SortKey) -> [u64; 4] {
    let wait = lock.waited_ns();
    let contended = lock.contended;
    let acquired = lock.acquisitions.unwrap_or(0);
    let held = lock.hold_ns.as_ref().map_or(0, |hold| hold.total);
    match sort {
        SortKey::Wait => [wait, contended, acquired, held],
        SortKey::Contended => [contended, wait, acquired, held],
        SortKey::Acquisitions => [acquired, wait, contended, held],
        SortKey::Hold => [held, wait, contended, acquired],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::made_up::timeline;
    use locktoll_made_up::sample;

    #[test]
    fn a_lock_is_found_by_id_by_name_and_by_a_part_that_only_it_has() {
        let profile = sample::job_server();
        let first = &profile.locks[0];
        for asked in [first.id.as_str(), first.name.as_str(), "log_lo"] {
            let selection = Selection::open(&profile, asked).unwrap();
            assert_eq!(selection.locks[0].id, first.id, "{asked}");
        }
    }

    #[test]
    fn a_lock_is_found_by_what_its_row_shows() {
        let mut profile = sample::job_server();
        for (position, maker) in ["open_pool(int)", "open_log(char const*)"]
            .into_iter()
            .enumerate()
        {
            let lock = &mut profile.locks[position];
            lock.name = "lock made in new_lock(void*)".to_owned();
            lock.birth = vec![locktoll_results::profile::Frame {
                function: Some(maker.to_owned()),
                ..Default::default()
            }];
        }
        for asked in ["open_log", "...via open_log", "new_lock via open_log"] {
            let selection = Selection::open(&profile, asked).unwrap();
            assert_eq!(selection.locks[0].id, profile.locks[1].id, "{asked}");
        }
    }

    #[test]
    fn what_is_not_there_names_what_is() {
        let profile = sample::job_server();
        let error = Selection::open(&profile, "lgo_lock")
            .unwrap_err()
            .to_string();
        assert!(error.contains("log_lock"), "{error}");
        let error = Selection::open(&profile, "~~~~").unwrap_err().to_string();
        assert!(error.contains(&profile.locks[0].id), "{error}");
        let error = Selection::open(&profile, "lock").unwrap_err();
        assert!(matches!(error, NoSuchLock::Several { .. }), "{error}");
        let error = Selection::open(&profile, "\x1b[2J")
            .unwrap_err()
            .to_string();
        assert!(!error.contains('\x1b'), "{error:?}");
    }

    #[test]
    fn the_part_of_one_lock_has_its_events_and_all_else_but_other_locks() {
        let mut profile = sample::job_server();
        let whole = timeline(500, 7);
        let (id, events) = (whole.locks[0].id.clone(), whole.events());
        profile.timeline = Some(Box::new(whole));
        profile.locks[1].id = id.clone();
        let selection = Selection::open(&profile, &id).unwrap();
        let mut expected = profile.clone();
        expected.locks = vec![profile.locks[1].clone()];
        let of_lock = expected.timeline.take().unwrap();
        let of_lock = of_lock.of_locks(|lock| lock.id == id);
        assert_eq!(selection.events(), of_lock.events());
        assert!(!of_lock.waits.is_empty() && of_lock.events() < events);
        expected.timeline = Some(Box::new(of_lock));
        assert_eq!(*selection.cut(), expected);
        let all = Selection::new(&profile, SortKey::Wait, Some(1));
        assert_eq!((all.events(), all.cut().locks.len()), (events, 1));
        assert_eq!(all.cut().timeline, profile.timeline);
    }

    #[test]
    fn each_key_puts_its_largest_first() {
        let profile = sample::job_server();
        type Measure = fn(&Lock) -> u64;
        let measures: [(SortKey, Measure); 4] = [
            (SortKey::Wait, Lock::waited_ns),
            (SortKey::Contended, |lock| lock.contended),
            (SortKey::Acquisitions, |lock| lock.acquisitions.unwrap_or(0)),
            (SortKey::Hold, |lock| {
                lock.hold_ns.as_ref().map_or(0, |hold| hold.total)
            }),
        ];
        for (sort, measure) in measures {
            let selection = Selection::new(&profile, sort, Some(2));
            assert_eq!(selection.shown().len(), 2);
            assert!(
                selection
                    .locks
                    .is_sorted_by_key(|lock| Reverse(measure(lock))),
                "{sort:?}"
            );
        }
    }
}

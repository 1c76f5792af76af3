//! The locks that are examined.

use std::ffi::OsString;

use locktoll_results::profile::{Lock, LockKind, Profile, Use};
use locktoll_sources::recording::MOST_ANCHORS;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;

use super::change::Direction;
use super::request::Asked;
use crate::trial::{lines, single_out};

/// How many locks are examined if none is named.
const MOST: usize = 3;

/// Below this share of the threads' time, waiting for a lock is not worth shortening its holds.
const LEAST_SHARE: f64 = 0.005;

/// A lock that is examined.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// As it was recorded.
    pub lock: Lock,
    /// How its holds are changed: each direction once, in per cent.
    pub changes: Vec<(Direction, Vec<u32>)>,
    /// How the library finds it again.
    pub only: OsString,
    /// The share of the threads' time that went into waiting for it.
    pub wait_share: f64,
    /// Whether no other lock was waited for longer.
    pub is_longest_wait: bool,
}

/// Returns the locks that are asked for, or those that threads wait for longest.
///
/// # Errors
/// [`Failure::Usage`] if a lock is not in the recording or cannot be examined; [`Failure::Run`] if no lock is worth it.
pub fn chosen(profile: &Profile, asked: &[Asked]) -> Result<Vec<Chosen>, Failure> {
    if asked.is_empty() {
        return most_waited_for(profile);
    }
    let mut all: Vec<Chosen> = Vec::new();
    for asked in asked {
        let flag = asked.direction.flag();
        let lock = single_out(profile, &asked.lock, flag)?;
        if !can_be_changed(lock) {
            return Err(Failure::Usage(format!(
                "{flag}: holds of {} cannot be changed; those of mutexes and reader-writer locks can",
                shown_text(&lock.id)
            )));
        }
        if lock.hold_ns.as_ref().is_some_and(|holds| holds.total == 0) {
            return Err(Failure::Usage(format!(
                "{flag}: {} was not held in the recorded run, so there is nothing to change",
                shown_text(&lock.id)
            )));
        }
        let changes = (asked.direction, asked.percents.clone());
        match all.iter_mut().find(|it| it.lock.id == lock.id) {
            Some(it)
                if it
                    .changes
                    .iter()
                    .any(|(known, _)| *known == asked.direction) =>
            {
                return Err(Failure::Usage(format!(
                    "{flag} names {} twice; give its changes in one list",
                    shown_text(&lock.id)
                )));
            }
            Some(it) => it.changes.push(changes),
            None => all.push(examined(profile, lock, vec![changes])),
        }
    }
    Ok(all)
}

fn most_waited_for(profile: &Profile) -> Result<Vec<Chosen>, Failure> {
    let mut locks: Vec<&Lock> = profile
        .locks
        .iter()
        .filter(|lock| lock.used_as == Use::Lock && can_be_changed(lock))
        .filter(|lock| (1..=MOST_ANCHORS).contains(&lock.anchors.len()))
        .filter(|lock| share(profile, lock) >= LEAST_SHARE)
        .collect();
    locks.sort_by_key(|lock| std::cmp::Reverse(lock.waited_ns()));
    locks.truncate(MOST);
    if locks.is_empty() {
        return Err(Failure::Run(anyhow::anyhow!(
            "in a recorded run, threads waited for no mutex or reader-writer lock for {} % of their time or more: shorter holds could \
             change almost nothing; name a lock with --fast or --slow to examine it anyway",
            100.0 * LEAST_SHARE
        )));
    }
    let both = [Direction::Fast, Direction::Slow].map(|it| (it, it.defaults()));
    let of = |lock: &Lock| examined(profile, lock, both.to_vec());
    Ok(locks.into_iter().map(of).collect())
}

fn can_be_changed(lock: &Lock) -> bool {
    matches!(lock.kind, LockKind::Mutex | LockKind::RwLock)
}

fn share(profile: &Profile, lock: &Lock) -> f64 {
    lock.waited_ns() as f64 / profile.thread_time_ns.max(1) as f64
}

fn examined(profile: &Profile, lock: &Lock, changes: Vec<(Direction, Vec<u32>)>) -> Chosen {
    let others = profile.locks.iter().map(Lock::waited_ns);
    Chosen {
        lock: lock.clone(),
        changes,
        only: lines(&lock.anchors),
        wait_share: share(profile, lock),
        is_longest_wait: lock.waited_ns() > 0 && others.max() == Some(lock.waited_ns()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;
    use locktoll_results::profile::{Anchor, Anchored};

    fn anchored() -> Profile {
        let mut profile = sample::job_server();
        for lock in &mut profile.locks {
            lock.anchors = vec![Anchor {
                what: Anchored::Object,
                module: "/bin/a".into(),
                offset: 8,
            }];
        }
        profile
    }

    #[test]
    fn without_a_name_the_longest_waits_are_examined() {
        let profile = anchored();
        let chosen = chosen(&profile, &[]).unwrap();
        assert!((1..=MOST).contains(&chosen.len()));
        assert!(chosen[0].is_longest_wait && !chosen[0].only.is_empty());
        let both = [Direction::Fast, Direction::Slow].map(|it| (it, it.defaults()));
        assert!(chosen.iter().all(|it| it.changes == both));
        assert!(
            chosen
                .windows(2)
                .all(|it| it[0].wait_share >= it[1].wait_share)
        );
    }

    #[test]
    fn a_lock_that_does_not_exist_has_its_nearest_names() {
        let of = |direction, lock: &str| Asked {
            lock: lock.to_owned(),
            direction,
            percents: vec![20],
        };
        let slow = |lock: &str| of(Direction::Slow, lock);
        let refused = |asked: &[Asked]| chosen(&anchored(), asked).unwrap_err().to_string();
        assert!(refused(&[slow("lgo_lock")]).contains("log_lock"));
        let id = anchored().locks[0].id.clone();
        assert!(refused(&[slow(&id), slow(&id)]).contains("twice"));
        let both = [slow(&id), of(Direction::Fast, &id)];
        let both = chosen(&anchored(), &both).unwrap();
        assert_eq!((both.len(), both[0].changes.len()), (1, 2));
        let mut profile = anchored();
        profile.locks[0].kind = LockKind::Spin;
        let error = chosen(&profile, &[slow(&id)]).unwrap_err().to_string();
        assert!(error.contains("cannot be changed"), "{error}");
        profile.locks.clear();
        let error = chosen(&profile, &[]).unwrap_err().to_string();
        assert!(error.contains("almost nothing"), "{error}");
    }
}

//! Locks that are taken often, and not worth touching.

use locktoll_results::advice::{Remedy, RemedyKind};
use locktoll_results::profile::{Lock, Use};
use locktoll_terminal::quantity::{count, share};

use crate::advise::lock_use::{Situation, bare};
use crate::advise::words::{self, for_program};

/// How many are named.
const MOST: usize = 3;
/// A lock that is taken more rarely attracts nobody.
const FEWEST: u64 = 1_000;

/// Names the locks that are taken most often among those that hardly any thread waits for, and that have none of these `remedies`.
pub fn alone(situation: &Situation<'_>, remedies: &[Remedy]) -> Vec<Remedy> {
    let waited: u64 = situation.profile.locks.iter().map(Lock::waited_ns).sum();
    let of_waiting = |lock: &Lock| lock.waited_ns() as f64 / waited.max(1) as f64;
    let mut locks: Vec<&Lock> = situation
        .profile
        .locks
        .iter()
        .filter(|it| it.used_as == Use::Lock && it.acquisitions >= Some(FEWEST))
        .filter(|lock| !remedies.iter().any(|it| it.lock.as_ref() == Some(&lock.id)))
        .filter(|it| {
            situation.share(it.waited_ns()) < 0.005
                && (of_waiting(it) < 0.05 || situation.wait_share() < 0.005)
        })
        .collect();
    locks.sort_by_key(|it| std::cmp::Reverse(it.acquisitions));
    locks.truncate(MOST);
    locks.into_iter().map(|it| leave(it, waited)).collect()
}

fn leave(lock: &Lock, all_waited_ns: u64) -> Remedy {
    let name = bare(&lock.name);
    let waiting = match lock.waited_ns() {
        0 => "no thread waited for it".to_owned(),
        waited_ns => format!("{} of waiting", share(waited_ns, all_waited_ns)),
    };
    let evidence = format!(
        "{name}: {waiting}, acquired {} times; leave it.",
        count(lock.acquisitions.unwrap_or(0))
    );
    Remedy {
        lock: Some(lock.id.clone()),
        name: Some(name.to_owned()),
        site: words::busiest(lock).and_then(|(site, _)| words::place(&site.frames)),
        evidence,
        ..for_program(RemedyKind::LeaveAlone, format!("Leave {name} alone."))
    }
}

//! From a profile to its remedies in order, and the answer.

use locktoll_results::advice::{AdviceMethod, Remedy, RemedyKind};
use locktoll_results::profile::{Lock, Profile, Use};
use locktoll_terminal::quantity::counted;

use super::lock_use::{FEWEST, LockUse, Situation, bare};
use super::rules::{
    blocking, broadcast, leave, less_often, nested, other_lock, readers, shard, shorten, spinning,
    threads,
};

/// How many locks are looked at.
const LOCKS: usize = 6;
/// How many remedies are listed for one lock.
const FOR_ONE_LOCK: usize = 4;
/// A gain that is expected to be smaller is not worth a change.
const LEAST_GAIN: f64 = 1.02;
/// From this share of the threads' time in waits for one lock, it may be worth the reader's time even without a remedy.
const MUCH_WAITING: f64 = 0.05;

/// Returns all remedies, the most promising first and the locks to leave alone last. `only` restricts them to one lock, by its id.
pub fn remedies(profile: &Profile, only: Option<&str>) -> Vec<Remedy> {
    let situation = Situation::of(profile);
    let mut all = Vec::new();
    let mut locks: Vec<&Lock> = profile
        .locks
        .iter()
        .filter(|it| only.is_none_or(|id| it.id == id))
        .collect();
    locks.sort_by_key(|it| std::cmp::Reverse(it.waited_ns()));
    let uses: Vec<LockUse<'_>> = locks
        .iter()
        .filter_map(|it| LockUse::of(&situation, it))
        .take(LOCKS)
        .collect();
    for lock in &uses {
        let mut found = of_lock(&situation, lock);
        sort(&mut found);
        found.truncate(FOR_ONE_LOCK);
        all.append(&mut found);
    }
    all.extend(
        locks
            .iter()
            .filter_map(|it| broadcast::advise(&situation, it)),
    );
    if only.is_none() {
        all.extend(spinning::less(&situation));
        all.extend(threads::fewer(&situation, &uses));
        all.extend(threads::more(&situation));
    }
    all.retain(is_worth_it);
    sort(&mut all);
    if only.is_none() {
        let alone = leave::alone(&situation, &all);
        all.extend(alone);
    }
    all
}

fn of_lock(situation: &Situation<'_>, lock: &LockUse<'_>) -> Vec<Remedy> {
    let rules = [
        blocking::advise,
        nested::advise,
        shorten::advise,
        less_often::advise,
        shard::advise,
        readers::advise,
        other_lock::advise,
        spinning::more,
    ];
    rules
        .iter()
        .filter_map(|rule| rule(situation, lock))
        .collect()
}

fn is_worth_it(remedy: &Remedy) -> bool {
    remedy.gain.is_none_or(|gain| gain.median >= LEAST_GAIN)
}

/// Sorts by the expected gain, those without a figure last, in the order in which they were found: by waiting.
pub fn sort(remedies: &mut [Remedy]) {
    let key = |it: &Remedy| it.gain.map_or(0.0, |gain| gain.median);
    remedies.sort_by(|a, b| key(b).total_cmp(&key(a)));
}

/// Returns the answer: the first remedy with its gain, or that nothing is worth the reader's time.
pub fn conclusion(remedies: &[Remedy], profile: &Profile) -> String {
    let first = remedies.iter().find(|it| it.kind != RemedyKind::LeaveAlone);
    let Some(first) = first else {
        return without_remedy(profile);
    };
    match (first.gain, first.method) {
        (Some(gain), Some(AdviceMethod::Bound)) => format!(
            "{} It gains at most {:.2}x in {}.",
            first.advice,
            gain.high,
            gain_of(first)
        ),
        (Some(gain), _) => format!(
            "{} Expect {:.2}x ({:.2} .. {:.2}) in {}.",
            first.advice,
            gain.median,
            gain.low,
            gain.high,
            gain_of(first)
        ),
        (None, _) => format!(
            "{} The recording does not show what it gains; threads spent {:.1} % of their time waiting for locks.",
            first.advice,
            100.0 * Situation::of(profile).wait_share()
        ),
    }
}

/// The answer if no remedy was found: there may be much waiting all the same.
fn without_remedy(profile: &Profile) -> String {
    let situation = Situation::of(profile);
    let waited = format!(
        "threads spent {:.1} % of their time waiting for locks",
        100.0 * situation.wait_share()
    );
    let locks = profile.locks.iter().filter(|it| it.used_as == Use::Lock);
    let worst = locks.max_by_key(|it| it.waited_ns());
    let Some(worst) = worst.filter(|it| situation.share(it.waited_ns()) >= MUCH_WAITING) else {
        return format!("Nothing here is worth your time: {waited}.");
    };
    let name = bare(&worst.name);
    match worst.acquisitions {
        Some(acquisitions) if acquisitions < FEWEST => format!(
            "No remedy was found, although {waited}: {name} was acquired {} only, too rarely to judge by means. Record a longer run.",
            counted(acquisitions, "time", "times"),
        ),
        _ => format!(
            "No remedy was found, although {waited}, most of it for {name}. `locktoll whatif` measures what shorter holds of it would gain."
        ),
    }
}

fn gain_of(remedy: &Remedy) -> &str {
    remedy.gain_of.as_deref().unwrap_or("the program's speed")
}

#[cfg(test)]
mod tests;

//! Sentences about figures, and the parts that all remedies share.

use locktoll_results::advice::{AdviceMethod, Gain, Remedy, RemedyKind};
use locktoll_results::profile::{Frame, Lock, Profile, Site, caller};
use locktoll_terminal::escape::quoted;
use locktoll_terminal::quantity::{count, counted, duration};

use super::lock_use::{LockUse, bare};

/// Begins a remedy for a lock; the caller adds what it knows.
pub fn for_lock(kind: RemedyKind, lock: &LockUse<'_>, advice: String) -> Remedy {
    Remedy {
        lock: Some(lock.lock.id.clone()),
        name: Some(bare(&lock.lock.name).to_owned()),
        ..for_program(kind, advice)
    }
}

/// Begins a remedy for the whole program.
pub fn for_program(kind: RemedyKind, advice: String) -> Remedy {
    Remedy {
        kind,
        lock: None,
        name: None,
        site: None,
        advice,
        evidence: String::new(),
        gain: None,
        gain_of: None,
        method: None,
        cost: String::new(),
        command: None,
    }
}

/// Adds a gain in the rate at which threads come through a lock.
pub fn with_gain(remedy: Remedy, lock: &LockUse<'_>, gain: Gain, method: AdviceMethod) -> Remedy {
    Remedy {
        gain: Some(gain),
        gain_of: Some(format!(
            "the rate at which threads get through {}",
            lock.name()
        )),
        method: Some(method),
        ..remedy
    }
}

/// Makes a bound of the largest gain: the median is half way to it, by factors.
pub fn bound(high: f64) -> Gain {
    let high = high.clamp(1.0, 1000.0);
    Gain {
        median: high.sqrt(),
        low: 1.0,
        high,
    }
}

/// `Threads spent 41.7 % of their time waiting for it: 3,502 of 3,512 acquisitions waited, for 4.28 ms on average.`
pub fn waiting(lock: &LockUse<'_>) -> String {
    let mut text = format!(
        "Threads spent {:.1} % of their time waiting for it: {} of {} waited",
        100.0 * lock.wait_share,
        count(lock.lock.contended),
        counted(lock.acquisitions as u64, "acquisition", "acquisitions"),
    );
    if lock.lock.contended > 0 {
        let each = lock.lock.waited_ns() as f64 / lock.lock.contended as f64;
        text.push_str(&format!(", for {} on average", duration(each)));
    }
    text.push('.');
    text
}

/// `It is held for 1.12 ms at a time, 98 % of the run.`
pub fn holding(lock: &LockUse<'_>) -> String {
    format!(
        "It is held for {} at a time on average, {:.0} % of the run, by {} in turn.",
        duration(lock.hold_ns),
        100.0 * lock.utilization(),
        effective_threads(lock),
    )
}

fn effective_threads(lock: &LockUse<'_>) -> String {
    match lock.lock.takers {
        Some(takers) => counted(takers.threads, "thread", "threads"),
        None => "an unknown number of threads".to_owned(),
    }
}

/// Returns the program's own place among the frames.
pub fn place(frames: &[Frame]) -> Option<Frame> {
    caller(frames).cloned()
}

/// Returns the place where the lock is held longest.
pub fn longest_held(lock: &Lock) -> Option<Frame> {
    let site = lock.sites.iter().max_by_key(|it| it.hold_ns.unwrap_or(0));
    place(&site?.frames)
}

/// Returns the place with most acquisitions, and its share of all.
pub fn busiest(lock: &Lock) -> Option<(&Site, f64)> {
    let all = lock.acquisitions?.max(1);
    let site = lock.sites.iter().max_by_key(|it| it.acquisitions)?;
    Some((site, site.acquisitions? as f64 / all as f64))
}

/// Returns the program as one types it.
pub fn program(profile: &Profile) -> String {
    let words: Vec<String> = profile.command.iter().map(|it| quoted(it)).collect();
    words.join(" ")
}

/// Returns the command that measures what shorter holds would gain.
pub fn whatif(lock: &LockUse<'_>, profile: &Profile) -> String {
    let id = quoted(&lock.lock.id);
    format!("locktoll whatif --slow {id} -- {}", program(profile))
}

//! The answer in one sentence: which lock cost most, how much, where, and which place held it.

use super::{Selection, spinning, words};
use locktoll_results::profile::{Blame, Lock, Profile, Spinning, Use};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// Below this fraction of the threads' time, all locks together are not worth an hour's work.
const LITTLE: u64 = 100;

/// Returns the sentence that a profile report begins with.
pub fn answer(selection: &Selection<'_>) -> String {
    let locks = of_locks(selection);
    let profile = selection.profile;
    let spun_ns = spinning::ns(profile).unwrap_or(0);
    match of_spinning(profile) {
        // What cost more comes first.
        Some(spinning) if spun_ns > profile.wait_ns => format!("{spinning} {locks}"),
        Some(spinning) => format!("{locks} {spinning}"),
        None => locks,
    }
}

/// Returns the sentence about busy waiting, if it is worth one.
fn of_spinning(profile: &Profile) -> Option<String> {
    let ns = spinning::ns(profile)?;
    let most = spinning::uncharged(profile).max_by(|a, b| {
        let ns = |row: &Spinning| row.cpu_ns.median;
        ns(a).total_cmp(&ns(b))
    })?;
    let known = match &most.known_as {
        Some(name) => format!(" ({name})"),
        None => String::new(),
    };
    Some(format!(
        "Busy waiting used {} of CPU time, most of it in {}{known}.",
        duration(ns as f64),
        spinning::site(most)
    ))
}

fn of_locks(selection: &Selection<'_>) -> String {
    let profile = selection.profile;
    let locks = || profile.locks.iter().filter(|it| it.used_as == Use::Lock);
    let most = locks().max_by_key(|lock| (lock.waited_ns(), std::cmp::Reverse(&lock.id)));
    let Some(most) = most.filter(|lock| lock.waited_ns() > 0) else {
        return not_waited_for(profile, locks());
    };
    let name = called(&selection.names.name(most));
    let all_ns = locks().fold(0, |sum: u64, lock| sum.saturating_add(lock.waited_ns()));
    let time = duration(most.waited_ns() as f64);
    let where_and_who = place(most).map_or_else(String::new, |place| format!("; {place}"));
    if all_ns < profile.thread_time_ns / LITTLE {
        return format!(
            "Locks cost little: threads waited for them {} of their time, longest for {name} ({time}){where_and_who}.",
            share(all_ns, profile.thread_time_ns)
        );
    }
    let part = match profile.thread_time_ns {
        0 => String::new(),
        whole => format!(" in all, {} of their time", share(most.waited_ns(), whole)),
    };
    format!("Threads waited most for {name}: {time}{part}{where_and_who}.")
}

/// Refers to a lock. A lock without a name is described: `lock made in open_session (session.c:17)`.
fn called(name: &str) -> String {
    match name.split_once(' ') {
        Some(("lock" | "semaphore" | "locks", _)) => format!("the {name}"),
        _ => name.to_owned(),
    }
}

/// Returns the program's file name without its folder.
fn program(profile: &Profile) -> String {
    let command = profile
        .command
        .first()
        .map_or("the program", |it| words::base(it));
    shown_text(command)
}

fn not_waited_for<'a>(profile: &Profile, locks: impl Iterator<Item = &'a Lock>) -> String {
    let program = program(profile);
    let (mut number, mut acquired) = (0_u64, 0_u64);
    for lock in locks {
        number = number.saturating_add(lock.instances);
        acquired = acquired.saturating_add(lock.acquisitions.unwrap_or(0));
    }
    match (number, acquired) {
        (0, _) if profile.dropped.damaged > 0 => {
            format!("The recording of {program} is damaged, and no lock is left in it.")
        }
        (0, _) => format!("No lock was seen in {program}."),
        (_, 0) => format!("No lock was waited for in {program}."),
        _ => format!(
            "No lock was waited for in {program}: {} acquired {} without a wait.",
            counted(number, "lock was", "locks were"),
            match acquired {
                1 => "once".to_owned(),
                many => format!("{} times", count(many)),
            }
        ),
    }
}

/// Says where most of the waiting was, and who held the lock meanwhile.
fn place(lock: &Lock) -> Option<String> {
    if let Some(text) = several_holders(lock) {
        return Some(text);
    }
    let most = lock.blame.iter().max_by_key(|blame| blame.wait_ns);
    if let Some(blame) = most.filter(|blame| !blame.waiter.is_empty()) {
        let part = part_of_that(blame.wait_ns, lock);
        let place = words::site(&blame.waiter);
        return Some(match holder(blame) {
            Some(holder) => format!("{part} spent at {place}, {holder}"),
            None if lock.futex.is_some() => {
                format!("{part} spent at {place}, while the lock was handed over")
            }
            None => format!("{part} spent at {place}"),
        });
    }
    let stuck = lock.longest_still_waiting.as_ref();
    if let Some(field) = stuck.and_then(|it| it.owner_field) {
        return Some(words::owner_field(&field));
    }
    let site = lock.sites.iter().max_by_key(|site| site.wait_ns);
    let site = site.filter(|site| site.wait_ns > 0 && !site.frames.is_empty())?;
    let part = part_of_that(site.wait_ns, lock);
    Some(format!("{part} spent at {}", words::site(&site.frames)))
}

/// Says where most of the waiting was if no single pair has a third of it, but threads of which only the ids are known have half of it together.
fn several_holders(lock: &Lock) -> Option<String> {
    let (half_ns, third_ns) = (lock.waited_ns() / 2, lock.waited_ns() / 3);
    let first = lock.blame.first()?;
    let of_threads = || {
        let pairs = lock.blame.iter();
        pairs.filter(|it| it.holder_thread.is_some() && it.holder.is_none())
    };
    let all_ns = of_threads().fold(0, |sum: u64, it| sum.saturating_add(it.wait_ns));
    let is_of_one = lock.blame.iter().any(|it| it.wait_ns > third_ns);
    let is_at_one_place = lock.blame.iter().all(|it| it.waiter == first.waiter);
    if is_of_one || !is_at_one_place || first.waiter.is_empty() || all_ns <= half_ns {
        return None;
    }
    Some(format!(
        "{} spent at {}; {} threads held it in turn",
        part_of_that(all_ns, lock),
        words::site(&first.waiter),
        count(of_threads().count() as u64)
    ))
}

fn part_of_that(ns: u64, lock: &Lock) -> String {
    // `attach` reads the whole and its parts one after the other, and a wait that goes on is longer by then.
    let all_ns = lock.waited_ns();
    match share(ns.min(all_ns), all_ns).as_str() {
        "100.0 %" => "all of it was".to_owned(),
        part => format!("{part} of that was"),
    }
}

fn holder(blame: &Blame) -> Option<String> {
    match (&blame.holder, &blame.holder_thread) {
        (Some(holder), _) if *holder == blame.waiter => Some(
            "waiting for another thread that had acquired the lock at the same place".to_owned(),
        ),
        (Some(holder), _) => Some(format!(
            "waiting for a thread that had acquired the lock at {}",
            words::site(holder)
        )),
        (None, Some(thread)) => Some(format!("while {} held it", words::thread(thread))),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use locktoll_made_up::sample;
    use locktoll_results::profile::{OwnerField, OwnerState};

    fn of(profile: &Profile) -> String {
        answer(&Selection::new(profile, SortKey::Acquisitions, Some(1)))
    }

    #[test]
    fn the_lock_the_place_and_the_holder_that_cost_most() {
        assert_eq!(
            of(&sample::job_server()),
            "Threads waited most for log_lock: 9.12 s in all, 37.8 % of their time; 80.3 % of that was spent at write_log_line \
             (log.c:88), waiting for another thread that had acquired the lock at the same place."
        );
    }

    #[test]
    fn from_outside_the_holder_is_a_thread() {
        let text = of(&sample::attached_server());
        assert!(
            text.ends_with("while thread worker-0 (4243) held it."),
            "{text}"
        );
    }

    #[test]
    fn from_outside_many_holders_are_counted() {
        let mut profile = sample::attached_server();
        let lock = profile.locks.iter_mut().max_by_key(|it| it.waited_ns());
        let lock = lock.unwrap();
        let (mut one, waited_ns) = (lock.blame[0].clone(), lock.waited_ns());
        one.wait_ns = waited_ns / 10;
        lock.blame = (0..9).map(|_| one.clone()).collect();
        let text = of(&profile);
        assert!(
            text.contains("90.0 % of that was spent at ")
                && text.ends_with("9 threads held it in turn."),
            "{text}"
        );
    }

    #[test]
    fn a_lock_that_no_thread_will_release_names_its_owner() {
        let mut profile = sample::attached_server();
        let lock = profile.locks.iter_mut().max_by_key(|it| it.waited_ns());
        let lock = lock.unwrap();
        lock.blame.clear();
        let job_server = sample::job_server();
        let mut waits = job_server
            .locks
            .iter()
            .flat_map(|it| &it.still_waiting_threads);
        let mut stuck = waits.next().unwrap().clone();
        for (state, pid, expected) in [
            (
                OwnerState::TheWaiter,
                None,
                "the waiting thread already holds the lock, so it waits for itself.",
            ),
            (
                OwnerState::Ended,
                None,
                "the lock's owner, thread 77, ended without releasing it.",
            ),
            (
                OwnerState::OfAnotherProcess,
                Some(70),
                "the lock's owner is thread 77 of another process, 70: the lock was held during a fork, or is shared between processes.",
            ),
            (
                OwnerState::NotOfThisProcess,
                None,
                "the lock's owner field names thread 77, which is not in this process.",
            ),
        ] {
            stuck.owner_field = Some(OwnerField {
                tid: 77,
                state,
                pid,
            });
            let lock = profile
                .locks
                .iter_mut()
                .find(|it| it.blame.is_empty() && it.futex.is_some());
            lock.unwrap().longest_still_waiting = Some(stuck.clone());
            let text = of(&profile);
            assert!(text.ends_with(expected), "{text}");
        }
    }

    #[test]
    fn where_there_is_no_answer_nothing_is_made_up() {
        let mut profile = sample::job_server();
        let of_waits = |lock: &Lock| lock.waited_ns() == 0;
        profile.locks.retain(of_waits);
        assert_eq!(
            of(&profile),
            "No lock was waited for in job-server: 1 lock was acquired 1,234,000 times without a wait."
        );
        profile.locks.clear();
        assert_eq!(of(&profile), "No lock was seen in job-server.");
        profile.dropped.damaged = 1;
        assert!(of(&profile).contains("damaged"));
    }

    #[test]
    fn little_waiting_is_called_little() {
        let mut profile = sample::job_server();
        profile
            .locks
            .retain(|lock| lock.name.contains("open_session"));
        let text = of(&profile);
        assert!(text.starts_with("Locks cost little: "), "{text}");
        assert!(text.contains("the lock made in open_session"), "{text}");
    }
}

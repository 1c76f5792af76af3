//! The purpose for which a process of PostgreSQL sleeps, as far as names show it.

use locktoll_results::profile::{Frame, Use};

/// How many frames from the system call outwards are looked at.
const DEEPEST: usize = 12;

/// Returns what a process of PostgreSQL sleeps for; `None` if it is not such a process, or does not sleep like this.
///
/// Each of its processes has one semaphore, in shared memory, on which it sleeps whatever it waits for. The process that lets it
/// continue posts that semaphore. So the semaphore is not a lock, and its posters show nothing: the function that sleeps does.
pub fn named_use_of_postgres(frames: &[Frame]) -> Option<Use> {
    let names = frames.iter().take(DEEPEST);
    let mut names = names.filter_map(|frame| frame.function.as_deref());
    names.find(|&name| name == "PGSemaphoreLock")?;
    Some(match names.next() {
        Some(name) if name.starts_with("LWLock") => Use::Lock,
        _ => Use::Signal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_postgres_sleeps_for_a_lock_if_a_lock_puts_it_to_sleep() {
        let of = |functions: &[&str]| {
            let frame = |name: &&str| Frame {
                function: Some((*name).to_owned()),
                ..Frame::default()
            };
            let frames: Vec<Frame> = functions.iter().map(frame).collect();
            named_use_of_postgres(&frames)
        };
        let (waits, sleeps) = ("sem_wait", "PGSemaphoreLock");
        assert_eq!(
            of(&[waits, sleeps, "LWLockAcquire", "XLogFlush"]),
            Some(Use::Lock)
        );
        assert_eq!(of(&[waits, sleeps, "LWLockAcquireOrWait"]), Some(Use::Lock));
        assert_eq!(
            of(&[waits, sleeps, "ProcArrayEndTransaction"]),
            Some(Use::Signal)
        );
        assert_eq!(of(&[waits, sleeps]), Some(Use::Signal));
        assert_eq!(of(&[waits, "LWLockAcquire"]), None);
    }
}

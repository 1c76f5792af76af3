//! The order in which the candidates are tried, and which of them run at the same time.

use std::sync::{Mutex, PoisonError, RwLock};

use crate::support::Candidate;

/// How many candidates whose waiters sleep are tried at once by one test.
const AT_ONCE: usize = 3;

/// Spinners have the processors without the other tests' candidates: where something else runs, a thread that is to have the
/// lock next waits for its turn of the scheduler while the others spin.
static SPINNERS_ALONE: RwLock<()> = RwLock::new(());

/// Tries these candidates, those whose waiters sleep several at once: with them most programs wait more than they compute.
/// Gives the results in the order of the candidates. What a candidate does wrong, `try_it` says with the candidate's name.
pub fn under_each<T: Send>(
    candidates: Vec<Candidate>,
    try_it: impl Fn(Candidate) -> T + Sync,
) -> Vec<T> {
    let numbered = candidates.into_iter().enumerate();
    let (spinners, others): (Vec<_>, Vec<_>) = numbered.partition(|(_, it)| it.is_pure_spinner);
    let alone = SPINNERS_ALONE
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    let mut tried: Vec<_> = spinners
        .into_iter()
        .map(|(at, candidate)| (at, try_it(candidate)))
        .collect();
    drop(alone);

    let others = Mutex::new(others.into_iter());
    let next = || others.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let each = std::iter::from_fn(next).map(|(at, candidate)| {
            let _not_beside_spinners = SPINNERS_ALONE
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            (at, try_it(candidate))
        });
        each.collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            // The test fails by the panic of the candidate, and keeps its message.
            let outcomes = thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            tried.extend(outcomes);
        }
    });
    tried.sort_by_key(|(at, _)| *at);
    tried.into_iter().map(|(_, outcome)| outcome).collect()
}

//! Threads that use a CPU to wait: too much of it, or too little.

use locktoll_results::advice::{AdviceMethod, Remedy, RemedyKind};
use locktoll_results::profile::{LockKind, Spinning, described, spinner};
use locktoll_terminal::escape::quoted;
use locktoll_terminal::quantity::{count, counted, duration};

use super::blocking::holders_wait;
use crate::advise::lock_use::{LockUse, Situation};
use crate::advise::model::{Change, MOST_WAKE_NS, gain};
use crate::advise::words::{self, for_lock, for_program, with_gain};

/// Below this share of the CPU time, busy waiting is not worth a change.
const LEAST_SPUN: f64 = 0.1;
/// Holds longer than this end later than a reasonable spin.
const MOST_HOLD_NS: f64 = 5_000.0;

/// Proposes less spinning where loops that wait use much of the CPU time.
pub fn less(situation: &Situation<'_>) -> Option<Remedy> {
    let profile = situation.profile;
    let worst = profile
        .spinning
        .iter()
        .max_by(|a, b| a.cpu_ns.median.total_cmp(&b.cpu_ns.median))?;
    let running_ns = profile.time.running_ns.max(1) as f64;
    let spun = |it: &Spinning| (it.cpu_ns.median / running_ns).clamp(0.0, 1.0);
    // The lower end: an estimate that may be nothing is nothing.
    if worst.cpu_ns.low / running_ns < LEAST_SPUN {
        return None;
    }
    let known = spinner(&worst.stack).or_else(|| spinner(std::slice::from_ref(&worst.site)));
    let crowded = worst
        .runnable_threads
        .zip(worst.usable_cpus)
        .is_some_and(|(threads, cpus)| threads > cpus)
        || situation.cpu_wait_share() >= 0.1;
    let place = described(&worst.site);
    let advice = match known {
        Some(known) => format!(
            "Let threads wait without a CPU in {}: {}.",
            known.name, known.remedy
        ),
        None => format!("Let the loop at {place} sleep after a short while."),
    };
    let mut evidence = format!(
        "{} used {} of CPU time only to wait there, {:.0} % of the program's CPU time.",
        counted(worst.threads, "thread", "threads"),
        duration(worst.cpu_ns.median),
        100.0 * spun(worst),
    );
    if let Some(state) = worst.writer_state {
        evidence.push_str(&format!(
            " The thread that they wait for had a CPU in {:.0} % of that time, waited for one in {:.0} %, and slept in {:.0} %.",
            100.0 * state.running,
            100.0 * state.runnable,
            100.0 * state.asleep
        ));
    }
    evidence.push_str(match crowded {
        true => {
            " More threads can run than there are CPUs, so the loop takes CPU time from threads that have work. If it keeps the thread that it \
             waits for from a CPU, the gain can be many times the share of CPU time, so no figure is given."
        }
        false => " There are CPUs for all threads, so the gain is CPU time, not speed.",
    });
    let remedy = for_program(RemedyKind::SpinLess, advice);
    Some(Remedy {
        lock: worst.lock.clone(),
        site: Some(worst.site.clone()),
        evidence,
        cost: match known {
            Some(known) => format!("A setting ({}).", known.source),
            None => "A bounded spin, then futex(2) or a condition variable; a wake-up costs the waiting thread some microseconds."
                .to_owned(),
        },
        command: Some(format!("locktoll record -- {}", words::program(profile))),
        ..remedy
    })
}

/// Proposes to spin before sleeping where holds are short, waits are mostly sleep and wake-up, and CPUs are idle.
pub fn more(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let split = lock.lock.wait_split.as_ref()?;
    let waited_ns = lock.lock.wait_ns.total.max(1) as f64;
    let spun = split.spinning_ns.unwrap_or(0) as f64 / waited_ns;
    let each_ns = waited_ns / lock.lock.contended.max(1) as f64;
    let applies = lock.lock.kind == LockKind::Mutex
        && lock.hold_ns <= MOST_HOLD_NS
        && lock.lock.contended >= 1_000
        && lock.wait_share >= 0.02
        && spun < 0.5
        && each_ns >= 3.0 * lock.hold_ns
        && situation.cpu_used() < 0.98
        && situation.active_threads(0.1) <= situation.cpus;
    if !applies || holders_wait(lock) {
        return None;
    }
    let name = lock.name();
    let advice = format!("Let waiters of {name} spin for a short while before they sleep.");
    let without = Change {
        hand_over: 0.0,
        saved_ns: lock.lock.contended as f64 / lock.acquisitions * MOST_WAKE_NS,
        ..Change::default()
    };
    Some(with_gain(
        Remedy {
            site: words::longest_held(lock.lock),
            evidence: format!(
                "{} It is held for {} on average, and a wait takes {}: {:.0} % of that on a CPU, the rest asleep and being woken. The \
                 program used {:.0} % of the CPUs' time, so there is room for spinning.",
                words::waiting(lock),
                duration(lock.hold_ns),
                duration(each_ns),
                100.0 * spun,
                100.0 * situation.cpu_used(),
            ),
            cost: format!(
                "The type of the lock, or PTHREAD_MUTEX_ADAPTIVE_NP. {} waits would then use a CPU.",
                count(lock.lock.contended)
            ),
            command: Some(format!(
                "locktoll try --only {} --lock futex3:100,tollgate -- {}",
                quoted(&lock.lock.id),
                words::program(situation.profile)
            )),
            ..for_lock(RemedyKind::SpinMore, lock, advice)
        },
        lock,
        words::bound(gain(lock, without).high),
        AdviceMethod::Bound,
    ))
}

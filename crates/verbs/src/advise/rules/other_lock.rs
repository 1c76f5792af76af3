//! Short holds whose waits are mostly the price of handing the lock over: another lock may do that better.

use locktoll_lab::stats::Estimate;
use locktoll_results::advice::{AdviceMethod, Gain, Remedy, RemedyKind};
use locktoll_results::profile::LockKind;
use locktoll_results::trial::{Better, TrialResult, Verdict};
use locktoll_terminal::escape::quoted;
use locktoll_terminal::quantity::duration;

use super::blocking::holders_wait;
use crate::advise::lock_use::{LockUse, Situation, bare};
use crate::advise::words::{self, for_lock, for_program, longest_held};

/// Longer holds cost more than any hand-over.
const MOST_HOLD_NS: f64 = 20_000.0;

/// Proposes to try other locks where holds are short and many acquisitions wait.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let contended = lock.lock.contended;
    let applies = lock.lock.kind == LockKind::Mutex
        && lock.hold_ns <= MOST_HOLD_NS
        && contended >= 1_000
        && lock.wait_share >= 0.02;
    if !applies || holders_wait(lock) {
        return None;
    }
    let each_ns = lock.lock.waited_ns() as f64 / contended as f64;
    let name = lock.name();
    let advice = format!("Try {name} as another lock.");
    Some(Remedy {
        site: longest_held(lock.lock),
        evidence: format!(
            "{} It is held for {} on average, and a wait takes {} ({:.0} holds){}. A lock whose waiters spin for a while, or \
             that hands over less often, waits less.",
            words::waiting(lock),
            duration(lock.hold_ns),
            duration(each_ns),
            each_ns / lock.hold_ns.max(1.0),
            runnable(lock),
        ),
        cost: "None in the program's logic: the type of the lock, or a library in LD_PRELOAD."
            .to_owned(),
        command: Some(format!(
            "locktoll try --only {} -- {}",
            quoted(&lock.lock.id),
            words::program(situation.profile)
        )),
        ..for_lock(RemedyKind::OtherLock, lock, advice)
    })
}

fn runnable(lock: &LockUse<'_>) -> String {
    let share = lock
        .lock
        .wait_split
        .as_ref()
        .map(|split| split.runnable_ns as f64 / lock.lock.wait_ns.total.max(1) as f64);
    match share {
        Some(share) if share >= 0.05 => format!(
            "; {:.0} % of that is waiting for a CPU after the wake-up",
            100.0 * share
        ),
        _ => String::new(),
    }
}

/// Quotes a result of `try`: its best lock, if one is faster.
pub fn quote(trial: &TrialResult) -> Option<Remedy> {
    let best = trial.best.as_ref()?;
    let row = trial.results.iter().find(|it| it.lock == best.lock)?;
    if row.verdict != Some(Verdict::Faster) {
        return None;
    }
    let ratio = best.ratio_to_bare;
    let only = trial.only.as_ref();
    let what = only.map_or("the program's mutexes", |it| bare(&it.name));
    let command: Vec<String> = trial.command.iter().map(|it| quoted(it)).collect();
    let advice = format!("Use {} in place of {what}.", best.lock);
    let remedy = for_program(RemedyKind::OtherLock, advice);
    Some(Remedy {
        lock: only.map(|it| it.id.clone()),
        name: only.map(|it| bare(&it.name).to_owned()),
        evidence: format!(
            "`locktoll try` ran the program on it and on its own locks in {} interleaved rounds, and judged it faster by ranks.",
            ratio.n
        ),
        gain: Some(turned(trial, &ratio)),
        gain_of: Some("the program's metric".to_owned()),
        method: Some(AdviceMethod::Experiment),
        cost: "None in the program's logic: the type of the lock, or a library in LD_PRELOAD."
            .to_owned(),
        command: Some(format!(
            "locktoll try --lock {} -- {}",
            quoted(&best.lock),
            command.join(" ")
        )),
        ..remedy
    })
}

/// Turns a ratio of the metric so that above 1 is better.
fn turned(trial: &TrialResult, ratio: &Estimate) -> Gain {
    let of = |it: f64| match trial.metric.better {
        Better::Higher => it,
        Better::Lower => 1.0 / it.max(1e-9),
    };
    let (a, b) = (of(ratio.low), of(ratio.high));
    Gain {
        median: of(ratio.median),
        low: a.min(b),
        high: a.max(b),
    }
}

//! Adds measured gains to the remedies.

use locktoll_results::advice::{AdviceMethod, Gain, Remedy, RemedyKind, SweptThreads};
use locktoll_results::saved::Saved;
use locktoll_results::whatif::{WhatIfLock, WhatIfResult, WhatIfVerdict};

use super::sweep::best;
use crate::advise::lock_use::bare;
use crate::advise::rules::other_lock;
use crate::advise::words::for_program;

/// Adds what a saved result shows. Returns remarks about it.
///
/// # Errors
/// If the result is neither of `whatif` nor of `try`, or of another program.
pub fn add(
    remedies: &mut Vec<Remedy>,
    saved: &Saved,
    command: &[String],
) -> Result<Vec<String>, String> {
    match saved {
        Saved::WhatIf(result) => {
            same(command, &result.command)?;
            Ok(add_whatif(remedies, result))
        }
        Saved::Try(result) => {
            same(command, &result.command)?;
            let quoted = other_lock::quote(result);
            let what = result.only.as_ref().map(|it| it.id.clone());
            // The measurement replaces the proposal to measure.
            remedies.retain(|it| {
                it.kind != RemedyKind::OtherLock || (what.is_some() && it.lock != what)
            });
            let remark = match &quoted {
                Some(_) => None,
                None => Some(format!(
                    "`locktoll try` found no lock that is faster: {}",
                    result.conclusion
                )),
            };
            remedies.extend(quoted);
            Ok(remark.into_iter().collect())
        }
        other => Err(format!(
            "is {}; accepted: a result of `whatif` or `try`",
            other.kind().described()
        )),
    }
}

fn same(command: &[String], other: &[String]) -> Result<(), String> {
    match command == other {
        true => Ok(()),
        false => Err(format!("is about another command: {}", other.join(" "))),
    }
}

/// Whether a remedy gains by shorter holds, so that `whatif` can judge it.
fn shortens(remedy: &Remedy) -> bool {
    matches!(
        remedy.kind,
        RemedyKind::ShortenHold
            | RemedyKind::MoveCall
            | RemedyKind::NoWaitForInput
            | RemedyKind::NoNestedWait
            | RemedyKind::Shard
    )
}

fn add_whatif(remedies: &mut Vec<Remedy>, result: &WhatIfResult) -> Vec<String> {
    let mut remarks = Vec::new();
    for lock in &result.locks {
        match lock.verdict {
            WhatIfVerdict::NoEffect => {
                let before = remedies.len();
                remedies.retain(|it| !(shortens(it) && it.lock.as_ref() == Some(&lock.lock)));
                if remedies.len() < before {
                    remedies.push(no_effect(lock));
                }
            }
            WhatIfVerdict::Gains => measured(remedies, lock),
            WhatIfVerdict::CannotTell => remarks.push(format!(
                "`locktoll whatif` cannot tell what shorter holds of {} gain: the rounds differ by more than the effect.",
                bare(&lock.name)
            )),
        }
    }
    remarks
}

fn measured(remedies: &mut [Remedy], lock: &WhatIfLock) {
    let Some(half) = lock.gains.get("50") else {
        return;
    };
    let gain = Gain {
        median: half.median,
        low: half.low,
        high: half.high,
    };
    for it in remedies
        .iter_mut()
        .filter(|it| it.lock.as_ref() == Some(&lock.lock))
    {
        if it.kind == RemedyKind::ShortenHold {
            it.gain = Some(gain);
            it.gain_of = Some("the program's metric, with holds half as long".to_owned());
            it.method = Some(AdviceMethod::Experiment);
        } else if shortens(it) {
            it.evidence.push_str(&format!(
                " `locktoll whatif` measured the gain of holds half as long: {:.2}x ({:.2} .. {:.2}).",
                gain.median, gain.low, gain.high
            ));
        }
    }
}

fn no_effect(lock: &WhatIfLock) -> Remedy {
    let name = bare(&lock.name);
    Remedy {
        lock: Some(lock.lock.clone()),
        name: Some(name.to_owned()),
        evidence: format!(
            "{name}: {:.1} % of the threads' time is waiting for it, and `locktoll whatif` measured that shorter holds have no effect; \
             leave it.",
            100.0 * lock.wait_share
        ),
        ..for_program(RemedyKind::LeaveAlone, format!("Leave {name} alone."))
    }
}

/// Replaces advice about the number of threads by the measured best one.
pub fn add_sweep(remedies: &mut Vec<Remedy>, rows: &[SweptThreads], current: u32, command: String) {
    let is_about_threads =
        |it: &Remedy| matches!(it.kind, RemedyKind::FewerThreads | RemedyKind::MoreThreads);
    let judged = rows.iter().any(|it| !it.is_current && it.ratio.is_some());
    if !judged {
        return;
    }
    let proposed = remedies
        .iter()
        .position(is_about_threads)
        .map(|index| remedies[index].evidence.clone());
    remedies.retain(|it| !is_about_threads(it));
    let Some((best, gain)) = best(rows) else {
        return;
    };
    let kind = match best.threads < current {
        true => RemedyKind::FewerThreads,
        false => RemedyKind::MoreThreads,
    };
    let measured = format!(
        "The program ran with each number of threads in {} interleaved rounds.",
        best.rounds
    );
    remedies.push(Remedy {
        evidence: [Some(measured), proposed]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
        gain: Some(gain),
        gain_of: Some("the program's metric".to_owned()),
        method: Some(AdviceMethod::Experiment),
        cost: "A flag or a setting of the program.".to_owned(),
        command: Some(command),
        ..for_program(
            kind,
            format!("Use {} threads instead of {current}.", best.threads),
        )
    });
}

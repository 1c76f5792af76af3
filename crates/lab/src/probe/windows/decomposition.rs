//! What a hand-over by an auto-reset event consists of, and whether the split predicts other ways to hand over.
//!
//! As Linux' split of a futex, by Windows' means. The total is an event ping-pong, one way, and no part is taken from it. Its
//! two system calls are timed where nobody waits; the switch by SwitchToThread. A hand-over by semaphore, less its own calls
//! and the switch, leaves what sleeping and waking cost the scheduler; what it takes longer on two CPUs is the way between
//! them, the other CPU's idle state included. The residual says how far the sum is off. What enters the kernel only where
//! somebody sleeps is predicted from an alert of a thread to itself.

use super::probes::{Measured, MeasuredArm};
use crate::probe::paired::{paired, paired_slice};
use crate::probe::series::{Batch, Series};
use crate::probe::switch::{switch, switch_ns};
use crate::probe::{Arm, Decomposition, Found, HandOver, Share};
use crate::stats::Estimate;

/// The split on one CPU and across two.
pub(super) fn decompose(measured: &Measured) -> Decomposition {
    let same_cpu = hand_over(measured, Place::OneCpu);
    let cross_cpu = hand_over(measured, Place::TwoCpus);
    let reasons: Vec<String> = [("on one CPU", &same_cpu), ("across CPUs", &cross_cpu)]
        .into_iter()
        .filter_map(|(place, side)| Some(format!("{place}: {}", side.as_ref().err()?)))
        .collect();
    Decomposition {
        same_cpu: same_cpu.ok(),
        cross_cpu: cross_cpu.ok(),
        refused: (!reasons.is_empty()).then(|| reasons.join("; ")),
        whole: Some("an auto-reset event".into()),
        subtracted_from: Some("a semaphore".into()),
    }
}

/// Where a hand-over takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    OneCpu,
    TwoCpus,
}

impl Place {
    fn of(self, arm: &MeasuredArm) -> &Series {
        match self {
            Place::OneCpu => &arm.one_cpu,
            Place::TwoCpus => &arm.two_cpus,
        }
    }
}

fn hand_over(measured: &Measured, place: Place) -> Result<HandOver, String> {
    let whole = place.of(&measured.event);
    // The reason that two CPUs cannot be had comes first.
    let total_ns = whole.ns()?;
    let mut parts = shares_of_one_cpu(measured)?;
    if place == Place::TwoCpus {
        parts.push(crossing(measured)?);
    }
    let (mut arms, mut arms_refused) = (Vec::new(), Vec::new());
    for one in &measured.arms {
        match arm(measured, one, place) {
            Ok(arm) => arms.push(arm),
            Err(reason) => arms_refused.push(format!("{}: {reason}", one.arm.title)),
        }
    }
    let calls = [&measured.set_event, &measured.wait_for_set];
    Ok(HandOver {
        total_ns,
        parts,
        residual_ns: beyond(
            measured,
            place,
            [whole, calls[0], calls[1]],
            |beyond_ns, [whole, set, wait]| whole.ns - set.ns - wait.ns - beyond_ns,
        )?,
        arms,
        arms_refused,
    })
}

fn share(name: &str, title: &str, found: Found, ns: Estimate, formula: &str) -> Share {
    Share {
        name: name.into(),
        title: title.into(),
        ns,
        formula: formula.into(),
        found,
    }
}

fn shares_of_one_cpu(measured: &Measured) -> Result<Vec<Share>, String> {
    let (thread, alone) = (&measured.yield_thread, &measured.yield_alone);
    let semaphore = &measured.semaphore;
    Ok(vec![
        share(
            "system-calls",
            "system calls",
            Found::Measured,
            paired(
                [&measured.set_event, &measured.wait_for_set],
                |[set, wait]| set.ns + wait.ns,
            )?,
            "SetEvent, nobody waits + WaitForSingleObject that returns at once",
        ),
        share(
            "switch",
            "switch",
            Found::Measured,
            switch(thread, alone)?,
            "(SwitchToThread between two threads on one CPU - SwitchToThread alone) / its answers that it switched, a call",
        ),
        share(
            "scheduler",
            "scheduler",
            Found::Subtraction,
            paired(
                [&semaphore.one_cpu, &semaphore.alone, thread, alone],
                |[one, calls, thread, alone]| one.ns - calls.ns - switch_ns(thread, alone),
            )?,
            "semaphore hand-over on one CPU - its system calls by one thread - switch",
        ),
    ])
}

fn crossing(measured: &Measured) -> Result<Share, String> {
    let semaphore = &measured.semaphore;
    Ok(share(
        "crossing",
        "crossing to the other CPU",
        Found::Subtraction,
        paired([&semaphore.two_cpus, &semaphore.one_cpu], |[two, one]| {
            two.ns - one.ns
        })?,
        "semaphore hand-over on two CPUs - on one CPU; leaving the idle state is in it",
    ))
}

/// A figure, round by round, of what a semaphore hand-over takes beyond its own calls, and of `others`.
fn beyond<const N: usize>(
    measured: &Measured,
    place: Place,
    others: [&Series; N],
    figure: impl Fn(f64, [&Batch; N]) -> f64,
) -> Result<Estimate, String> {
    let semaphore = &measured.semaphore;
    let mut all = vec![place.of(semaphore), &semaphore.alone];
    let own = all.len();
    all.extend(others);
    paired_slice(&all, |batches| {
        let beyond_ns = batches[0].ns - batches[1].ns;
        figure(beyond_ns, std::array::from_fn(|index| batches[own + index]))
    })
}

fn arm(measured: &Measured, one: &MeasuredArm, place: Place) -> Result<Arm, String> {
    let whole = place.of(one);
    // An alert and the wait for it come in pairs.
    let alerts = f64::from(one.arm.unseen.wakes);
    let predicted =
        |beyond_ns: f64, alone: &Batch, alert: &Batch| alone.ns + alerts * alert.ns + beyond_ns;
    let alert = &measured.alert;
    Ok(Arm {
        name: one.arm.name.into(),
        measured_ns: whole.ns()?,
        predicted_ns: beyond(
            measured,
            place,
            [&one.alone, alert],
            |beyond_ns, [alone, alert]| predicted(beyond_ns, alone, alert),
        )?,
        residual_ns: beyond(
            measured,
            place,
            [whole, &one.alone, alert],
            |beyond_ns, [whole, alone, alert]| whole.ns - predicted(beyond_ns, alone, alert),
        )?,
    })
}

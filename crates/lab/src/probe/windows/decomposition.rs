//! The parts of a hand-over by an auto-reset event, and whether they predict other ways to hand over.
//!
//! The method is the one used for a futex on Linux, with Windows' calls. The total is an event ping-pong, one way, and no part is
//! derived from it. Its two system calls are timed while no thread waits, and the switch is timed by SwitchToThread. A hand-over
//! by semaphore, less its own calls and the switch, leaves the scheduler's work for sleeping and waking; the additional time on
//! two CPUs is the way between them, including the other CPU's idle state. The residual is the error of the sum. Means that enter
//! the kernel only if a thread sleeps are predicted from an alert of a thread to itself.

use super::probes::Measured;
use crate::probe::paired::{paired, paired_slice};
use crate::probe::series::{Batch, Series};
use crate::probe::split::{MeasuredArm, Where, Yields, arms, in_both_places, share, system_calls};
use crate::probe::{Arm, Decomposition, Found, HandOver, Share};
use crate::stats::Estimate;

/// Splits the hand-over on one CPU and across two.
pub(super) fn decompose(measured: &Measured) -> Decomposition {
    Decomposition {
        whole: Some("an auto-reset event".into()),
        subtracted_from: Some("a semaphore".into()),
        ..in_both_places(|place| hand_over(measured, place))
    }
}

fn hand_over(measured: &Measured, place: Where) -> Result<HandOver, String> {
    let whole = measured.event.between(place);
    // If two CPUs are not available, that reason comes first.
    let total_ns = whole.ns()?;
    let mut parts = shares_of_one_cpu(measured)?;
    if place == Where::TwoCpus {
        parts.push(crossing(measured)?);
    }
    let (arms, arms_refused) = arms(&measured.arms, |one| arm(measured, one, place));
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

fn shares_of_one_cpu(measured: &Measured) -> Result<Vec<Share>, String> {
    let yields = Yields {
        pair: &measured.yield_thread,
        alone: &measured.yield_alone,
    };
    Ok(vec![
        system_calls(
            [&measured.set_event, &measured.wait_for_set],
            "SetEvent, nobody waits + WaitForSingleObject that returns at once",
        )?,
        yields.switch(
            "(SwitchToThread between two threads on one CPU - SwitchToThread alone) / its answers that it switched, a call",
        )?,
        yields.scheduler(
            &measured.semaphore,
            "semaphore hand-over on one CPU - its system calls by one thread - switch",
        )?,
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

/// Computes a figure, round by round, from the time of a semaphore hand-over beyond its own calls and from `others`.
fn beyond<const N: usize>(
    measured: &Measured,
    place: Where,
    others: [&Series; N],
    figure: impl Fn(f64, [&Batch; N]) -> f64,
) -> Result<Estimate, String> {
    let semaphore = &measured.semaphore;
    let mut all = vec![semaphore.between(place), &semaphore.alone];
    let own = all.len();
    all.extend(others);
    paired_slice(&all, |batches| {
        let beyond_ns = batches[0].ns - batches[1].ns;
        figure(beyond_ns, std::array::from_fn(|index| batches[own + index]))
    })
}

fn arm(measured: &Measured, one: &MeasuredArm, place: Where) -> Result<Arm, String> {
    let whole = one.between(place);
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

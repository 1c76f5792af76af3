//! The parts of a contended hand-over, and whether they predict other ways to hand over.
//!
//! The total is a futex ping-pong, one way, and no part is derived from it. Its system calls are timed in cases in which they
//! neither sleep nor wake, and the switch is timed by yields. Parts that cannot be timed alone are taken from another
//! mechanism. A hand-over by eventfd, less its own calls and the switch, leaves the scheduler's work for sleeping and waking;
//! the additional time on two CPUs is the way between them. So the sum is a prediction, and the residual is its error. Pipes,
//! condition variables, signals and parking are predicted in the same manner.
//!
//! Two errors do not show. The switch is in the hand-over by eventfd, too, so the scheduler's part compensates for a wrong
//! switch. And a system call that wakes a thread does more than one that finds no waiter; the additional work counts as the
//! scheduler's.

use crate::stats::Estimate;

use super::super::paired::{paired, paired_slice};
use super::super::ping_pong::Unseen;
use super::super::series::{Batch, Series};
use super::super::split::{MeasuredArm, Where, Yields, arms, in_both_places, share, system_calls};
use super::super::{Arm, Decomposition, Found, HandOver, Share};
use super::probes::Measured;

/// Splits the hand-over on one CPU and across two.
pub(super) fn decompose(measured: &Measured) -> Decomposition {
    in_both_places(|place| hand_over(measured, place))
}

fn of_futex(measured: &Measured, place: Where) -> &Series {
    match place {
        Where::OneCpu => &measured.one_cpu,
        Where::TwoCpus => &measured.two_cpus,
    }
}

fn hand_over(measured: &Measured, place: Where) -> Result<HandOver, String> {
    let whole = of_futex(measured, place);
    // If two CPUs are not available, that reason comes first.
    let total_ns = whole.ns()?;
    let mut parts = shares_of_one_cpu(measured)?;
    if place == Where::TwoCpus {
        parts.extend(shares_of_two_cpus(measured)?);
    }
    let (arms, arms_refused) = arms(&measured.arms, |one| arm(measured, one, place));
    Ok(HandOver {
        total_ns,
        parts,
        residual_ns: beyond(measured, place, [whole], |beyond, [whole]| {
            whole.ns - beyond.futex_calls_ns() - beyond.beyond_calls_ns()
        })?,
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
            [&measured.futex_wake, &measured.futex_wait],
            "futex wake, nobody waits + futex wait that returns at once",
        )?,
        yields.switch("(yield between two threads on one CPU - yield alone) / switches a yield")?,
        yields.scheduler(
            &measured.eventfd,
            "eventfd hand-over on one CPU - its system calls by one thread - switch",
        )?,
    ])
}

fn shares_of_two_cpus(measured: &Measured) -> Result<[Share; 2], String> {
    let (eventfd, busy) = (&measured.eventfd, &measured.eventfd_busy);
    Ok([
        share(
            "crossing",
            "crossing to the other CPU",
            Found::Subtraction,
            paired([busy, &eventfd.one_cpu], |[busy, one]| busy.ns - one.ns)?,
            "eventfd hand-over on two CPUs that are kept busy below - on one CPU",
        ),
        share(
            "idle-exit",
            "leaving the idle state",
            Found::Subtraction,
            paired([&eventfd.two_cpus, busy], |[two, busy]| two.ns - busy.ns)?,
            "eventfd hand-over on two CPUs - on two that are kept busy below",
        ),
    ])
}

/// The batches of one round from which a hand-over is predicted.
struct Beyond<'a> {
    wake: &'a Batch,
    wait: &'a Batch,
    eventfd_calls: &'a Batch,
    eventfd: &'a Batch,
}

impl Beyond<'_> {
    fn futex_calls_ns(&self) -> f64 {
        self.wake.ns + self.wait.ns
    }

    /// Returns everything but the system calls, at either place: the sum of switch, scheduler and the way between CPUs.
    fn beyond_calls_ns(&self) -> f64 {
        self.eventfd.ns - self.eventfd_calls.ns
    }
}

/// Computes a figure from [`Beyond`] and `others`, round by round.
fn beyond<const N: usize>(
    measured: &Measured,
    place: Where,
    others: [&Series; N],
    figure: impl Fn(&Beyond<'_>, [&Batch; N]) -> f64,
) -> Result<Estimate, String> {
    let mut all = vec![
        &measured.futex_wake,
        &measured.futex_wait,
        &measured.eventfd.alone,
        measured.eventfd.between(place),
    ];
    let own = all.len();
    all.extend(others);
    paired_slice(&all, |batches| {
        let beyond = Beyond {
            wake: batches[0],
            wait: batches[1],
            eventfd_calls: batches[2],
            eventfd: batches[3],
        };
        figure(&beyond, std::array::from_fn(|index| batches[own + index]))
    })
}

fn arm(measured: &Measured, one: &MeasuredArm, place: Where) -> Result<Arm, String> {
    let Unseen { wakes, waits } = one.arm.unseen;
    let whole = one.between(place);
    let predicted = |beyond: &Beyond<'_>, alone: &Batch| {
        let unseen_ns = f64::from(wakes) * beyond.wake.ns + f64::from(waits) * beyond.wait.ns;
        alone.ns + unseen_ns + beyond.beyond_calls_ns()
    };
    Ok(Arm {
        name: one.arm.name.into(),
        measured_ns: whole.ns()?,
        predicted_ns: beyond(measured, place, [&one.alone], |beyond, [alone]| {
            predicted(beyond, alone)
        })?,
        residual_ns: beyond(
            measured,
            place,
            [whole, &one.alone],
            |beyond, [whole, alone]| whole.ns - predicted(beyond, alone),
        )?,
    })
}

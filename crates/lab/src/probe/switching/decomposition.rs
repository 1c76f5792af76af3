//! What a contended hand-over consists of, and whether the split predicts other ways to hand over.
//!
//! The total is a futex ping-pong, one way. Its system calls and its switch are measured apart; what remains on one CPU
//! is the scheduler's, and what two CPUs add is the way between them. So the parts sum up to the futex ping-pong by
//! their making, and two things can show that they are wrong: the total comes from batches of its own, so the residual
//! says how well the whole repeats; and the other arms, in whose making the split had no part, are predicted from their
//! own system calls (measured without a switch) and the parts.

use crate::stats::Estimate;

use super::super::series::{Batch, Series, paired, paired_slice};
use super::super::{Arm, Decomposition, HandOver, Share};
use super::arms::Unseen;
use super::lines::{switch, switch_ns};
use super::probes::{Measured, MeasuredArm};

/// The split on one CPU and across two.
pub(super) fn decompose(measured: &Measured) -> Decomposition {
    let (same_cpu, cross_cpu) = (same_cpu(measured), cross_cpu(measured));
    let mut reasons: Vec<String> = Vec::new();
    for (place, hand_over) in [("on one CPU", &same_cpu), ("across CPUs", &cross_cpu)] {
        if let Err(reason) = hand_over {
            reasons.push(format!("{place}: {reason}"));
        }
    }
    Decomposition {
        same_cpu: same_cpu.ok(),
        cross_cpu: cross_cpu.ok(),
        refused: (!reasons.is_empty()).then(|| reasons.join("; ")),
    }
}

/// The batches of one round that the parts on one CPU are made of.
struct Parts<'a> {
    wake: &'a Batch,
    wait: &'a Batch,
    thread: &'a Batch,
    alone: &'a Batch,
    hand_over: &'a Batch,
}

impl Parts<'_> {
    fn futex_calls_ns(&self) -> f64 {
        self.wake.ns + self.wait.ns
    }

    /// Everything but system calls: the switch and the scheduler.
    fn beyond_calls_ns(&self) -> f64 {
        self.hand_over.ns - self.futex_calls_ns()
    }

    fn scheduler_ns(&self) -> f64 {
        self.beyond_calls_ns() - switch_ns(self.thread, self.alone)
    }
}

fn same_cpu(measured: &Measured) -> Result<HandOver, String> {
    let [defining, whole] = &measured.one_cpu;
    Ok(HandOver {
        total_ns: whole.ns()?,
        parts: shares_of_one_cpu(measured)?,
        residual_ns: paired([whole, defining], |[whole, sum]| whole.ns - sum.ns)?,
        arms: arms(measured, Added::Nothing),
    })
}

fn cross_cpu(measured: &Measured) -> Result<HandOver, String> {
    let [one_cpu, _] = &measured.one_cpu;
    let [defining, whole] = &measured.two_cpus;
    let busy = &measured.two_busy_cpus;
    // The reason that two CPUs cannot be had comes first.
    let total_ns = whole.ns()?;
    let mut parts = shares_of_one_cpu(measured)?;
    parts.push(Share {
        name: "crossing".into(),
        title: "crossing to the other CPU".into(),
        ns: paired([busy, one_cpu], |[busy, one]| busy.ns - one.ns)?,
        formula: "futex hand-over on two CPUs that are kept busy below - on one CPU".into(),
    });
    parts.push(Share {
        name: "idle-exit".into(),
        title: "leaving the idle state".into(),
        ns: paired([defining, busy], |[two, busy]| two.ns - busy.ns)?,
        formula: "futex hand-over on two CPUs - on two that are kept busy below".into(),
    });
    Ok(HandOver {
        total_ns,
        parts,
        residual_ns: paired([whole, defining], |[whole, sum]| whole.ns - sum.ns)?,
        arms: arms(measured, Added::TwoCpus),
    })
}

fn shares_of_one_cpu(measured: &Measured) -> Result<Vec<Share>, String> {
    let share = |name: &str, title: &str, ns: Estimate, formula: &str| Share {
        name: name.into(),
        title: title.into(),
        ns,
        formula: formula.into(),
    };
    Ok(vec![
        share(
            "system-calls",
            "system calls",
            paired(
                [&measured.futex_wake, &measured.futex_wait],
                |[wake, wait]| wake.ns + wait.ns,
            )?,
            "futex wake, nobody waits + futex wait that returns at once",
        ),
        share(
            "switch",
            "switch",
            switch(&measured.yield_thread, &measured.yield_alone)?,
            "(yield between two threads on one CPU - yield alone) / switches a yield",
        ),
        share(
            "scheduler",
            "scheduler",
            of_parts(measured, [], |parts, []| parts.scheduler_ns())?,
            "futex hand-over on one CPU - system calls - switch",
        ),
    ])
}

/// A figure of the parts and `others`, round by round.
fn of_parts<const N: usize>(
    measured: &Measured,
    others: [&Series; N],
    figure: impl Fn(&Parts<'_>, [&Batch; N]) -> f64,
) -> Result<Estimate, String> {
    let parts = [
        &measured.futex_wake,
        &measured.futex_wait,
        &measured.yield_thread,
        &measured.yield_alone,
        &measured.one_cpu[0],
    ];
    let mut all = parts.to_vec();
    all.extend(others);
    paired_slice(&all, |batches| {
        let (parts, others) = batches.split_at(parts.len());
        let parts = Parts {
            wake: parts[0],
            wait: parts[1],
            thread: parts[2],
            alone: parts[3],
            hand_over: parts[4],
        };
        figure(&parts, std::array::from_fn(|index| others[index]))
    })
}

/// What the way to the other thread adds to a hand-over on one CPU.
#[derive(Clone, Copy)]
enum Added {
    Nothing,
    TwoCpus,
}

/// The arms that have a figure; the others have their reason in the price list.
fn arms(measured: &Measured, added: Added) -> Vec<Arm> {
    measured
        .arms
        .iter()
        .filter_map(|one| arm(measured, one, added).ok())
        .collect()
}

fn arm(measured: &Measured, one: &MeasuredArm, added: Added) -> Result<Arm, String> {
    let Unseen { wakes, waits } = one.arm.unseen;
    let (whole, added_by) = match added {
        Added::Nothing => (&one.one_cpu, [&measured.one_cpu[0], &measured.one_cpu[0]]),
        Added::TwoCpus => (&one.two_cpus, [&measured.two_cpus[0], &measured.one_cpu[0]]),
    };
    let predicted = |parts: &Parts<'_>, alone: &Batch, [far, near]: [&Batch; 2]| {
        let unseen_ns = f64::from(wakes) * parts.wake.ns + f64::from(waits) * parts.wait.ns;
        alone.ns + unseen_ns + parts.beyond_calls_ns() + (far.ns - near.ns)
    };
    let [far, near] = added_by;
    Ok(Arm {
        name: one.arm.name.into(),
        measured_ns: whole.ns()?,
        predicted_ns: of_parts(
            measured,
            [&one.alone, far, near],
            |parts, [alone, far, near]| predicted(parts, alone, [far, near]),
        )?,
        residual_ns: of_parts(
            measured,
            [whole, &one.alone, far, near],
            |parts, [whole, alone, far, near]| whole.ns - predicted(parts, alone, [far, near]),
        )?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::arms::arms as all_arms;
    use super::*;

    /// Steady figures, so that medians add up: calls 100 + 200, switch 500, scheduler 1000; crossing 4000, idle 3000.
    fn measured() -> Measured {
        let none = |ns| Series::steady(Some(0.0), ns, 0.0);
        let one = |ns| Series::steady(Some(1.0), ns, 1.0);
        Measured {
            system_call: none(50.0),
            futex_wake: none(100.0),
            futex_wait: none(200.0),
            yield_alone: none(300.0),
            yield_thread: one(800.0),
            yield_process: one(900.0),
            staying: none(400.0),
            migration: one(5_000.0),
            one_cpu: [one(1_800.0), one(1_810.0)],
            two_cpus: [one(8_800.0), one(8_700.0)],
            two_busy_cpus: one(5_800.0),
            as_programs_run: None,
            arms: all_arms()
                .into_iter()
                .map(|arm| MeasuredArm {
                    arm,
                    alone: none(600.0),
                    one_cpu: one(2_150.0),
                    two_cpus: one(9_000.0),
                })
                .collect(),
        }
    }

    fn shares(hand_over: &HandOver) -> Vec<(&str, f64)> {
        let share = |share: &'_ Share| share.ns.median;
        hand_over
            .parts
            .iter()
            .map(|part| (part.name.as_str(), share(part)))
            .collect()
    }

    #[test]
    fn the_parts_and_the_residual_are_the_whole() {
        let split = decompose(&measured());
        assert_eq!(split.refused, None);
        let (same, cross) = (split.same_cpu.unwrap(), split.cross_cpu.unwrap());
        assert_eq!(
            shares(&same),
            [
                ("system-calls", 300.0),
                ("switch", 500.0),
                ("scheduler", 1_000.0)
            ]
        );
        assert_eq!(
            (same.total_ns.median, same.residual_ns.median),
            (1_810.0, 10.0)
        );
        assert_eq!(
            shares(&cross)[3..],
            [("crossing", 4_000.0), ("idle-exit", 3_000.0)]
        );
        for hand_over in [same, cross] {
            let sum: f64 = shares(&hand_over).iter().map(|(_, ns)| ns).sum();
            assert_eq!(
                sum + hand_over.residual_ns.median,
                hand_over.total_ns.median
            );
        }
    }

    #[test]
    fn arms_are_predicted_from_their_own_calls_and_the_parts() {
        let split = decompose(&measured());
        let predicted = |hand_over: &HandOver| -> Vec<(String, f64, f64)> {
            hand_over
                .arms
                .iter()
                .map(|arm| {
                    (
                        arm.name.clone(),
                        arm.predicted_ns.median,
                        arm.residual_ns.median,
                    )
                })
                .collect()
        };
        let name = str::to_owned;
        // 600 alone + 1500 for switch and scheduler; a condition variable adds two wakes and a wait, park one of each.
        assert_eq!(
            predicted(&split.same_cpu.unwrap()),
            [
                (name("pipe"), 2_100.0, 50.0),
                (name("eventfd"), 2_100.0, 50.0),
                (name("condvar"), 2_500.0, -350.0),
                (name("signal"), 2_100.0, 50.0),
                (name("park"), 2_400.0, -250.0),
            ]
        );
        assert_eq!(
            predicted(&split.cross_cpu.unwrap())[0],
            (name("pipe"), 9_100.0, -100.0)
        );
    }

    #[test]
    fn an_arm_has_no_say_in_the_parts() {
        let plain = decompose(&measured());
        let mut odd = measured();
        for arm in &mut odd.arms {
            arm.one_cpu = Series::steady(Some(1.0), 99_000.0, 1.0);
            arm.two_cpus = Series::refused(Some(1.0), "refused");
        }
        let odd = decompose(&odd);
        let (plain, odd) = (plain.same_cpu.unwrap(), odd.same_cpu.unwrap());
        assert_eq!((plain.total_ns, plain.parts), (odd.total_ns, odd.parts));
    }

    #[test]
    fn a_refused_part_refuses_the_split_with_its_reason() {
        let mut without = measured();
        let reason = "only one CPU may be used here";
        without.two_cpus = [(); 2].map(|()| Series::refused(Some(1.0), reason));
        let split = decompose(&without);
        assert!(split.same_cpu.is_some() && split.cross_cpu.is_none());
        assert_eq!(split.refused.unwrap(), format!("across CPUs: {reason}"));

        let mut without = measured();
        without.yield_thread = Series::steady(None, 800.0, 0.1);
        let reason = decompose(&without).refused.unwrap();
        assert!(
            reason.contains("does not let these threads take turns"),
            "{reason}"
        );
    }
}

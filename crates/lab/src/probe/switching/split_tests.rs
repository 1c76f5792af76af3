//! The parts of a hand-over, from fixed figures.
use super::super::series::Series;
use super::super::split::MeasuredArm;
use super::super::{HandOver, Share};
use super::arms::{arms, eventfd};
use super::decomposition::decompose;
use super::probes::Measured;

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
        one_cpu: one(1_830.0),
        two_cpus: one(8_700.0),
        two_busy_cpus: one(5_800.0),
        eventfd_busy: one(6_200.0),
        eventfd: MeasuredArm {
            arm: eventfd(),
            alone: none(700.0),
            one_cpu: one(2_200.0),
            two_cpus: one(9_200.0),
        },
        as_programs_run: None,
        arms: arms()
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
        (1_830.0, 30.0)
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
fn the_whole_has_no_say_in_the_parts_either() {
    let mut odd = measured();
    odd.one_cpu = Series::steady(Some(1.0), 2_500.0, 1.0);
    let (plain, odd) = (decompose(&measured()), decompose(&odd));
    let (plain, odd) = (plain.same_cpu.unwrap(), odd.same_cpu.unwrap());
    assert_eq!(plain.parts, odd.parts);
    assert_eq!(
        (odd.total_ns.median, odd.residual_ns.median),
        (2_500.0, 700.0)
    );
}

#[test]
fn an_arm_without_a_figure_says_why() {
    let mut without = measured();
    without.arms[0].alone = Series::refused(Some(0.0), "pipe2: too many open files");
    let split = decompose(&without).same_cpu.unwrap();
    assert_eq!(split.arms.len(), 3);
    assert_eq!(split.arms_refused, ["pipe: pipe2: too many open files"]);
}

#[test]
fn a_refused_part_refuses_the_split_with_its_reason() {
    let mut without = measured();
    let reason = "only one CPU may be used here";
    without.two_cpus = Series::refused(Some(1.0), reason);
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

//! How selections find their figures.

use std::time::Duration;

use super::super::guest_run::{GuestRun, OfHost};
use super::super::kernel_run::KernelRound;
use super::*;
use crate::reproduce::made_up::{MadeUp, evidence};

fn look(causes: Result<CauseShares, String>) -> SystemLook {
    SystemLook {
        switches_per_second: 9.0,
        user_share: 0.1,
        system_share: 0.2,
        idle_share: 0.7,
        causes,
    }
}

fn live() -> LiveRun {
    let causes = CauseShares {
        futex: Ok(0.3),
        io: Ok(0.4),
        taken_off: 0.5,
        slice: Err("unknown".to_owned()),
        yielded: Ok(0.6),
    };
    LiveRun {
        causes_from: None,
        before: vec![look(Err("nothing ran".to_owned()))],
        during: vec![look(Ok(causes)); 2],
    }
}

#[test]
fn a_live_run_has_the_figures_of_either_half() {
    let during = |figure| live().rounds(Some(When::During), figure);
    for (figure, expected) in [
        (Figure::SwitchesPerSecond, 9.0),
        (Figure::UserTimeShare, 0.1),
        (Figure::SystemTimeShare, 0.2),
        (Figure::IdleTimeShare, 0.7),
        (Figure::SwitchesByFutex, 0.3),
        (Figure::SwitchesByIo, 0.4),
        (Figure::SwitchesTakenOff, 0.5),
        (Figure::SwitchesByYield, 0.6),
    ] {
        assert_eq!(during(figure), Ok(vec![expected; 2]), "{figure:?}");
    }
    assert_eq!(during(Figure::SwitchesBySlice), Err("unknown".to_owned()));
    assert!(during(Figure::NsPerOp).is_err());
    let before = |figure| live().rounds(Some(When::Before), figure);
    assert_eq!(before(Figure::IdleTimeShare), Ok(vec![0.7]));
    let why = Err("nothing ran".to_owned());
    assert_eq!(before(Figure::SwitchesTakenOff), why);
    assert!(live().rounds(None, Figure::IdleTimeShare).is_err());
    let none = LiveRun::default().rounds(Some(When::During), Figure::IdleTimeShare);
    assert_eq!(none, Err("the system was not watched".to_owned()));
}

#[test]
fn a_run_is_found_by_its_name_or_because_it_is_the_only_one() {
    let run = |name: &str| Run {
        name: Some(name.to_owned()),
        bench: None,
        live: None,
        kernel: None,
        guest: None,
        machine: None,
    };
    let select = |name: Option<&str>| Select {
        run: name.map(str::to_owned),
        ..Select::default()
    };
    let runs = [run("a"), run("b")];
    let of = |name, runs: &[Run]| run_of(&select(name), runs.iter());
    assert_eq!(of(Some("b"), &runs), Ok(1));
    assert_eq!(of(None, &runs[..1]), Ok(0));
    assert!(of(None, &runs).unwrap_err().contains("several runs"));
    assert!(of(Some("c"), &runs).unwrap_err().contains("named 'c'"));
}

fn cell(lock: &str, threads: u32, ns: [f64; 6]) -> MadeUp<'_> {
    MadeUp {
        lock,
        threads,
        ns: ns.to_vec(),
    }
}

#[test]
fn the_empty_loop_is_subtracted_if_all_that_is_compared_has_one_thread() {
    let evidence = evidence(&[cell("a", 1, [10.0; 6]), cell("b", 2, [10.0; 6])], None);
    let lock = |name: &str| Select {
        lock: Some(name.to_owned()),
        ..Select::default()
    };
    assert!(evidence.net(&[&lock("a")]));
    assert!(!evidence.net(&[&lock("b")]));
    assert!(!evidence.net(&[&lock("a"), &lock("b")]));
    assert!(!evidence.net(&[&Select::default()]));
}

#[test]
fn a_curve_goes_from_left_to_right() {
    let cells = [cell("a", 4, [40.0; 6]), cell("a", 1, [10.0; 6])];
    let curve =
        evidence(&cells, None).curve(&Select::default(), Axis::Threads, Figure::NsPerOp, false);
    assert_eq!(curve, Ok(vec![(1.0, vec![10.0; 6]), (4.0, vec![40.0; 6])]));
}

#[test]
fn equal_slices_are_apart_by_a_factor_and_by_a_distance() {
    let cells = [cell("a", 1, [10.0; 6]), cell("b", 2, [10.0; 6])];
    let twice = evidence(&cells, Some(&[4.0; 6]));
    let a = Select {
        lock: Some("a".to_owned()),
        ..Select::default()
    };
    assert_eq!(twice.factor(&[&a], Figure::NsPerOp, false), 2.5);
    assert_eq!(twice.shift(&a, Figure::NsPerOp, false), 6.0);
    let more = evidence(&cells, Some(&[13.0; 6]));
    assert_eq!(more.shift(&a, Figure::NsPerOp, false), 3.0);
    // Without a second slice nothing is known to be apart.
    let once = evidence(&cells, None);
    assert_eq!(once.factor(&[&a], Figure::NsPerOp, false), 1.0);
    assert_eq!(once.shift(&a, Figure::NsPerOp, false), 0.0);
}

fn rounds_of(evidence: &Evidence, cell: usize) -> Vec<f64> {
    let Ok(Gathered::Bench(bench)) = &evidence.runs[0].1 else {
        panic!("not of bench");
    };
    bench.rounds(cell, Figure::default(), false, 2).unwrap()
}

#[test]
fn added_rounds_stand_behind_those_that_were_there() {
    let cells = |from: f64| {
        ["a", "b"].map(|lock| MadeUp {
            lock,
            threads: 1,
            ns: vec![from, from + 1.0],
        })
    };
    let mut all = evidence(&cells(10.0), Some(&[10.0, 11.0]));
    assert_eq!(all.rounds(), Some(2));
    all.extend(evidence(&cells(20.0), Some(&[20.0, 21.0])));
    assert_eq!(all.rounds(), Some(4));
    for cell in [0, 1] {
        let rounds = rounds_of(&all, cell);
        let expected = [10.0, 11.0, 20.0, 21.0];
        assert!(
            rounds
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-3)
        );
    }
}

/// A cell that the empty loop hid has more rounds than its second run: those would shift all rounds that come later.
#[test]
fn rounds_that_only_one_cell_has_are_left_out() {
    let cell = |ns: &[f64]| {
        [MadeUp {
            lock: "a",
            threads: 1,
            ns: ns.to_vec(),
        }]
    };
    let mut all = evidence(&cell(&[10.0, 11.0, 99.0]), Some(&[10.0, 11.0]));
    all.extend(evidence(&cell(&[20.0, 21.0]), Some(&[20.0, 21.0])));
    let rounds = rounds_of(&all, 0);
    assert_eq!(rounds.len(), 4);
    assert!(rounds.iter().all(|ns| *ns < 50.0));
}

#[test]
fn a_run_that_fails_later_is_no_evidence_and_one_that_is_not_repeated_stays() {
    let with = |gathered| Evidence {
        runs: vec![(evidence(&[], None).runs.remove(0).0, gathered)],
        ..evidence(&[], None)
    };
    let mut all = with(Ok(Gathered::Live(live())));
    all.extend(with(Ok(Gathered::Live(live()))));
    assert_eq!(all.rounds(), Some(4));
    all.extend(with(Err("killed".to_owned())));
    assert!(matches!(&all.runs[0].1, Err(reason) if reason == "killed"));
    let prices = locktoll_made_up::made_up::machine_result().prices;
    let mut all = with(Ok(Gathered::Machine(Box::new(prices))));
    all.extend(with(Err("has no rounds to add".to_owned())));
    assert!(all.runs[0].1.is_ok());
    assert_eq!(all.rounds(), None);
}

#[test]
fn rounds_of_the_kernel_and_of_a_guest_are_added() {
    let with = |gathered| Evidence {
        runs: vec![(evidence(&[], None).runs.remove(0).0, Ok(gathered))],
        ..evidence(&[], None)
    };
    let rounds = |number: usize| KernelRun {
        rounds: vec![KernelRound::default(); number],
        ..KernelRun::default()
    };
    let mut all = with(Gathered::Kernel(rounds(3)));
    all.extend(with(Gathered::Kernel(KernelRun {
        unfit: Some("the host was not idle".to_owned()),
        ..rounds(4)
    })));
    assert_eq!(all.rounds(), Some(7));
    assert!(matches!(&all.runs[0].1, Ok(Gathered::Kernel(run)) if run.unfit.is_some()));
    let guest = |number, cpu| {
        let of_host = || OfHost {
            run: rounds(number),
            cpu,
            wall: Duration::from_secs(2),
        };
        Gathered::Guest(GuestRun {
            idle: of_host(),
            busy: of_host(),
            ..GuestRun::default()
        })
    };
    let mut all = with(guest(2, Some(Duration::from_secs(1))));
    all.extend(with(guest(4, Some(Duration::from_secs(2)))));
    assert_eq!(all.rounds(), Some(6));
    assert!(
        all.measured_in()
            .unwrap()
            .contains("the emulator had 0.75 CPUs")
    );
    all.extend(with(guest(4, None)));
    assert!(!all.measured_in().unwrap().contains("the emulator had"));
}

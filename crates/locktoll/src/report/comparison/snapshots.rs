//! What people read of a comparison, from figures that are the same every time.

use crate::compare::rule::judge;
use crate::compare::{Results, between};
use crate::profile::{Profile, sample};
use crate::report::{Shown, made_up};
use crate::saved::Saved;

fn plain(shown: &impl Shown) -> String {
    let page = anstream::adapter::strip_str(&shown.text()).to_string();
    for line in page.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    page
}

#[test]
fn two_benches() {
    let a = made_up::contended();
    let mut b = a.clone();
    b.version = "9.9.9".to_owned();
    b.machine.kernel = Some("6.2.0".to_owned());
    for (cell, factor) in b.cells.iter_mut().zip([2.0, 0.4, 1.01]) {
        cell.ns_per_op = cell.ns_per_op.map(|it| it.scaled(factor));
    }
    b.cells.pop();
    let of = |name, it| Results::of(name, vec![Saved::Bench(Box::new(it))]);
    let mut comparison = between(&of("before.json", a), &of("after.json", b), None).unwrap();
    let rule = "ns_per_op>1.2x".parse().unwrap();
    comparison
        .rules
        .push(judge(&rule, &comparison).unwrap().outcome);
    insta::assert_snapshot!(plain(&comparison));
}

fn recorded(name: &str, runs: u64, change: fn(&mut Profile)) -> Results {
    let run = |number| {
        let mut profile = sample::job_server();
        for lock in &mut profile.locks {
            lock.wait_ns.total += lock.wait_ns.total / 50 * number;
        }
        change(&mut profile);
        Saved::Profile(Box::new(profile))
    };
    Results::of(name, (0..runs).map(run).collect())
}

#[test]
fn one_recording_each() {
    let a = recorded("before.locktoll", 1, |_| {});
    let b = recorded("after.locktoll", 1, |it| {
        it.locks[0].wait_ns.total /= 5;
        it.duration_ns *= 2;
        it.locks.remove(1);
    });
    insta::assert_snapshot!(plain(&between(&a, &b, None).unwrap()));
}

#[test]
fn four_recordings_each() {
    let a = recorded("a.locktoll", 4, |_| {});
    let b = recorded("b.locktoll", 4, |it| it.locks[0].wait_ns.total /= 5);
    insta::assert_snapshot!(plain(&between(&a, &b, None).unwrap()));
}

#[test]
fn claims_then_and_now() {
    let a = made_up::reproduction();
    let mut b = a.clone();
    let held = b.claims.iter_mut().find(|claim| claim.id == "A6").unwrap();
    held.verdict = crate::report::ClaimVerdict::DoesNotHold;
    let of = |name, it| Results::of(name, vec![Saved::Reproduce(Box::new(it))]);
    insta::assert_snapshot!(plain(
        &between(&of("then.json", a), &of("now.json", b), None).unwrap()
    ));
}

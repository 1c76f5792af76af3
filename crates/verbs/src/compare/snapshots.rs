//! The text of a comparison, from fixed figures.

use crate::compare::rule::judge;
use crate::compare::{Results, between};
use locktoll_made_up::made_up;
use locktoll_made_up::sample;
use locktoll_results::profile::Profile;
use locktoll_results::saved::Saved;
use locktoll_shown::Shown;
use locktoll_shown::comparison::ROWS_OF_PAGES;

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
    held.verdict = locktoll_results::reproduction::ClaimVerdict::DoesNotHold;
    let of = |name, it| Results::of(name, vec![Saved::Reproduce(Box::new(it))]);
    insta::assert_snapshot!(plain(
        &between(&of("then.json", a), &of("now.json", b), None).unwrap()
    ));
}

#[test]
fn a_page_of_very_many_rows_has_the_most_changed_and_says_so() {
    let side = || Results::of("x", vec![Saved::Bench(Box::new(made_up::contended()))]);
    let mut comparison = between(&side(), &side(), None).unwrap();
    let first = comparison.rows[0].clone();
    let last = comparison.rows.last().unwrap().clone();
    comparison.rows = vec![first; 3];
    comparison.rows.resize(ROWS_OF_PAGES + 7, last);
    let document = comparison.page_document().unwrap();
    assert_eq!(document["rows"].as_array().unwrap().len(), ROWS_OF_PAGES);
    let note = document["notes"][0].as_str().unwrap();
    assert!(
        note.contains("of 1007 rows") && note.contains("the rest, 0 differ"),
        "{note}"
    );
    let all = comparison.json().unwrap();
    assert_eq!(all["rows"].as_array().unwrap().len(), ROWS_OF_PAGES + 7);
}

//! Pages of `reproduce`.

use serde_json::json;

use super::browser::Browser;
use super::{everywhere, pages};

const OPENED: &str = "document.querySelectorAll('details.claim[open]').length";
const SHOWN: &str = "[...document.querySelectorAll('details.claim:not([hidden]) summary')].map(it => it.textContent.slice(0, 2))";

#[test]
fn the_answer_counts_verdicts_and_each_claim_says_what_it_claims() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("reproduce")]));
    let answer = tab.text("document.querySelector('.answer').textContent");
    assert_eq!(
        answer,
        "2 of 3claims that could be judged here holdDoes not hold here: A1 Kernel lock or user-first lock.\
         Cannot be judged here: B2.Not yet run: C1."
    );
    let claims = tab
        .texts("[...document.querySelectorAll('details.claim summary')].map(it => it.textContent)");
    assert_eq!(claims.len(), 5);
    assert_eq!(
        claims[0],
        "A1  Kernel lock or user-first lock✕ does not holdAlone, a lock that always enters the kernel costs several \
         times a user-first lock; contended, they are alike."
    );
    assert!(claims[3].contains("… not yet"), "{claims:?}");
    assert_eq!(tab.number(OPENED), 0.0);
    tab.click(".answer p:nth-child(2) a");
    tab.wait(&format!("{OPENED} === 1"));
    let open = tab.text("document.querySelector('details[open]').textContent");
    for said in [
        "measured 1.7 (0.9 to 3.4); holds if at least 1.5; published 3.1. The interval spans the bound.",
        "not measured; holds if at most 500; published 320. This machine has no hardware counters.",
        "Not measured: futex ping-pong at two sockets.",
        "3400 ns",
        "locktoll machine --quick",
    ] {
        assert!(open.contains(said), "{said} is not in {open}");
    }
    let focus = "document.activeElement.tagName";
    assert_eq!(tab.text(focus), "SUMMARY");
    everywhere::fits(&mut tab);
}

#[test]
fn claims_are_chosen_by_verdict_and_by_words() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("reproduce")]));
    tab.click(".verdict.holds");
    assert_eq!(tab.texts(SHOWN), ["A1", "B2", "C1"]);
    let pressed = "document.querySelector('.verdict.holds').getAttribute('aria-pressed')";
    assert_eq!(tab.text(pressed), "false");
    tab.click("input[type=search]");
    tab.type_text("core i5");
    assert_eq!(tab.texts(SHOWN), [""; 0], "the machine is not searched");
    tab.click(".verdict.holds");
    assert_eq!(
        tab.text("document.querySelector('[role=status]').textContent"),
        "0 of 5"
    );
    everywhere::quiet(&mut tab);
}

#[test]
fn all_opened_every_chart_is_drawn_and_hostile_words_are_words() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("reproduce")]));
    tab.value("document.querySelectorAll('details.fold').forEach(it => it.fillNow()); true");
    tab.settle();
    // Five checks have figures, and four claims have series.
    assert_eq!(tab.charts().len(), 9);
    let text = tab.text("document.getElementById('page').textContent");
    assert!(text.contains("Today: Yes, nesting costs in proportion."));
    assert!(text.contains("<b>Keep</b> a lock out of the kernel."));
    // Claims without a verdict say nothing about today.
    assert_eq!(text.matches("Today: ").count(), 3);
    assert!(text.contains("<script>alert(1)</script>"));
    assert!(text.contains("J. M. Hart <b>TimeMutex</b>"));
    let legend = "[...document.querySelectorAll('.chart-room svg text')].map(it => it.textContent).join(' ')";
    let legend = tab.text(legend);
    assert!(legend.contains(r"pthread-recursive\u{2"), "{legend}");
    assert!(!legend.contains('\u{202e}'), "{legend}");
    assert_eq!(
        tab.number("document.querySelectorAll('#page b, #page script').length"),
        0.0
    );
    everywhere::fits(&mut tab);
}

#[test]
fn waits_in_a_guest_are_bars_next_to_each_other_and_labelled() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let series = |name: &str, counts: [u32; 3]| {
        let points = (14..).zip(counts).map(|(power, count)| {
            let y = json!({ "median": count, "low": count, "high": count, "n": 1 });
            json!({ "x": format!("2^{power}"), "y": y })
        });
        json!({ "name": name, "x_name": "cycles, from", "unit": "waits in 9 rounds of 500 ms", "points": Vec::from_iter(points) })
    };
    let mut document = pages::document("reproduce");
    let claim = &mut document["claims"][0];
    claim["measured_in"] = json!("an emulated virtual machine (QEMU <b>7</b>)");
    claim["series"] = json!([
        series("host idle", [206, 0, 0]),
        series("host busy", [96, 0, 11])
    ]);
    let mut tab = browser.open(&pages::of(&[document]));
    tab.value("document.querySelectorAll('details.fold').forEach(it => it.fillNow()); true");
    tab.settle();
    let text = tab.text("document.querySelector('details.claim').textContent");
    for said in [
        "Measured in an emulated virtual machine (QEMU <b>7</b>).",
        "Waits in 9 rounds of 500 ms, by length",
        "host idle",
        "host busy",
        "on a logarithmic axis",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    let label = "[...document.querySelectorAll('.chart-room')].map(it => it.getAttribute('aria-label')).join()";
    let labels = tab.text(label);
    assert!(
        labels.contains("cycles, from: host idle, host busy"),
        "{labels}"
    );
    everywhere::fits(&mut tab);
}

#[test]
fn a_command_is_copied_or_marked() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("reproduce")]));
    tab.click(".answer p:nth-child(2) a");
    tab.click("details[open] .copy");
    tab.wait("document.querySelector('details[open] .copy').textContent !== 'Copy'");
    everywhere::quiet(&mut tab);
}

#[test]
fn published_curves_lie_over_the_measured_ones() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("reproduce");
    let line = |name: &str, measured: &str, y: f64| {
        let points = [serde_json::json!({ "x": "1", "y": y })];
        serde_json::json!({ "name": name, "measured": measured, "unit": "ns/op", "points": points })
    };
    let lines = [
        line("kernel lock", "sysv-sem", 918.7),
        line("user-first", "pthread", 178.1),
    ];
    document["claims"][0]["published"][0]["line"] = serde_json::json!(lines);
    let mut tab = browser.open(&pages::of(&[document]));
    tab.click("details.claim summary");
    tab.wait(&format!("{OPENED} === 1"));
    let open = tab.text("document.querySelector('details[open]').textContent");
    for said in [
        "published: kernel lock",
        "published: user-first",
        "lies on the measured one.",
    ] {
        assert!(open.contains(said), "{said} is not in {open}");
    }
    everywhere::fits(&mut tab);
}

#[test]
fn claims_of_several_machines_have_a_verdict_for_each() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let one = pages::document("reproduce");
    let claim = &one["claims"][0];
    let machines = ["First CPU", "Second <b>CPU</b>"]
        .map(|name| serde_json::json!({ "name": name, "version": "0", "machine": one["machine"], "partial": false }));
    let merged = serde_json::json!({
        "schema": "locktoll.reproduce-merged/1",
        "version": "0",
        "machines": machines,
        "claims": [{ "id": "A1", "title": "t", "results": [claim, null] }],
        "differences": [{ "claim": "A1", "kind": "verdict", "what": "A1 differs" }],
    });
    let mut tab = browser.open(&pages::of(&[merged]));
    assert_eq!(
        tab.texts("[...document.querySelectorAll('.differences li')].map(it => it.textContent)"),
        ["A1 differs."]
    );
    let summary = tab.text("document.querySelector('details.claim summary').textContent");
    assert_eq!(
        summary,
        "A1  t First CPU: ✕ does not hold Second <b>CPU</b>: not there"
    );
    tab.click("details.claim summary");
    tab.wait(&format!("{OPENED} === 1"));
    let open = tab.text("document.querySelector('details[open]').textContent");
    assert!(open.contains("This claim was not run there."), "{open}");
    everywhere::fits(&mut tab);
}

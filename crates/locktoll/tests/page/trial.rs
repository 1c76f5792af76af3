//! Pages of `try`.

use super::browser::Browser;
use super::{everywhere, pages};

const PAGE: &str = "document.getElementById('page').textContent";
const IN_CHARTS: &str =
    "[...document.querySelectorAll('.chart-room svg text')].map(it => it.textContent).join('\\n')";
const NAMES: &str = "[...document.querySelectorAll('table[aria-label=Locks] > tbody > tr:not(.opened) th .name')].map(it => it.textContent)";

#[test]
fn the_conclusion_comes_first_and_every_lock_is_drawn_against_bare() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("try")]));
    let first =
        "document.querySelector('#page section > .title + .answer .said-first').textContent";
    assert!(
        tab.text(first)
            .starts_with("The program ran 1.61 times as fast with mcs-park as with its own locks")
    );
    let text = tab.text(PAGE);
    for said in [
        "locktoll try ./job_server --threads 8",
        "1.61×as fast on mcs-park as on its own locks (1.56 to 1.66), in a final of 15 rounds",
        "Grey: bare against bare, 1.01× (0.99 to 1.02)",
        "412 mutexes, 3 condition variables replaced; 2 left to the C library (2 process-shared).",
        "Dropped in round 3: by then it was clearly and far worse than bare.",
        "The hypervisor took 2.1 %",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    let inside = tab.text(IN_CHARTS);
    for said in [
        "mcs-park",
        "1.61×  (faster)",
        "0.76×  (slower)",
        "1.02×  (no difference)",
    ] {
        assert!(inside.contains(said), "{said} is not in {inside}");
    }
    assert!(!inside.contains("bare"), "{inside}");
    let option = "echarts.getInstanceByDom(document.querySelector('.chart-room')).getOption()";
    let line =
        format!("{option}.series.flatMap(it => it.markLine ? it.markLine.data : [])[0].xAxis");
    assert_eq!(tab.number(&line), 1.0);
    let band = format!("{option}.series.flatMap(it => it.markArea ? it.markArea.data : []).length");
    assert_eq!(tab.number(&band), 1.0);
    everywhere::fits(&mut tab);
}

#[test]
fn rows_are_sorted_filtered_and_opened() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("try")]));
    assert_eq!(tab.texts(NAMES)[..3], ["bare", "pass-through", "mcs-park"]);
    tab.click("input[type=search]");
    tab.type_text("slower");
    assert_eq!(tab.texts(NAMES), ["ttas-backoff", "ticket"]);
    tab.click("table[aria-label=Locks] .opener");
    let opened = tab.text("document.querySelector('tr.opened').textContent");
    for said in [
        "what ttas-backoff is",
        "Its waiters only spin",
        "In a recorded run, 97 % of the time",
    ] {
        assert!(opened.contains(said), "{said} is not in {opened}");
    }
    everywhere::quiet(&mut tab);
}

#[test]
fn what_failed_says_why_and_its_last_words_are_words() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("try_broken")]));
    let text = tab.text(PAGE);
    for said in [
        "Partial: the run ended before everything was measured",
        "The program was killed by SIGABRT (signal 6) in the warm-up; unmodified, it is not.",
        "The program had not finished after 12.0 s in round 2, and was killed.",
        "The program exited with code 3 in round 4",
        "The load failed in round 1: it says nothing that /([0-9.]+) requests/ finds",
        "futex3:100: 412 mutexes replaced; 3 left to the C library (2 process-shared, 1 without room).",
        "with \\u{1b}[31mcolours",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    let inside = tab.text(IN_CHARTS);
    for said in [
        "SIGABRT",
        "time limit",
        "exit code 3",
        "load failed",
        "not replaced",
    ] {
        assert!(inside.contains(said), "{said} is not in {inside}");
    }
    everywhere::fits(&mut tab);
}

#[test]
fn three_rounds_are_not_judged() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    // Of an earlier version, which knew no verdict for that.
    let mut document = pages::document("try");
    document.as_object_mut().unwrap().remove("made");
    document["best"] = serde_json::Value::Null;
    for row in document["results"].as_array_mut().unwrap() {
        if !row["ratio_to_bare"].is_null() {
            row["ratio_to_bare"]["n"] = 3.into();
            row["verdict"] = "no_difference".into();
        }
    }
    let mut tab = browser.open(&pages::of(&[document]));
    let answer = tab.text("document.querySelector('.answer').textContent");
    assert!(
        answer.contains("Each lock has only 3 rounds, too few for a verdict: 6 are needed."),
        "{answer}"
    );
    let verdicts = tab.texts("[...document.querySelectorAll('table[aria-label=Locks] tbody td:nth-child(2)')].map(it => it.textContent)");
    assert!(
        verdicts.contains(&"? not judged: 3 rounds (6 needed)".to_owned()),
        "{verdicts:?}"
    );
    let text = tab.text(PAGE);
    assert!(
        text.contains("5 rounds are needed for 95 % intervals"),
        "{text}"
    );
    let inside = tab.text(IN_CHARTS);
    assert!(
        inside.contains("(not judged)") && !inside.contains("no difference"),
        "{inside}"
    );
    everywhere::fits(&mut tab);
}

#[test]
fn the_verdict_is_the_results_own() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("try");
    document["made"] = serde_json::json!({ "date": null, "host": null, "locktoll": "0.1.0" });
    for (row, (verdict, needed)) in document["results"].as_array_mut().unwrap()[1..]
        .iter_mut()
        .zip([("no_difference", None), ("not_judged", Some(7))])
    {
        row["ratio_to_bare"]["n"] = 5.into();
        row["verdict"] = verdict.into();
        row["rounds_needed"] = needed.into();
    }
    let mut tab = browser.open(&pages::of(&[document]));
    let verdicts = tab.texts("[...document.querySelectorAll('table[aria-label=Locks] tbody td:nth-child(2)')].map(it => it.textContent)");
    assert_eq!(
        verdicts[1..3],
        ["● no difference", "? not judged: 5 rounds (7 needed)"]
    );
    everywhere::quiet(&mut tab);
}

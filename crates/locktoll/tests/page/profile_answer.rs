//! The page of a profile: its answer, its addresses, and figures that agree with each other.

use serde_json::json;

use super::browser::Browser;
use super::{everywhere, pages};

#[test]
fn the_page_begins_with_the_answer_and_the_costliest_lock_is_open() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    let answer = tab.text("document.querySelector('.title + .answer').innerText");
    for said in [
        "43.3 %",
        "of the threads' time went into waiting for locks: 10.4 s",
        "87.3 % of the waiting was for log_lock: write_log_line (log.c:88) waited 7.32 s for another thread at the same place.",
        "holders were asleep in 97.9 % of the 2,850 holds examined",
    ] {
        assert!(answer.contains(said), "{said}: {answer}");
    }
    assert_eq!(
        tab.texts("[...document.querySelectorAll('.opener[aria-expanded=true] .name')].map(it => it.textContent)"),
        ["log_lock"]
    );
    tab.click(".answer p a");
    let top =
        "document.querySelector('tr.opened').previousElementSibling.getBoundingClientRect().top";
    tab.wait(&format!("Math.abs({top}) < 80"));
    tab.click(".answer p a:nth-of-type(2)");
    let part = "document.querySelector('[data-part=sites]').getBoundingClientRect().top";
    tab.wait(&format!("Math.abs({part}) < 80"));
    everywhere::quiet(&mut tab);
}

#[test]
fn without_the_threads_time_the_page_shows_no_share_of_it() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("profile");
    document["thread_time_ns"] = json!(0);
    let mut tab = browser.open(&pages::of(&[document]));
    let answer = tab.text("document.querySelector('.title + .answer').innerText");
    let said = "of waiting for locks, all threads together";
    assert!(
        answer.contains("10.4 s") && answer.contains(said),
        "{answer}"
    );
    let page = tab.text("document.body.innerText");
    for wrong in ["Infinity", "NaN", "of the threads' time"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    everywhere::quiet(&mut tab);
}

#[test]
fn an_address_opens_a_lock_and_a_row_has_its_address() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    tab.value("location.hash = '#lock=job_queue_lock'; true");
    let opened = "[...document.querySelectorAll('.opener[aria-expanded=true] .name')].map(it => it.textContent)";
    tab.wait(&format!("{opened}.length === 2"));
    assert_eq!(tab.texts(opened), ["log_lock", "job_queue_lock"]);
    // By its id, too, and a lock that is not there harms nothing.
    tab.value("location.hash = '#lock=' + encodeURIComponent('mutex:job-server:log_lock'); true");
    tab.value("location.hash = '#lock=nothing%20of%20the%20kind'; true");
    tab.settle();
    assert_eq!(tab.texts(opened).len(), 2);
    let link = "document.querySelector('.panel .link-here')";
    assert_eq!(
        tab.text(&format!("{link}.getAttribute('href')")),
        "#lock=log_lock"
    );
    tab.click(".panel .link-here");
    tab.wait(&format!("{link}.textContent !== 'Copy link to this row'"));
    assert_eq!(tab.text("location.hash"), "#lock=log_lock");
    everywhere::quiet(&mut tab);
}

#[test]
fn a_page_that_is_opened_by_the_address_of_a_row_shows_the_row() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, pages::of(&[pages::document("profile")])).unwrap();
    let address = format!("{}#lock=job_queue_lock", file.display());
    let mut tab = browser.open_file(std::path::Path::new(&address));
    let opened = "[...document.querySelectorAll('.opener[aria-expanded=true] .name')].map(it => it.textContent)";
    assert_eq!(tab.texts(opened), ["log_lock", "job_queue_lock"]);
    assert!(tab.number("scrollY") > 0.0);
    assert_eq!(tab.complaints(), [""; 0]);
}

#[test]
fn the_shares_of_a_thread_add_up_to_its_life() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for name in ["profile", "attach"] {
        let mut tab = browser.open(&pages::of(&[pages::document(name)]));
        let sums = tab.value(
            "[...document.querySelectorAll('table[aria-label=Threads] tbody tr')].map(row =>
                [...row.querySelectorAll('.with-meter > span')].map(it => parseFloat(it.textContent) || 0).reduce((a, b) => a + b))",
        );
        let sums: Vec<f64> = serde_json::from_value(sums).unwrap();
        assert!(sums.len() > 2, "{sums:?}");
        for sum in sums {
            assert!((sum - 100.0).abs() < 0.4, "{name}: {sum}");
        }
        // What a bar has, its legend has.
        let drawn = tab.texts(
            "echarts.getInstanceByDom(document.querySelector('.chart-room')).getOption().series.map(it => it.name)",
        );
        let legend = tab.texts(
            "[...document.querySelector('.causes').querySelectorAll('li span:not(.remark)')].map(it => it.textContent)",
        );
        assert_eq!(drawn, legend, "{name}");
        everywhere::quiet(&mut tab);
    }
}

#[test]
fn calls_of_the_runtime_are_hidden_until_they_are_asked_for() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("profile");
    // As if `serve` were plumbing: what it calls is called by `worker_main` then.
    let names = document["page"]["flame"]["waiter"]["names"]
        .as_array()
        .unwrap();
    let serve = names.iter().position(|name| name == "serve").unwrap();
    document["page"]["flame"]["waiter"]["runtime"] = json!([serve]);
    let mut tab = browser.open(&pages::of(&[document]));
    let calls = "[...document.querySelectorAll('.call')].map(it => it.textContent)";
    let hidden = tab.texts(calls);
    assert_eq!(hidden[..3], ["all waiting", "worker_main", "finish_job"]);
    let amount = "document.querySelector('.flame .amount').textContent";
    let before = tab.text(amount);
    tab.click(".plumbing input");
    let all = tab.texts(calls);
    assert_eq!(all[..3], ["all waiting", "worker_main", "serve"]);
    assert!(all.len() > hidden.len());
    assert_eq!(tab.text(amount), before, "all waiting is all waiting");
    everywhere::quiet(&mut tab);
}

#[test]
fn pairs_that_read_the_same_are_one_row() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("attach");
    let lock = &mut document["locks"][0];
    let mut again = lock["woken_by"][0].clone();
    again["count"] = json!(1);
    lock["woken_by"].as_array_mut().unwrap().push(again);
    let count = lock["woken_by"][0]["count"].as_u64().unwrap();
    lock["longest_still_waiting"]["wait_ns"] = json!(0);
    let mut tab = browser.open(&pages::of(&[document]));
    let rows = tab.texts(
        "[...document.querySelectorAll('table[aria-label=Wakers] tbody tr')].map(it =>
            it.children[0].textContent + ' ' + it.children[1].textContent)",
    );
    let mut different = rows.clone();
    different.dedup();
    assert_eq!(rows, different);
    let waits = tab.texts("[...document.querySelectorAll('table[aria-label=Wakers] tbody td:last-child')].map(it => it.textContent)");
    let sum = (count + 1).to_string();
    assert!(
        waits.iter().any(|it| it.replace(',', "") == sum),
        "{waits:?}"
    );
    let text = tab.text("document.querySelector('.panel').textContent");
    assert!(!text.contains("the longest for 0"), "{text}");
    everywhere::quiet(&mut tab);
}

#[test]
fn many_holders_are_counted_and_an_owner_that_will_not_release_is_named() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let answer = "document.querySelector('.title + .answer').innerText";
    let mut document = pages::document("attach");
    let lock = &mut document["locks"][0];
    let mut pair = lock["blame"][0].clone();
    pair["wait_ns"] = json!(lock["wait_ns"]["total"].as_u64().unwrap() / 10);
    lock["blame"] = vec![pair; 9].into();
    let mut tab = browser.open(&pages::of(&[document.clone()]));
    let text = tab.text(answer);
    assert!(
        text.contains("waited 8.21 s; 9 threads held it in turn."),
        "{text}"
    );

    let stuck = document["locks"][2]["longest_still_waiting"].clone();
    let lock = &mut document["locks"][0];
    lock["blame"] = json!([]);
    lock["longest_still_waiting"] = stuck;
    lock["longest_still_waiting"]["owner_field"] = json!({ "tid": 77, "state": "ended" });
    lock["still_waiting"] = json!(1);
    let mut tab = browser.open(&pages::of(&[document]));
    let said = "the lock's owner, thread 77, ended without releasing it";
    let text = tab.text(answer);
    assert!(text.contains(said), "{text}");
    let text = tab.text("document.querySelector('.panel').textContent");
    assert!(text.contains(said), "{text}");
    everywhere::quiet(&mut tab);
}

#[test]
fn when_and_where_it_was_made_is_one_line_at_the_end() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("profile");
    document["made"] = json!({
        "date": "2026-11-24T11:30:00Z", "host": "build-7", "locktoll": "0.1.0",
        "machine": { "cpu_model": "Imagined CPU", "usable_cpus": 2, "kernel": "6.1.0", "libc": "glibc 2.36", "virtual_machine": false, "quota_cpus": null },
    });
    let mut tab = browser.open(&pages::of(&[document]));
    let last = "document.querySelector('.document').lastElementChild";
    assert_eq!(
        tab.text(&format!("{last}.textContent")),
        "2026-11-24 11:30:00 UTC · build-7 · Imagined CPU · 2 usable CPUs · Linux 6.1.0 · glibc 2.36 · schema locktoll.profile/1 \
         · locktoll 0.1.0"
    );
    assert_eq!(tab.text(&format!("{last}.className")), "provenance");
    everywhere::quiet(&mut tab);
}

#[test]
fn a_program_without_locks_is_answered_with_where_to_look() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("profile");
    document["locks"] = json!([]);
    document["page"]["rows"] = json!([]);
    (document["wait_ns"], document["duration_ns"]) = (json!(0), json!(1_000));
    let mut tab = browser.open(&pages::of(&[document]));
    let answer = tab.text("document.querySelector('.answer').textContent");
    assert!(answer.starts_with("No lock was seen"), "{answer}");
    assert!(answer.contains("locktoll attach PID"), "{answer}");
    let facts = tab.text("document.querySelector('.facts').textContent");
    assert!(facts.contains("loading the program included"), "{facts}");
    everywhere::quiet(&mut tab);
}

#[test]
fn calls_of_the_runtime_in_a_stack_are_one_line_that_opens() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("profile");
    let frames = document["locks"][0]["stacks"][0]["frames"].clone();
    let outer = &frames.as_array().unwrap()[1..];
    assert_eq!(outer.len(), 3, "as many as are folded");
    for place in outer {
        document["page"]["places"][place.as_u64().unwrap() as usize]["runtime"] = json!(true);
    }
    let mut tab = browser.open(&pages::of(&[document]));
    let shown = "[...document.querySelector('.stack .calls').children].map(it => it.firstChild.textContent.trim() || it.textContent)";
    let lines = tab.texts(shown);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].starts_with("3 runtime frames"), "{lines:?}");
    let serve = "[...document.querySelectorAll('.plumbing li')].find(it => it.textContent.startsWith('serve')).checkVisibility()";
    assert_eq!(tab.value(serve), false);
    tab.click(".stack details.plumbing summary");
    assert_eq!(tab.value(serve), true);
    everywhere::quiet(&mut tab);
}

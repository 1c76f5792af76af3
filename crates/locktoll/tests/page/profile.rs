//! The page of a profile.

use serde_json::{Value, json};

use super::browser::Browser;
use super::pages;
use super::tab::Tab;

/// Names in the table of locks, in their order.
const LOCKS: &str =
    "[...document.querySelectorAll('table[aria-label=Locks] > tbody > tr:not(.opened) > th .name')]
    .map(it => it.textContent)";

/// The text of a column of that table.
fn column(tab: &mut Tab<'_>, number: u32) -> Vec<String> {
    tab.texts(&format!(
        "[...document.querySelectorAll('table[aria-label=Locks] > tbody > tr.opens > *:nth-child({number})')]
            .map(it => it.textContent)"
    ))
}

fn assert_calm(tab: &mut Tab<'_>) {
    assert_eq!(tab.complaints(), [""; 0]);
    assert_eq!(tab.requests(), [""; 0]);
}

/// What a running program's profile does not know is a dash, and what only it knows is there.
#[test]
fn a_running_program_is_drawn_and_its_locks_open() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("attach")]));
    let all = tab.text("document.body.innerText");
    for expected in [
        "Waits that entered the kernel are seen",
        "every wait that ended is counted",
    ] {
        assert!(all.contains(expected), "{expected}: {all}");
    }
    assert!(
        !all.contains("NaN") && !all.contains("undefined") && !all.contains("null"),
        "{all}"
    );
    let panel = tab.text("document.querySelector('.panel').innerText");
    for expected in [
        "Who woke whom",
        "thread worker-0 (4243)",
        "spinning is not part of these waits",
        "waits woken",
    ] {
        assert!(panel.contains(expected), "{expected}: {panel}");
    }
    assert!(
        !panel.contains("NaN") && !panel.contains("undefined"),
        "{panel}"
    );
    tab.click("table[aria-label=Events] .opener");
    let panel = tab.text("document.querySelector('table[aria-label=Events] .panel').innerText");
    assert!(
        panel.contains("had to wait (the others are not seen)"),
        "{panel}"
    );
    assert_calm(&mut tab);
}

#[test]
fn all_is_drawn_at_any_width_light_and_dark() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    assert_eq!(
        tab.text("document.querySelector('h1').textContent"),
        "./job-server --port 80"
    );
    let facts = tab.texts(
        "[...document.querySelectorAll('.facts dd:not(.remark)')].map(it => it.textContent)",
    );
    assert_eq!(facts, ["3.02 s", "5.15 s", "9", "415,900"]);
    let light = tab.picture_from(None, 900);
    tab.dark(true);
    let dark = tab.picture_from(None, 900);
    // A page of one colour is a few thousand bytes.
    assert!(
        light.len() > 20_000 && dark.len() > 20_000,
        "{}, {}",
        light.len(),
        dark.len()
    );
    assert_ne!(light, dark);
    for dark in [false, true] {
        tab.dark(dark);
        for width in [360, 900, 2560] {
            tab.size(width, 900);
            tab.wait(
                "[...document.querySelectorAll('.chart-room')].every(it =>
                    Math.abs(it.querySelector('svg').clientWidth - it.clientWidth) <= 1)",
            );
            let charts = tab.charts();
            assert_eq!(charts.len(), 5, "{charts:?}");
            for (label, shapes) in charts {
                assert!(shapes >= 8, "{label} at {width}: {shapes} shapes");
            }
            let overflow = tab.number("document.documentElement.scrollWidth - innerWidth");
            assert!(overflow <= 0.0, "{width}: {overflow} pixels too wide");
        }
    }
    assert_calm(&mut tab);
}

#[test]
fn locks_are_sorted_and_filtered() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    let before = tab.texts(LOCKS);
    assert_eq!(before[..2], ["log_lock", "job_queue_lock"]);
    // Acquisitions: not seen of a futex word, which is a dash and comes last.
    for _ in 0..2 {
        tab.click("table[aria-label=Locks] thead th:nth-child(6) button");
        let acquired = column(&mut tab, 6);
        assert_eq!(acquired.last().unwrap(), "–");
        let numbers: Vec<u64> = acquired[..acquired.len() - 1]
            .iter()
            .map(|it| it.replace(',', "").parse().unwrap())
            .collect();
        let way = tab.text(
            "document.querySelector('table[aria-label=Locks] thead th:nth-child(6)').getAttribute('aria-sort')",
        );
        match way.as_str() {
            "descending" => assert!(numbers.is_sorted_by(|a, b| a >= b), "{numbers:?}"),
            "ascending" => assert!(numbers.is_sorted(), "{numbers:?}"),
            other => panic!("{other}"),
        }
    }
    // By a place that takes it, not only by its name.
    tab.click("input[type=search]");
    tab.type_text("write_log");
    assert_eq!(tab.texts(LOCKS), ["log_lock"]);
    assert_calm(&mut tab);
}

#[test]
fn a_lock_opens_by_keyboard_to_all_that_is_known_of_it() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    tab.value("document.querySelector('.opener').focus(); true");
    tab.press("Enter");
    assert_eq!(
        tab.number("document.querySelectorAll('.panel').length"),
        0.0
    );
    tab.press("Enter");
    let text = tab.text("document.querySelector('.panel').innerText");
    for said in [
        "2,400 of them contended (84.2 %)",
        "half of the waits up to 3.80 ms",
        "blocked while holding",
        "Who waited for whom",
        "Where it is acquired",
        "Stacks that waited",
        "finish_job (job.c:64)",
        "7.02 s (77.0 %) in 1,800 waits",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let labels: Vec<String> = tab.charts().into_iter().map(|(label, _)| label).collect();
    for chart in [
        "Share of the waits for log_lock up to each length",
        "Waits for log_lock by length",
        "Waiting for log_lock by the place that waited and the place that held it",
    ] {
        assert!(labels.iter().any(|label| label == chart), "{labels:?}");
    }
    tab.click(".panel .fold summary");
    let pairs = tab.texts(
        "[...document.querySelectorAll('table[aria-label=Pairs] tbody td:nth-child(2)')].map(it => it.textContent)",
    );
    assert!(
        pairs.contains(&"another thread at the same place".to_owned()),
        "{pairs:?}"
    );
    assert!(
        pairs.contains(&"the holder was not seen".to_owned()),
        "{pairs:?}"
    );
    tab.press("Escape");
    tab.value("document.querySelector('.opener').focus(); true");
    tab.press("Enter");
    assert_eq!(
        tab.number("document.querySelectorAll('.panel').length"),
        0.0
    );
    assert_calm(&mut tab);
}

#[test]
fn every_row_opens_and_a_bar_opens_its_lock() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    let rows = tab.number("document.querySelectorAll('.document > .table .opener').length");
    tab.value("document.querySelectorAll('.document > .table .opener[aria-expanded=false]').forEach(it => it.click()); true");
    // Each click draws the table anew, so the list above is of buttons that are gone; the rows stay.
    for _ in 0..rows as u32 {
        tab.value("document.querySelector('.document > .table .opener[aria-expanded=false]')?.click(); true");
    }
    assert_eq!(
        tab.number("document.querySelectorAll('.panel').length"),
        rows
    );
    let again = pages::of(&[pages::document("profile")]);
    assert_calm(&mut tab);
    let mut tab = browser.open(&again);
    tab.click(".opener[aria-expanded=true]");
    let bar = tab.value(
        "(() => { const room = document.querySelectorAll('.chart-room')[1];
            room.scrollIntoView({ block: 'center' });
            const bars = [...room.querySelectorAll('svg path')].map(it => it.getBoundingClientRect());
            const widest = bars.filter(it => it.height > 12 && it.height < 24).sort((a, b) => b.width - a.width)[0];
            return [widest.x + 20, widest.y + widest.height / 2]; })()",
    );
    tab.click_at(bar[0].as_f64().unwrap(), bar[1].as_f64().unwrap());
    assert_eq!(tab.texts("[...document.querySelectorAll('.opener[aria-expanded=true] .name')].map(it => it.textContent)"), ["log_lock"]);
}

#[test]
fn the_flame_graph_is_searched_and_walked() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    let calls = "[...document.querySelectorAll('.call')].map(it => it.textContent)";
    let all = tab.texts(calls);
    assert_eq!(all[..3], ["all waiting", "worker_main", "serve"]);
    let amount = "document.querySelector('.flame .amount').textContent";
    tab.click(".flame input");
    tab.type_text("write_log");
    let status = tab.text("document.querySelector('.flame [role=status]').textContent");
    assert_eq!(status, "87.3 % of all waiting");
    assert_eq!(
        tab.number("document.querySelectorAll('.call.found').length"),
        2.0
    );

    tab.value("document.querySelector('.call').focus(); true");
    for key in ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"] {
        tab.press(key);
    }
    assert_eq!(tab.text(amount), "reject_job: 20.1 %, 2.10 s in 600 waits");
    tab.press("Enter");
    let zoomed = tab.texts(calls);
    assert_eq!(
        zoomed,
        [
            "all waiting",
            "worker_main",
            "serve",
            "reject_job",
            "write_log_line",
            "log_lock"
        ]
    );
    let width = tab.number(
        "document.activeElement.clientWidth / document.querySelector('.flame-graph').clientWidth",
    );
    assert!(width > 0.98, "{width}");
    tab.press("Escape");
    assert_eq!(tab.texts(calls), all);

    tab.click(".switch:nth-child(2)");
    let by_holder = tab.texts(calls);
    assert!(
        by_holder.iter().any(|it| it.contains("rotate_log")),
        "{by_holder:?}"
    );
    assert_calm(&mut tab);
}

#[test]
fn what_was_not_measured_is_a_dash() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("profile");
    for field in ["user_ns", "voluntary_switches"] {
        document[field] = Value::Null;
    }
    document["locks"][0]["hold_ns"] = Value::Null;
    document["locks"][0]["wait_split"] = Value::Null;
    document["recorder"] = json!({ "mode": "exact", "ns_per_pair": null, "share_of_cpu": null });
    document["page"]["spent"]["causes"][0]["ns"] = Value::Null;
    let mut tab = browser.open(&pages::of(&[document]));
    let facts = tab.texts(
        "[...document.querySelectorAll('.facts dd:not(.remark)')].map(it => it.textContent)",
    );
    assert_eq!(facts, ["3.02 s", "–", "9", "–"]);
    assert_eq!(
        tab.text("document.querySelector('.causes strong').textContent"),
        "–"
    );
    assert_eq!(column(&mut tab, 11)[0], "–");
    let recorder =
        tab.text("[...document.querySelectorAll('h2')].pop().nextElementSibling.textContent");
    assert!(recorder.contains("was not measured"), "{recorder}");
    assert_calm(&mut tab);
}

#[test]
fn a_document_as_json_has_it_is_drawn_too() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    // Without what the page says beside it, and with frames written out.
    let mut document = pages::document("profile");
    let page = document.as_object_mut().unwrap().remove("page").unwrap();
    write_out(&mut document["locks"], &page["places"]);
    write_out(&mut document["per_thread"], &page["places"]);
    let mut tab = browser.open(&pages::of(&[document]));
    assert_eq!(tab.texts(LOCKS)[0], "log_lock");
    let text = tab.text("document.querySelector('.panel').innerText");
    assert!(text.contains("finish_job (job.c:64)"), "{text}");
    assert_calm(&mut tab);
}

/// Puts frames in place of their numbers.
fn write_out(value: &mut Value, places: &Value) {
    const FRAMES: [&str; 5] = ["frames", "birth", "first_site", "waiter", "holder"];
    let frame = |number: &mut Value| *number = places[number.as_u64().unwrap() as usize].clone();
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| write_out(it, places)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::Array(frames) if FRAMES.contains(&name.as_str()) => {
                        frames.iter_mut().for_each(frame);
                    }
                    Value::Number(_) if name == "started_with" => frame(field),
                    _ => write_out(field, places),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn on_paper_the_dearest_locks_are_open() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("profile")]));
    tab.dark(true);
    tab.value(
        "addEventListener('beforeprint', () => { window.seen = [
            document.querySelectorAll('.panel').length,
            document.querySelectorAll('details.fold:not([open])').length,
            [...document.querySelectorAll('.chart-room')].filter(it => !it.querySelector('svg')).length,
            document.documentElement.scrollWidth,
        ]; }); true",
    );
    let pdf = tab.printed();
    assert!(pdf.starts_with(b"%PDF-"));
    assert!(pdf.len() > 30_000, "{} bytes", pdf.len());
    assert_eq!(tab.value("window.seen.slice(0, 3)"), json!([5, 0, 0]));
    tab.settle();
    assert_eq!(
        tab.number("document.querySelectorAll('.panel').length"),
        1.0
    );
    assert_calm(&mut tab);
}

//! Phones, dark colours, paper, readers who do not see the picture, old browsers, and browsers without scripts.

use locktoll_results::profile::timeline::{Keeps, Timeline};
use serde_json::json;

use super::scene::{made_up_timeline, middle, page, pixels, read};
use crate::browser::Browser;
use crate::everywhere;

#[test]
fn it_is_drawn_at_any_width_light_and_dark() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    for dark in [false, true] {
        tab.dark(dark);
        for width in [360, 800, 1280] {
            tab.size(width, 900);
            tab.wait("(() => { const it = document.querySelector('.timeline').timeline; return it.canvas.width === it.room.clientWidth; })()");
            tab.settle();
            let (waits, holds) = (pixels(&mut tab, "wait"), pixels(&mut tab, "hold"));
            assert!(
                waits > 5_000.0 && holds > 500.0,
                "{waits} and {holds} at {width}, dark: {dark}"
            );
        }
    }
    tab.dark(false);
    everywhere::fits(&mut tab);
}

#[test]
fn a_phone_shows_a_wait_after_a_tap() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    tab.size(360, 740);
    read(&mut tab);
    let (x, y) = middle(&mut tab);
    tab.touch(&[vec![(x, y)]]);
    let panel = tab.text("document.querySelector('.timeline-picked').textContent");
    assert!(panel.starts_with("worker-2 "), "{panel}");
    let overflow = tab.number("document.documentElement.scrollWidth - innerWidth");
    assert!(overflow <= 0.0, "{overflow} pixels too wide");
    everywhere::quiet(&mut tab);
}

#[test]
fn a_reader_who_does_not_see_the_picture_has_the_same() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    // Named, with an explanation of its keys, and reached by the keyboard.
    let canvas = tab.value(
        "(() => { const it = document.querySelector('.timeline-rows');
            return [it.tabIndex, it.getAttribute('role'), document.getElementById(it.getAttribute('aria-describedby')).textContent.startsWith('Keys: ')]; })()",
    );
    assert_eq!(canvas, json!([0, "application", true]));
    let unnamed = tab.texts(
        "[...document.querySelectorAll('.timeline button, .timeline select, .timeline input')]
            .filter(it => !(it.getAttribute('aria-label') || it.textContent.trim() || (it.labels && it.labels.length > 0 && it.labels[0].textContent.trim())))
            .map(it => it.outerHTML)",
    );
    assert_eq!(unnamed, [""; 0]);
    // Each wait of the table opens to the same words as a click on the picture.
    tab.value(
        "document.querySelector('table[aria-label=\"Longest waits\"] .opener').focus(); true",
    );
    tab.press("Enter");
    let panel = tab
        .text("document.querySelector('table[aria-label=\"Longest waits\"] .panel').textContent");
    assert!(
        panel.contains(" waited for queue.lock for ")
            && panel.contains("What the holders did in the meantime"),
        "{panel}"
    );
    everywhere::quiet(&mut tab);
}

#[test]
fn on_paper_it_is_as_wide_as_the_paper() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    tab.dark(true);
    tab.value(
        "addEventListener('beforeprint', () => { const it = document.querySelector('.timeline').timeline;
            window.seen = [it.canvas.width, it.colours.dark]; }); true",
    );
    assert!(tab.printed().starts_with(b"%PDF-"));
    let seen = tab.value("window.seen");
    assert!(seen[0].as_f64().unwrap() <= 720.0, "{seen}");
    assert_eq!(seen[1], false);
    everywhere::quiet(&mut tab);
}

#[test]
fn without_scripts_the_longest_waits_are_a_table() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    tab.ask(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": true }),
    );
    tab.ask("Page.reload", json!({}));
    tab.wait(
        "document.readyState === 'complete' && document.querySelector('noscript table') !== null",
    );
    let rows = tab.number("document.querySelectorAll('noscript tbody tr').length");
    assert_eq!(rows, 100.0);
    let text = tab.text("document.querySelector('noscript').innerText");
    assert!(
        text.contains("Longest waits") && text.contains("take (server.c:10)"),
        "{text}"
    );
}

#[test]
fn a_browser_that_cannot_decompress_has_the_table() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    tab.ask(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": "delete window.DecompressionStream" }),
    );
    tab.ask("Page.reload", json!({}));
    tab.wait(
        "document.querySelectorAll('table[aria-label=\"Longest waits\"] tbody tr').length === 20",
    );
    let problem = tab.text("document.querySelector('.timeline .problem').textContent");
    assert_eq!(
        problem,
        "The timeline could not be drawn: this browser cannot read compressed data"
    );
}

#[test]
fn a_timeline_without_events_says_so_and_one_of_waits_leaves_dashes() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(Timeline::default()));
    let text = tab.text("document.body.innerText");
    assert!(text.contains("The timeline has no events."), "{text}");
    everywhere::quiet(&mut tab);
    drop(tab);
    let mut timeline = made_up_timeline(1_000);
    timeline.kept.events = Keeps::Waits;
    let mut tab = browser.open(&page(timeline));
    read(&mut tab);
    let acquired = tab.text("document.querySelector('table[aria-label=\"Threads in the timeline\"] tbody td:nth-child(5)').textContent");
    assert_eq!(acquired, "–");
    everywhere::quiet(&mut tab);
}

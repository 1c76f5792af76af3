//! Pages of results from a stand-in: the label is the first text that a reader sees.

use serde_json::{Value, json};

use super::browser::Browser;
use super::tab::Tab;
use super::{everywhere, pages};

const WINE: &str = "Wine 8.0, not Windows";
const SAID: &str = "Wine 8.0, not Windows: the figures say nothing about Windows";

/// The document as if a stand-in had made it: `at` is where its machine stands.
fn made_by(stand_in: &str, name: &str, at: &str) -> Value {
    let mut document = pages::document(name);
    *document
        .pointer_mut(at)
        .unwrap_or_else(|| panic!("{name} has no {at}")) = {
        let mut machine = document.pointer(at).unwrap().clone();
        machine["stand_in"] = json!(stand_in);
        machine
    };
    document
}

/// The label is one, is what is read first, stands where the page's own text begins, and is seen before anything is scrolled.
fn is_labelled(tab: &mut Tab<'_>, said: &str) {
    assert_eq!(
        tab.texts("[...document.querySelectorAll('.stand-in')].map(it => it.textContent)"),
        [said]
    );
    assert_eq!(
        tab.text("document.body.innerText.trim().split('\\n')[0]"),
        said,
        "nothing is read before it"
    );
    for dark in [true, false] {
        tab.dark(dark);
        for width in [360, 1280] {
            tab.size(width, 800);
            let place = tab.value(
                "(() => {
                    const it = document.querySelector('.stand-in').getBoundingClientRect();
                    const page = document.getElementById('page').getBoundingClientRect();
                    const inset = parseFloat(getComputedStyle(document.getElementById('page')).paddingLeft);
                    return [Math.abs(it.left - page.left - inset) <= 1, it.right <= innerWidth, it.top >= 0, it.bottom <= innerHeight / 2,
                        it.height > 0, it.bottom <= page.top];
                })()",
            );
            assert_eq!(place, json!(vec![true; 6]), "at {width}");
            let contrast = tab.number(CONTRAST);
            assert!(contrast >= 4.5, "dark {dark}: {contrast}");
        }
    }
    tab.size(1280, 900);
}

/// Of the label's letters against what is behind them (WCAG 2.1, 1.4.3: 4.5 at least).
const CONTRAST: &str = "(() => {
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = numbers(colour).map((it) => it / 255)
            .map((it) => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const label = document.querySelector('.stand-in strong');
    let behind = label;
    while (behind.parentElement && (numbers(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) {
        behind = behind.parentElement;
    }
    const both = [light(getComputedStyle(label).color), light(getComputedStyle(behind).backgroundColor)].sort();
    return (both[1] + 0.05) / (both[0] + 0.05);
})()";

#[test]
fn the_label_is_above_all_else_on_every_page_with_a_machine() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for (name, at) in [
        ("bench", "/machine"),
        ("machine", "/machine"),
        ("reproduce", "/machine"),
        ("doctor", "/machine"),
        ("compare", "/b"),
        ("tour", "/contended/machine"),
    ] {
        let mut tab = browser.open(&pages::of(&[made_by(WINE, name, at)]));
        is_labelled(&mut tab, SAID);
        everywhere::quiet(&mut tab);
    }
}

#[test]
fn windows_is_called_by_its_name_and_asked_for_nothing_that_it_has_not() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = made_by(WINE, "bench", "/machine");
    document["machine"]["kernel"] = json!("Windows 10.0.26100");
    for unknown in ["libc", "container", "governor", "quota_cpus"] {
        document["machine"][unknown] = Value::Null;
    }
    let mut tab = browser.open(&pages::of(&[document]));
    let made = tab.text("document.querySelector('.provenance').textContent");
    assert!(made.contains(" · Windows 10.0.26100 · "), "{made}");
    let terms = "[...document.querySelectorAll('.terms dt')].map(it => it.textContent)";
    tab.value("[...document.querySelectorAll('details')].forEach(it => { it.open = true; })");
    tab.wait(&format!("{terms}.length > 0"));
    let terms = tab.texts(terms);
    assert!(terms.iter().any(|it| it == "System"), "{terms:?}");
    for of_linux in ["C library", "container", "quota", "governor"] {
        let told = terms.iter().filter(|it| !it.starts_with("Stopped"));
        assert_eq!(
            told.filter(|it| it.contains(of_linux)).count(),
            0,
            "{of_linux}: {terms:?}"
        );
    }
    everywhere::quiet(&mut tab);
}

#[test]
fn the_real_thing_has_no_label_and_a_hostile_one_stays_text() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("bench")]));
    assert_eq!(
        tab.number("document.querySelectorAll('.stand-in').length"),
        0.0
    );
    drop(tab);
    let hostile = "<img src=x onerror=\"document.title='fallen'\">\u{202e}, not Windows";
    let page = pages::of(&[made_by(hostile, "bench", "/machine")]);
    let mut tab = browser.open(&page);
    let shown = tab.text("document.querySelector('.stand-in').textContent");
    assert!(shown.starts_with("<img src=x"), "{shown}");
    assert_eq!(tab.number("document.images.length"), 0.0);
    everywhere::quiet(&mut tab);
}

//! Pages of `tour`.

use super::browser::Browser;
use super::{everywhere, pages};

#[test]
fn what_the_figures_say_comes_first_and_every_part_is_drawn() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("tour")]));
    let findings =
        tab.texts("[...document.querySelectorAll('.findings li')].map(it => it.textContent)");
    assert!(findings.len() >= 4, "{findings:?}");
    assert!(findings[0].starts_with("Acquiring and releasing an uncontended pthread mutex costs"));
    let first = "document.querySelector('.findings').compareDocumentPosition(document.querySelector('.chart')) & Node.DOCUMENT_POSITION_FOLLOWING";
    assert!(tab.number(first) > 0.0, "charts stand below the findings");
    tab.value(
        "document.querySelectorAll('.part > details.fold').forEach(it => it.fillNow()); true",
    );
    tab.settle();
    let schemas =
        tab.texts("[...document.querySelectorAll('[data-schema]')].map(it => it.dataset.schema)");
    assert_eq!(
        schemas,
        [
            "locktoll.tour/1",
            "locktoll.bench/1",
            "locktoll.bench/1",
            "locktoll.profile/1"
        ]
    );
    let commands =
        tab.texts("[...document.querySelectorAll('.command code')].map(it => it.textContent)");
    assert!(
        commands.contains(&"locktoll record -- YOUR-PROGRAM".to_owned()),
        "{commands:?}"
    );
    assert!(
        commands.iter().all(|it| !it.starts_with("locktoll tour")),
        "{commands:?}"
    );
    let text = tab.text("document.getElementById('page').textContent");
    assert!(!text.contains("could not be drawn"), "{text}");
    assert!(text.contains("log_lock"));
    // The contents lead to their parts.
    tab.click(".page-contents a:nth-child(3)");
    let top = tab.number("document.getElementById('part-3').getBoundingClientRect().top");
    assert!(top.abs() < 60.0, "{top}");
    everywhere::fits(&mut tab);
}

#[test]
fn headings_of_parts_stand_below_those_of_the_whole() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("tour")]));
    tab.click("#part-3 ~ .document .opener");
    let levels = tab.value(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(it => Number(it.tagName[1]))",
    );
    let levels: Vec<u64> = serde_json::from_value(levels).unwrap();
    assert_eq!(levels[0], 1);
    assert!(!levels[1..].contains(&1), "{levels:?}");
    assert!(
        levels.windows(2).all(|two| two[1] <= two[0] + 1),
        "none is left out on the way down: {levels:?}"
    );
    assert!(
        levels.contains(&5),
        "an opened lock has headings: {levels:?}"
    );
    let title =
        "getComputedStyle(document.querySelector('#part-3 ~ .document .title .rank-1')).fontSize";
    assert_eq!(tab.text(title), "18px");
    everywhere::quiet(&mut tab);
}

#[test]
fn on_paper_every_chart_is_there() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("tour")]));
    let pdf = tab.printed();
    assert!(
        pdf.starts_with(b"%PDF-") && pdf.len() > 50_000,
        "{} bytes",
        pdf.len()
    );
    everywhere::quiet(&mut tab);
}

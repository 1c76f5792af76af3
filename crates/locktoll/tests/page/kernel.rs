//! The page of `kernel`.

use super::browser::Browser;
use super::{everywhere, pages};

const PAGE: &str = "document.getElementById('page').textContent";

#[test]
fn waits_are_drawn_and_listed_by_every_axis() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("kernel")]));
    let text = tab.text(PAGE);
    for said in [
        "Waits for the kernel's locks while make -j8 ran",
        "412 ns + 181 ns",
        "folio_lruvec_lock_irqsave",
        "mm->mmap_lock",
        "no call stack",
        "Lost: stacks 17, begins 1.",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    let labels: Vec<String> = tab.charts().into_iter().map(|(label, _)| label).collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    tab.click("table[aria-label=Functions] .opener");
    tab.settle();
    let text = tab.text(PAGE);
    assert!(text.contains("Mostly from folio_batch_move_lru"), "{text}");
    assert_eq!(tab.charts().len(), 4);
    everywhere::fits(&mut tab);
}

#[test]
fn watching_that_took_much_of_the_waiting_is_a_warning_and_little_a_note() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("kernel");
    for (share, warns) in [(0.563, true), (0.004, false)] {
        document["probe"]["share_of_waiting"] = share.into();
        let mut tab = browser.open(&pages::of(&[document.clone()]));
        let answer = tab.text("document.querySelector('.title + .answer').textContent");
        assert!(
            answer.starts_with("39.6 mswaited for kernel locks in 12.0 s"),
            "{answer}"
        );
        let warnings =
            tab.texts("[...document.querySelectorAll('.problem')].map(it => it.textContent)");
        assert_eq!(
            warnings
                .iter()
                .any(|it| it.starts_with("Watching itself took 56.3 %")),
            warns,
            "{warnings:?}"
        );
        let text = tab.text(PAGE);
        assert_eq!(text.matches("Watching itself took").count(), 1, "{text}");
        everywhere::quiet(&mut tab);
    }
}

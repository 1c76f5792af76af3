//! Pages of `whatif`.

use super::browser::Browser;
use super::{everywhere, pages};

const PAGE: &str = "document.getElementById('page').textContent";

#[test]
fn the_gains_of_each_lock_are_drawn_and_a_row_opens_to_its_experiments() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("whatif")]));
    let text = tab.text(PAGE);
    for said in [
        "locktoll whatif ./job_server --threads 8",
        "1.68\u{d7}as fast with holds of work_lock half as long",
        "With holds of work_lock half as long, the program would be 1.68 times as fast",
        "\u{25cf} no effect",
        "+50%",
        "-25%",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    assert!(!text.contains("all other threads delayed"), "{text}");
    tab.click("table[aria-label=Locks] .opener");
    let opened = tab.text(PAGE);
    assert!(
        opened.contains("all other threads delayed while the lock is held: \u{2212}10 %"),
        "{opened}"
    );
    everywhere::fits(&mut tab);
}

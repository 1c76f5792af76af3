//! Wheel, mouse, fingers and keys.

use super::scene::{made_up_timeline, middle, page, place, read, sight};
use crate::browser::Browser;
use crate::everywhere;

/// Of the same length within rounding.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * a.abs().max(b.abs())
}

#[test]
fn the_wheel_zooms_around_the_pointer_and_moves_sideways() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    let (from, to) = sight(&mut tab);
    let (x, y) = middle(&mut tab);
    let middle = (from + to) / 2.0;
    tab.wheel_at(x, y, 0.0, -200.0);
    let (nearer_from, nearer_to) = sight(&mut tab);
    assert!(
        nearer_from > from && nearer_to < to,
        "{nearer_from} to {nearer_to}"
    );
    let still = place(&mut tab, 2, middle).0;
    assert!((still - x).abs() < 1.0, "{still} and {x}");
    let scrolled = "scrollY";
    let before = tab.number(scrolled);
    tab.wheel_at(x, y, 120.0, 0.0);
    let (moved_from, moved_to) = sight(&mut tab);
    assert!(moved_from > nearer_from);
    assert!(is_near(moved_to - moved_from, nearer_to - nearer_from));
    assert_eq!(tab.number(scrolled), before, "the page stays where it is");
    // Out again, and then the page scrolls.
    for _ in 0..4 {
        tab.wheel_at(x, y, 0.0, 200.0);
    }
    assert_eq!(sight(&mut tab), (from, to));
    everywhere::quiet(&mut tab);
}

#[test]
fn dragging_moves_and_the_map_shows_any_part() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    let whole = sight(&mut tab);
    tab.click(".timeline button[aria-label='Zoom in']");
    tab.click(".timeline button[aria-label='Zoom in']");
    let (from, to) = sight(&mut tab);
    assert!(is_near(to - from, (whole.1 - whole.0) / 4.0));
    let (x, y) = middle(&mut tab);
    tab.drag((x, y), (x - 100.0, y), false);
    let (moved, _) = sight(&mut tab);
    assert!(moved > from, "{moved}");
    assert_eq!(
        tab.value("document.querySelector('.timeline').timeline.picked"),
        serde_json::Value::Null,
        "a drag is not a click"
    );
    // The map: to its end.
    let end = tab.value("(() => { const box = document.querySelector('.timeline-map').getBoundingClientRect(); return [box.right - 2, box.y + 20]; })()");
    tab.click_at(end[0].as_f64().unwrap(), end[1].as_f64().unwrap());
    let (_, last) = sight(&mut tab);
    assert!(is_near(last, whole.1), "{last}");
    everywhere::quiet(&mut tab);
}

#[test]
fn keys_do_all_that_the_mouse_does() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    let whole = sight(&mut tab);
    tab.value("document.querySelector('.timeline-rows').focus(); true");
    tab.type_text("+++");
    let (from, to) = sight(&mut tab);
    assert!(to - from < (whole.1 - whole.0) / 4.0);
    tab.press("ArrowRight");
    let (right, _) = sight(&mut tab);
    assert!(right > from);
    tab.press("ArrowLeft");
    assert!(is_near(sight(&mut tab).0, from));
    let status = "document.querySelector('.timeline [role=status]').textContent";
    tab.press("ArrowDown");
    assert_eq!(tab.text(status), "worker-0");
    tab.press("ArrowDown");
    assert_eq!(tab.text(status), "worker-1");
    tab.type_text("n");
    let first = tab.text(status);
    assert!(
        first.starts_with("worker-1 waited for queue.lock for "),
        "{first}"
    );
    tab.type_text("n");
    let second = tab.text(status);
    assert_ne!(first, second);
    tab.type_text("p");
    assert_eq!(tab.text(status), first);
    let panel = tab.text("document.querySelector('.timeline-picked').textContent");
    assert!(
        panel.contains("The calls that waited") && panel.contains("take (server.c:10)"),
        "{panel}"
    );
    tab.type_text("i");
    assert!(
        tab.text(status)
            .starts_with("The tables show the time from ")
    );
    tab.press("Escape");
    assert_eq!(
        tab.text("document.querySelector('.timeline-picked').textContent"),
        ""
    );
    tab.type_text("0");
    assert_eq!(sight(&mut tab), whole);
    everywhere::quiet(&mut tab);
}

/// While the timeline moves, columns that stay in sight are kept. The picture is the same as one drawn anew.
#[test]
fn a_moved_picture_is_the_same_as_one_drawn_anew() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    let different = tab.value(
        "(() => {
            const it = document.querySelector('.timeline').timeline;
            const { look, pan } = locktoll.timeline;
            const pixels = () => it.grid.image.data.slice().join();
            const found = [];
            let kept = 0;
            for (const zoom of [0.5, 0.05, 0.004]) {
                const length = (it.raw.to_ns - it.raw.from_ns) * zoom;
                look(it, 0.3 * length, 1.3 * length);
                it.draw();
                for (const columns of [1, 7, -3, 40, 0, -200, 5000, -2]) {
                    const before = it.grid;
                    pan(it, columns * it.view.step);
                    it.draw();
                    kept += it.grid === before ? 1 : 0;
                    const moved = pixels();
                    it.grid = null;
                    it.draw();
                    if (moved !== pixels()) {
                        found.push([zoom, columns]);
                    }
                }
            }
            return [found, kept >= 15];
        })()",
    );
    assert_eq!(different, serde_json::json!([[], true]));
    everywhere::quiet(&mut tab);
}

#[test]
fn two_fingers_zoom_and_one_moves() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    tab.size(390, 800);
    read(&mut tab);
    let (from, to) = sight(&mut tab);
    let (x, y) = middle(&mut tab);
    tab.touch(&[
        vec![(x - 20.0, y), (x + 20.0, y)],
        vec![(x - 40.0, y), (x + 40.0, y)],
        vec![(x - 80.0, y), (x + 80.0, y)],
    ]);
    let (near_from, near_to) = sight(&mut tab);
    let ratio = (to - from) / (near_to - near_from);
    assert!((3.5..4.5).contains(&ratio), "{ratio}");
    tab.touch(&[vec![(x, y)], vec![(x + 20.0, y)], vec![(x + 60.0, y)]]);
    assert!(sight(&mut tab).0 < near_from);
    everywhere::quiet(&mut tab);
}

//! Pages of `compare`.

use super::browser::Browser;
use super::{everywhere, pages};

const PAGE: &str = "document.getElementById('page').textContent";

#[test]
fn ratios_are_drawn_with_their_intervals_and_what_equal_things_differed_by() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("compare")]));
    let text = tab.text(PAGE);
    for said in [
        "before.json against after.json",
        "Not the same: kernel: 6.1.0 in A, 6.12.0 in B",
        "✕ broken by std, list, 2 threads; std, list, 8 threads",
        "Grey: equal things differed by up to 1.06×",
        "Warning (B): the hypervisor took 2.1 %",
    ] {
        assert!(text.contains(said), "{said}");
    }
    let inside = "[...document.querySelectorAll('.chart-room svg text')].map(it => it.textContent).join('\\n')";
    let inside = tab.text(inside);
    for said in [
        "std, 8 threads",
        "1.31× slower",
        "0.58× faster",
        "only in A",
        "only in B",
    ] {
        assert!(inside.contains(said), "{said} is not in {inside}");
    }
    let option = "echarts.getInstanceByDom(document.querySelector('.chart-room')).getOption()";
    let grey =
        format!("{option}.series.flatMap(it => (it.markArea ? it.markArea.data : [])).length");
    assert_eq!(tab.number(&grey), 1.0);
    everywhere::fits(&mut tab);
}

#[test]
fn another_figure_can_be_chosen_and_rows_open_to_all() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("compare")]));
    everywhere::choose(&mut tab, "Figure", "ops_per_second");
    everywhere::drawn(&mut tab);
    let names = "[...document.querySelectorAll('table[aria-label=Rows] > tbody > tr:not(.opened) th .name')].map(it => it.textContent)";
    assert_eq!(tab.texts(names).len(), 10);
    tab.click("input[type=search]");
    tab.type_text("slower");
    assert_eq!(tab.texts(names), ["std, 8 threads", "std, 2 threads"]);
    tab.click("table[aria-label=Rows] .opener");
    let figures = "[...document.querySelectorAll('table[aria-label=Figures] tbody th')].map(it => it.textContent)";
    let figures = tab.texts(figures);
    assert!(figures.contains(&"p99_ns".to_owned()), "{figures:?}");
    everywhere::quiet(&mut tab);
}

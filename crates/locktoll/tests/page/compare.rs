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
        "Differs: kernel: 6.1.0 in A, 6.12.0 in B",
        "✕ broken by std, list, 2 threads; std, list, 8 threads",
        "Grey: the same lock measured twice differed by up to 1.06×",
        "Warning (A and B): the hypervisor took 2.1 %",
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
    everywhere::choose(&mut tab, "Figure", "operations per second");
    everywhere::drawn(&mut tab);
    let names = "[...document.querySelectorAll('table[aria-label=Rows] > tbody > tr:not(.opened) th .name')].map(it => it.textContent)";
    assert_eq!(tab.texts(names).len(), 10);
    tab.click("input[type=search]");
    tab.type_text("slower");
    assert_eq!(tab.texts(names), ["std, 8 threads", "std, 2 threads"]);
    tab.click("table[aria-label=Rows] .opener");
    let figures = "[...document.querySelectorAll('table[aria-label=Figures] tbody th')].map(it => it.textContent)";
    let figures = tab.texts(figures);
    assert!(figures.contains(&"p99 wait".to_owned()), "{figures:?}");
    everywhere::quiet(&mut tab);
}

#[test]
fn the_answer_has_the_largest_change_and_warnings_of_both_sides_are_said_once() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let document = pages::document("compare");
    assert_eq!(document["a"]["warnings"], document["b"]["warnings"]);
    let mut tab = browser.open(&pages::of(&[document]));
    let answer = tab.text("document.querySelector('.title + .answer').textContent");
    assert!(
        answer.starts_with(
            "0.58×time per op, B over AThe largest change: mcs-park, 8 threads is faster in B"
        ),
        "{answer}"
    );
    assert!(
        answer.ends_with("10 measurements: 2 slower in B, 2 faster in B, 2 without a detectable difference, 2 only in A, 2 only in B (by time per op)."),
        "{answer}"
    );
    let caveats =
        tab.texts("[...document.querySelectorAll('.caveats li')].map(it => it.textContent)");
    let warned = caveats.iter().filter(|it| it.starts_with("Warning"));
    let warned: Vec<&String> = warned.collect();
    assert_eq!(warned.len(), 1, "{caveats:?}");
    assert!(warned[0].starts_with("Warning (A and B)"), "{caveats:?}");
    // Figures stand behind the axis, where no interval is.
    let option = "echarts.getInstanceByDom(document.querySelector('.chart-room')).getOption()";
    let behind = tab.value(&format!(
        "(() => {{ const it = {option}; const most = it.xAxis[0].max;
            return it.series.filter(one => one.type === 'scatter' && one.symbolSize === 0.01)[0].data.map(([x]) => x === most); }})()"
    ));
    let behind: Vec<bool> = serde_json::from_value(behind).unwrap();
    assert!(
        behind.len() == 6 && behind.iter().all(|it| *it),
        "{behind:?}"
    );
    tab.click(".answer a");
    tab.wait("document.querySelector('.panel') !== null");
    everywhere::quiet(&mut tab);
}

#[test]
fn one_run_each_is_not_judged() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("compare");
    document["kind"] = "profile".into();
    for row in document["rows"].as_array_mut().unwrap() {
        if !row["ratio"].is_null() {
            row["verdict"] = "no_difference".into();
            for bound in ["low", "high", "confidence"] {
                row["ratio"][bound] = serde_json::Value::Null;
            }
        }
    }
    let mut tab = browser.open(&pages::of(&[document]));
    let answer = tab.text("document.querySelector('.answer').textContent");
    assert!(answer.contains("6 not judged: one run each"), "{answer}");
    let verdicts = tab.texts("[...document.querySelectorAll('table[aria-label=Rows] tbody td:nth-child(2)')].map(it => it.textContent)");
    assert!(
        verdicts
            .iter()
            .all(|it| !it.contains("no detectable difference")),
        "{verdicts:?}"
    );
    everywhere::quiet(&mut tab);
}

//! Pages of `bench`.

use std::process::Command;

use super::browser::Browser;
use super::{everywhere, pages};

const PAGE: &str = "document.getElementById('page').textContent";

#[test]
fn locks_are_drawn_by_threads_and_one_setting_in_detail() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("bench")]));
    let labels: Vec<String> = tab.charts().into_iter().map(|(label, _)| label).collect();
    assert_eq!(
        labels,
        [
            "throughput of each lock by threads",
            "Time per operation of each lock",
            "Where the threads' time goes, lock by lock",
            "Waits of each lock, from the median to the longest",
            "Cumulative distribution of the waits, with its tail stretched",
            "Histogram of the waits of each lock, by powers of two",
            "Fairness against throughput",
        ]
    );
    // What could not be measured is said, not left out.
    let text = tab.text(PAGE);
    for said in [
        "flock: no such file",
        "ticket (64 threads): cut off: 3 threads were still running",
        "Not measured, so not drawn: flock",
        "The hypervisor took 2.1 %",
        "the same lock measured twice; smaller differences mean nothing",
    ] {
        assert!(text.contains(said), "{said}");
    }
    // The A/A pair is an area in the first chart, and a line a lock that has figures.
    let option = "echarts.getInstanceByDom(document.querySelector('.chart-room')).getOption()";
    let lines = tab.texts(&format!(
        "{option}.series.filter(it => it.type === 'line').map(it => it.name)"
    ));
    assert_eq!(
        lines,
        [
            "pthread",
            "std",
            "parking_lot",
            "ttas-backoff",
            "ticket",
            "mcs-park",
            "sysv-sem"
        ]
    );
    let bands = tab.number(&format!(
        "{option}.series.filter(it => it.type === 'custom' && it.name === 'pthread').length"
    ));
    assert_eq!(bands, 2.0);
    everywhere::fits(&mut tab);
}

#[test]
fn another_figure_and_another_setting_can_be_chosen() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("bench")]));
    everywhere::choose(&mut tab, "Show", "p99 wait");
    everywhere::choose(&mut tab, "threads", "1");
    let text = tab.text(PAGE);
    assert!(text.contains("P99 wait by threads"), "{text}");
    let labels = tab.charts();
    assert_eq!(labels[0].0, "p99 wait of each lock by threads");
    // With one thread there is nothing to be fair to.
    assert!(labels.iter().all(|(label, _)| !label.contains("Fairness")));
    everywhere::drawn(&mut tab);
    everywhere::quiet(&mut tab);
}

#[test]
fn a_parameter_other_than_threads_is_the_axis() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("holds")]));
    assert_eq!(
        tab.charts()[0].0,
        "throughput of each lock by hold",
        "the parameter that has most values"
    );
    let axis =
        "echarts.getInstanceByDom(document.querySelector('.chart-room')).getOption().xAxis[0].data";
    assert_eq!(tab.texts(axis), ["0", "100 ns", "1.00 us", "10.0 us"]);
    everywhere::choose(&mut tab, "By", "depth");
    assert_eq!(tab.charts()[0].0, "throughput of each lock by depth");
    everywhere::fits(&mut tab);
}

#[test]
fn cells_are_sorted_filtered_and_opened() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("bench")]));
    let names = "[...document.querySelectorAll('tbody tr:not(.opened) th .name')].map(it => it.textContent)";
    assert_eq!(tab.texts(names).len(), 48);
    tab.click("thead th:nth-child(3) button");
    assert_eq!(tab.texts(names)[0], "ticket", "the most expensive first");
    tab.click("thead th:nth-child(3) button");
    assert_eq!(tab.texts(names)[0], "ttas-backoff");
    assert_eq!(tab.texts(names)[47], "flock", "what has no figure last");
    tab.click("input[type=search]");
    tab.type_text("sysv threads 64");
    assert_eq!(tab.texts(names), ["sysv-sem"]);
    tab.click("tbody .opener");
    let panel = "document.querySelectorAll('.panel .chart-room svg').length";
    tab.wait(&format!("{panel} === 2"));
    everywhere::drawn(&mut tab);
    everywhere::quiet(&mut tab);
}

#[test]
fn a_real_run_gives_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b.html");
    let output = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(["bench", "--lock=pthread,ticket", "--threads=1,2"])
        .args(["--duration=20ms", "--repeat=3", "-o"])
        .arg(&file)
        .output()
        .expect("the program was built");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(output.stdout.is_empty());
    let bytes = file.metadata().unwrap().len();
    assert!(bytes < 2_000_000, "{bytes} bytes");
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open_file(&file);
    assert_eq!(tab.text("document.title"), "locktoll bench");
    assert_eq!(tab.charts()[0].0, "throughput of each lock by threads");
    everywhere::drawn(&mut tab);
    everywhere::quiet(&mut tab);
}

#[test]
fn the_fastest_lock_is_the_answer_unless_it_cannot_be_distinguished_from_the_next() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("bench");
    let answer = "document.querySelector('.title + .answer').textContent";
    let mut tab = browser.open(&pages::of(&[document.clone()]));
    let said = tab.text(answer);
    assert!(
        said.contains("ttas-backoff was fastest with 64 threads: 1.94 times as fast as std"),
        "{said}"
    );
    drop(tab);
    for cell in document["cells"].as_array_mut().unwrap() {
        if !cell["ns_per_op"].is_null() {
            cell["ns_per_op"]["n"] = 3.into();
        }
    }
    let mut tab = browser.open(&pages::of(&[document]));
    let said = tab.text(answer);
    assert!(
        said.contains("cannot be distinguished from std") && said.contains("3 rounds (6 needed)"),
        "{said}"
    );
    everywhere::quiet(&mut tab);
}

#[test]
fn the_list_of_parts_leads_to_a_part_that_was_drawn_anew() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("bench")]));
    let parts =
        tab.texts("[...document.querySelectorAll('.page-contents a')].map(it => it.textContent)");
    assert_eq!(parts, ["Curves", "One setting", "All cells"]);
    everywhere::choose(&mut tab, "Show", "p99 wait");
    tab.value("scrollTo(0, 3000); true");
    tab.click(".page-contents a");
    tab.wait("Math.abs(document.querySelector('h2').getBoundingClientRect().top) < 100");
    assert!(
        tab.text("document.querySelector('h2').textContent")
            .starts_with("P99 wait")
    );
    everywhere::quiet(&mut tab);
}

#[test]
fn a_lock_that_is_pointed_at_is_pointed_out_in_other_charts() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("bench")]));
    tab.value(
        "window.seen = [];
        window.charts = [...document.querySelectorAll('.chart-room')].map(it => echarts.getInstanceByDom(it));
        charts.forEach((it, at) => it.on('highlight', ({ seriesName }) => seen.push(at + ' ' + seriesName)));
        charts[0].trigger('mouseover', { seriesName: 'std' }); true",
    );
    let seen = tab.texts("seen");
    assert!(seen.len() > 2, "{seen:?}");
    assert!(seen.iter().all(|it| it.ends_with(" std")), "{seen:?}");
    assert!(!seen.contains(&"0 std".to_owned()), "{seen:?}");
    everywhere::quiet(&mut tab);
}

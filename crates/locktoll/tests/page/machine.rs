//! Pages of `machine`.

use serde_json::{Value, json};

use super::browser::Browser;
use super::{everywhere, pages};

const PAGE: &str = "document.getElementById('page').textContent";

#[test]
fn prices_parts_and_caches_are_drawn() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("machine");
    document["locks"][3]["uncontended_ns"] =
        json!({ "median": 0.0, "low": -1.0, "high": 2.0, "n": 9 });
    let mut tab = browser.open(&pages::of(&[document]));
    let labels: Vec<String> = tab.charts().into_iter().map(|(label, _)| label).collect();
    assert_eq!(
        labels,
        [
            "A hand-over and its parts",
            "Other ways to hand over: predicted from the parts, and measured",
            "Prices of memory, system calls, switches and wake-ups",
            "Time to move a cache line between each pair of CPUs",
            "Time that a switch adds to one pass through a working set, by its size",
            "Price of each lock, acquired and released by one thread",
            "Java's locks",
        ]
    );
    let text = tab.text(PAGE);
    for said in [
        "A contended hand-over on one CPU, under SCHED_OTHER, costs 1.93 us (1.87 us to 1.99 us): 273 ns system calls",
        "perf_event_open: this machine has no hardware counters",
        "SCHED_FIFO is not permitted",
        "One way: from 14.0 ns to 137 ns",
        "1 pair was refused",
        "Not drawn: smaller than a huge page",
    ] {
        assert!(text.contains(said), "{said}");
    }
    // What was refused stands in the chart with its reason.
    let inside = "[...document.querySelectorAll('.chart-room svg text')].map(it => it.textContent).join('\\n')";
    let inside = tab.text(inside);
    assert!(
        inside.contains("refused: the kernel traps split locks here"),
        "{inside}"
    );
    assert!(inside.contains("512 ns  (2 calls)"), "{inside}");
    // What came out at zero was measured all the same.
    assert!(
        inside.contains("not above 0 (−1.00 ns to 2.00 ns)"),
        "{inside}"
    );
    everywhere::fits(&mut tab);
}

#[test]
fn every_probe_is_in_a_table_with_its_counts() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("machine");
    document["parts"][13]["value"] =
        json!({ "median": -35_000.0, "low": -36_000.0, "high": -34_000.0, "n": 9 });
    let mut tab = browser.open(&pages::of(&[document]));
    tab.click("details.fold:not(.caveats) summary");
    tab.wait("document.querySelector('table[aria-label=Probes]') !== null");
    let table = tab.text("document.querySelector('table[aria-label=Probes]').textContent");
    // What a subtraction made negative is not zero.
    for said in ["−35.0 us", "−36.0 us to −34.0 us"] {
        assert!(table.contains(said), "{said}: {table}");
    }
    let names = "[...document.querySelectorAll('table[aria-label=Probes] tbody th')].map(it => it.textContent)";
    assert_eq!(tab.texts(names).len(), 19);
    tab.click("table[aria-label=Probes] thead th:nth-child(2) button");
    assert_eq!(
        tab.texts(names)[0],
        "condition variable, two CPUs condvar-two-cpus",
        "the most expensive first"
    );
    tab.click("input[type=search]");
    tab.type_text("futex wake");
    assert_eq!(
        tab.texts(names),
        ["futex wake, nobody waits futex-wake-none"]
    );
    everywhere::quiet(&mut tab);
}

/// The made-up machine with so many CPUs.
fn with_cpus(cpus: usize) -> Value {
    let mut document = pages::document("machine");
    let way = |from: usize, to: usize| match from == to {
        true => Value::Null,
        false => {
            let ns = 20.0 + (from.abs_diff(to) * 100 / cpus) as f64;
            json!({ "median": ns, "low": ns - 1.0, "high": ns + 1.0, "n": 9 })
        }
    };
    let row = |from: usize| (0..cpus).map(|to| way(from, to)).collect::<Vec<_>>();
    document["transfers"] = json!({
        "cpus": (0..cpus).collect::<Vec<_>>(),
        "one_way_ns": (0..cpus).map(row).collect::<Vec<_>>(),
    });
    document
}

#[test]
fn the_matrix_is_drawn_for_1_to_256_cpus() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[with_cpus(1)]));
    assert!(
        tab.text(PAGE)
            .contains("Not measured: this needs two CPUs.")
    );
    everywhere::drawn(&mut tab);
    everywhere::quiet(&mut tab);
    drop(tab);
    let mut tab = browser.open(&pages::of(&[with_cpus(2)]));
    let text = tab.text(PAGE);
    assert!(
        text.contains(
            "One way: CPU 0 to CPU 1: 70.0 ns (69.0 ns to 71.0 ns); CPU 1 to CPU 0: 70.0 ns"
        ),
        "two figures need no chart: {text}"
    );
    everywhere::quiet(&mut tab);
    drop(tab);
    let matrix = "document.querySelector('[aria-label^=\"Time to move a cache line\"]')";
    for (cpus, figures) in [(4, true), (64, false), (256, false)] {
        let mut tab = browser.open(&pages::of(&[with_cpus(cpus)]));
        let cells = tab.number(&format!(
            "echarts.getInstanceByDom({matrix}).getOption().series[0].data.length"
        ));
        assert_eq!(cells as usize, cpus * (cpus - 1));
        let shown = tab.value(&format!(
            "echarts.getInstanceByDom({matrix}).getOption().series[0].label.show"
        ));
        assert_eq!(shown, figures, "{cpus} CPUs");
        // Colours are there: more than the background and the axes.
        if cpus > 48 {
            let colours = tab.number(&format!(
                "(() => {{ const it = {matrix}.querySelector('canvas');
                    const pixels = new Uint32Array(it.getContext('2d').getImageData(0, 0, it.width, it.height).data.buffer);
                    return new Set(pixels).size; }})()"
            ));
            assert!(colours > 50.0, "{colours} colours");
        }
        assert_eq!(
            tab.number("document.documentElement.scrollWidth - innerWidth"),
            0.0
        );
        everywhere::quiet(&mut tab);
    }
}

#[test]
fn a_machine_that_refused_everything_still_has_a_page() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut document = pages::document("machine");
    for part in document["parts"].as_array_mut().unwrap() {
        part["value"] = Value::Null;
        part["refused"] = "<img src=x onerror=alert(1)> was not permitted".into();
    }
    for lock in document["locks"].as_array_mut().unwrap() {
        lock["uncontended_ns"] = Value::Null;
    }
    for size in document["refill"].as_array_mut().unwrap() {
        size["added_ns"] = Value::Null;
        size["refused"] = "no room".into();
    }
    document["transfers"] = Value::Null;
    document["java"] = Value::Null;
    document["counters"] = Value::Null;
    document["decomposition"] =
        json!({ "same_cpu": null, "cross_cpu": null, "refused": "a part of it was" });
    let mut tab = browser.open(&pages::of(&[document]));
    let text = tab.text(PAGE);
    assert!(text.contains("Refused: a part of it was"), "{text}");
    assert!(!text.contains("could not be drawn"), "{text}");
    assert_eq!(tab.number("document.images.length"), 0.0);
    everywhere::quiet(&mut tab);
}

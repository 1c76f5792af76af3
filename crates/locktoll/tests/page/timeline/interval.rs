//! The tables of a chosen time, and findings, which link to theirs.

use std::collections::BTreeMap;

use locktoll_results::profile::timeline::{Finding, FindingKind, Index, Timeline};
use serde_json::{Value, json};

use super::scene::{made_up_timeline, middle, page, read, sight};
use crate::browser::Browser;
use crate::everywhere;
use crate::tab::Tab;

/// Waits, time waited, longest wait, acquisitions, time held.
type Figures = [u64; 5];

/// The figures of each lock and of each thread in a time. Waits for events are not those of a thread.
fn sums(timeline: &Timeline, from: u64, to: u64) -> [BTreeMap<u32, Figures>; 2] {
    let part = |begin: u64, end: u64| end.min(to).saturating_sub(begin.max(from));
    let mut of: [BTreeMap<u32, Figures>; 2] = Default::default();
    for wait in timeline.waits.iter() {
        let ns = part(wait.begin_ns, wait.end_ns);
        let is_event = timeline.locks[wait.lock as usize].name == "queue.filled";
        for (which, key) in [(0, wait.lock), (1, wait.thread)] {
            if ns > 0 && !(which == 1 && is_event) {
                let sum = of[which].entry(key).or_default();
                sum[0] += 1;
                sum[1] += ns;
                sum[2] = sum[2].max(ns);
            }
        }
    }
    for hold in timeline.holds.iter() {
        let is_acquired = (from..to).contains(&hold.begin_ns);
        let ns = part(hold.begin_ns, hold.end_ns);
        for (which, key) in [(0, hold.lock), (1, hold.thread)] {
            if ns > 0 || is_acquired {
                let sum = of[which].entry(key).or_default();
                sum[3] += u64::from(is_acquired);
                sum[4] += ns;
            }
        }
    }
    of
}

/// The same as the page's script adds it up.
fn sums_of_page(tab: &mut Tab<'_>, from: u64, to: u64) -> [BTreeMap<u32, Figures>; 2] {
    let found = tab.value(&format!(
        "(() => {{
            const {{ locks, threads }} = locktoll.timeline.sums(document.querySelector('.timeline').timeline.data, {from}, {to});
            return [locks, threads].map(all => [...all].map(([key, it]) => [key, [it.waits, it.wait_ns, it.longest_ns, it.acquired, it.held_ns]]));
        }})()"
    ));
    let lists: [Vec<(u32, Figures)>; 2] = serde_json::from_value(found).unwrap();
    lists.map(|list| {
        let known = list.into_iter().filter(|(_, figures)| *figures != [0; 5]);
        known.collect()
    })
}

#[test]
fn a_chosen_time_has_the_figures_of_that_time() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let timeline = made_up_timeline(4_000);
    let (begin, end) = (timeline.begin_ns, timeline.end_ns);
    let mut tab = browser.open(&page(timeline.clone()));
    read(&mut tab);
    for (from, to) in [
        (begin, end),
        (end / 3, end / 2),
        (end / 2, end / 2 + 1_000),
        (end / 7, end / 7 + 1),
    ] {
        assert_eq!(
            sums_of_page(&mut tab, from, to),
            sums(&timeline, from, to),
            "{from} to {to}"
        );
    }
    // With the mouse, and in the table above.
    let (x, y) = middle(&mut tab);
    tab.drag((x, y), (x + 150.0, y), true);
    let brush = tab.value("(() => { const { from, to } = document.querySelector('.timeline').timeline.brush; return [from, to]; })()");
    let [from, to] = [0, 1].map(|at| brush[at].as_u64().unwrap());
    let [locks, threads] = sums(&timeline, from, to);
    let rows = tab.value(
        "['Locks in the interval', 'Threads in the interval'].map(label => [...document.querySelectorAll(`table[aria-label=\"${label}\"] tbody tr`)]
            .map(row => [...row.cells].map(cell => cell.textContent)))",
    );
    let name = |lock: u32| timeline.locks[lock as usize].name.clone();
    assert_eq!(rows[0], lines(&locks, name));
    assert_eq!(
        rows[1],
        lines(&threads, |thread| format!("worker-{thread}"))
    );
    is_whole(&mut tab, false);
    tab.press("Escape");
    is_whole(&mut tab, true);
    tab.click(".timeline .choice:nth-of-type(2) button:last-child");
    is_whole(&mut tab, false);
    tab.click(".timeline-interval button.more");
    is_whole(&mut tab, true);
    everywhere::quiet(&mut tab);
}

/// Whether the table of locks is the one of the whole run.
fn is_whole(tab: &mut Tab<'_>, expected: bool) {
    let seen = tab.value(
        "[document.querySelector('table[aria-label=Locks]').checkVisibility(),
            document.querySelector('table[aria-label=\"Locks in the interval\"]') === null]",
    );
    assert_eq!(seen, json!([expected, expected]));
}

/// The cells of the tables, those with most waiting first.
fn lines(of: &BTreeMap<u32, Figures>, name: impl Fn(u32) -> String) -> Value {
    use locktoll_terminal::quantity::{count, duration};
    let mut rows: Vec<(&u32, &Figures)> = of.iter().collect();
    rows.sort_by_key(|(_, figures)| std::cmp::Reverse((figures[1], figures[4])));
    let line = |(&key, figures): (&u32, &Figures)| {
        let [waits, wait, longest, acquired, held] = *figures;
        let ns = |ns: u64| duration(ns as f64);
        json!([
            name(key),
            ns(wait),
            count(waits),
            ns(longest),
            count(acquired),
            ns(held)
        ])
    };
    rows.into_iter().map(line).collect()
}

/// The picture's columns are added up in another way than the tables: by what is before each stretch.
#[test]
fn the_picture_has_the_parts_of_time_that_there_are() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let timeline = made_up_timeline(4_000);
    let end = timeline.end_ns;
    let mut tab = browser.open(&page(timeline.clone()));
    read(&mut tab);
    for (cells, from, step) in [
        (7_u64, 0, end / 7),
        (900, end / 3, 37),
        (400, end / 2, 1_000),
        (3, end - 100_000, 60_000),
    ] {
        let found = tab.value(&format!(
            "['wait', 'hold'].map(name => {{
                const into = new Float64Array({cells});
                locktoll.timeline.parts(document.querySelector('.timeline').timeline.lanes[2][name], {from}, {step}, {cells}, into);
                return [...into].map(part => Math.round(part * {step}));
            }})"
        ));
        let part = |begin: u64, finish: u64, cell: u64| {
            let low = from + cell * step;
            finish.min(low + step).saturating_sub(begin.max(low))
        };
        let all = |cell: u64| {
            let waits = timeline
                .waits
                .iter()
                .filter(|it| it.thread == 2 && it.lock == 0);
            let holds = timeline
                .holds
                .iter()
                .filter(|it| it.thread == 2 && it.lock == 0);
            let waited: u64 = waits.map(|it| part(it.begin_ns, it.end_ns, cell)).sum();
            let held: u64 = holds.map(|it| part(it.begin_ns, it.end_ns, cell)).sum();
            (waited, held)
        };
        let (waits, holds): (Vec<u64>, Vec<u64>) = (0..cells).map(all).unzip();
        assert_eq!(found, json!([waits, holds]), "{cells} cells of {step}");
    }
}

#[test]
fn a_finding_leads_to_its_time_and_lock() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut timeline = made_up_timeline(3_000);
    let (from, to) = (timeline.end_ns / 3, timeline.end_ns / 3 + 50_000);
    timeline.findings.push(Finding {
        kind: FindingKind::Convoy,
        sentence: "A convoy: 3 threads queue for <log> one after the other".to_owned(),
        wait_ns: 90_000,
        begin_ns: from,
        end_ns: to,
        lock: Index::new(2),
        threads: vec![1, 2, 3],
    });
    let mut tab = browser.open(&page(timeline));
    read(&mut tab);
    assert_eq!(
        tab.texts("[...document.querySelectorAll('.findings li')].map(it => it.textContent)"),
        ["A convoy: 3 threads queue for <log> one after the other Show"]
    );
    tab.click(".findings a");
    tab.wait("document.querySelector('table[aria-label=\"Locks in the interval\"]') !== null");
    let brush = tab.value("(() => { const { brush, lock } = document.querySelector('.timeline').timeline; return [brush.from, brush.to, lock]; })()");
    assert_eq!(brush, json!([from, to, 2]));
    let (left, right) = sight(&mut tab);
    assert!(
        left <= from as f64 && right >= to as f64 && right - left < 4.0 * (to - from) as f64,
        "{left} to {right}"
    );
    everywhere::quiet(&mut tab);
}

//! Every interval as it was written, and one in words.

use locktoll_results::profile::timeline::{Index, SignalKind, Timeline, Wait};
use serde_json::{Value, json};

use super::scene::{made_up_timeline, page, pixels, place, read, sight};
use crate::browser::Browser;
use crate::everywhere;

/// Every interval that the page has read: kind, flags, thread, lock, begin, end, stack; and of waits the thread that released,
/// when it did, the holder, and the holder's place.
const READ: &str = "(() => {
    const { data } = document.querySelector('.timeline').timeline;
    const { threadOf, releasedAt, holderPlace, KINDS } = locktoll.timeline;
    return Array.from({ length: data.n }, (_, at) => {
        const kind = data.kind[at] & 7;
        const isWait = kind === KINDS.wait || kind === KINDS.event;
        const own = [kind, data.kind[at] >> 4, threadOf(data, at), data.lock[at], data.begin[at], data.end[at], data.stack[at] - 1];
        return isWait ? [...own, data.from[at] - 1, data.from[at] > 0 ? releasedAt(data, at) : 0, data.holder[at] - 1, holderPlace(data, at)] : own;
    });
})()";

fn number(index: Index) -> i64 {
    index.get().map_or(-1, |it| it as i64)
}

/// The same from the timeline itself, in no order.
fn written(timeline: &Timeline) -> Vec<Value> {
    let is_event = |lock: u32| timeline.locks[lock as usize].name == "queue.filled";
    let wait = |it: Wait| {
        let kind = if is_event(it.lock) { 2 } else { 1 };
        json!([
            kind,
            u8::from(it.end),
            it.thread,
            it.lock,
            it.begin_ns,
            it.end_ns,
            number(it.stack),
            number(it.released_by),
            it.released_ns,
            number(it.holder),
            number(it.holder_place)
        ])
    };
    let waits = timeline.waits.iter().map(wait);
    let holds = timeline.holds.iter().map(|it| {
        json!([
            0,
            it.flags.0,
            it.thread,
            it.lock,
            it.begin_ns,
            it.end_ns,
            number(it.place)
        ])
    });
    let signals = timeline.signals.iter().map(|it| {
        let kind = u8::from(it.kind);
        json!([
            6,
            kind,
            it.thread,
            it.lock,
            it.at_ns,
            it.at_ns,
            number(it.place)
        ])
    });
    let blocks = timeline
        .blocks
        .iter()
        .map(|it| json!([3, 0, it.thread, it.lock, it.begin_ns, it.end_ns, -1]));
    let mut all: Vec<Value> = waits.chain(holds).chain(signals).chain(blocks).collect();
    all.sort_by_key(Value::to_string);
    all
}

/// A timeline with what made-up ones do not have: waits that ended otherwise or whose release is not in it, long times,
/// nested holds, calls that may block, and a time from which events were overwritten.
fn unusual() -> Timeline {
    let mut timeline = made_up_timeline(2_000);
    let end = timeline.end_ns;
    let mut wait = timeline.waits.get(0);
    for (at, ending) in (0..4_u8).enumerate() {
        wait.begin_ns = end + at as u64 * 10;
        wait.end_ns = wait.begin_ns + (1_u64 << 45);
        wait.end = ending.try_into().unwrap();
        wait.thread = at as u32;
        wait.released_by = if at == 1 { Index::new(5) } else { Index::NONE };
        wait.released_ns = if at == 1 { end + 77 } else { 0 };
        wait.holder = Index::new(6);
        wait.holder_place = Index::new(2);
        timeline.waits.push(wait);
    }
    let mut hold = timeline.holds.get(0);
    for depth in 0..4_u32 {
        hold.thread = 7;
        hold.lock = depth;
        hold.begin_ns = end + u64::from(depth);
        hold.end_ns = end + 1_000 - u64::from(depth);
        hold.flags.0 = 1 << depth;
        timeline.holds.push(hold);
    }
    timeline
        .blocks
        .push(locktoll_results::profile::timeline::Block {
            thread: 7,
            lock: 3,
            begin_ns: end + 100,
            end_ns: end + 500,
        });
    timeline
        .signals
        .push(locktoll_results::profile::timeline::Signal {
            thread: 3,
            lock: 4,
            at_ns: end + 5,
            kind: SignalKind::All,
            place: Index::NONE,
            woken: 9,
        });
    timeline.end_ns = end + 100 + (1 << 45);
    timeline.threads[7].overwritten = 12;
    timeline.threads[7].complete_from_ns = end / 2;
    timeline.kept.lost.overwritten = 12;
    timeline
}

#[test]
fn every_event_arrives_as_it_was() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    // More than one block of 65,536, and everything unusual.
    for timeline in [made_up_timeline(70_000), unusual()] {
        let expected = written(&timeline);
        let mut tab = browser.open(&page(timeline));
        read(&mut tab);
        let mut found: Vec<Value> = serde_json::from_value(tab.value(READ)).unwrap();
        found.sort_by_key(Value::to_string);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected);
        }
        everywhere::quiet(&mut tab);
    }
}

#[test]
fn a_click_on_a_wait_shows_its_calls_and_what_the_holders_did() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let timeline = made_up_timeline(3_000);
    // One in the middle of the time for the busiest lock.
    let wait = timeline
        .waits
        .iter()
        .find(|it| {
            it.lock == 0 && it.begin_ns > timeline.end_ns / 2 && it.end_ns - it.begin_ns > 20_000
        })
        .unwrap();
    let holders: Vec<String> = timeline
        .holds
        .iter()
        .filter(|it| it.lock == 0 && it.thread != wait.thread)
        .filter(|it| it.begin_ns < wait.end_ns && it.end_ns > wait.begin_ns)
        .map(|it| format!("worker-{} held it for ", it.thread))
        .collect();
    let mut tab = browser.open(&page(timeline));
    read(&mut tab);
    let room = (wait.end_ns - wait.begin_ns) / 2;
    tab.value(&format!(
        "locktoll.timeline.look(document.querySelector('.timeline').timeline, {}, {}); true",
        wait.begin_ns - room,
        wait.end_ns + room
    ));
    tab.settle();
    let (x, y) = place(
        &mut tab,
        wait.thread,
        (wait.begin_ns + wait.end_ns) as f64 / 2.0,
    );
    tab.click_at(x, y);
    let heading = tab.text("document.querySelector('.timeline-picked .rank-3').textContent");
    let begin = format!("from {:.6} s", wait.begin_ns as f64 / 1e9);
    assert!(
        heading.starts_with(&format!(
            "worker-{} waited for queue.lock for ",
            wait.thread
        )) && heading.contains(&begin),
        "{heading}, expected {begin}"
    );
    let calls = tab.texts(
        "[...document.querySelectorAll('.timeline-picked .calls li')].map(it => it.textContent)",
    );
    assert_eq!(
        calls,
        [
            "take (server.c:10)",
            "serve (server.c:13)",
            "main (server.c:14)"
        ]
    );
    let facts = tab.texts(
        "[...document.querySelectorAll('.timeline-picked .lines dd')].map(it => it.textContent)",
    );
    let by = wait.released_by.get().unwrap();
    assert_eq!(
        facts[1],
        format!("worker-{by}, 500 ns before the wait ended")
    );
    let shown =
        tab.texts("[...document.querySelectorAll('.holders > li')].map(it => it.textContent)");
    assert_eq!(shown.len(), holders.len(), "{shown:?}");
    for (shown, holder) in shown.iter().zip(&holders) {
        assert!(shown.starts_with(holder), "{shown}, expected {holder}");
    }
    // The wait, the hold after it, and arrows are in the picture.
    assert!(pixels(&mut tab, "wait") > 2_000.0 && pixels(&mut tab, "hold") > 300.0);
    everywhere::quiet(&mut tab);
}

#[test]
fn another_lock_has_another_picture() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&page(made_up_timeline(3_000)));
    read(&mut tab);
    let busiest = pixels(&mut tab, "wait");
    let label = "document.querySelector('.timeline-rows').getAttribute('aria-label')";
    assert!(
        tab.text(label)
            .starts_with("Timeline of queue.lock: 12 threads")
    );
    tab.value(
        "(() => { const list = document.getElementById('timeline-lock'); list.value = '2'; list.dispatchEvent(new Event('change')); return true; })()",
    );
    tab.settle();
    assert!(tab.text(label).starts_with("Timeline of log: "));
    let other = pixels(&mut tab, "wait");
    assert!(other < busiest, "{other} and {busiest}");
    let (from, to) = sight(&mut tab);
    assert!(from == 0.0 && to > 0.0);
    everywhere::quiet(&mut tab);
}

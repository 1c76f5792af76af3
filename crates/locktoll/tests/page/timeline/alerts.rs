//! Alerts: marks in the timeline's picture, and a table whose rows lead there.

use locktoll_made_up::sample;
use locktoll_results::profile::{Alert, AlertKind, Profile};
use locktoll_shown::{Selection, Shown, SortKey, html};
use serde_json::json;

use super::scene::{made_up_timeline, read, sight};
use crate::browser::Browser;
use crate::everywhere;
use crate::tab::Tab;

/// A profile with a timeline, and an alert for a hold in the middle of its time.
fn profile() -> (Profile, Alert) {
    let timeline = made_up_timeline(3_000);
    let alert = Alert {
        at_ns: timeline.end_ns / 2,
        kind: AlertKind::Hold,
        lock: "mutex:server:log".to_owned(),
        name: "log <of> \"all\"".to_owned(),
        pid: 7,
        ns: timeline.end_ns / 20,
        holder: None,
        waiter: None,
        waiters: 1,
        waiting: Vec::new(),
    };
    let mut profile = sample::job_server();
    profile.timeline = Some(Box::new(timeline));
    profile.alerts.push(alert.clone());
    (profile, alert)
}

fn page(profile: &Profile) -> String {
    let selection = Selection::new(profile, SortKey::Wait, None);
    let documents = [selection.page_document().unwrap()];
    html::page_with("alerts", &documents, &selection.page_markup()).unwrap()
}

/// Whether the picture has the colour of alerts in the triangle above the rows, at these times.
fn marked(tab: &mut Tab<'_>, times: &[u64]) -> Vec<bool> {
    let found = tab.value(&format!(
        "(() => {{
            const it = document.querySelector('.timeline').timeline;
            const scale = it.canvas.width / it.width;
            const copy = new OffscreenCanvas(it.canvas.width + 1, it.canvas.height).getContext('2d', {{ willReadFrequently: true }});
            copy.drawImage(it.canvas, 0, 0);
            copy.fillStyle = it.colours.lanes.off;
            copy.fillRect(it.canvas.width, 0, 1, 1);
            const pixel = (x, y) => [...copy.getImageData(Math.round(x), y, 1, 1).data].join();
            const wanted = pixel(it.canvas.width, 0);
            const place = (time) => scale * (it.left + (time - it.view.from) / it.view.step);
            return {times:?}.map(time => pixel(place(time), Math.round(scale * 20)) === wanted);
        }})()"
    ));
    serde_json::from_value(found).unwrap()
}

#[test]
fn an_alert_is_marked_at_its_time_and_its_row_leads_there() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (profile, alert) = profile();
    let mut tab = browser.open(&page(&profile));
    read(&mut tab);
    let end = profile.timeline.as_ref().unwrap().end_ns;
    let times = [alert.at_ns, end / 4, end / 4 * 3];
    assert_eq!(marked(&mut tab, &times), [true, false, false]);
    let legend = tab.text("document.querySelector('.timeline .causes').textContent");
    assert!(
        legend.contains("line below a triangle: an alert"),
        "{legend}"
    );
    // The table has the lock, and the time is a link.
    let link = "document.querySelector('a[href^=\"#timeline=\"]')";
    let row = tab.text(&format!("{link}.closest('tr').textContent"));
    assert!(row.contains("log <of> \"all\"held for "), "{row}");
    tab.value(&format!("{link}.click(); true"));
    tab.wait("document.querySelector('.timeline').timeline.brush !== null");
    tab.settle();
    let brush = tab.value("(() => { const { from, to } = document.querySelector('.timeline').timeline.brush; return [from, to]; })()");
    assert_eq!(brush, json!([alert.at_ns - alert.ns, alert.at_ns]));
    let (from, to) = sight(&mut tab);
    let at = alert.at_ns as f64;
    assert!(from < at && at < to && to - from < end as f64 / 2.0);
    assert_eq!(marked(&mut tab, &[alert.at_ns]), [true]);
    everywhere::quiet(&mut tab);
}

#[test]
fn without_alerts_nothing_is_marked() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (mut profile, alert) = profile();
    profile.alerts.clear();
    let mut tab = browser.open(&page(&profile));
    read(&mut tab);
    assert_eq!(marked(&mut tab, &[alert.at_ns]), [false]);
    let legend = tab.text("document.querySelector('.timeline .causes').textContent");
    assert!(!legend.contains("alert"), "{legend}");
}

//! The watchdog of a recording in progress.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::alarm::{Alarm, Delivery};
use locktoll_recording::appendix::Appendix;
use locktoll_results::profile::{Alert, AlertThread};
use locktoll_sources::alerts::{Event, Names, Seized, Watch, Witness};

/// How often the watcher checks whether the program has ended.
const GLANCE: Duration = Duration::from_millis(5);

/// Watches until `has_ended`. Returns all alerts.
///
/// One thread looks at the processes, a second one reads what threads are doing at an alert, and a third one looks names up. So
/// no hold is missed while names are looked up, and calls are read while they are the present ones.
pub fn watch(alarm: Alarm<'_>, parts: &Path, has_ended: &AtomicBool) -> Vec<Alert> {
    let (events, seen) = mpsc::channel();
    let (cases, read) = mpsc::channel();
    let mut watch = Watch::new(parts, alarm.rules);
    thread::scope(|scope| {
        scope.spawn(move || look_until(has_ended, &mut watch, &events));
        scope.spawn(move || {
            let mut witness = Witness::default();
            for event in seen {
                // The receiver is there until this thread ends.
                let _ = cases.send(Seized::of(&mut witness, event));
            }
        });
        let (mut names, mut delivery) =
            (Names::default(), Delivery::begin(alarm.file, "recording"));
        for case in read {
            for alert in names.alerts(&case) {
                delivery.put(&alert.clone(), alert);
            }
        }
        delivery.end()
    })
}

/// Looks at the processes when it is time, and sends what is seen.
fn look_until(has_ended: &AtomicBool, watch: &mut Watch, events: &mpsc::Sender<Event>) {
    loop {
        let (seen, next_ns) = watch.look();
        let due = Instant::now() + Duration::from_nanos(next_ns);
        for event in seen {
            // The receiver is there until this thread ends.
            let _ = events.send(event);
        }
        loop {
            // Relaxed: nothing else is passed on with it.
            if has_ended.load(Relaxed) {
                return;
            }
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(GLANCE));
        }
    }
}

/// Returns the text of an alert for the recording, which has room for so much: if it is longer, stacks and the ids of waiting threads
/// are shortened until it fits. `None` if it does not fit even so.
pub fn kept_text(mut alert: Alert) -> Option<String> {
    /// How many calls of each stack, and threads of each place, are kept.
    const STEPS: [usize; 4] = [64, 16, 4, 0];
    let text = |alert: &Alert| serde_json::to_string(alert).ok();
    let fits = |text: &String| text.len() <= Appendix::ALERT_BYTES;
    let whole = text(&alert)?;
    if fits(&whole) {
        return Some(whole);
    }
    for most in STEPS {
        let threads = [&mut alert.waiter, &mut alert.holder];
        for thread in threads.into_iter().flatten() {
            shorten(thread, most);
        }
        alert.waiting.truncate(most);
        for place in &mut alert.waiting {
            place.tids.truncate(most);
        }
        if let Some(text) = text(&alert).filter(fits) {
            return Some(text);
        }
    }
    None
}

fn shorten(thread: &mut AlertThread, calls: usize) {
    if thread.stack.len() > calls {
        thread.stack.truncate(calls);
        thread.cut = Some("the recording has no room for further calls".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_results::profile::{AlertKind, AlertWaiters, Frame};

    fn alert(calls: usize, threads: usize) -> Alert {
        let frame = Frame {
            function: Some("a_function_with_a_name".to_owned()),
            file: Some("/src/a/file/somewhere.c".to_owned()),
            line: Some(100),
            ..Frame::default()
        };
        let thread = AlertThread {
            stack: vec![frame.clone(); calls],
            ..AlertThread::at(1, Some(frame.clone()))
        };
        Alert {
            at_ns: 1,
            kind: AlertKind::Hold,
            lock: "mutex:app:lock".to_owned(),
            name: "lock".to_owned(),
            ns: 2,
            pid: 3,
            holder: Some(thread.clone()),
            waiter: Some(thread),
            waiters: threads as u64,
            waiting: vec![AlertWaiters {
                site: Some(frame),
                tids: vec![4_194_303; threads],
                longest_ns: 7,
            }],
        }
    }

    #[test]
    fn every_alert_has_room_in_the_recording() {
        for (calls, threads) in [(2, 2), (40, 20), (300, 5_000)] {
            let whole = alert(calls, threads);
            let text = kept_text(whole.clone()).unwrap();
            assert!(text.len() <= Appendix::ALERT_BYTES);
            let kept: Alert = serde_json::from_str(&text).unwrap();
            assert_eq!((&kept.name, kept.waiters), (&whole.name, whole.waiters));
            let is_whole = kept == whole;
            assert_eq!(is_whole, calls == 2);
            assert_eq!(kept.holder.unwrap().cut.is_some(), !is_whole);
        }
    }
}

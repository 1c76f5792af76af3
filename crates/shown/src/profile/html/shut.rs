//! A row that does not open: the figures of its table, and those of its other fields that differ from most rows.

use serde_json::{Map, Value, json};

use locktoll_results::profile::{HoldTimes, Lock, SignalWaits, WaitTimes};

/// Returns the values that a row that does not open leaves out. The page puts them in again (`assets/profile/words.js`).
fn left_out() -> Value {
    json!({
        "kind": "mutex", "used_as": "lock", "first_site": [], "birth": [], "initialised": false, "instances": 1,
        "read_acquisitions": null, "contended": 0, "try_failed": 0, "timed_out": 0, "still_waiting": 0,
        "still_waiting_ns": 0, "longest_still_waiting": null, "wait_split": null, "hold_ns": null,
        "recorder_dominates": false, "while_held": null, "preemption": null, "signal": null, "sites": [], "stacks": [], "members": [],
        "blame": [],
    })
}

/// Returns the row in the schema's form, without its name, which is stored next to it, and without what is the same in most
/// rows.
///
/// # Errors
/// If the lock cannot be written as JSON.
pub fn shut(lock: &Lock) -> anyhow::Result<Value> {
    let mut row = serde_json::to_value(figures(lock))?;
    let usual = left_out();
    if let Value::Object(fields) = &mut row {
        fields.remove("name");
        fields.retain(|field, value| usual.get(field) != Some(value));
        for field in ["wait_ns", "hold_ns"] {
            if let Some(Value::Object(times)) = fields.get_mut(field) {
                without_lengths(times);
            }
        }
    }
    Ok(row)
}

/// Removes an unknown preemption. Most recordings have no figures on preempted holders; the page assumes this if the field is
/// missing.
pub fn without_unknown_preemption(value: &mut Value) {
    if let Value::Object(fields) = value {
        // Not `remove`, which moves the last field into its place.
        fields.retain(|field, value| field != "preemption" || !value.is_null());
    }
}

fn without_lengths(times: &mut Map<String, Value>) {
    times.remove("log2");
}

/// Returns the lock with only the figures of its row.
fn figures(lock: &Lock) -> Lock {
    Lock {
        id: lock.id.clone(),
        kind: lock.kind,
        used_as: lock.used_as,
        name: String::new(),
        first_site: Vec::new(),
        birth: Vec::new(),
        initialised: false,
        instances: lock.instances,
        acquisitions: lock.acquisitions,
        read_acquisitions: None,
        takers: None,
        contended: lock.contended,
        try_failed: Some(0),
        timed_out: 0,
        still_waiting: lock.still_waiting,
        still_waiting_ns: lock.still_waiting_ns,
        longest_still_waiting: None,
        still_waiting_threads: Vec::new(),
        wait_ns: unsorted(&lock.wait_ns),
        wait_split: None,
        hold_ns: lock.hold_ns.as_ref().map(|hold| HoldTimes {
            log2: Vec::new(),
            ..*hold
        }),
        recorder_dominates: lock.recorder_dominates,
        while_held: None,
        preemption: None,
        signal: lock.signal.as_ref().map(|signal| SignalWaits {
            wait_ns: unsorted(&signal.wait_ns),
            ..*signal
        }),
        sites: Vec::new(),
        stacks: Vec::new(),
        members: Vec::new(),
        blame: Vec::new(),
        woken_by: Vec::new(),
        futex: None,
        anchors: Vec::new(),
        spun_words: Vec::new(),
        near_words: Vec::new(),
    }
}

/// Returns the times without the number of waits by length.
fn unsorted(times: &WaitTimes) -> WaitTimes {
    WaitTimes {
        log2: Vec::new(),
        ..*times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn what_is_left_out_makes_it_a_lock_again() {
        for lock in sample::job_server().locks {
            let row = shut(&lock).unwrap();
            let mut whole = left_out();
            let fields = whole.as_object_mut().unwrap();
            fields.extend(row.as_object().unwrap().clone());
            fields.insert("name".to_owned(), "".into());
            for times in ["wait_ns", "hold_ns"] {
                if let Some(times) = fields[times].as_object_mut() {
                    times.insert("log2".to_owned(), json!([]));
                }
            }
            let read: Lock = serde_json::from_value(whole).unwrap();
            assert_eq!(read, figures(&lock));
            assert!(row.to_string().len() < 500, "{row}");
        }
    }

    #[test]
    fn the_page_means_the_same_by_what_is_left_out() {
        let script = include_str!("../../html/assets/profile/words.js");
        let (_, rest) = script.split_once("const LEFT_OUT = ").unwrap();
        let (object, _) = rest.split_once(";\n").unwrap();
        let in_page: Value = serde_json::from_str(object).unwrap();
        assert_eq!(in_page, left_out());
    }
}

//! Saved timelines that somebody has changed, and those that are too long for a document.

#![cfg(target_os = "linux")]

use locktoll_hostile::{Forms, Numbers, check_line, check_result};
use locktoll_made_up::{made_up, sample};
use locktoll_results::profile::Profile;
use locktoll_results::profile::timeline::{Block, Index, MOST_EVENTS, Switch, Timeline};
use locktoll_results::saved::{Saved, from_json};
use locktoll_sources::findings;
use serde_json::{Value, json};

/// A profile whose timeline has something in every table.
fn profile(events: usize) -> Profile {
    let mut timeline = made_up::timeline(events, 3);
    timeline.blocks.push(Block {
        thread: 1,
        lock: 2,
        begin_ns: 40_000,
        end_ns: 41_000,
    });
    timeline.switches.push(Switch {
        thread: 2,
        out_ns: 50_000,
        in_ns: 60_000,
        waker: Index::new(3),
        preempted: false,
    });
    let mut profile = sample::job_server();
    profile.timeline = Some(Box::new(timeline));
    findings::add(&mut profile);
    profile
}

/// How many changed documents are read.
fn changes() -> usize {
    match locktoll_needs::soak() {
        true => 10_000,
        false => 400,
    }
}

/// Returns a value that is wrong in most places of a timeline of 80 events.
fn unfit(chance: &mut Numbers) -> Value {
    let new = [
        json!(null),
        json!(5),
        json!(77),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(-1),
        json!([9]),
    ];
    new[chance.below(new.len())].clone()
}

/// Changes the timeline's ends, a thread, or what is said about the events that were kept.
fn change_about(timeline: &mut Value, chance: &mut Numbers) -> String {
    let names = ["begin_ns", "end_ns", "threads", "kept"];
    let mut path = names[chance.below(names.len())].to_owned();
    let mut value = &mut timeline[path.as_str()];
    loop {
        let (step, length) = match value {
            Value::Object(fields) => {
                let names: Vec<String> = fields.keys().cloned().collect();
                let name = names.get(chance.below(names.len())).cloned();
                (name.unwrap_or_default(), names.len())
            }
            Value::Array(rows) => (chance.below(rows.len()).to_string(), rows.len()),
            _ => break,
        };
        path = format!("{path}/{step}");
        // Sometimes a whole row is changed, or a field is missing.
        if length == 0 || chance.below(8) == 0 {
            break;
        }
        value = match value {
            Value::Array(rows) => &mut rows[step.parse::<usize>().unwrap()],
            fields => &mut fields[step.as_str()],
        };
    }
    *value = match chance.below(4) {
        0 => json!("wait\u{1b}[2J<script>alert(1)</script>"),
        _ => unfit(chance),
    };
    path
}

/// Changes one column of one table, or one number of it.
fn change(timeline: &mut Value, chance: &mut Numbers) -> String {
    let tables = [
        "waits", "holds", "signals", "blocks", "switches", "stacks", "findings",
    ];
    if chance.below(4) == 0 {
        return change_about(timeline, chance);
    }
    let table = tables[chance.below(tables.len())];
    let columns: Vec<String> = match &timeline[table] {
        Value::Object(columns) => columns.keys().cloned().collect(),
        _ => Vec::new(),
    };
    let column = match columns.as_slice() {
        [] => &mut timeline[table],
        names => &mut timeline[table][names[chance.below(names.len())].as_str()],
    };
    let Some(column) = column.as_array_mut() else {
        return format!("{table} has no columns");
    };
    let at = chance.below(column.len().max(1));
    let new = unfit(chance);
    match (chance.below(4), column.get_mut(at)) {
        (0, Some(_)) => drop(column.remove(at)),
        (1, _) => column.push(new),
        (_, Some(old)) => *old = new,
        _ => {}
    }
    format!("{table}: {columns:?} at {at}")
}

/// Reads documents with a changed timeline. Returns how many are refused in a line, and how many can be shown.
fn read(seed: u64, change: impl Fn(&mut Value, &mut Numbers)) -> (usize, usize) {
    let document = serde_json::to_value(profile(80)).unwrap();
    let mut chance = Numbers(seed);
    let (mut refused, mut shown) = (0, 0);
    for turn in 0..changes() {
        let mut changed = document.clone();
        change(&mut changed["timeline"], &mut chance);
        match from_json("saved.json", changed.to_string().as_bytes()) {
            Ok(result) => {
                shown += 1;
                // A page takes a hundred times as long as the rest.
                check_result(&result, Forms::of(1 + 16 * turn));
            }
            Err(failure) => {
                refused += 1;
                check_line(&failure.to_string());
            }
        }
    }
    (refused, shown)
}

#[test]
fn a_damaged_timeline_is_refused_in_a_line() {
    let (refused, shown) = read(2024, |timeline, chance| {
        for _ in 0..=chance.below(2) {
            change(timeline, chance);
        }
    });
    assert!(
        refused > shown && shown > 10,
        "{refused} refused, {shown} shown"
    );
}

/// These are the numbers with which every reader computes: the ends of the axis, what is complete, and what was lost.
#[test]
fn any_ends_threads_and_losses_are_refused_or_shown() {
    let (refused, shown) = read(77, |timeline, chance| {
        change_about(timeline, chance);
    });
    assert!(
        refused > 10 && shown > 10,
        "{refused} refused, {shown} shown"
    );
}

#[test]
fn the_message_names_the_table() {
    let mut document = serde_json::to_value(profile(80)).unwrap();
    let last = document["timeline"]["holds"]["place"]
        .as_array_mut()
        .unwrap();
    last.pop();
    let refused = from_json("saved.json", document.to_string().as_bytes());
    let message = refused.map(|_| ()).unwrap_err().to_string();
    assert!(
        message.starts_with("saved.json is damaged: `holds` of its timeline"),
        "{message}"
    );
}

#[test]
fn a_document_has_the_last_events_and_counts_the_others() {
    let whole = made_up::timeline(MOST_EVENTS + 30_000, 5);
    let mut profile = sample::job_server();
    profile.timeline = Some(Box::new(whole.clone()));
    let document = locktoll_shown::json(&profile).unwrap();
    assert!(document.len() < 100 << 20, "{} bytes", document.len());
    let Ok(Saved::Profile(back)) = from_json("saved.json", document.as_bytes()) else {
        panic!("not a profile");
    };
    let part = back.timeline.unwrap();
    assert!(part.is_sound());
    assert!(
        (MOST_EVENTS - 100..=MOST_EVENTS).contains(&part.events()),
        "{}",
        part.events()
    );
    let left_out = (whole.events() - part.events()) as u64;
    assert_eq!(part.kept.lost.left_out, left_out);
    let from_ns = part.threads[0].complete_from_ns;
    let later = |it: &Timeline| it.waits.iter().filter(|it| it.end_ns > from_ns).count();
    assert_eq!(later(&part), later(&whole));
    assert_eq!(part.waits.len(), later(&part));
}

/// The events that are left, their names, and their places are the same as before.
#[test]
fn the_latest_events_keep_their_names_and_places() {
    let mut whole = made_up::timeline(4_000, 9);
    // Locks and stacks that only early events have.
    let unused = whole.locks.len() as u32;
    whole.locks.push(whole.locks[0].clone());
    whole.stacks.push(vec![1, 2]);
    whole.waits.lock[0] = unused;
    let part = whole.latest(500);
    assert!(part.is_sound() && part.events() <= 500);
    assert!(part.locks.len() < whole.locks.len() && part.stacks.len() < whole.stacks.len());
    let named = |it: &Timeline| -> Vec<(u64, u64, String, Vec<_>)> {
        let rows = it.waits.iter().skip(it.waits.len() - 50);
        rows.map(|wait| {
            let frames = it.frames_of(wait.stack).cloned().collect();
            let name = it.locks[wait.lock as usize].name.clone();
            (wait.begin_ns, wait.end_ns, name, frames)
        })
        .collect()
    };
    assert_eq!(named(&part), named(&whole));
    assert_eq!(whole.latest(10_000), whole);
}

//! The profile, unpacked and read back.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::Value;

use super::FORMAT;
use crate::format::{Place, Subject};
use crate::{Content, Selection, SortKey};
use locktoll_made_up::{made_up, sample};
use locktoll_results::profile::Profile;
use locktoll_results::profile::timeline::{Block, Index, Switch, Timeline};

/// Markers by thread and name: how many, and their length together in nanoseconds.
type Marks = BTreeMap<(String, String), (u64, u64)>;

fn with(timeline: Timeline) -> Profile {
    let mut profile = sample::job_server();
    profile.timeline = Some(Box::new(timeline));
    profile
}

fn decoded(selection: &Selection<'_>) -> Value {
    let documents = FORMAT
        .documents(Subject::Profile(selection), Place::FILE)
        .unwrap();
    let Content::Binary(bytes) = &documents[0].content else {
        panic!("{:?}", documents[0].content);
    };
    let mut text = String::new();
    let mut unpacked = flate2::read::GzDecoder::new(&bytes[..]);
    unpacked.read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn whole(profile: &Profile) -> Value {
    decoded(&Selection::new(profile, SortKey::Wait, None))
}

fn ns(ms: &Value) -> u64 {
    (ms.as_f64().unwrap() * 1e6).round() as u64
}

fn marks(document: &Value) -> Marks {
    let mut marks = Marks::new();
    for thread in document["threads"].as_array().unwrap() {
        let (markers, texts) = (&thread["markers"], &thread["stringArray"]);
        let rows = markers["length"].as_u64().unwrap() as usize;
        for row in 0..rows {
            let name = &texts[markers["name"][row].as_u64().unwrap() as usize];
            let key = [&thread["name"], name].map(|it| it.as_str().unwrap().to_owned());
            let (number, sum) = marks.entry(key.into()).or_default();
            *number += 1;
            if markers["phase"][row] == 1 {
                *sum += ns(&markers["endTime"][row]) - ns(&markers["startTime"][row]);
            }
        }
    }
    marks
}

fn expected(timeline: &Timeline) -> Marks {
    let mut marks = Marks::new();
    let mut add = |thread: u32, name: String, length_ns: u64| {
        let key = (timeline.threads[thread as usize].name.clone(), name);
        let (number, sum) = marks.entry(key).or_default();
        *number += 1;
        *sum += length_ns;
    };
    let lock = |lock: u32| &timeline.locks[lock as usize].name;
    for it in timeline.waits.iter() {
        let name = format!("wait for {}", lock(it.lock));
        add(it.thread, name, it.end_ns - it.begin_ns);
    }
    for it in timeline.holds.iter() {
        add(
            it.thread,
            format!("hold {}", lock(it.lock)),
            it.end_ns - it.begin_ns,
        );
    }
    for it in timeline.signals.iter() {
        add(it.thread, format!("signal {}", lock(it.lock)), 0);
    }
    for it in timeline.blocks.iter() {
        let name = "call that may block".to_owned();
        add(it.thread, name, it.end_ns - it.begin_ns);
    }
    for it in timeline.switches.iter() {
        add(it.thread, "no CPU".to_owned(), it.in_ns - it.out_ns);
    }
    marks
}

fn timeline() -> Timeline {
    let mut timeline = made_up::timeline(3_000, 5);
    timeline.blocks.push(Block {
        thread: 2,
        lock: 1,
        begin_ns: 4_000,
        end_ns: 9_001,
    });
    timeline.switches.push(Switch {
        thread: 3,
        out_ns: 5_000,
        in_ns: 7_777,
        waker: Index::new(1),
        preempted: false,
    });
    timeline
}

#[test]
fn markers_are_the_events_of_the_timeline() {
    let timeline = timeline();
    let document = whole(&with(timeline.clone()));
    assert_eq!(marks(&document), expected(&timeline));
}

#[test]
fn each_wait_is_a_sample_whose_stack_is_that_of_the_wait() {
    let timeline = timeline();
    let document = whole(&with(timeline.clone()));
    for (number, thread) in document["threads"].as_array().unwrap().iter().enumerate() {
        let waits = timeline.waits.iter();
        let waits = waits.filter(|it| it.thread as usize == number);
        let mut stacks: Vec<Vec<String>> = waits
            .map(|it| {
                let frames = timeline.frames_of(it.stack);
                frames.map(crate::profile::words::frame).collect()
            })
            .collect();
        stacks.sort_unstable();
        let samples = thread["samples"]["stack"].as_array().unwrap().iter();
        let of_waits = samples.filter(|it| !it.is_null());
        let mut found: Vec<Vec<String>> = of_waits.map(|it| calls(thread, it)).collect();
        found.sort_unstable();
        assert_eq!(found, stacks);
    }
}

/// Returns the functions of a stack, innermost first.
fn calls(thread: &Value, stack: &Value) -> Vec<String> {
    let mut calls = Vec::new();
    let mut stack = stack.clone();
    while let Some(row) = stack.as_u64() {
        let row = row as usize;
        let frame = thread["stackTable"]["frame"][row].as_u64().unwrap() as usize;
        let function = thread["frameTable"]["func"][frame].as_u64().unwrap() as usize;
        let name = thread["funcTable"]["name"][function].as_u64().unwrap() as usize;
        calls.push(thread["stringArray"][name].as_str().unwrap().to_owned());
        stack = thread["stackTable"]["prefix"][row].clone();
    }
    calls
}

#[test]
fn only_the_lock_that_was_asked_for_is_shown() {
    let mut timeline = timeline();
    let profile = {
        let mut profile = with(timeline.clone());
        timeline.locks[0].id = profile.locks[0].id.clone();
        profile.timeline = Some(Box::new(timeline.clone()));
        profile
    };
    let id = profile.locks[0].id.clone();
    let document = decoded(&Selection::open(&profile, &id).unwrap());
    let name = &timeline.locks[0].name;
    let mut wanted = expected(&timeline);
    wanted.retain(|(_, mark), _| mark.ends_with(name.as_str()) || mark == "no CPU");
    assert_eq!(marks(&document), wanted);
}

#[test]
fn the_profile_says_when_it_was_made() {
    let mut profile = with(made_up::timeline(10, 1));
    profile.made = Some(locktoll_results::Made {
        date: Some("2026-11-24T11:30:00Z".to_owned()),
        ..locktoll_results::Made::default()
    });
    assert_eq!(whole(&profile)["meta"]["startTime"], 1_795_519_800_000.0);
}

#[test]
fn samples_cover_the_whole_timeline() {
    let timeline = timeline();
    let document = whole(&with(timeline.clone()));
    let samples = &document["threads"][0]["samples"];
    let deltas = samples["timeDeltas"].as_array().unwrap();
    assert_eq!(ns(&deltas[0]), timeline.begin_ns);
    let last: f64 = deltas.iter().map(|it| it.as_f64().unwrap()).sum();
    assert!(((last * 1e6).round() as u64).abs_diff(timeline.end_ns) < 1_000);
}

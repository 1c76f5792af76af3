//! The trace, read back by messages of its own.

use std::collections::BTreeMap;

use prost::Message;

use super::trace::FORMAT;
use crate::format::{Place, Subject};
use crate::{Content, Selection, SortKey};
use locktoll_made_up::{made_up, sample};
use locktoll_results::profile::Profile;
use locktoll_results::profile::timeline::{Block, Index, Switch, Timeline};

/// The messages of protos/perfetto/trace, as far as they are read here.
#[derive(Clone, PartialEq, Message)]
struct Trace {
    #[prost(message, repeated, tag = "1")]
    packet: Vec<Packet>,
}

#[derive(Clone, PartialEq, Message)]
struct Packet {
    #[prost(uint64, tag = "8")]
    timestamp: u64,
    #[prost(uint32, tag = "10")]
    sequence: u32,
    #[prost(message, optional, tag = "11")]
    event: Option<TrackEvent>,
    #[prost(message, optional, tag = "12")]
    interned: Option<Interned>,
    #[prost(message, optional, tag = "59")]
    defaults: Option<Defaults>,
    #[prost(message, optional, tag = "60")]
    track: Option<Track>,
}

#[derive(Clone, PartialEq, Message)]
struct TrackEvent {
    #[prost(uint64, repeated, tag = "3")]
    category: Vec<u64>,
    #[prost(int32, tag = "9")]
    kind: i32,
    #[prost(uint64, tag = "10")]
    name: u64,
    #[prost(uint64, tag = "11")]
    track: u64,
    #[prost(fixed64, repeated, tag = "47")]
    flow: Vec<u64>,
    #[prost(fixed64, repeated, tag = "48")]
    last_of_flow: Vec<u64>,
    #[prost(uint64, tag = "56")]
    callstack: u64,
}

#[derive(Clone, PartialEq, Message)]
struct Interned {
    #[prost(message, repeated, tag = "1")]
    categories: Vec<Named>,
    #[prost(message, repeated, tag = "2")]
    names: Vec<Named>,
    #[prost(message, repeated, tag = "7")]
    callstacks: Vec<Callstack>,
}

#[derive(Clone, PartialEq, Message)]
struct Named {
    #[prost(uint64, tag = "1")]
    number: u64,
    #[prost(string, tag = "2")]
    text: String,
}

#[derive(Clone, PartialEq, Message)]
struct Callstack {
    #[prost(uint64, tag = "1")]
    number: u64,
    #[prost(uint64, repeated, packed = "false", tag = "2")]
    frames: Vec<u64>,
}

#[derive(Clone, PartialEq, Message)]
struct Defaults {
    #[prost(message, optional, tag = "11")]
    events: Option<EventDefaults>,
}

#[derive(Clone, PartialEq, Message)]
struct EventDefaults {
    #[prost(uint64, tag = "11")]
    track: u64,
}

#[derive(Clone, PartialEq, Message)]
struct Track {
    #[prost(uint64, tag = "1")]
    number: u64,
}

/// Slices by name: how many, and their length together.
type Slices = BTreeMap<String, (u64, u64)>;

fn with(timeline: Timeline) -> Profile {
    let mut profile = sample::job_server();
    profile.timeline = Some(Box::new(timeline));
    profile
}

fn decoded(profile: &Profile) -> Trace {
    let selection = Selection::new(profile, SortKey::Wait, None);
    let documents = FORMAT
        .documents(Subject::Profile(&selection), Place::FILE)
        .unwrap();
    match &documents[0].content {
        Content::Binary(bytes) => Trace::decode(&bytes[..]).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Plays the events in the order of their times, as a reader does. Panics if a slice ends that is not open.
fn slices(trace: &Trace) -> Slices {
    let (mut names, mut tracks) = (BTreeMap::new(), BTreeMap::new());
    let mut events = Vec::new();
    for packet in &trace.packet {
        if let Some(events) = packet.defaults.as_ref().and_then(|it| it.events.as_ref()) {
            tracks.insert(packet.sequence, events.track);
        }
        let interned = packet.interned.iter().flat_map(|it| &it.names);
        names.extend(interned.map(|it| ((packet.sequence, it.number), it.text.clone())));
        events.extend(packet.event.as_ref().map(|event| (packet, event)));
    }
    events.sort_by_key(|(packet, _)| packet.timestamp);
    let mut open: BTreeMap<u64, Vec<(u64, String)>> = BTreeMap::new();
    let mut slices = Slices::new();
    for (packet, event) in events {
        let track = match event.track {
            0 => tracks[&packet.sequence],
            track => track,
        };
        let of_track = open.entry(track).or_default();
        match event.kind {
            1 => {
                let name = names[&(packet.sequence, event.name)].clone();
                of_track.push((packet.timestamp, name));
            }
            2 => {
                let (begin_ns, name) = of_track.pop().expect("an open slice");
                let (number, length_ns) = slices.entry(name).or_default();
                *number += 1;
                *length_ns += packet.timestamp - begin_ns;
            }
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty), "a slice does not end");
    slices
}

/// The same sums of the timeline itself.
fn expected(timeline: &Timeline) -> Slices {
    let mut slices = Slices::new();
    let mut add = |word: &str, lock: u32, length_ns: u64| {
        let name = format!("{word} {}", timeline.locks[lock as usize].name);
        let (number, sum) = slices.entry(name).or_default();
        *number += 1;
        *sum += length_ns;
    };
    for wait in timeline.waits.iter() {
        add("wait for", wait.lock, wait.end_ns - wait.begin_ns);
    }
    for hold in timeline.holds.iter() {
        add("hold", hold.lock, hold.end_ns - hold.begin_ns);
    }
    for call in timeline.blocks.iter() {
        let length_ns = call.end_ns - call.begin_ns;
        add("may block while holding", call.lock, length_ns);
    }
    for switch in timeline.switches.iter() {
        let name = match switch.preempted {
            true => "preempted",
            false => "no CPU",
        };
        let (number, sum) = slices.entry(name.to_owned()).or_default();
        *number += 1;
        *sum += switch.in_ns - switch.out_ns;
    }
    slices
}

#[test]
fn slices_have_the_numbers_and_lengths_of_the_timeline() {
    for seed in [1, 2, 3] {
        let timeline = made_up::timeline(5_000, seed);
        let expected = expected(&timeline);
        assert_eq!(slices(&decoded(&with(timeline))), expected);
    }
}

#[test]
fn each_hand_over_is_one_flow() {
    let timeline = made_up::timeline(3_000, 9);
    let known = timeline.waits.released_by.iter();
    let known = known.filter(|it| it.get().is_some()).count();
    let trace = decoded(&with(timeline));
    let events: Vec<&TrackEvent> = trace.packet.iter().flat_map(|it| &it.event).collect();
    let mut begins: Vec<u64> = events.iter().flat_map(|it| it.flow.clone()).collect();
    let mut ends: Vec<u64> = events
        .iter()
        .flat_map(|it| it.last_of_flow.clone())
        .collect();
    begins.sort_unstable();
    ends.sort_unstable();
    assert_eq!(begins, ends);
    assert_eq!(begins.len(), known);
}

#[test]
fn stacks_are_known_before_they_are_used_in_a_sequence() {
    let trace = decoded(&with(made_up::timeline(500, 4)));
    let mut known: Vec<(u32, u64)> = Vec::new();
    for packet in &trace.packet {
        let interned = packet.interned.iter().flat_map(|it| &it.callstacks);
        for stack in interned {
            assert!(!stack.frames.is_empty());
            known.push((packet.sequence, stack.number));
        }
        let event = packet.event.as_ref().filter(|it| it.callstack != 0);
        if let Some(event) = event {
            assert!(known.contains(&(packet.sequence, event.callstack)));
        }
    }
    assert!(!known.is_empty());
}

#[test]
fn times_without_a_cpu_are_slices_with_flows_from_the_waker() {
    let mut timeline = made_up::timeline(100, 2);
    for (thread, waker, preempted) in [(0, Index::new(1), false), (1, Index::NONE, true)] {
        for at_ns in [10_000, 90_000] {
            timeline.switches.push(Switch {
                thread,
                out_ns: at_ns,
                in_ns: at_ns + 7_000,
                waker,
                preempted,
            });
        }
    }
    assert!(timeline.is_sound());
    let expected = expected(&timeline);
    assert_eq!(expected["preempted"], (2, 14_000));
    let hand_overs = timeline.waits.released_by.iter();
    let hand_overs = hand_overs.filter(|it| it.get().is_some()).count();
    let trace = decoded(&with(timeline));
    assert_eq!(slices(&trace), expected);
    let events = trace.packet.iter().flat_map(|it| &it.event);
    let flows: Vec<u64> = events.flat_map(|it| it.flow.clone()).collect();
    assert_eq!(flows.len(), hand_overs + 2);
}

#[test]
fn calls_that_may_block_are_slices_with_their_lengths() {
    let mut timeline = made_up::timeline(100, 3);
    for (thread, lock, begin_ns) in [(0, 1, 5_000), (0, 1, 50_000), (1, 0, 50_000)] {
        timeline.blocks.push(Block {
            thread,
            lock,
            begin_ns,
            end_ns: begin_ns + 30_000,
        });
    }
    assert!(timeline.is_sound());
    let expected = expected(&timeline);
    let name = format!("may block while holding {}", timeline.locks[1].name);
    assert_eq!(expected[&name], (2, 60_000));
    assert_eq!(slices(&decoded(&with(timeline))), expected);
}

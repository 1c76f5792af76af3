//! Tests that read back a written profile.

use std::io::Read;

use flate2::read::GzDecoder;
use prost::Message;

use super::{FORMAT, proto};
use crate::Content;
use crate::SortKey;
use crate::format::{Place, Subject};
use crate::profile::{Selection, Side};
use locktoll_made_up::sample;
use locktoll_results::profile::{Frame, Lock, Profile, Use};

impl proto::Profile {
    fn text(&self, number: i64) -> &str {
        &self.string_table[usize::try_from(number).unwrap()]
    }

    /// Returns the functions of a sample's stack, innermost first, with their lines.
    fn stack(&self, sample: &proto::Sample) -> Vec<(&str, i64)> {
        let locations = sample.location_id.iter().map(|&id| {
            let location = &self.location[id as usize - 1];
            assert_eq!(location.id, id);
            location
        });
        let lines = locations.flat_map(|location| &location.line);
        lines
            .map(|line| {
                let function = &self.function[line.function_id as usize - 1];
                assert_eq!(function.id, line.function_id);
                (self.text(function.name), line.line)
            })
            .collect()
    }

    fn label<'a>(&'a self, sample: &proto::Sample, key: &str) -> &'a str {
        let label = sample
            .label
            .iter()
            .find(|label| self.text(label.key) == key);
        self.text(label.unwrap().text)
    }
}

fn decoded(profile: &Profile, side: Side) -> proto::Profile {
    let selection = Selection::new(profile, SortKey::Wait, None).with_side(Some(side));
    let documents = FORMAT
        .documents(Subject::Profile(&selection), Place::FILE)
        .unwrap();
    let Content::Binary(compressed) = &documents[0].content else {
        panic!("a pprof profile is binary");
    };
    let mut bytes = Vec::new();
    GzDecoder::new(compressed.as_slice())
        .read_to_end(&mut bytes)
        .unwrap();
    proto::Profile::decode(bytes.as_slice()).unwrap()
}

#[test]
fn both_profiles_are_mutex_profiles_with_all_of_the_waiting() {
    let profile = sample::job_server();
    for side in [Side::Waiter, Side::Holder] {
        let read = decoded(&profile, side);
        let types = read.sample_type.iter();
        let types: Vec<_> = types
            .map(|it| (read.text(it.name), read.text(it.unit)))
            .collect();
        assert_eq!(types, [("contentions", "count"), ("delay", "nanoseconds")]);
        assert_eq!(read.text(read.default_sample_type), "delay");
        assert_eq!(read.string_table[0], "");
        assert_eq!(read.duration_nanos as u64, profile.duration_ns);
        let delay: i64 = read.sample.iter().map(|sample| sample.value[1]).sum();
        let waited_ns: u64 = profile.locks.iter().map(Lock::waited_ns).sum();
        assert!(delay.abs_diff(waited_ns as i64) <= read.sample.len() as u64);
        let contended = profile
            .locks
            .iter()
            .filter(|lock| lock.used_as == Use::Lock);
        // The cause of a wait that has not ended is not known.
        let of = |lock: &Lock| match side {
            Side::Waiter => lock.contended + lock.still_waiting,
            Side::Holder => lock.contended,
        };
        let contended: u64 = contended.map(of).sum();
        let contentions: i64 = read.sample.iter().map(|sample| sample.value[0]).sum();
        assert_eq!(contentions as u64, contended, "{side:?}");
        for location in &read.location {
            assert!(location.mapping_id as usize <= read.mapping.len());
        }
        for (position, mapping) in read.mapping.iter().enumerate() {
            assert_eq!(mapping.id, position as u64 + 1);
            let within = |it: &&proto::Location| it.mapping_id == mapping.id;
            assert!(
                read.location
                    .iter()
                    .filter(within)
                    .all(|it| it.address < mapping.memory_limit)
            );
        }
        for comment in &read.comment {
            assert!(!read.text(*comment).is_empty());
        }
    }
}

#[test]
fn the_waiter_has_its_stack_and_the_holder_its_place() {
    let profile = sample::job_server();
    let waiters = decoded(&profile, Side::Waiter);
    let dearest = waiters
        .sample
        .iter()
        .max_by_key(|sample| sample.value[1])
        .unwrap();
    assert_eq!(waiters.label(dearest, "lock"), "log_lock");
    assert_eq!(waiters.label(dearest, "kind"), "mutex");
    assert_eq!(waiters.stack(dearest)[0], ("write_log_line", 88));
    assert_eq!(
        profile.modules[0].build_id.as_deref(),
        Some(waiters.text(waiters.mapping[0].build_id))
    );
    assert_eq!(dearest.value, [1_800, 7_020_000_000]);

    let holders = decoded(&profile, Side::Holder);
    let rotation = holders
        .sample
        .iter()
        .find(|it| holders.stack(it)[0].0 == "rotate_log");
    assert_eq!(rotation.unwrap().value, [18, 1_795_000_000]);
}

#[test]
fn frames_inlined_into_each_other_are_one_location() {
    let mut profile = sample::job_server();
    profile.locks.truncate(1);
    let lock = &mut profile.locks[0];
    let outer = lock.stacks[0].frames[0].clone();
    let inner = Frame {
        function: Some("lock_guard".to_owned()),
        line: Some(7),
        ..outer.clone()
    };
    lock.stacks[0].frames.insert(0, inner);
    lock.stacks.truncate(1);
    let read = decoded(&profile, Side::Waiter);
    let sample = &read.sample[0];
    assert_eq!(
        read.stack(sample)[..2],
        [("lock_guard", 7), ("write_log_line", 88)]
    );
    assert_eq!(sample.location_id.len(), lock_depth(&profile) - 1);
    assert!(read.mapping[0].has_inline_frames && read.mapping[0].has_functions);
}

fn lock_depth(profile: &Profile) -> usize {
    profile.locks[0].stacks[0].frames.len()
}

#[test]
fn a_place_without_a_name_keeps_its_address_and_file() {
    let mut profile = sample::job_server();
    profile
        .locks
        .retain(|lock| lock.name.contains("open_session"));
    let read = decoded(&profile, Side::Waiter);
    let location = &read.location[0];
    assert!(location.line.is_empty());
    assert_eq!(location.address, 0x1a2b);
    let mapping = &read.mapping[location.mapping_id as usize - 1];
    assert_eq!(read.text(mapping.filename), "/usr/lib/libsession.so.1");
    assert!(!mapping.has_functions);
    assert_eq!(read.text(mapping.build_id), "");
}

#[test]
fn no_waits_make_an_empty_profile() {
    let mut profile = sample::job_server();
    profile.locks.clear();
    let read = decoded(&profile, Side::Holder);
    assert!(read.sample.is_empty());
    assert_eq!(read.sample_type.len(), 2);
}

#[test]
fn terminal_codes_are_written_out() {
    let mut profile = sample::job_server();
    profile.locks[0].name = "a\x1b[2J".to_owned();
    let read = decoded(&profile, Side::Waiter);
    assert!(read.string_table.iter().any(|text| text == r"a\u{1b}[2J"));
    assert!(!read.string_table.iter().any(|text| text.contains('\x1b')));
}

#[test]
fn the_program_is_the_first_mapping_though_only_its_libraries_waited() {
    let mut profile = sample::job_server();
    for lock in &mut profile.locks {
        for frame in lock.stacks.iter_mut().flat_map(|stack| &mut stack.frames) {
            frame.module = Some("/usr/lib/libsession.so.1".to_owned());
        }
    }
    for (command, first) in [
        ("./job-server", "/opt/job-server"),
        ("job", "/opt/job-server"),
        ("libsession", "/usr/lib/libsession.so.1"),
    ] {
        profile.command[0] = command.to_owned();
        let read = decoded(&profile, Side::Waiter);
        assert_eq!(read.text(read.mapping[0].filename), first, "{command}");
        assert!(read.mapping.len() <= 2);
    }
}

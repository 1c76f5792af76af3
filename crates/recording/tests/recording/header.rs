//! The fields of a part's first page, and the values that are refused.

use std::mem::offset_of;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{
    Architecture, COMMAND_BYTES, DropReason, Header, Mode, Origin, PAGE_BYTES, StopReason,
};
use locktoll_recording::reader::{CommandLine, Part, Problem, ReadError, Recording, Usage};
use locktoll_recording::writer::{end_part, stop_part};

use crate::builder::{Builder, put, sample, store};

fn read(builder: Builder) -> Part {
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    recording.parts.into_iter().next().unwrap()
}

/// Returns the position of the fault in the header of a part that was built by `change`.
fn fault(change: impl FnOnce(&Header)) -> u64 {
    let mut builder = sample(1);
    change(builder.header());
    match Recording::from_bytes(&builder.bytes()) {
        Err(ReadError::Corrupt { offset, .. }) => offset,
        other => panic!("{:?}", other.map(|read| read.warnings)),
    }
}

#[test]
fn a_header_whose_own_length_cannot_be_is_refused() {
    let page = PAGE_BYTES as u32;
    for bytes in [0, 1, page / 2, page - 1, page + 1, 2 * page - 8] {
        let offset = fault(|header| header.header_bytes.store(bytes, Relaxed));
        assert_eq!(offset, offset_of!(Header, header_bytes) as u64, "{bytes}");
    }
}

#[test]
fn a_part_that_ends_in_its_header_or_nowhere_is_refused() {
    for (pages, end) in [(1, 0), (2, 1), (2, PAGE_BYTES), (1, u64::MAX)] {
        let offset = fault(|header| {
            header
                .header_bytes
                .store(pages * PAGE_BYTES as u32, Relaxed);
            header.end.store(end, Relaxed);
        });
        assert_eq!(offset, offset_of!(Header, end) as u64, "{pages}, {end}");
    }
    // A part of a header alone, and one whose last page is not used up.
    for (end, records) in [(PAGE_BYTES, 0), (PAGE_BYTES + 1, 1)] {
        let mut builder = Builder::new(1, b"");
        builder.thread(100, 1);
        let mut bytes = builder.bytes();
        put(&mut bytes, offset_of!(Header, end), &end.to_le_bytes());
        let recording = Recording::from_bytes(&bytes).unwrap();
        assert_eq!(recording.parts[0].threads.len(), records, "{end}");
    }
}

#[test]
fn a_later_part_that_would_end_beyond_any_file_is_left_out() {
    let mut later = sample(2);
    later.header().end.store(u64::MAX - PAGE_BYTES + 1, Relaxed);
    let mut bytes = sample(1).bytes();
    let begin = bytes.len() as u64;
    bytes.extend(later.bytes());
    let recording = Recording::from_bytes(&bytes).unwrap();
    assert_eq!(recording.parts.len(), 1);
    let [warning] = &recording.warnings[..] else {
        panic!("{:?}", recording.warnings);
    };
    assert_eq!(warning.offset, begin);
    assert!(matches!(warning.problem, Problem::Corrupt { .. }));
}

#[test]
fn a_later_header_that_is_cut_off_lacks_the_rest_of_its_page() {
    let mut bytes = sample(1).bytes();
    bytes.extend_from_slice(&sample(2).bytes()[..100]);
    let recording = Recording::from_bytes(&bytes).unwrap();
    let missing_bytes = PAGE_BYTES - 100;
    let problems: Vec<_> = recording.warnings.iter().map(|it| &it.problem).collect();
    assert_eq!(problems, [&Problem::Truncated { missing_bytes }]);
}

#[test]
fn version_zero_and_words_of_four_bytes_are_refused() {
    let offset = fault(|header| header.major.store(0, Relaxed));
    assert_eq!(offset, offset_of!(Header, major) as u64);
    let mut builder = sample(1);
    builder.header().word_bytes.store(4, Relaxed);
    let error = Recording::from_bytes(&builder.bytes()).unwrap_err();
    assert!(matches!(error, ReadError::ForeignMachine), "{error}");
}

#[test]
fn each_field_of_a_process_comes_back() {
    let mut builder = Builder::new(7, b"");
    store!(builder.header(), sequence = 3, parent_pid = 5);
    store!(builder.header(), mode = Mode::Sampled.number());
    store!(
        builder.header(),
        architecture = Architecture::Aarch64.number()
    );
    store!(
        builder.header(),
        start_realtime_ns = 11,
        start_monotonic_ns = 12
    );
    store!(
        builder.header(),
        command_user_ns = 21,
        command_system_ns = 22
    );
    store!(builder.header(), command_voluntary_switches = 23);
    store!(builder.header(), command_involuntary_switches = 24);
    let process = read(builder).process;
    let numbers = (process.pid, process.parent_pid, process.sequence);
    assert_eq!(numbers, (7, 5, 3));
    let times = (process.start_realtime_ns, process.start_monotonic_ns);
    assert_eq!(times, (11, 12));
    assert_eq!(process.origin, Some(Origin::Exec));
    assert_eq!(process.mode, Some(Mode::Sampled));
    assert_eq!(process.architecture, Some(Architecture::Aarch64));
    assert_eq!((process.word_bytes, process.format.0), (8, 1));
    let usage = Usage {
        user_ns: 21,
        system_ns: 22,
        voluntary_switches: 23,
        involuntary_switches: 24,
    };
    assert_eq!(process.command_usage, Some(usage));
    // A figure that was not measured is unknown, not zero.
    assert_eq!((process.usage, process.added_ps_per_pair), (None, None));
    assert_eq!(process.end_monotonic_ns, None);
}

#[test]
fn a_part_has_stopped_if_it_says_so_and_not_because_it_has_ended() {
    let mut ended = sample(1);
    end_part(ended.header(), 9_000);
    let process = read(ended).process;
    assert_eq!(
        (process.stopped, process.end_monotonic_ns),
        (None, Some(9_000))
    );
    let mut stopped = sample(1);
    stop_part(stopped.header(), StopReason::PartFull, 0, 7_000);
    let stopped = read(stopped).process.stopped.unwrap();
    assert_eq!(stopped.reason, Some(StopReason::PartFull));
    assert_eq!((stopped.errno, stopped.monotonic_ns), (None, 7_000));
}

#[test]
fn a_command_line_is_as_many_arguments_as_it_has_ends() {
    let command = |bytes: &[u8], total: u32| -> CommandLine {
        let mut builder = Builder::new(1, bytes);
        store!(builder.header(), command_total_bytes = total);
        read(builder).process.command
    };
    for (bytes, expected) in [
        (&b""[..], &[][..]),
        (b"\0", &[""]),
        (b"a", &["a"]),
        (b"a\0", &["a"]),
        (b"a\0\0", &["a", ""]),
        (b"a\0bc", &["a", "bc"]),
    ] {
        let used = bytes.len() as u32;
        let whole = command(bytes, used);
        assert_eq!(whole.arguments, expected, "{bytes:?}");
        assert!(!whole.truncated);
        let longer = command(bytes, used + 1);
        assert!(longer.truncated && longer.arguments == expected);
    }
    // A length that the page has no room for.
    let mut builder = Builder::new(1, b"a\0");
    let claimed = COMMAND_BYTES as u32 + 1;
    store!(builder.header(), command_bytes = claimed);
    store!(builder.header(), command_total_bytes = claimed);
    let command = read(builder).process.command;
    assert!(command.truncated);
    assert_eq!(command.arguments[0], "a");
}

#[test]
fn each_reason_to_drop_something_has_a_counter_of_its_own() {
    let mut builder = sample(1);
    for (reason, count) in DropReason::ALL.iter().copied().zip(5..) {
        builder.header().dropped[usize::from(reason.number())].store(count, Relaxed);
    }
    let dropped = read(builder).dropped;
    for (reason, count) in DropReason::ALL.iter().copied().zip(5..) {
        assert_eq!(dropped.count(reason), count, "{reason:?}");
    }
}

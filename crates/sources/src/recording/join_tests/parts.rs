//! Parts by themselves: their times, whether their processes run, and their folder.

use std::fs;
use std::path::Path;

use locktoll_recording::layout::{NO_OWNER, StopReason, ThreadRecord};
use locktoll_recording::reader::{Part, Recording};
use locktoll_recording::writer::{end_part, stop_part};
use locktoll_terminal::failure::Failure;

use super::builder::{Builder, store};
use super::program::{DATA, HEAP, Program, lock, mutex};
use crate::recording::times::Times;
use crate::recording::{join, load, part_files};
use locktoll_results::profile::{Anchor, Anchored};

/// Returns a part without threads.
fn process(pid: u32, sequence: u32, start_ns: u64, end_ns: Option<u64>) -> Builder {
    let mut part = Builder::new(pid, b"./server\0");
    store!(
        part.header(),
        sequence = sequence,
        start_monotonic_ns = start_ns
    );
    if let Some(end_ns) = end_ns {
        end_part(part.header(), end_ns);
    }
    part
}

fn thread(part: &mut Builder, start_ns: u64, end_ns: u64, waiting_since_ns: u64) {
    part.one(NO_OWNER, |thread: &ThreadRecord| {
        store!(
            thread,
            tid = 9,
            slot = 1,
            start_ns = start_ns,
            end_ns = end_ns
        );
        store!(
            thread,
            waiting_since_ns = waiting_since_ns,
            waiting_lock = 8
        );
    });
}

fn read(parts: Vec<Builder>) -> Recording {
    let bytes: Vec<u8> = parts.into_iter().flat_map(Builder::bytes).collect();
    Recording::from_bytes(&bytes).unwrap()
}

#[test]
fn an_image_without_an_end_ended_when_its_process_began_the_next() {
    let mut first = process(1, 0, 1_000, None);
    thread(&mut first, 1_200, 1_900, 0);
    let mut waiting = process(2, 1, 1_500, None);
    thread(&mut waiting, 1_600, 0, 2_700);
    let recording = read(vec![
        first,
        waiting,
        // A process that got the same number has not been executed by the first one.
        process(1, 0, 2_000, Some(2_500)),
        process(1, 1, 3_000, Some(4_500)),
        process(3, 0, 3_500, None),
    ]);
    let parts: Vec<&Part> = recording.parts.iter().collect();
    let times = Times::of(&parts);
    assert_eq!(times.part_end_ns, [3_000, 2_700, 2_500, 4_500, 3_500]);
    assert_eq!((times.start_ns, times.duration_ns), (1_000, 3_500));
    let none = Times::of(&[]);
    assert_eq!((none.start_ns, none.duration_ns), (0, 0));
}

#[test]
fn what_was_not_recorded_is_remarked_on() {
    let mut part = process(7, 0, 2_000, None);
    part.module(1, b"/usr/lib/jvm/lib/server/libjvm.so");
    stop_part(part.header(), StopReason::NoSpace, 28, 1_500_002_000);
    let warnings = join::profile(&read(vec![part])).warnings;
    let expected = "recording of process 7 stopped after 1.500 s: the disk is full or the quota is used up; the process went on";
    assert_eq!(warnings[0], expected);
    assert!(
        warnings[1].contains("this is a Java program"),
        "{warnings:?}"
    );
    let quiet = join::profile(&read(vec![process(7, 0, 2_000, None)]));
    assert_eq!(quiet.warnings, Vec::<String>::new());
}

#[test]
fn every_reason_to_stop_is_told() {
    use crate::recording::remarks::why_it_stopped;
    let reasons = [
        Some(StopReason::NoSpace),
        Some(StopReason::FileSizeLimit),
        Some(StopReason::NoMemory),
        Some(StopReason::Unreachable),
        Some(StopReason::Forbidden),
        Some(StopReason::PartFull),
        None,
    ];
    let told: std::collections::BTreeSet<&str> = reasons.map(why_it_stopped).into_iter().collect();
    assert_eq!(told.len(), reasons.len());
    assert!(why_it_stopped(None).contains("does not know"));
}

#[test]
fn locks_are_found_again_by_where_their_file_begins() {
    use locktoll_recording::layout::BirthBy;
    let mut program = Program::new(1);
    program.variable("queue", DATA, 40);
    program.variable("many", DATA + 0x400, 100 * 40);
    for number in 3..90 {
        program.count(mutex(DATA + 0x400 + 40 * number, 1), 1);
    }
    program.part.birth(1, BirthBy::Initialisation, &[3, 4]);
    program.count(mutex(DATA, 1), 1);
    for number in 0..3 {
        program.count(mutex(HEAP + 64 * number, 1).born(1), 1);
    }
    program.count(mutex(HEAP + 0x1000, 2), 1);
    let profile = program.profile();
    let anchor = |what, offset| Anchor {
        what,
        module: "/opt/server".into(),
        offset,
    };
    let of = |name| lock(&profile, name).anchors.clone();
    assert_eq!(of("queue"), [anchor(Anchored::Object, DATA - 0x1000)]);
    // Other runs may use other locks of the array.
    let array = anchor(Anchored::Within(4_000), DATA + 0x400 - 0x1000);
    assert_eq!(of("many[]"), [array]);
    // Site 3 is at 0x2003.
    let made = of("lock made in make_queue (server.cc:30)");
    assert_eq!(made, [anchor(Anchored::Site, 0x1003)]);
    let taken = of("lock first taken in pop (server.cc:20)");
    assert_eq!(taken, [anchor(Anchored::Site, 0x1002)]);
}

fn usage(path: &Path) -> String {
    match load(path) {
        Err(Failure::Usage(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_folder_of_parts_is_read_as_the_recording_that_it_would_have_become() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, part: Builder| {
        fs::write(folder.path().join(name), part.bytes()).unwrap();
    };
    assert!(usage(folder.path()).contains("is a directory without parts"));
    write("whole.lt", process(9, 0, 500, None));
    assert!(usage(folder.path()).contains("is a directory without parts"));
    let mut told = process(2, 0, 1_000, None);
    store!(told.header(), involuntary_switches = 1);
    write("late.part", process(1, 0, 3_000, None));
    write("second.part", process(2, 1, 1_000, None));
    write("first.part", told);
    fs::write(folder.path().join("short.part"), "LOCKTOLL").unwrap();
    fs::create_dir(folder.path().join("folder.part")).unwrap();
    let files = part_files(folder.path()).unwrap();
    let names: Vec<_> = files
        .iter()
        .map(|it| {
            (
                it.path.file_name().unwrap().to_str().unwrap(),
                it.usage_known,
            )
        })
        .collect();
    let expected = [
        ("whole.lt", false),
        ("first.part", true),
        ("second.part", false),
        ("late.part", false),
    ];
    assert_eq!(names, expected);
    let pids = |path: &Path| -> Vec<u32> {
        let profile = load(path).unwrap();
        profile.processes.iter().map(|it| it.pid).collect()
    };
    assert_eq!(pids(folder.path()), [2, 2, 1]);
    assert_eq!(pids(&folder.path().join("whole.lt")), [9]);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_said() {
    let folder = tempfile::tempdir().unwrap();
    assert!(usage(Path::new("/dev/null")).contains("is not a regular file"));
    let text = folder.path().join("text");
    fs::write(&text, "#!/bin/sh\n").unwrap();
    let beneath = usage(&text.join("file"));
    assert!(beneath.contains("cannot be read"), "{beneath}");
}

#[test]
fn what_cannot_be_loaded_is_said_with_what_can_be_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert!(usage(&path("no")).contains("check the path, or make it: "));
    assert!(usage(&path("no.json")).contains("locktoll bench -o "));
    fs::write(path("text"), "#!/bin/sh\n").unwrap();
    assert!(usage(&path("text")).contains("give a file that `locktoll record` made"));
    let mut newer = process(1, 0, 1_000, None);
    store!(newer.header(), major = 99);
    fs::write(path("newer"), newer.bytes()).unwrap();
    assert!(matches!(load(&path("newer")), Err(Failure::Unsupported(_))));
    // Nobody records it any more.
    fs::create_dir(path("cut.parts-x")).unwrap();
    fs::write(
        path("cut.parts-x/1-0.part"),
        process(5, 0, 1_000, None).bytes(),
    )
    .unwrap();
    let profile = load(&path("cut")).unwrap();
    assert_eq!(profile.processes[0].pid, 5);
    let why = &profile.warnings[0];
    assert!(
        why.starts_with("the recording was cut short, and "),
        "{why}"
    );
    assert!(why.contains("cut is not there: this is what "), "{why}");
}

#[cfg(target_os = "linux")]
mod running {
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::recording::unfinished::linux::{end_now, goes_on};

    #[test]
    fn a_recorder_that_runs_is_known_by_its_number_and_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("locktoll");
        symlink("/bin/sh", &program).unwrap();
        let mut recorder = Command::new(&program)
            .arg0("sh")
            .args(["-c", "echo ready; read line"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // It gets its name after the parent has been told that it was started.
        let mut ready = [0; 6];
        let mut says = recorder.stdout.take().unwrap();
        says.read_exact(&mut ready).unwrap();
        let parts = |pid: u32, more: &str| folder.path().join(format!("out.parts-{pid}{more}"));
        let pid = recorder.id();
        assert!(goes_on(&parts(pid, "")) && goes_on(&parts(pid, "-2")));
        assert!(!goes_on(&parts(std::process::id(), "")), "another name");
        assert!(!goes_on(&parts(pid, "x")) && !goes_on(folder.path()));
        drop(recorder.stdin.take());
        recorder.wait().unwrap();
        assert!(!goes_on(&parts(pid, "")));
    }

    #[test]
    fn only_the_last_image_of_a_running_process_goes_on() {
        let (here, nobody) = (std::process::id(), i32::MAX.cast_unsigned());
        let mut recording = read(vec![
            process(here, 0, 1_000, None),
            process(here, 2, 3_000, None),
            process(here, 1, 2_000, None),
            process(nobody, 0, 1_000, None),
            process(here, 2, 3_000, Some(4_000)),
        ]);
        end_now(&mut recording);
        let ends = recording.parts.iter().map(|it| it.process.end_monotonic_ns);
        let ends: Vec<_> = ends.collect();
        let now = ends[1].unwrap();
        assert!(now > 4_000);
        assert_eq!(ends, [None, Some(now), None, None, Some(4_000)]);
    }
}

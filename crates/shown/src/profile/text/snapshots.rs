//! Snapshot tests of the text, from made-up profiles, at the widths of a wide and of a narrow terminal.

use crate::format::{Place, Subject};
use crate::profile::{Selection, Side, View};
use crate::{Shown, SortKey, named};
use locktoll_made_up::sample;
use locktoll_results::profile::timeline::{Finding, FindingKind, Index, Keeps};
use locktoll_results::profile::{Process, Profile, Spinning, ThreadTime};

fn styled(selection: &Selection<'_>, view: View, width: usize) -> String {
    selection.clone().with_view(view).text_within(width)
}

fn plain(selection: &Selection<'_>, view: View, width: usize) -> String {
    let page = styled(selection, view, width);
    let page = anstream::adapter::strip_str(&page).to_string();
    for line in page.lines() {
        assert_eq!(line.trim_end(), line, "spaces at the end of {line:?}");
    }
    page
}

fn all(profile: &Profile) -> Selection<'_> {
    Selection::new(profile, SortKey::Wait, None)
}

#[test]
fn a_job_server_at_120_columns() {
    insta::assert_snapshot!(plain(&all(&sample::job_server()), View::Locks, 120));
}

#[test]
fn a_job_server_at_80_columns() {
    insta::assert_snapshot!(plain(&all(&sample::job_server()), View::Locks, 80));
}

#[test]
fn what_the_timeline_shows_at_100_columns() {
    let mut profile = sample::job_server();
    let mut timeline = locktoll_made_up::made_up::timeline(500, 2);
    timeline.kept.events = Keeps::Waits;
    timeline.kept.lost.overwritten = 1_234;
    timeline.findings.push(Finding {
        kind: FindingKind::Convoy,
        sentence: "Convoy: for 94.0 ms, 5 threads queued for a\u{1b}[2J in the same order, 95 holds one after another. The lock \
                   changed hands every 1.00 ms, and a thread waited 4.00 ms for its turn (means)."
            .to_owned(),
        wait_ns: 380_000_000,
        begin_ns: 6_000_000,
        end_ns: 100_000_000,
        lock: Index::new(0),
        threads: vec![0, 1, 2, 3, 4],
    });
    profile.timeline = Some(Box::new(timeline));
    let page = plain(&all(&profile), View::Locks, 100);
    let begin = page.find("In the timeline").expect("a heading");
    let end = page[begin..].find("\n\n").expect("other parts");
    insta::assert_snapshot!(&page[begin..begin + end]);
}

#[test]
fn busy_waiting_at_90_columns() {
    let mut profile = sample::job_server();
    let known = Spinning {
        known_as: Some("libgomp".to_owned()),
        writer_state: None,
        lock: Some(profile.locks[0].id.clone()),
        ..sample::spinning()
    };
    profile.spinning = vec![sample::spinning(), known];
    profile.spin_samples = Some(sample::spin_samples());
    profile.spin_cpu_ns = Some(sample::spinning().cpu_ns);
    let thread = profile.per_thread.iter_mut().find(|it| it.cpu_ns.is_some());
    thread.unwrap().spin_ns = Some(1_800_000_000);
    insta::assert_snapshot!(plain(&all(&profile), View::Locks, 90));
}

#[test]
fn a_running_server_at_100_columns() {
    insta::assert_snapshot!(plain(&all(&sample::attached_server()), View::Locks, 100));
}

#[test]
fn a_lock_of_a_running_server_in_full_at_100_columns() {
    let profile = sample::attached_server();
    let selection = Selection::open(&profile, "log_lock").unwrap();
    insta::assert_snapshot!(plain(&selection, View::Locks, 100));
}

#[test]
fn where_holders_do_not_say_which_place_waited_the_summary_says_who_was_woken_by_whom() {
    let mut profile = sample::attached_server();
    let lock = profile
        .locks
        .iter_mut()
        .find(|it| !it.woken_by.is_empty() && !it.blame.is_empty());
    let lock = lock.expect("a lock with both");
    for blame in &mut lock.blame {
        blame.waiter.clear();
    }
    let woken = lock.woken_by[0].clone();
    let place = crate::profile::words::site(&woken.waiter);
    // The same two places with another stack are not shown twice.
    lock.woken_by.push(woken);
    let page = plain(&all(&profile), View::Locks, 200);
    let lines = page
        .lines()
        .filter(|it| it.contains(&place) && it.contains(" woken by "));
    assert_eq!(lines.count(), 1, "{page}");
    assert!(
        page.contains("which threads held it: --lock ID --blame"),
        "{page}"
    );
    let blamed = plain(&all(&profile), View::Blame, 200);
    assert!(blamed.contains("a thread waited for thread"), "{blamed}");
    assert!(!blamed.contains(" woken by "), "{blamed}");
}

#[test]
fn a_job_server_in_colours() {
    let page = styled(&all(&sample::job_server()), View::Locks, 80);
    insta::assert_snapshot!(page.replace('\x1b', "^"));
}

#[test]
fn by_acquisitions_and_cut_short() {
    let profile = sample::job_server();
    let selection = Selection::new(&profile, SortKey::Acquisitions, Some(2));
    insta::assert_snapshot!(plain(&selection, View::Locks, 100));
}

#[test]
fn a_lock_in_full_at_120_columns() {
    let profile = sample::job_server();
    let selection = Selection::open(&profile, "log_lock").unwrap();
    insta::assert_snapshot!(plain(&selection, View::Locks, 120));
}

#[test]
fn many_locks_of_one_place_in_full_at_80_columns() {
    let profile = sample::job_server();
    let selection = Selection::open(&profile, "mutex:job-server:born:open_session").unwrap();
    insta::assert_snapshot!(plain(&selection, View::Locks, 80));
}

#[test]
fn a_condition_variable_in_full() {
    let profile = sample::job_server();
    let selection = Selection::open(&profile, "job_available").unwrap();
    insta::assert_snapshot!(plain(&selection, View::Locks, 80));
}

#[test]
fn threads_at_120_columns() {
    insta::assert_snapshot!(plain(&all(&sample::job_server()), View::Threads, 120));
}

#[test]
fn threads_at_80_columns() {
    insta::assert_snapshot!(plain(&all(&sample::job_server()), View::Threads, 80));
}

#[test]
fn tables_of_places_pairs_and_stacks() {
    let profile = sample::job_server();
    let selection = Selection::new(&profile, SortKey::Wait, Some(2));
    let pages = [View::Sites, View::Blame, View::Stacks].map(|view| plain(&selection, view, 100));
    insta::assert_snapshot!(pages.join("----\n"));
}

#[test]
fn a_cost_too_small_to_measure_is_not_zero() {
    let mut profile = sample::job_server();
    let mut line = |ns_per_pair, share_of_cpu| {
        profile.recorder.ns_per_pair = Some(ns_per_pair);
        profile.recorder.share_of_cpu = Some(share_of_cpu);
        let page = plain(&all(&profile), View::Locks, 200);
        let line = page.lines().find(|line| line.starts_with("Recorder:"));
        line.expect("what recording cost").to_owned()
    };
    assert!(
        line(0.004, 0.0).contains("; added too little to measure per acquisition and release; ")
    );
    let small = "; added 0.30 ns per acquisition and release, <0.01 % of the CPU time; ";
    assert!(line(0.3, 0.000_01).contains(small));
}

#[test]
fn what_was_not_measured_is_a_dash() {
    let mut profile = sample::job_server();
    profile.time = ThreadTime::default();
    profile.user_ns = None;
    profile.system_ns = None;
    profile.voluntary_switches = None;
    profile.recorder.ns_per_pair = None;
    profile.recorder.share_of_cpu = None;
    for lock in &mut profile.locks {
        lock.hold_ns = None;
        lock.wait_split = None;
        lock.while_held = None;
        lock.blame.clear();
        for site in &mut lock.sites {
            site.hold_ns = None;
        }
    }
    insta::assert_snapshot!(plain(&all(&profile), View::Locks, 100));
}

#[test]
fn losses_and_notes_come_last() {
    let mut profile = sample::job_server();
    profile.locks.truncate(1);
    let mut child = profile.processes[0].clone();
    child.pid += 1;
    profile.processes.push(child);
    profile.time.threads -= 2;
    profile.dropped.threads = 3;
    profile.dropped.sites = 12_000;
    profile.dropped.damaged = 1;
    profile.warnings = vec![
        "recording of process 7 stopped after 1.500 s: the disk is full or the quota is used up; the process \
         went on"
            .to_owned(),
    ];
    insta::assert_snapshot!(plain(&all(&profile), View::Locks, 80));
}

#[test]
fn processes_that_are_added_up_are_not_those_whose_threads_are_listed() {
    let mut profile = sample::job_server();
    let mut sum = profile.processes[0].clone();
    (sum.pid, sum.added_up, sum.threads) = (0, Some(600), 0);
    let child = Process {
        pid: sum.pid + 1,
        added_up: None,
        ..sum.clone()
    };
    let lines = |profile: &Profile| {
        let text = plain(&all(profile), View::Locks, 200);
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|it| it.starts_with("Where") || it.contains("added up"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    profile.processes.push(sum.clone());
    let not_there = |them: &str| {
        format!(
            "not in these times: the threads of {them} added up after their end; the figures of locks contain their waits"
        )
    };
    let where_it_went = "Where the time of 9 threads went (24.1 s in all)".to_owned();
    let them = not_there("600 processes that were");
    assert_eq!(lines(&profile), [where_it_went, them]);
    // A process may be in both sums.
    profile.processes.extend([sum, child]);
    let where_it_went =
        "Where the time of 9 threads in 2 processes went (24.1 s in all)".to_owned();
    let them = not_there("up to 1,200 processes that were");
    assert_eq!(lines(&profile), [where_it_went, them]);
}

#[test]
fn without_the_threads_time_no_share_of_it_is_shown() {
    let mut profile = sample::job_server();
    let shares = |profile: &Profile| {
        let opened = Selection::open(profile, "log_lock").unwrap();
        let text = [&all(profile), &opened].map(|it| plain(it, View::Locks, 200));
        let text = text.concat();
        let of_time = ["of their time", "of the threads' time", " inf", "NaN"];
        of_time.map(|it| text.contains(it))
    };
    assert_eq!(shares(&profile), [true, true, false, false]);
    profile.thread_time_ns = 0;
    assert_eq!(shares(&profile), [false; 4]);
    // The times of the listed threads are known.
    let text = plain(&all(&profile), View::Locks, 200);
    assert!(
        text.contains("Where the time of 9 threads went (24.1 s in all)"),
        "{text}"
    );
}

#[test]
fn a_program_without_locks() {
    let mut profile = sample::job_server();
    profile.locks.clear();
    profile.wait_ns = 0;
    profile.signal_wait_ns = 0;
    profile.time.lock_ns = 0;
    profile.time.signal_ns = 0;
    insta::assert_snapshot!(plain(&all(&profile), View::Locks, 80));
}

#[test]
fn names_with_terminal_codes_are_shown_and_long_ones_cut() {
    let mut profile = sample::job_server();
    profile.command = vec!["\x1b]0;owned\x07".to_owned()];
    profile.per_thread[0].name = "\x1b[2Jw".to_owned();
    profile.locks.truncate(1);
    let lock = &mut profile.locks[0];
    lock.name = "evil\x1b[2J\nlock".to_owned();
    for frames in [
        &mut lock.blame[0].waiter,
        &mut lock.sites[0].frames,
        &mut lock.birth,
    ] {
        frames[0].function = Some("f\x1b[31m".repeat(40));
        frames[0].file = Some("/a\rb.c".to_owned());
    }
    let opened = Selection::open(&profile, "evil").unwrap();
    let views = [
        View::Locks,
        View::Sites,
        View::Blame,
        View::Stacks,
        View::Threads,
    ];
    for selection in [&all(&profile), &opened] {
        for page in views.map(|view| styled(selection, view, 80)) {
            for forbidden in ["\x1b[2J", "\x1b]", "\x07", "\r", "f\x1b[31m"] {
                assert!(!page.contains(forbidden), "{forbidden:?} in {page:?}");
            }
        }
    }
    insta::assert_snapshot!(plain(&all(&profile), View::Locks, 80));
}

#[test]
fn figures_of_a_damaged_recording_overflow_nothing() {
    let mut profile = sample::job_server();
    for lock in &mut profile.locks {
        lock.wait_ns.total = u64::MAX;
        lock.contended = u64::MAX;
        lock.acquisitions = Some(u64::MAX);
        if let Some(split) = &mut lock.wait_split {
            split.blocked_ns = u64::MAX;
            split.runnable_ns = u64::MAX;
        }
        if let Some(hold) = &mut lock.hold_ns {
            hold.total = u64::MAX;
            hold.log2 = vec![u64::MAX; 64];
        }
        for site in &mut lock.sites {
            site.wait_ns = u64::MAX;
        }
        for blame in &mut lock.blame {
            blame.wait_ns = u64::MAX;
            blame.count = u64::MAX;
        }
        for stack in &mut lock.stacks {
            stack.wait_ns = u64::MAX;
            stack.waits = u64::MAX;
        }
    }
    profile.time.total_ns = 1;
    profile.duration_ns = u64::MAX;
    profile.voluntary_switches = Some(u64::MAX);
    let opened = Selection::open(&profile, "log_lock").unwrap();
    for selection in [&all(&profile), &opened] {
        for view in [View::Locks, View::Blame, View::Stacks, View::Threads] {
            assert!(!plain(selection, view, 80).is_empty());
        }
        for side in [Side::Waiter, Side::Holder] {
            let selection = selection.clone().with_side(Some(side));
            for format in ["svg", "pprof"] {
                assert!(
                    named(format)
                        .documents(Subject::Profile(&selection), Place::FILE)
                        .is_ok()
                );
            }
        }
    }
}

#[test]
fn lines_keep_to_the_width() {
    let profile = sample::job_server();
    let opened = Selection::open(&profile, "log_lock").unwrap();
    let views = [
        View::Locks,
        View::Sites,
        View::Blame,
        View::Stacks,
        View::Threads,
    ];
    for width in [40, 60, 80, 100, 120] {
        for selection in [&all(&profile), &opened] {
            for view in views {
                let text = plain(selection, view, width);
                let long: Vec<&str> = text
                    .lines()
                    .filter(|it| it.chars().count() > width)
                    .collect();
                assert!(long.is_empty(), "{width}, {view:?}: {long:#?}");
            }
        }
    }
}

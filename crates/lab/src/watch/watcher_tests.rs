use std::sync::mpsc::channel;
use std::time::Duration;

use super::*;
use crate::cell::SwitchesAndCpu;
use crate::platform::linux::fake;
use crate::platform::of_this_thread;
use crate::watch::made_up::status;

#[test]
fn what_is_not_a_process_is_refused_with_the_reason() {
    let (_folder, tree) = fake::tree(&[
        ("/proc/8/status", "Name:\tx\nTgid:\t7\n"),
        ("/proc/9/task/9/status", &status("x", 'Z', 0, 0)),
        ("/proc/10/cmdline", ""),
    ]);
    let refused = |pid| Watcher::start_in(tree.clone(), Subject::Process(pid)).unwrap_err();
    assert_eq!(refused(8), Unwatchable::ThreadOf { tid: 8, pid: 7 });
    assert_eq!(refused(9), Unwatchable::Ended(9));
    assert_eq!(refused(10), Unwatchable::Closed(10));
    assert_eq!(refused(11), Unwatchable::Missing(11));
}

#[test]
fn a_process_lives_as_long_as_one_of_its_threads() {
    let (folder, tree) = fake::tree(&[
        ("/proc/7/task/7/status", &status("main", 'Z', 0, 0)),
        ("/proc/7/task/8/status", &status("worker", 'S', 5, 0)),
    ]);
    let mut watcher = Watcher::start_in(tree, Subject::Process(7)).unwrap();
    assert_eq!(watcher.next_interval().unwrap().processes[0].name, "main");
    std::fs::remove_dir_all(folder.path().join("proc/7/task/8")).unwrap();
    assert_eq!(watcher.next_interval(), Err(Unwatchable::Ended(7)));
    std::fs::remove_dir_all(folder.path().join("proc/7")).unwrap();
    assert_eq!(watcher.next_interval(), Err(Unwatchable::Missing(7)));
}

#[test]
fn a_process_that_may_not_be_looked_at_is_asked_once() {
    let (folder, tree) = fake::tree(&[
        ("/proc/7/task/7/status", &status("main", 'S', 5, 0)),
        ("/proc/7/task/7/wchan", "0"),
    ]);
    let mut watcher = Watcher::start_in(tree, Subject::Machine).unwrap();
    watcher.look();
    let call = format!("{} 0x0 0x80 0x2 0 0 0 0 0", libc::SYS_futex);
    std::fs::write(folder.path().join("proc/7/task/7/syscall"), call).unwrap();
    std::fs::write(
        folder.path().join("proc/7/task/7/status"),
        status("main", 'S', 6, 0),
    )
    .unwrap();
    watcher.look();
    let interval = watcher.next_interval().unwrap();
    let found = &interval.processes[0].activity.found;
    assert!(found.unreadable > 0);
    assert_eq!(found.waits(), 0);
}

#[test]
fn without_proc_there_is_nothing_and_it_is_said() {
    let (_folder, tree) = fake::tree(&[]);
    let mut watcher = Watcher::start_in(tree, Subject::Machine).unwrap();
    watcher.look();
    let interval = watcher.next_interval().unwrap();
    assert!(interval.processes.is_empty());
    assert_eq!(interval.system, Default::default());
    assert_eq!(watcher.limits(), Limits::default());
}

#[test]
fn hidden_threads_are_counted() {
    let (_folder, tree) = fake::tree(&[
        ("/proc/loadavg", "0.1 0.2 0.3 1/50 99"),
        ("/proc/7/task/7/status", &status("main", 'S', 5, 0)),
    ]);
    let watcher = Watcher::start_in(tree, Subject::Machine).unwrap();
    assert_eq!(watcher.limits().threads_hidden, Some(49));
}

/// On a real thread: a thread of this process waits for another one, and both counts are the kernel's.
#[test]
fn the_switches_of_a_real_thread_are_those_it_counts_itself() {
    const WAITS: u64 = 500;
    let (to_waiter, from_us) = channel::<()>();
    let (to_us, from_waiter) = channel::<(u32, SwitchesAndCpu)>();
    let waiter = std::thread::spawn(move || {
        // SAFETY: gettid takes nothing and cannot fail.
        let tid = unsafe { libc::gettid() } as u32;
        for () in from_us {
            to_us.send((tid, of_this_thread())).unwrap();
        }
    });
    let count = || {
        to_waiter.send(()).unwrap();
        from_waiter.recv().unwrap()
    };
    // Each sweep of the watcher lies between two of the thread's own counts: on a busy machine the thread switches during a
    // sweep, an unknown number of times.
    let (tid, before_the_first) = count();
    let mut watcher = Watcher::start(Subject::Process(std::process::id())).unwrap();
    let (_, after_the_first) = count();
    for _ in 0..WAITS {
        // Long enough for the waiter to find no message and sleep.
        std::thread::sleep(Duration::from_micros(300));
        count();
    }
    let (_, before_the_last) = count();
    let interval = watcher.next_interval().unwrap();
    let (_, after_the_last) = count();

    let row = interval.threads.iter().find(|thread| thread.tid == tid);
    let watched = &row.expect("it ran").activity;
    let bounds = |of: fn(&SwitchesAndCpu) -> Option<u64>| {
        let of = |count: &SwitchesAndCpu| of(count).unwrap();
        let least = of(&before_the_last) - of(&after_the_first);
        least..=of(&after_the_last) - of(&before_the_first)
    };
    let voluntary = bounds(|used| used.voluntary_switches);
    let involuntary = bounds(|used| used.involuntary_switches);
    assert!(*voluntary.start() > WAITS / 2, "{voluntary:?} waits");
    assert!(
        voluntary.contains(&watched.voluntary),
        "{watched:?}, {voluntary:?}"
    );
    assert!(
        involuntary.contains(&watched.involuntary),
        "{watched:?}, {involuntary:?}"
    );
    drop(to_waiter);
    waiter.join().unwrap();
}

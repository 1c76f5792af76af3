//! Where the time of threads went.

use locktoll_recording::layout::{BirthBy, EntryPoint, LockKind, Mode, NO_OWNER, ThreadRecord};
use locktoll_recording::writer::{end_part, store_bytes};

use super::builder::store;
use super::program::{DATA, HEAP, Key, Program, lock, mutex};
use locktoll_results::profile::{RecorderMode, Takers, Use};

fn thread(program: &mut Program, tid: u32, slot: u32, fill: impl FnOnce(&ThreadRecord)) {
    program.part.one(NO_OWNER, |thread: &ThreadRecord| {
        store!(
            thread,
            tid = tid,
            slot = slot,
            start_ns = 10_000,
            end_ns = 110_000
        );
        store_bytes(&thread.name, b"worker\0");
        fill(thread);
    });
}

#[test]
fn who_acquired_a_lock_is_known_unless_threads_shared_a_slot() {
    let with_threads = |slots: &[u32]| {
        let mut program = Program::new(1);
        program.variable("queue", DATA, 40);
        program.count(mutex(DATA, 1), 10);
        program.count(mutex(DATA, 2), 60);
        let by_another = Key {
            slot: 2,
            ..mutex(DATA, 1)
        };
        program.count(by_another, 30);
        for (tid, &slot) in (100..).zip(slots) {
            thread(&mut program, tid, slot, |_| {});
        }
        lock(&program.profile(), "queue").takers
    };
    let takers = Takers {
        threads: 2,
        most: 70,
    };
    assert_eq!(with_threads(&[1, 2]), Some(takers));
    // A thread that never took it shares a slot, but not with a thread that did.
    assert_eq!(with_threads(&[1, 2, 3, 3]), Some(takers));
    assert_eq!(with_threads(&[1, 2, 2]), None);
    // Acquisitions past a thread's end: their thread is not known.
    assert_eq!(with_threads(&[1]), None);
}

#[test]
fn the_time_of_threads_is_told_apart_and_adds_up() {
    let mut program = Program::new(1);
    program.variable("queue", DATA, 40);
    program.count(mutex(DATA, 1), 10);
    program.waits(mutex(DATA, 1), &[40_000], |contention| {
        store!(
            contention,
            runnable_ns = 10_000,
            examined = 1,
            examined_ns = 40_000
        );
        store!(contention, examined_cpu_ns = 10_000);
    });
    let condition = mutex(DATA + 0x40, 2)
        .of(LockKind::Condvar)
        .by(EntryPoint::Wait);
    program.count(condition, 1);
    program.waits(condition, &[20_000], |_| {});
    thread(&mut program, 100, 1, |thread| {
        store!(
            thread,
            start_routine = 8,
            kernel_read_ns = 110_000,
            cpu_ns = 30_000
        );
        store!(
            thread,
            run_delay_ns = 15_000,
            voluntary_switches = 6,
            involuntary_switches = 2
        );
        // A thread's own record is less reliable than the final uses of the locks.
        store!(thread, lock_wait_ns = 60_000);
    });
    // Killed with its process: the kernel was not asked about it.
    thread(&mut program, 101, 2, |_| {});
    store!(
        program.part.header(),
        mode = Mode::Exact.number(),
        added_ps_per_pair = 40_000
    );
    store!(program.part.header(), user_ns = 20_000, system_ns = 11_000);
    end_part(program.part.header(), 110_000);
    let profile = program.profile();

    let time = &profile.time;
    assert_eq!((time.threads, time.total_ns), (1, 100_000));
    assert_eq!((time.running_ns, time.cpu_wait_ns), (30_000, 15_000));
    // Of 40 us waiting for the lock, 10 were spent spinning and 10 waiting for a processor.
    assert_eq!(
        (time.lock_ns, time.signal_ns, time.other_ns),
        (20_000, 20_000, 15_000)
    );

    let first = &profile.per_thread[0];
    assert_eq!(
        (first.tid, first.lock_wait_ns, first.signal_wait_ns),
        (100, Some(40_000), Some(20_000))
    );
    let started = first.started_with.as_ref().unwrap();
    assert_eq!(started.function.as_deref(), Some("worker"));
    assert_eq!(
        (first.cpu_ns, first.voluntary_switches),
        (Some(30_000), Some(6))
    );
    assert_eq!(
        (profile.per_thread[1].cpu_ns, profile.per_thread.len()),
        (None, 2)
    );

    assert_eq!(profile.recorder.mode, Some(RecorderMode::Exact));
    assert_eq!(profile.recorder.ns_per_pair, Some(40.0));
    // 11 calls of 40 ns in 31 us.
    let share = profile.recorder.share_of_cpu.unwrap();
    assert!((share - 11.0 * 40.0 / 31_000.0).abs() < 1e-12, "{share}");
    assert_eq!(
        (profile.user_ns, profile.system_ns),
        (Some(20_000), Some(11_000))
    );
    assert_eq!(profile.processes[0].user_ns, Some(20_000));
}

#[test]
fn threads_that_shared_a_slot_are_told_by_their_own_records() {
    let mut program = Program::new(1);
    program.count(mutex(DATA, 1), 10);
    program.waits(mutex(DATA, 1), &[900], |_| {});
    thread(&mut program, 100, 1, |thread| {
        store!(thread, lock_wait_ns = 600)
    });
    thread(&mut program, 101, 1, |thread| {
        store!(thread, lock_wait_ns = 300)
    });
    let profile = program.profile();
    let waits: Vec<_> = profile
        .per_thread
        .iter()
        .map(|it| (it.tid, it.lock_wait_ns))
        .collect();
    assert_eq!(waits, [(100, Some(600)), (101, Some(300))]);
}

#[test]
fn a_wait_that_did_not_end_counts_up_to_the_end_of_the_recording() {
    let mut program = Program::new(1);
    program.variable("waited", DATA, 40);
    program.variable("hung", DATA + 0x40, 40);
    program.variable("idle", DATA + 0x80, 48);
    program.count(mutex(DATA, 1), 10);
    program.waits(mutex(DATA, 1), &[30_000], |_| {});
    program.count(mutex(DATA + 0x40, 2), 1);
    let condition = mutex(DATA + 0x80, 2)
        .of(LockKind::Condvar)
        .by(EntryPoint::Wait);
    program.count(condition, 1);
    for (tid, lock, since_ns) in [
        (100, DATA + 0x40, 60_000),
        (101, DATA + 0x40, 90_000),
        (102, DATA + 0x80, 50_000),
    ] {
        thread(&mut program, tid, tid, |thread| {
            store!(
                thread,
                end_ns = 0,
                waiting_since_ns = since_ns,
                waiting_lock = lock,
                waiting_site = 3,
                waiting_holder = 101,
                waiting_holder_site = 1
            );
        });
    }
    end_part(program.part.header(), 110_000);
    // `profile` compares the sums of threads and locks.
    let profile = program.profile();

    let hung = &profile.locks[0];
    assert_eq!((hung.name.as_str(), hung.wait_ns.total), ("hung", 0));
    assert_eq!((hung.still_waiting, hung.still_waiting_ns), (2, 70_000));
    let longest = hung.longest_still_waiting.as_ref().unwrap();
    assert_eq!((longest.tid, longest.wait_ns), (100, 50_000));
    assert!(!longest.frames.is_empty());
    let holder = longest.holder_thread.as_ref().unwrap();
    assert_eq!(holder.tid, 101);
    assert!(!longest.holder.is_empty() && longest.holder != longest.frames);
    let all: Vec<_> = hung
        .still_waiting_threads
        .iter()
        .map(|it| (it.tid, it.wait_ns))
        .collect();
    assert_eq!(all, [(100, 50_000), (101, 20_000)]);
    let waits: Vec<_> = profile
        .per_thread
        .iter()
        .map(|it| (it.tid, it.lock_wait_ns, it.signal_wait_ns))
        .collect();
    assert_eq!(
        waits,
        [
            (100, Some(50_000), Some(0)),
            (101, Some(20_000), Some(0)),
            (102, Some(0), Some(60_000))
        ]
    );
    assert_eq!(profile.still_waiting(Use::Signal), (1, 60_000));
}

#[test]
fn a_semaphore_that_nobody_ever_had_is_waited_for_as_a_signal() {
    for (taken, used_as) in [(0, Use::Signal), (1, Use::Lock)] {
        let mut program = Program::new(1);
        program.variable("slots", DATA, 32);
        let slots = mutex(DATA, 1).of(LockKind::Semaphore).by(EntryPoint::Wait);
        program.count(slots, taken);
        thread(&mut program, 100, 1, |thread| {
            store!(
                thread,
                end_ns = 0,
                waiting_since_ns = 20_000,
                waiting_lock = DATA
            );
        });
        end_part(program.part.header(), 110_000);
        let profile = program.profile();
        assert_eq!(profile.locks[0].used_as, used_as, "{taken}");
        assert_eq!(profile.still_waiting(used_as), (1, 90_000));
    }
}

#[test]
fn of_several_locks_at_one_address_the_last_is_waited_for() {
    let mut program = Program::new(1);
    program.part.birth(1, BirthBy::Initialisation, &[3, 4]);
    program.part.birth(2, BirthBy::Initialisation, &[2, 4]);
    program.count(mutex(HEAP, 1).born(1), 9);
    let later = Key {
        generation: 1,
        ..mutex(HEAP, 1).born(2)
    };
    program.count(later, 1);
    thread(&mut program, 100, 1, |thread| {
        store!(
            thread,
            end_ns = 0,
            waiting_since_ns = 20_000,
            waiting_lock = HEAP
        );
    });
    end_part(program.part.header(), 110_000);
    let profile = program.profile();
    let waiting = |name| lock(&profile, name).still_waiting;
    assert_eq!(waiting("lock made in make_queue (server.cc:30)"), 0);
    assert_eq!(waiting("lock made in pop (server.cc:20)"), 1);
}

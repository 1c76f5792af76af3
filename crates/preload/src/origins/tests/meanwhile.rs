//! Walks while other things happen: walks in other threads, walks in signal handlers, and new files.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicUsize};

use super::fixture::{Function, Library, Walk, calls_by, recorder, shared_recorder};
use crate::recorder::Recorder;
use crate::unwind::Calls;
use crate::unwind::Stretch;
use crate::unwind::{Frame, Knowledge, caller};
use crate::unwind::{KnownPages, Stack};

thread_local! {
    /// What a thread and its signal handlers share.
    static KNOWN_PAGES: KnownPages = const { KnownPages::none() };
}

fn calls(recorder: &'static Recorder, site: usize) -> Calls {
    KNOWN_PAGES.with(|known_pages| calls_by(recorder, site, known_pages))
}

fn assert_found(walk: &Walk) {
    let (noted, found) = (walk.noted(), walk.found());
    assert!(found.starts_with(&noted), "{found:x?} is not {noted:x?}");
}

#[test]
fn rules_that_are_forgotten_at_any_time_are_learned_again() {
    static RECORDER: AtomicUsize = AtomicUsize::new(0);
    fn by_own(site: usize) -> Calls {
        // SAFETY: set below, to a recorder that stays.
        calls(
            unsafe { &*(RECORDER.load(SeqCst) as *const Recorder) },
            site,
        )
    }
    let (recorder, _folder) = recorder();
    RECORDER.store(std::ptr::from_ref(recorder) as usize, SeqCst);
    let library = Library::load(&["-O2"]);
    let names = ["descend", "descend_variable", "descend_aligned"];
    let functions = names.map(|name| library.function(name));
    let walks = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let walkers = [(); 3].map(|()| {
            scope.spawn(|| {
                let mut walk = Walk::new(by_own);
                while !is_over.load(Relaxed) {
                    for function in functions {
                        walk.run(function, 6);
                        assert_found(&walk);
                    }
                    walks.fetch_add(1, Relaxed);
                }
            })
        });
        for times in 0..100 {
            // This gives the walkers rules to forget. If a walker has failed, the scope reports it at its end.
            while walks.load(Relaxed) < times && !walkers.iter().any(|walker| walker.is_finished())
            {
                std::thread::yield_now();
            }
            let nowhere = Stretch {
                start: 1,
                end: 2,
                index: 0,
            };
            let _guard = recorder.lock();
            // SAFETY: the lock is held.
            unsafe { recorder.tables().add(nowhere) };
        }
        is_over.store(true, Relaxed);
    });
}

#[test]
fn a_signal_handler_may_walk_in_the_middle_of_a_walk() {
    const SIGNALS: usize = 500;
    static DESCEND: OnceLock<Function> = OnceLock::new();
    static HANDLED: AtomicUsize = AtomicUsize::new(0);

    thread_local! {
        static WALK: RefCell<Box<Walk>> = RefCell::new(Walk::new(by_shared));
    }
    fn by_shared(site: usize) -> Calls {
        calls(shared_recorder(), site)
    }
    extern "C" fn handle(_: libc::c_int) {
        WALK.with_borrow_mut(|walk| {
            walk.run(*DESCEND.get().unwrap(), 4);
            assert_found(walk);
        });
        HANDLED.fetch_add(1, SeqCst);
    }

    let library = Library::load(&["-O2"]);
    // The handler's needs are prepared beforehand, because it may interrupt the allocator or the dynamic linker.
    DESCEND.get_or_init(|| library.function("descend"));
    handle(0);
    // SAFETY: a zeroed action with a handler is valid.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        assert_eq!(
            libc::sigaction(libc::SIGURG, &raw const action, std::ptr::null_mut()),
            0
        );
    }
    // SAFETY: always succeeds.
    let walker = unsafe { libc::pthread_self() };
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for sent in 1..=SIGNALS {
                // SAFETY: the walker waits for this thread at the end of the scope.
                unsafe { libc::pthread_kill(walker, libc::SIGURG) };
                while HANDLED.load(SeqCst) <= sent {
                    std::thread::yield_now();
                }
            }
        });
        let mut walk = Walk::new(by_shared);
        let descend = library.function("descend_aligned");
        while HANDLED.load(SeqCst) <= SIGNALS {
            walk.run(descend, 3);
            assert_found(&walk);
        }
    });
}

#[test]
fn registers_that_are_garbage_lead_to_an_end() {
    let recorder = shared_recorder();
    let knowledge = Knowledge {
        rules: &recorder.rules,
        tables: recorder.tables(),
        look_for_code: &|| {},
    };
    let here = Frame::here();
    // Knuth's linear congruential generator: any numbers will do, as long as each run has the same ones.
    let mut state = 1_u64;
    let mut any = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 16) as usize
    };
    let functions = [
        libc::qsort as *const () as usize,
        libc::printf as *const () as usize,
        registers_that_are_garbage_lead_to_an_end as *const () as usize,
        0x1000,
    ];
    for round in 0..20_000 {
        let known_pages = KnownPages::none();
        let mut stack = Stack::new(here.stack_pointer, &known_pages, None);
        let mut frame = Frame {
            address: functions[round % 4].wrapping_add(any() % 5000),
            stack_pointer: here.stack_pointer + any() % 64 * 8,
            frame_pointer: match round % 3 {
                0 => any(),
                1 => here.stack_pointer.wrapping_add(any() % 100_000 * 8),
                _ => usize::MAX - any() % 100,
            },
            link: any(),
            is_exact: round % 2 == 0,
        };
        let mut steps = 0;
        while let Some(caller) = caller(&frame, knowledge, &mut stack) {
            frame = caller;
            steps += 1;
            assert!(steps < 1_000_000, "a circle");
        }
    }
}

//! Counts are right whatever the threads do.

use locktoll_recording::layout::{EntryPoint, LockKind};

use crate::answers::Answers;
use crate::names::Names;
use crate::support::{program, run_recorded_env};

#[test]
fn threads_that_do_anything_by_dice_are_counted_exactly() {
    let program = program("mixture.c");
    let names = Names::of(&program);
    for (mode, threads, turns) in [
        ("sampled", "2", "30000"),
        ("sampled", "8", "10000"),
        ("exact", "4", "10000"),
        ("sampled", "40", "1000"),
    ] {
        let recorded = run_recorded_env(&program, &[threads, turns], &[("LOCKTOLL_MODE", mode)]);
        assert!(recorded.output.status.success());
        let answers = Answers::of(&recorded.output.stdout);
        let part = recorded.only_part();
        for (name, kind) in [
            ("mutexes", LockKind::Mutex),
            ("rwlocks", LockKind::RwLock),
            ("spins", LockKind::Spin),
            ("semaphores", LockKind::Semaphore),
        ] {
            let (mut acquired, mut failed, mut timed_out, mut released) = (0, 0, 0, 0);
            let of_kind = part.counts.iter().filter(|count| count.kind == kind);
            for count in
                of_kind.filter(|count| names.symbol(part, count.lock_address) == Some(name))
            {
                match count.entry {
                    EntryPoint::Release | EntryPoint::Post => released += count.acquisitions,
                    _ => acquired += count.acquisitions,
                }
                if let Some(contention) = &count.contention {
                    failed += contention.try_failed;
                    timed_out += contention.timed_out;
                }
            }
            let found = [acquired as f64, failed as f64, timed_out as f64];
            assert_eq!(found, answers.numbers(name)[..], "{name} {mode} {threads}");
            if kind == LockKind::Semaphore {
                assert_eq!(released, acquired, "each is given back");
            }
        }
    }
}

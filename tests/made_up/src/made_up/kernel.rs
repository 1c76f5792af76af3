//! A build on a computer that does not exist, and its kernel's locks.

use super::computer;
use locktoll_results::kernel::{
    KernelCaller, KernelCpu, KernelKind, KernelLock, KernelLockKind, KernelLost, KernelProbe,
    KernelResult, KernelScope, KernelWaits,
};

/// So many waits in the lengths from 2^`first` ns on.
fn waits(first: usize, counts: &[u64]) -> KernelWaits {
    let mut log2 = vec![0; first];
    log2.extend(counts);
    let middle = |at: usize| 1.5 * 2_f64.powi(at as i32);
    let total: f64 = log2
        .iter()
        .enumerate()
        .map(|(at, count)| *count as f64 * middle(at))
        .sum();
    let last = log2.len() - 1;
    KernelWaits {
        count: counts.iter().sum(),
        total_ns: total as u64,
        max_ns: Some(middle(last) as u64),
        p50_ns: Some(middle((first + 1).min(last))),
        p99_ns: Some(middle(last)),
        log2,
    }
}

fn kind(kind: KernelLockKind, waits: KernelWaits) -> KernelKind {
    KernelKind {
        kind,
        failed: 0,
        repeated_begins: 0,
        // Two ticks a nanosecond: each length is the next one in ticks.
        log2_ticks: Some([&[0], &waits.log2[..]].concat()),
        waits,
    }
}

fn caller(
    function: Option<&str>,
    from: &[&str],
    kind: KernelLockKind,
    waits: KernelWaits,
) -> KernelCaller {
    KernelCaller {
        function: function.map(str::to_owned),
        from: from.iter().map(|name| (*name).to_owned()).collect(),
        kind,
        waits,
    }
}

fn lock(
    name: Option<&str>,
    address: Option<&str>,
    caller: Option<&str>,
    kind: KernelLockKind,
    waits: KernelWaits,
) -> KernelLock {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    KernelLock {
        name: owned(name),
        address: owned(address),
        caller: owned(caller),
        kind,
        waits,
    }
}

/// A build of twelve seconds on eight processors.
pub fn kernel() -> KernelResult {
    use KernelLockKind::{Mutex, RwlockRead, RwsemWrite, Spin};
    let spin = waits(8, &[120, 5_400, 9_000, 2_100, 310, 12, 0, 3]);
    let rwsem = waits(11, &[40, 210, 380, 95, 20, 4, 1]);
    let mutex = waits(10, &[900, 350, 60, 8]);
    let rwlock = waits(9, &[30, 14, 2]);
    let all = [&spin, &rwsem, &mutex, &rwlock];
    let mut total = waits(8, &[0]);
    total.log2 = vec![0; 20];
    for waits in all {
        total.count += waits.count;
        total.total_ns += waits.total_ns;
        total.max_ns = total.max_ns.max(waits.max_ns);
        for (at, count) in waits.log2.iter().enumerate() {
            total.log2[at] += count;
        }
    }
    total.log2.truncate(18);
    total.p50_ns = Some(1_500.0);
    total.p99_ns = Some(24_000.0);
    let mut kinds = vec![
        kind(Spin, spin),
        kind(RwsemWrite, rwsem),
        kind(Mutex, mutex),
        kind(RwlockRead, rwlock),
    ];
    kinds[1].failed = 2;
    kinds[2].repeated_begins = 1_204;
    KernelResult {
        schema: KernelResult::SCHEMA.to_owned(),
        version: "0.1.0".to_owned(),
        made: Some(computer::made()),
        machine: computer::computer(),
        noise: computer::noise(),
        command: Some(vec!["make".to_owned(), "-j8".to_owned()]),
        scope: KernelScope::Machine,
        duration_ns: 12_000_000_000,
        ticks_per_ns: Some(2.0),
        kinds,
        cpus: vec![
            KernelCpu {
                cpu: 0,
                waits: waits(9, &[2_000, 5_000, 1_000]),
            },
            KernelCpu {
                cpu: 5,
                waits: waits(8, &[120, 4_330, 5_900, 880, 20]),
            },
        ],
        callers: Some(vec![
            caller(
                Some("folio_lruvec_lock_irqsave"),
                &["folio_batch_move_lru", "lru_add_drain_cpu", "exit_mmap"],
                Spin,
                waits(9, &[3_000, 7_000, 2_000, 300]),
            ),
            caller(
                Some("open_last_lookups"),
                &["path_openat", "do_filp_open", "do_sys_openat2"],
                RwsemWrite,
                waits(11, &[40, 210, 380]),
            ),
            caller(None, &[], Mutex, waits(10, &[900])),
        ]),
        locks: Some(vec![
            lock(
                None,
                Some("0xffff888104a2c300"),
                Some("folio_lruvec_lock_irqsave"),
                Spin,
                waits(9, &[3_000, 7_000]),
            ),
            lock(
                Some("mm->mmap_lock"),
                None,
                Some("do_user_addr_fault"),
                RwsemWrite,
                waits(11, &[40, 210]),
            ),
            lock(
                Some("tasklist_lock"),
                Some("0xffffffff83008080"),
                None,
                RwlockRead,
                waits(9, &[30, 14, 2]),
            ),
        ]),
        why_no_names: None,
        probe: KernelProbe {
            begin_ns: Some(412.0),
            end_ns: Some(180.6),
            total_ns: Some(11_000_000),
            share_of_waiting: Some(0.24),
            share_of_time: Some(0.000_114),
            why_not: None,
        },
        lost: KernelLost {
            begins: 1,
            stacks: 17,
            ..KernelLost::default()
        },
        total,
    }
}

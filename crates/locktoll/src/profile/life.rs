//! Lives of threads: what each did with its time, and where the time of all went.

use std::cmp::Reverse;
use std::collections::HashMap;

use locktoll_recording::reader;

use super::rows::{PartView, Rows};
use super::sites::Sites;
use super::times::Times;
use super::{Lock, Thread, ThreadTime, Use};

/// What threads waited for, by part and thread slot.
pub struct SlotWaits(HashMap<(usize, u32), Waited>);

/// Time of one thread slot.
#[derive(Clone, Copy, Default)]
struct Waited {
    lock_ns: u64,
    signal_ns: u64,
}

impl SlotWaits {
    /// From the waits of rows, now that it is known what each row is used for.
    pub fn of(rows: &Rows, uses: &[Use]) -> Self {
        let slots = rows.slot_waits.iter().map(|(&slot, by_row)| {
            let mut waited = Waited::default();
            for (&row, &wait_ns) in by_row {
                let sum = match uses[row] {
                    Use::Lock => &mut waited.lock_ns,
                    Use::Signal => &mut waited.signal_ns,
                };
                *sum = sum.saturating_add(wait_ns);
            }
            (slot, waited)
        });
        Self(slots.collect())
    }

    /// What a thread waited for. Where its slot was its alone, that is what was added up from the rows, which know best
    /// what is a lock and what a signal; where it shared the slot with others, what its own record says.
    fn of_thread(&self, position: usize, thread: &reader::Thread, alone: bool) -> Waited {
        if alone {
            let slot = self.0.get(&(position, thread.slot));
            return slot.copied().unwrap_or_default();
        }
        Waited {
            lock_ns: thread.lock_wait_ns,
            signal_ns: thread.signal_wait_ns,
        }
    }
}

/// Every thread of all parts, by the time it waited for locks, longest first.
pub fn threads(
    views: &[PartView<'_>],
    times: &Times,
    waits: &SlotWaits,
    sites: &Sites,
) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    for view in views {
        let part = view.part;
        let mut sharing: HashMap<u32, u32> = HashMap::new();
        for thread in &part.threads {
            *sharing.entry(thread.slot).or_default() += 1;
        }
        for thread in &part.threads {
            let alone = sharing.get(&thread.slot) == Some(&1);
            let waited = waits.of_thread(view.position, thread, alone);
            let end_ns = thread.end_ns.unwrap_or(times.part_end_ns[view.position]);
            let kernel = thread.kernel;
            let started = thread
                .start_routine
                .and_then(|site| view.sites.ids.get(site));
            let outermost = started.and_then(|&site| sites.frames(site).last().cloned());
            threads.push(Thread {
                pid: part.process.pid,
                tid: thread.tid,
                name: thread.name.clone(),
                started_with: outermost,
                start_ns: thread.start_ns.saturating_sub(times.start_ns),
                duration_ns: end_ns.saturating_sub(thread.start_ns),
                cpu_ns: kernel.map(|kernel| kernel.cpu_ns),
                cpu_wait_ns: kernel.map(|kernel| kernel.run_delay_ns),
                lock_wait_ns: waited.lock_ns,
                signal_wait_ns: waited.signal_ns,
                voluntary_switches: kernel.map(|kernel| kernel.voluntary_switches),
                involuntary_switches: kernel.map(|kernel| kernel.involuntary_switches),
            });
        }
    }
    threads.sort_by_key(|thread| {
        let cost = Reverse((thread.lock_wait_ns, thread.signal_wait_ns));
        (cost, thread.start_ns, thread.pid, thread.tid)
    });
    threads
}

/// Where the time of those threads went that the kernel was asked about.
pub fn time(threads: &[Thread], locks: &[Lock]) -> ThreadTime {
    let asleep_for_locks = asleep(locks, Use::Lock);
    let asleep_for_signals = asleep(locks, Use::Signal);
    let mut time = ThreadTime::default();
    for thread in threads {
        let (Some(cpu_ns), Some(cpu_wait_ns)) = (thread.cpu_ns, thread.cpu_wait_ns) else {
            continue;
        };
        // What is measured in different ways may overlap a little: what is known best is taken first.
        let mut rest = thread.duration_ns;
        let mut take = |ns: u64| {
            let taken = ns.min(rest);
            rest -= taken;
            taken
        };
        let slept = |ns: u64, share: f64| (ns as f64 * share) as u64;
        let running_ns = take(cpu_ns);
        let lock_ns = take(slept(thread.lock_wait_ns, asleep_for_locks));
        // After locks, since the kernel counts from the thread's making: before its first instruction it is not alive here.
        let cpu_wait_ns = take(cpu_wait_ns);
        let signal_ns = take(slept(thread.signal_wait_ns, asleep_for_signals));
        time.threads += 1;
        for (sum, more) in [
            (&mut time.total_ns, thread.duration_ns),
            (&mut time.running_ns, running_ns),
            (&mut time.cpu_wait_ns, cpu_wait_ns),
            (&mut time.lock_ns, lock_ns),
            (&mut time.signal_ns, signal_ns),
            (&mut time.other_ns, rest),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
    time
}

/// The share of waiting for locks, or for signals, in which the thread neither ran nor waited for a processor.
fn asleep(locks: &[Lock], used_as: Use) -> f64 {
    let splits = locks
        .iter()
        .filter(|lock| lock.used_as == used_as)
        .filter_map(|lock| lock.wait_split.as_ref());
    let (mut total, mut blocked) = (0.0, 0.0);
    for split in splits {
        blocked += split.blocked_ns as f64;
        total += split.spinning_ns as f64 + split.runnable_ns as f64 + split.blocked_ns as f64;
    }
    if total > 0.0 { blocked / total } else { 1.0 }
}

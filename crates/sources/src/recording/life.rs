//! The lives of threads, and the parts of their time.

use std::collections::HashMap;

use locktoll_recording::reader;

use super::part_view::PartView;
use super::rows::Rows;
use super::sites::Sites;
use super::times::Times;
use super::unended::WaitedFor;
use locktoll_results::profile::{Thread, Use};

/// The version of the format that first counted calls of sched_yield.
const COUNTS_YIELDS: (u16, u16) = (1, 2);

/// What threads waited for.
pub struct ThreadWaits<'r> {
    /// The time in waits that ended, by part and thread slot.
    slots: HashMap<(usize, u32), Waited>,
    /// The waits that did not end.
    waited_for: &'r WaitedFor,
    uses: &'r [Use],
}

/// The waiting time of one thread or thread slot.
#[derive(Clone, Copy, Default)]
struct Waited {
    lock_ns: u64,
    signal_ns: u64,
}

impl<'r> ThreadWaits<'r> {
    /// Computes them from the waits of rows, once the use of each row is known.
    pub fn of(rows: &'r Rows, uses: &'r [Use]) -> Self {
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
        Self {
            slots: slots.collect(),
            waited_for: &rows.waited_for,
            uses,
        }
    }

    /// Returns what a thread waited for in waits that ended. If it did not share its slot, this is the sum over the rows, which
    /// know best whether something is a lock or a signal. If it shared the slot with others, this is the figure in the thread's
    /// own record.
    fn ended(&self, position: usize, thread: &reader::Thread, alone: bool) -> Waited {
        if alone {
            let slot = self.slots.get(&(position, thread.slot));
            return slot.copied().unwrap_or_default();
        }
        Waited {
            lock_ns: thread.lock_wait_ns,
            signal_ns: thread.signal_wait_ns,
        }
    }

    /// Returns the wait in which a thread was at the end, by its position in the part.
    fn unended(&self, view: &PartView<'_>, thread: usize) -> Waited {
        match self.waited_for.of_thread(view, thread, self.uses) {
            None => Waited::default(),
            Some((Use::Lock, lock_ns)) => Waited {
                lock_ns,
                signal_ns: 0,
            },
            Some((Use::Signal, signal_ns)) => Waited {
                lock_ns: 0,
                signal_ns,
            },
        }
    }
}

/// Returns every thread of all parts.
pub fn threads<'v, 'p: 'v>(
    views: impl Iterator<Item = &'v PartView<'p>>,
    times: &Times,
    waits: &ThreadWaits<'_>,
    sites: &Sites,
) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    for view in views {
        let part = view.part;
        for (number, thread) in part.threads.iter().enumerate() {
            let alone = view.slots_alone.contains(&thread.slot);
            let waited = waits.ended(view.position, thread, alone);
            let unended = waits.unended(view, number);
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
                spin_ns: None,
                cpu_wait_ns: kernel.map(|kernel| kernel.run_delay_ns),
                lock_wait_ns: Some(waited.lock_ns.saturating_add(unended.lock_ns)),
                lock_still_waiting_ns: unended.lock_ns,
                signal_wait_ns: Some(waited.signal_ns.saturating_add(unended.signal_ns)),
                signal_still_waiting_ns: unended.signal_ns,
                futex_wait_ns: None,
                voluntary_switches: kernel.map(|kernel| kernel.voluntary_switches),
                involuntary_switches: kernel.map(|kernel| kernel.involuntary_switches),
                yields: kernel
                    .filter(|_| part.process.format >= COUNTS_YIELDS)
                    .map(|kernel| thread.yields.min(kernel.involuntary_switches)),
            });
        }
    }
    threads
}

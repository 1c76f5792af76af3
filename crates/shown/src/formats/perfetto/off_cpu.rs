//! Times without a CPU: a track of their own below each thread, and flows from the thread that woke another.

use std::io::{self, Write};

use super::sequence::{Event, Kind, Sequence};
use super::trace::thread_track;
use crate::profile::timeline::ByThread;
use locktoll_results::profile::timeline::{Index, Timeline};

/// The numbers of names that are used here, from 1.
pub const NAMES: u64 = 4;

const PREEMPTED: (u64, &str) = (1, "preempted");
const BLOCKED: (u64, &str) = (2, "no CPU");
const WAKES: (u64, &str) = (3, "wakes a thread");
const WOKEN: (u64, &str) = (4, "woken");

fn track(thread: usize) -> u64 {
    4 << 60 | thread as u64
}

/// Flows of waits have the numbers of their rows.
fn flow_of(row: usize) -> u64 {
    1 << 62 | row as u64
}

/// Writes the times of thread `number`, and the moments at which it woke others.
pub fn write<W: Write>(
    timeline: &Timeline,
    number: usize,
    by_thread: &ByThread,
    sequence: &mut Sequence<'_, W>,
) -> io::Result<()> {
    let rows = by_thread.switches.of_thread(number);
    if !rows.is_empty() {
        sequence.describe(|it| {
            it.number(1, track(number));
            it.number(5, thread_track(number, 0));
            it.text(2, "without a CPU");
        })?;
    }
    let event = |at_ns, name| Event {
        at_ns,
        kind: Kind::OffCpu,
        name,
        stack: Index::NONE,
        track: Some(track(number)),
        flow: None,
        last_of_flow: None,
    };
    for &row in rows {
        let switch = timeline.switches.get(row as usize);
        let name = match switch.preempted {
            true => PREEMPTED,
            false => BLOCKED,
        };
        sequence.begin_slice(&event(switch.out_ns, name))?;
        sequence.end_slice(switch.in_ns, Some(track(number)))?;
        if switch.waker.get().is_some() {
            sequence.moment(&Event {
                last_of_flow: Some(flow_of(row as usize)),
                ..event(switch.in_ns, WOKEN)
            })?;
        }
    }
    for &row in by_thread.woke.of_thread(number) {
        let switch = timeline.switches.get(row as usize);
        sequence.moment(&Event {
            track: None,
            flow: Some(flow_of(row as usize)),
            ..event(switch.in_ns, WAKES)
        })?;
    }
    Ok(())
}

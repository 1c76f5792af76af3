//! Calls that may block, made while a lock was held: a track of their own below each thread.

use std::io::{self, Write};

use super::sequence::{Event, Kind, Sequence};
use super::trace::thread_track;
use locktoll_results::profile::timeline::{Block, Index};

fn track(thread: usize) -> u64 {
    5 << 60 | thread as u64
}

/// Writes calls of thread `number`, each with the number and the text of its name.
pub fn write<'n, W: Write>(
    calls: impl Iterator<Item = (Block, (u64, &'n str))>,
    number: usize,
    sequence: &mut Sequence<'_, W>,
) -> io::Result<()> {
    let mut calls = calls.peekable();
    if calls.peek().is_some() {
        sequence.describe(|it| {
            it.number(1, track(number));
            it.number(5, thread_track(number, 0));
            it.text(2, "calls that may block");
        })?;
    }
    for (call, name) in calls {
        sequence.begin_slice(&Event {
            at_ns: call.begin_ns,
            kind: Kind::Block,
            name,
            stack: Index::NONE,
            track: Some(track(number)),
            flow: None,
            last_of_flow: None,
        })?;
        sequence.end_slice(call.end_ns, Some(track(number)))?;
    }
    Ok(())
}

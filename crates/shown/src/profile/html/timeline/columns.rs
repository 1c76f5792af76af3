//! The intervals as blocks of columns: numbers of 7 bits per byte, the lowest first, then deflate, then base 64.
//!
//! A block has up to 65,536 intervals, and these columns, each for all of them:
//!
//! 1. kind: bits 0 to 2 a [`Kind`]; bit 3 if it begins before the one before it ends; from bit 4 its flags;
//! 2. lock: 0 if it is that of the interval before, else its number plus one;
//! 3. beginning, nanoseconds: after the end of the interval before, or after its beginning if bit 3 of the kind is set; the
//!    time itself for the first interval of a block or of a thread;
//! 4. length, nanoseconds;
//! 5. stack, plus one; 0 if it is not known;
//! 6. thread that released or woke, plus one; 0 if it is not known;
//! 7. thread that held the lock: 0 if it is not known, 1 if it is the one that released, else its number plus two;
//! 8. time from the release to the end, plus one; 0 if the page can derive it (`derived`);
//! 9. the holder's place, plus one; 0 if the page can derive it.
//!
//! Figures that repeat those before become zeros, of which deflate leaves nearly nothing.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};

use super::derived::{holder_place, released_ns};
use super::interval::{Interval, Kind};
use super::sorted::Sorted;
use locktoll_results::profile::timeline::Index;

/// The number of intervals of a block.
const BLOCK: usize = 65_536;

const COLUMNS: usize = 9;

/// Returns the blocks: `{n, data}`.
///
/// # Errors
/// None are known: the blocks are written to memory.
pub fn blocks(all: &Sorted<'_>, lock: impl Fn(u32) -> u64) -> anyhow::Result<Vec<Value>> {
    let mut blocks = Vec::new();
    for begin in (0..all.len()).step_by(BLOCK) {
        let end = all.len().min(begin + BLOCK);
        let data = encoded(&block(all, begin, end, &lock))?;
        blocks.push(json!({ "n": end - begin, "data": data }));
    }
    Ok(blocks)
}

/// Compresses bytes, and writes them in base 64.
///
/// # Errors
/// None are known: they are written to memory.
pub fn encoded(bytes: &[u8]) -> anyhow::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

fn block(all: &Sorted<'_>, begin: usize, end: usize, lock: impl Fn(u32) -> u64) -> Vec<u8> {
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    let mut before: Option<(Interval, u64)> = None;
    for at in begin..end {
        let it = all.get(at);
        let lock = lock(it.lock);
        let same_thread = before
            .as_ref()
            .map(|(it, _)| it)
            .filter(|before| before.thread == it.thread);
        let is_inside = same_thread.is_some_and(|before| it.begin_ns < before.end_ns);
        let base = match same_thread {
            Some(before) if is_inside => before.begin_ns,
            Some(before) => before.end_ns,
            None => 0,
        };
        let kind = it.kind as u64 | u64::from(is_inside) << 3 | u64::from(it.flags) << 4;
        let is_same_lock = before.as_ref().is_some_and(|&(_, before)| before == lock);
        let released = it
            .released_ns
            .filter(|_| released_ns(all, &it) != it.released_ns);
        let is_wait = matches!(it.kind, Kind::Wait | Kind::Event);
        let place =
            Some(it.holder_place).filter(|&place| is_wait && holder_place(all, &it) != place);
        let values: [u64; COLUMNS] = [
            kind,
            if is_same_lock { 0 } else { lock + 1 },
            it.begin_ns - base,
            it.end_ns - it.begin_ns,
            one_more(it.stack),
            one_more(it.from),
            match it.holder {
                Index::NONE => 0,
                holder if holder == it.from => 1,
                holder => one_more(holder) + 1,
            },
            released.map_or(0, |ns| it.end_ns.saturating_sub(ns) + 1),
            place.map_or(0, one_more),
        ];
        for (column, value) in columns.iter_mut().zip(values) {
            number(column, value);
        }
        before = Some((it, lock));
    }
    columns.concat()
}

fn one_more(index: Index) -> u64 {
    index.get().map_or(0, |it| it as u64 + 1)
}

fn number(column: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        column.push(value as u8 | 128);
        value >>= 7;
    }
    column.push(value as u8);
}

//! The intervals as blocks of columns, compressed (deflate) and then written in base 64.
//!
//! A column begins with the number of bytes that its largest number has. The lowest byte of each number follows, then the next
//! byte of each, and so on: bytes of one rank resemble each other, so they compress better than whole numbers.
//!
//! A block has up to 65,536 intervals, and these columns, each for all of them:
//!
//! 1. kind: bits 0 to 2 a [`Kind`]; bit 3 if it begins before the one before it ends; from bit 4 its flags;
//! 2. lock: 0 if it is that of the interval before, else its number plus one;
//! 3. beginning, nanoseconds: after the end of the interval before, or after its beginning if bit 3 of the kind is set; the
//!    time itself for the first interval of a block or of a thread;
//! 4. length, nanoseconds;
//! 5. stack: 0 if it is that of the last interval of the block with the same kind and lock, 1 if it is not known, else its
//!    number plus two;
//! 6. thread that released or woke, plus one; 0 if it is not known;
//! 7. thread that held the lock: 0 if it is not known, 1 if it is the one that released, else its number plus two;
//! 8. time from the release to the end, plus one; 0 if the page can derive it (`derived`);
//! 9. the holder's place, plus two; 0 if the page can derive it, 1 if it is the one that this column last had for the lock.
//!
//! Figures that repeat those before become zeros, of which deflate leaves nearly nothing.

use std::collections::HashMap;
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
        let columns = block(all, begin, end, &lock);
        let pieces: Vec<Vec<u8>> = columns.iter().flat_map(|it| ranked(it)).collect();
        let data = encoded(pieces.iter().map(Vec::as_slice))?;
        blocks.push(json!({ "n": end - begin, "data": data }));
    }
    Ok(blocks)
}

/// Compresses pieces of bytes, and writes them in base 64. Each piece gets codes of its own, so it should have bytes that
/// resemble each other.
///
/// # Errors
/// None are known: they are written to memory.
pub fn encoded<'b>(pieces: impl IntoIterator<Item = &'b [u8]>) -> anyhow::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    for piece in pieces {
        encoder.write_all(piece)?;
        encoder.flush()?;
    }
    Ok(STANDARD.encode(encoder.finish()?))
}

fn block(
    all: &Sorted<'_>,
    begin: usize,
    end: usize,
    lock: impl Fn(u32) -> u64,
) -> [Vec<u64>; COLUMNS] {
    let mut columns: [Vec<u64>; COLUMNS] = Default::default();
    let mut before = Before::default();
    for at in begin..end {
        let it = all.get(at);
        let values = before.values(all, &it, lock(it.lock));
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    columns
}

/// The intervals of a block before one of them, as far as that one repeats them.
#[derive(Default)]
struct Before {
    last: Option<Interval>,
    lock: Option<u64>,
    /// By kind and lock.
    stacks: HashMap<(Kind, u64), Index>,
    /// By lock.
    places: HashMap<u64, Index>,
}

impl Before {
    /// Returns the numbers of an interval, and remembers it.
    fn values(&mut self, all: &Sorted<'_>, it: &Interval, lock: u64) -> [u64; COLUMNS] {
        let same_thread = self.last.filter(|last| last.thread == it.thread);
        let is_inside = same_thread.is_some_and(|last| it.begin_ns < last.end_ns);
        let base = match same_thread {
            Some(last) if is_inside => last.begin_ns,
            Some(last) => last.end_ns,
            None => 0,
        };
        let is_same_lock = self.lock.replace(lock) == Some(lock);
        let is_same_stack = self.stacks.insert((it.kind, lock), it.stack) == Some(it.stack);
        self.last = Some(*it);
        let released = it.released_ns;
        let released = released.filter(|_| released_ns(all, it) != it.released_ns);
        [
            it.kind as u64 | u64::from(is_inside) << 3 | u64::from(it.flags) << 4,
            if is_same_lock { 0 } else { lock + 1 },
            it.begin_ns - base,
            it.end_ns - it.begin_ns,
            if is_same_stack {
                0
            } else {
                one_more(it.stack) + 1
            },
            one_more(it.from),
            match it.holder {
                Index::NONE => 0,
                holder if holder == it.from => 1,
                holder => one_more(holder) + 1,
            },
            released.map_or(0, |ns| it.end_ns.saturating_sub(ns) + 1),
            self.place(all, it, lock),
        ]
    }

    fn place(&mut self, all: &Sorted<'_>, it: &Interval, lock: u64) -> u64 {
        let is_derived = it.holder_place == Index::NONE || holder_place(all, it) == it.holder_place;
        if is_derived {
            return 0;
        }
        match self.places.insert(lock, it.holder_place) {
            Some(last) if last == it.holder_place => 1,
            _ => one_more(it.holder_place) + 1,
        }
    }
}

fn one_more(index: Index) -> u64 {
    index.get().map_or(0, |it| it as u64 + 1)
}

/// Returns the number of bytes that the numbers have, and those bytes by rank.
fn ranked(column: &[u64]) -> Vec<Vec<u8>> {
    let most = column.iter().copied().max().unwrap_or(0);
    let ranks = 8 - most.leading_zeros() as usize / 8;
    let of = |rank: usize| {
        column
            .iter()
            .map(move |value| value.to_le_bytes()[rank])
            .collect()
    };
    std::iter::once(vec![ranks as u8])
        .chain((0..ranks).map(of))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::made_up;

    #[test]
    fn ten_million_events_fit_into_sixty_mebibytes() {
        const EVENTS: usize = 200_000;
        let timeline = made_up::timeline(EVENTS, 3);
        let all = Sorted::new(&timeline);
        let blocks = blocks(&all, u64::from).unwrap();
        let bytes: usize = blocks
            .iter()
            .map(|it| it["data"].as_str().unwrap().len())
            .sum();
        let of_ten_million = bytes * (10_000_000 / EVENTS);
        assert!(of_ten_million < 57 << 20, "{bytes} bytes");
    }

    /// The page's script reads the same (`tests/page/timeline/contents.rs`).
    #[test]
    fn bytes_of_one_rank_are_next_to_each_other() {
        for (column, expected) in [
            (&[0, 0][..], &[0_u8][..]),
            (&[1, 255], &[1, 1, 255]),
            (&[256, 7, 0x01_02_03], &[3, 0, 7, 3, 1, 0, 2, 0, 0, 1]),
            (&[u64::MAX], &[8, 255, 255, 255, 255, 255, 255, 255, 255]),
        ] {
            assert_eq!(ranked(column).concat(), expected);
        }
    }
}

//! The header of a sum.

use core::mem::offset_of;

use super::image::Image;
use crate::layout::{DROPPED_COUNTERS, DropReason, Header, flags};
use crate::reader::RawPart;
use crate::reader::bytes::Fields;
use crate::reader::since::{lives, put};

/// Turns the header of a program's first process into that of its sum, the one with this number among all sums.
pub fn begin(page: &mut [u8], number: u32) {
    without_figures(page);
    put(page, offset_of!(Header, pid), &[0; 4]);
    put(page, offset_of!(Header, sequence), &number.to_le_bytes());
    let bits = Fields(page).u32(offset_of!(Header, flags)) & flags::NOTES_ORDER | flags::ENDED;
    put(page, offset_of!(Header, flags), &bits.to_le_bytes());
    // Filled in after the run, for the whole recording; and events are not added up.
    let later = offset_of!(Header, added_ps_per_pair)..offset_of!(Header, processes);
    for at in later.step_by(8) {
        put(page, at, &[0; 8]);
    }
}

/// The words of the header that are sums.
fn sums() -> impl Iterator<Item = usize> {
    let dropped = offset_of!(Header, dropped);
    let dropped = (dropped..dropped + 8 * DROPPED_COUNTERS).step_by(8);
    let usage = (offset_of!(Header, user_ns)..offset_of!(Header, added_ps_per_pair)).step_by(8);
    let others = [
        offset_of!(Header, processes),
        offset_of!(Header, unlisted_ns),
    ];
    dropped.chain(usage).chain(others)
}

/// Removes all figures.
pub fn without_figures(page: &mut [u8]) {
    for at in sums().chain([offset_of!(Header, end_monotonic_ns)]) {
        put(page, at, &[0; 8]);
    }
}

/// Adds the header and the lives of an image of a process.
pub fn add_image(page: &mut [u8], part: &RawPart, image: Image) {
    let ended_ns = lives::ended_ns(part, image.next_ns);
    let (threads, lived_ns) = lives::of(part, ended_ns);
    drop(page, DropReason::ThreadUnwritten, threads);
    count(page, offset_of!(Header, unlisted_ns), lived_ns);
    if !image.comes_again {
        count(page, offset_of!(Header, processes), 1);
    }
    add(page, part, ended_ns);
}

/// Adds the header of the same sum at another time.
pub fn add_same(page: &mut [u8], part: &RawPart) {
    add(page, part, lives::ended_ns(part, None));
}

fn add(page: &mut [u8], part: &RawPart, ended_ns: u64) {
    let more = Fields(&part.header);
    for at in sums() {
        count(page, at, more.u64(at));
    }
    let end = offset_of!(Header, end_monotonic_ns);
    let ended_ns = Fields(page).u64(end).max(ended_ns);
    put(page, end, &ended_ns.to_le_bytes());
    let bits = offset_of!(Header, flags);
    let has_stopped = |page: &[u8]| Fields(page).u32(bits) & flags::STOPPED != 0;
    if has_stopped(&part.header) && !has_stopped(page) {
        let both = Fields(page).u32(bits) | flags::STOPPED;
        put(page, bits, &both.to_le_bytes());
        let why = offset_of!(Header, stop_reason)..offset_of!(Header, sequence);
        put(page, why.start, more.bytes(why.start, why.len()));
        let when = offset_of!(Header, stopped_monotonic_ns);
        put(page, when, &more.u64(when).to_le_bytes());
    }
}

/// Counts items that a sum does not have.
pub fn drop(page: &mut [u8], reason: DropReason, items: u64) {
    let at = offset_of!(Header, dropped) + 8 * usize::from(reason.number());
    count(page, at, items);
}

fn count(page: &mut [u8], at: usize, more: u64) {
    let sum = Fields(page).u64(at).saturating_add(more);
    put(page, at, &sum.to_le_bytes());
}

//! The figures since an earlier look.

use core::mem::offset_of;
use core::ops::Range;
use std::collections::{HashMap, HashSet, VecDeque};
use std::vec::Vec;

use super::key::Id;
use super::raw::{Group, RawPart, put};
use super::shape::{self, Shape};
use super::{calls, header};
use crate::histogram;
use crate::layout::{RecordKind, ThreadRecord};
use crate::reader::bytes::Fields;

/// The time between two looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// When the earlier look was: `CLOCK_MONOTONIC` and `CLOCK_REALTIME`, nanoseconds; `None` if there was none.
    pub began_ns: Option<(u64, u64)>,
    /// When this look is, `CLOCK_MONOTONIC`, if the process still runs.
    pub now_ns: Option<u64>,
}

/// A part since an earlier look at it.
#[derive(Clone, Debug)]
pub struct Since {
    /// The figures of the interval.
    pub difference: RawPart,
    /// All figures that have been reported by now, for the next look.
    pub reported: RawPart,
}

/// Returns what happened in a part since `then`, an earlier look at it, or since it began.
///
/// `then` may come from anywhere: figures that are larger than the present ones count as zero.
#[must_use]
pub fn since(now: &RawPart, then: Option<&RawPart>, interval: Interval) -> Since {
    let mut earlier = Earlier::of(now, then);
    let mut difference = now.without_records();
    let mut reported = difference.clone();
    for group in &now.groups {
        let (mut new, mut all) = (Group::like(group), Group::like(group));
        for record in group.records() {
            let Some(shape) = shape::of(group.kind) else {
                new.bytes.extend_from_slice(record);
                all.bytes.extend_from_slice(record);
                continue;
            };
            let id = Id::of(group.kind, group.owner, shape, record);
            let before = earlier.records.get_mut(&id).and_then(VecDeque::pop_front);
            let before = before.as_deref();
            new.bytes.extend(
                of_interval(group.kind, shape, record, before, interval).unwrap_or_default(),
            );
            all.bytes.extend(larger(shape, record, before));
        }
        difference.groups.push(new);
        reported.groups.push(all);
    }
    reported.groups.extend(earlier.carried);
    header::of_interval(&mut difference.header, then, interval);
    header::subtract_lives(&mut difference.header, now, then);
    header::end(&mut reported.header, interval);
    Since {
        difference,
        reported,
    }
}

/// The records of the earlier look.
struct Earlier {
    /// By id. The recorder makes one record of each; in a part from elsewhere there may be several, in the order of the part.
    records: HashMap<Id, VecDeque<Vec<u8>>>,
    /// Records of locks that have gone, whose figures are not found elsewhere: they were on their way when the part was read.
    carried: Vec<Group>,
}

impl Earlier {
    fn of(now: &RawPart, then: Option<&RawPart>) -> Self {
        let mut earlier = Self {
            records: HashMap::new(),
            carried: Vec::new(),
        };
        let Some(then) = then else {
            return earlier;
        };
        let present: HashSet<Id> = with_ids(now).map(|(id, ..)| id).collect();
        let mut gone = Vec::new();
        for (id, group, shape, record) in with_ids(then) {
            match shape.is_folded && !present.contains(&id) {
                true => gone.push((id, group, shape, record)),
                false => earlier
                    .records
                    .entry(id)
                    .or_default()
                    .push_back(record.to_vec()),
            }
        }
        for (id, group, shape, record) in gone {
            match id.of_all(shape).filter(|all| present.contains(all)) {
                Some(all) => {
                    let of_all = earlier.records.entry(all).or_default();
                    if of_all.is_empty() {
                        of_all.push_back(none_of(shape, record));
                    }
                    add(&mut of_all[0], shape, record);
                }
                None => {
                    let mut carried = Group::like(group);
                    carried.bytes.extend_from_slice(record);
                    earlier.carried.push(carried);
                }
            }
        }
        earlier
    }
}

/// Returns all records with figures.
pub fn with_ids(part: &RawPart) -> impl Iterator<Item = (Id, &Group, &'static Shape, &[u8])> {
    let groups = part.groups.iter();
    let groups = groups.filter_map(|group| Some((group, shape::of(group.kind)?)));
    groups.flat_map(|(group, shape)| {
        group.records().map(move |record| {
            (
                Id::of(group.kind, group.owner, shape, record),
                group,
                shape,
                record,
            )
        })
    })
}

/// Returns the record without its figures.
pub fn none_of(shape: &Shape, record: &[u8]) -> Vec<u8> {
    let mut none = record.to_vec();
    let longest = shape.longest.iter().map(|(at, _)| *at);
    for at in words(shape).chain(longest) {
        put(&mut none, at, &[0; 8]);
    }
    if shape.has_calls {
        calls::clear(&mut none);
    }
    none
}

/// Adds the figures of a record to `sum`.
pub fn add(sum: &mut [u8], shape: &Shape, record: &[u8]) {
    let (was, more) = (sum.to_vec(), Fields(record));
    for at in words(shape) {
        let figure = Fields(&was).u64(at).saturating_add(more.u64(at));
        put(sum, at, &figure.to_le_bytes());
    }
    if shape.has_calls {
        calls::add(sum, more);
    }
    if let Some((longest, _)) = shape.longest {
        let longer = Fields(&was).u64(longest).max(more.u64(longest));
        put(sum, longest, &longer.to_le_bytes());
    }
}

/// Returns the places of the words that are sums.
fn words(shape: &Shape) -> impl Iterator<Item = usize> {
    shape.sums.iter().cloned().flat_map(|it| it.step_by(8))
}

/// Returns the record with the figures of the interval; `None` if there were none.
fn of_interval(
    kind: RecordKind,
    shape: &Shape,
    record: &[u8],
    before: Option<&[u8]>,
    interval: Interval,
) -> Option<Vec<u8>> {
    let now = Fields(record);
    let then = Fields(before.unwrap_or_default());
    let mut new = record.to_vec();
    let mut any = false;
    for at in words(shape) {
        let figure = now.u64(at).saturating_sub(then.u64(at));
        any |= figure > 0;
        put(&mut new, at, &figure.to_le_bytes());
    }
    if shape.has_calls {
        calls::subtract(&mut new, then);
    }
    if shape.is_left_out && !any {
        return None;
    }
    if let Some((longest, histogram)) = &shape.longest {
        let (now_ns, then_ns) = (now.u64(*longest), then.u64(*longest));
        let last = last_bucket(histogram, &new);
        let at_most = match last {
            Some(bucket) if bucket + 1 < histogram::BUCKETS => {
                histogram::lower_bound_ns(bucket + 1) - 1
            }
            Some(_) => u64::MAX,
            None => 0,
        };
        if before.is_some() && now_ns <= then_ns {
            put(&mut new, *longest, &now_ns.min(at_most).to_le_bytes());
        }
    }
    if kind == RecordKind::Thread {
        return life(new, before.is_some(), then, interval);
    }
    Some(new)
}

/// Returns the last bucket of a histogram that is not empty.
fn last_bucket(histogram: &Range<usize>, record: &[u8]) -> Option<usize> {
    let mut places = histogram.clone().step_by(8);
    let count = places.len();
    let from_end = places.rposition(|at| Fields(record).u64(at) != 0);
    from_end.filter(|&place| place < count)
}

/// Returns the part of a thread's life that lies in the interval; `None` if it had ended before.
fn life(
    mut new: Vec<u8>,
    was_there: bool,
    then: Fields<'_>,
    interval: Interval,
) -> Option<Vec<u8>> {
    let (Some((began_ns, _)), true) = (interval.began_ns, was_there) else {
        return Some(new);
    };
    if then.u64(offset_of!(ThreadRecord, end_ns)) != 0 {
        return None;
    }
    for at in [
        offset_of!(ThreadRecord, start_ns),
        offset_of!(ThreadRecord, waiting_since_ns),
    ] {
        let time_ns = Fields(&new).u64(at);
        if time_ns != 0 {
            put(&mut new, at, &time_ns.max(began_ns).to_le_bytes());
        }
    }
    // The kernel's figures are those of the whole life.
    let kernels = offset_of!(ThreadRecord, kernel_read_ns)..offset_of!(ThreadRecord, lock_wait_ns);
    for at in kernels.step_by(8) {
        put(&mut new, at, &[0; 8]);
    }
    Some(new)
}

/// Returns the record with all figures that have been reported: the present ones, or those of before where they are larger. These
/// were about to be moved to another record when the part was read, and must not be reported again from there.
fn larger(shape: &Shape, record: &[u8], before: Option<&[u8]>) -> Vec<u8> {
    let mut all = record.to_vec();
    let then = Fields(before.unwrap_or_default());
    for at in words(shape) {
        let figure = Fields(record).u64(at).max(then.u64(at));
        put(&mut all, at, &figure.to_le_bytes());
    }
    all
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;

//! Which bytes of a record identify it, and which are figures.

use core::mem::offset_of;
use core::ops::Range;

use crate::histogram;
use crate::layout::{
    BirthRecord, BlameRecord, ContentionRecord, CountRecord, HELD_KEPT, HeldRecord, HoldRecord,
    OrderRecord, RecordKind, StackWaitRecord, ThreadRecord,
};

/// The parts of a record.
pub struct Shape {
    /// The bytes that identify it, among records of its kind and owner.
    pub key: &'static [Range<usize>],
    /// The words that are sums.
    pub sums: &'static [Range<usize>],
    /// The longest duration, and the histogram of all of them.
    pub longest: Option<(usize, Range<usize>)>,
    /// Whether it has calls in holds: see [`calls`](super::calls).
    pub has_calls: bool,
    /// Whether a record that represents all locks of a birth takes over the figures when the lock has gone.
    pub is_folded: bool,
    /// Whether it is left out if nothing happened.
    pub is_left_out: bool,
}

/// The fields with which records about a lock begin: the lock, and the site up to the entry point.
const LOCK: Range<usize> = 0..8;
const PLACE: Range<usize> = offset_of!(CountRecord, site)..offset_of!(CountRecord, entry) + 1;
/// The first counter.
const FIRST: Range<usize> = 8..16;

const BUCKET_BYTES: usize = 8 * histogram::BUCKETS;

const fn histogram_at(offset: usize) -> Range<usize> {
    offset..offset + BUCKET_BYTES
}

const COUNT: Shape = Shape {
    key: &[LOCK, PLACE],
    sums: &[FIRST],
    longest: None,
    has_calls: false,
    is_folded: true,
    is_left_out: true,
};

const WAITS: Range<usize> = histogram_at(offset_of!(ContentionRecord, wait_histogram));
const CONTENTION: Shape = Shape {
    sums: &[
        FIRST,
        word(offset_of!(ContentionRecord, wait_total_ns)),
        offset_of!(ContentionRecord, try_failed)..offset_of!(ContentionRecord, reserved_words),
        WAITS,
    ],
    longest: Some((offset_of!(ContentionRecord, wait_max_ns), WAITS)),
    ..COUNT
};

const HOLDS: Range<usize> = histogram_at(offset_of!(HoldRecord, hold_histogram));
const HOLD: Shape = Shape {
    sums: &[
        FIRST,
        offset_of!(HoldRecord, timed_total_ns)..offset_of!(HoldRecord, max_ns),
        offset_of!(HoldRecord, examined)..offset_of!(HoldRecord, hold_histogram),
        HOLDS,
    ],
    longest: Some((offset_of!(HoldRecord, max_ns), HOLDS)),
    has_calls: true,
    ..COUNT
};

const BLAME: Shape = Shape {
    key: &[
        LOCK,
        PLACE,
        offset_of!(BlameRecord, holder_site)..offset_of!(BlameRecord, wait_ns),
    ],
    sums: &[FIRST, word(offset_of!(BlameRecord, wait_ns))],
    ..COUNT
};

const STACK_WAIT: Shape = Shape {
    key: &[
        LOCK,
        PLACE,
        offset_of!(StackWaitRecord, stack)..offset_of!(StackWaitRecord, reserved_half),
    ],
    sums: &[FIRST, word(offset_of!(StackWaitRecord, wait_ns))],
    ..COUNT
};

/// A held lock without its flags, which change from event to event.
const fn held(number: usize) -> Range<usize> {
    let begin = offset_of!(OrderRecord, held) + number * size_of::<HeldRecord>();
    begin..begin + offset_of!(HeldRecord, flags)
}

const ORDER: Shape = Shape {
    key: &[
        LOCK,
        offset_of!(OrderRecord, site)..offset_of!(OrderRecord, flags),
        offset_of!(OrderRecord, chain)..offset_of!(OrderRecord, threads),
        held(0),
        held(1),
        held(2),
        held(3),
        held(4),
        held(5),
        held(6),
        held(7),
    ],
    sums: &[FIRST],
    is_folded: false,
    ..COUNT
};
const _: () = assert!(HELD_KEPT == 8);

const BIRTH_ID: Range<usize> = offset_of!(BirthRecord, id)..offset_of!(BirthRecord, id) + 4;
const LOCKS: Range<usize> = word(offset_of!(BirthRecord, locks));
const BIRTH: Shape = Shape {
    key: &[BIRTH_ID],
    sums: &[LOCKS],
    is_folded: false,
    // Other records name it.
    is_left_out: false,
    ..COUNT
};

/// A life: what the thread waited, and its calls of sched_yield(2). Its other figures are those of the kernel at its end.
const WAITED: Range<usize> =
    offset_of!(ThreadRecord, lock_wait_ns)..offset_of!(ThreadRecord, waiting_holder_site);
const THREAD: Shape = Shape {
    key: &[
        offset_of!(ThreadRecord, tid)..offset_of!(ThreadRecord, slot) + 4,
        word(offset_of!(ThreadRecord, start_ns)),
    ],
    sums: &[WAITED],
    is_folded: false,
    is_left_out: false,
    ..COUNT
};

const fn word(offset: usize) -> Range<usize> {
    offset..offset + 8
}

/// Returns the shape of records of this kind; `None` for those without figures.
pub const fn of(kind: RecordKind) -> Option<&'static Shape> {
    Some(match kind {
        RecordKind::Count => &COUNT,
        RecordKind::Contention => &CONTENTION,
        RecordKind::Hold => &HOLD,
        RecordKind::Blame => &BLAME,
        RecordKind::StackWait => &STACK_WAIT,
        RecordKind::Order => &ORDER,
        RecordKind::Birth => &BIRTH,
        RecordKind::Thread => &THREAD,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{CALLS_KEPT, Record};

    /// A field that belongs neither to the key nor to the figures is one of these: what the writer alone uses, what only
    /// describes, and room for later.
    #[test]
    fn every_word_of_a_figure_is_a_sum() {
        fn words<R: Record>() -> usize {
            let shape = of(R::KIND).unwrap();
            let sums: usize = shape.sums.iter().map(|it| it.len() / 8).sum();
            assert!(
                shape
                    .sums
                    .iter()
                    .all(|it| it.start % 8 == 0 && it.end % 8 == 0)
            );
            assert!(shape.sums.iter().all(|it| it.end <= size_of::<R>()));
            let calls = if shape.has_calls { 2 * CALLS_KEPT } else { 0 };
            sums + calls + usize::from(shape.longest.is_some())
        }
        assert_eq!(words::<CountRecord>(), 1);
        // 448 bytes: 32 of the head, of which one word is a figure, and one word in reserve.
        assert_eq!(words::<ContentionRecord>(), (448 - 32) / 8 - 1 + 1);
        // 512 bytes: the same head, and the writer's period.
        assert_eq!(words::<HoldRecord>(), (512 - 32) / 8 - 1 + 1);
        assert_eq!((words::<BlameRecord>(), words::<StackWaitRecord>()), (2, 2));
        assert_eq!((words::<OrderRecord>(), words::<BirthRecord>()), (1, 1));
        assert_eq!(words::<ThreadRecord>(), 3);
    }
}

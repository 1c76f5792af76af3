//! The records of segments.

use super::RecordKind;

/// A structure of which segments consist.
///
/// # Safety
///
/// The type is `repr(C)`, made of atomic integers only (so that any bytes are a valid value and shared memory may
/// change under a reference), at most 8-aligned, and its size divides into no padding.
pub unsafe trait Record {
    /// The kind written in the header of segments of this record.
    const KIND: RecordKind;
}

/// Declares that structures are records, and asserts their sizes.
macro_rules! records {
    ($($record:ident is $kind:ident, $bytes:literal bytes;)*) => {
        $(
            const _: () = assert!(size_of::<$record>() == $bytes && align_of::<$record>() == 8);
            // SAFETY: the structure above is repr(C), all its fields are atomic integers, and the assertion
            // pins its size, which is the sum of its fields'.
            unsafe impl $crate::layout::Record for $record {
                const KIND: $crate::layout::RecordKind = $crate::layout::RecordKind::$kind;
            }
        )*
    };
}

pub(super) use records;

//! Busy waiting, which was seen from outside.

use core::sync::atomic::Ordering::Relaxed;
use std::vec::Vec;

use super::Appendix;
use crate::layout::SpinningRecord;
use crate::writer::store_bytes;

/// The length of a piece with its record: a reader reads a record as a whole.
const RECORD_BYTES: usize = 4096;
const PIECE: usize = RECORD_BYTES - size_of::<SpinningRecord>();

/// A longer text is left out, since only a part of it would be useless.
const MOST_BYTES: usize = 8 << 20;

impl Appendix {
    /// Adds the text on busy waiting: see [`SpinningRecord`].
    #[must_use]
    pub fn with_spinning(mut self, text: &str) -> Self {
        if text.is_empty() || text.len() > MOST_BYTES {
            return self;
        }
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(PIECE).collect();
        let pieces: Vec<&&[u8]> = pieces.iter().collect();
        self.segment::<SpinningRecord, _>(PIECE, &pieces, |piece, record, tail| {
            record.text_bytes.store(piece.len() as u64, Relaxed);
            store_bytes(tail, piece);
        });
        self
    }
}

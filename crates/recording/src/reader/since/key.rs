//! What identifies a record.

use core::mem::offset_of;
use std::vec::Vec;

use super::shape::Shape;
use crate::layout::{CountRecord, POOLED, RecordKind};
use crate::reader::bytes::Fields;

/// Identifies a record within a part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    kind: RecordKind,
    owner: u32,
    key: Vec<u8>,
}

impl Id {
    /// Returns the id of a record.
    pub fn of(kind: RecordKind, owner: u32, shape: &Shape, record: &[u8]) -> Self {
        let fields = Fields(record);
        let mut key = Vec::new();
        for range in shape.key {
            let bytes = fields.bytes(range.start, range.len());
            key.extend_from_slice(bytes);
            key.resize(key.len() + range.len() - bytes.len(), 0);
        }
        Self { kind, owner, key }
    }

    /// Returns the id of the record that takes over the figures of this one, once its lock has gone.
    pub fn of_all(&self, shape: &Shape) -> Option<Self> {
        // The key begins with the lock; the site follows it.
        const LOCK: usize = 0;
        const BEHIND_LOCK: usize = offset_of!(CountRecord, site) - 8;
        const GENERATION: usize = offset_of!(CountRecord, generation) - BEHIND_LOCK;
        const BIRTH: usize = offset_of!(CountRecord, birth) - BEHIND_LOCK;
        if !shape.is_folded {
            return None;
        }
        let mut all = self.clone();
        let birth: [u8; 4] = all.key.get(BIRTH..BIRTH + 4)?.try_into().ok()?;
        all.key
            .get_mut(LOCK..8)?
            .copy_from_slice(&POOLED.to_le_bytes());
        all.key
            .get_mut(GENERATION..GENERATION + 4)?
            .copy_from_slice(&birth);
        Some(all)
    }
}

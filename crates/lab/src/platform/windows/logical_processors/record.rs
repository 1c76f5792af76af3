//! One record, field by field: a record that is too short for its kind has no fields.

use std::mem::offset_of;
use std::ops::Range;

use windows_sys::Win32::System::SystemInformation::{
    CACHE_RELATIONSHIP, CacheData, CacheUnified, GROUP_AFFINITY, GROUP_RELATIONSHIP,
    NUMA_NODE_RELATIONSHIP, PROCESSOR_GROUP_INFO, PROCESSOR_RELATIONSHIP,
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX,
};

use super::{Cache, Group};

/// One record. Its union starts at the offset `union`.
pub(super) struct Record<'a> {
    pub(super) kind: i32,
    pub(super) size: usize,
    union: &'a [u8],
}

impl<'a> Record<'a> {
    pub(super) fn first(bytes: &'a [u8]) -> Option<Self> {
        const UNION: usize = offset_of!(SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX, Anonymous);
        let kind = number(bytes, 0..4)? as i32;
        let size = number(bytes, 4..8)? as usize;
        // An impossible size ends the walk.
        let union = bytes.get(UNION..size)?;
        Some(Self { kind, size, union })
    }

    /// Returns a core's or a package's CPUs.
    pub(super) fn processor(&self) -> Option<Vec<usize>> {
        let count = self.half(offset_of!(PROCESSOR_RELATIONSHIP, GroupCount))?;
        self.cpus(offset_of!(PROCESSOR_RELATIONSHIP, GroupMask), count)
    }

    pub(super) fn node(&self) -> Option<(usize, Vec<usize>)> {
        let at = offset_of!(NUMA_NODE_RELATIONSHIP, NodeNumber);
        let node = number(self.union, at..at + 4)? as usize;
        let count = self.half(offset_of!(NUMA_NODE_RELATIONSHIP, GroupCount))?;
        // Before Windows Server 2022, this count was reserved: it was zero, and meant one.
        let cpus = self.cpus(offset_of!(NUMA_NODE_RELATIONSHIP, Anonymous), count.max(1))?;
        Some((node, cpus))
    }

    pub(super) fn data_cache(&self) -> Option<Cache> {
        let word = |at: usize| number(self.union, at..at + 4);
        let kind = word(offset_of!(CACHE_RELATIONSHIP, Type))? as i32;
        if kind != CacheData && kind != CacheUnified {
            return None;
        }
        let count = self.half(offset_of!(CACHE_RELATIONSHIP, GroupCount))?;
        Some(Cache {
            level: *self.union.get(offset_of!(CACHE_RELATIONSHIP, Level))?,
            bytes: word(offset_of!(CACHE_RELATIONSHIP, CacheSize))?,
            line_bytes: self.half(offset_of!(CACHE_RELATIONSHIP, LineSize))? as u64,
            // Zero means one here, as for nodes.
            cpus: self.cpus(offset_of!(CACHE_RELATIONSHIP, Anonymous), count.max(1))?,
        })
    }

    pub(super) fn groups(&self) -> Option<Vec<Group>> {
        let count = self.half(offset_of!(GROUP_RELATIONSHIP, ActiveGroupCount))?;
        let mask_of = |index: usize| {
            let info = offset_of!(GROUP_RELATIONSHIP, GroupInfo)
                + index * size_of::<PROCESSOR_GROUP_INFO>();
            self.mask(info + offset_of!(PROCESSOR_GROUP_INFO, ActiveProcessorMask))
        };
        (0..count)
            .map(|index| {
                Some(Group {
                    number: index as u16,
                    mask: mask_of(index)?,
                })
            })
            .collect()
    }

    /// Returns the CPUs of `count` consecutive group affinities, starting at `first`.
    fn cpus(&self, first: usize, count: usize) -> Option<Vec<usize>> {
        let groups: Option<Vec<Group>> = (0..count)
            .map(|index| {
                let at = first + index * size_of::<GROUP_AFFINITY>();
                Some(Group {
                    number: self.half(at + offset_of!(GROUP_AFFINITY, Group))? as u16,
                    mask: self.mask(at + offset_of!(GROUP_AFFINITY, Mask))?,
                })
            })
            .collect();
        Some(groups?.iter().flat_map(Group::cpus).collect())
    }

    fn half(&self, at: usize) -> Option<usize> {
        Some(number(self.union, at..at + 2)? as usize)
    }

    fn mask(&self, at: usize) -> Option<usize> {
        Some(number(self.union, at..at + size_of::<usize>())? as usize)
    }
}

/// Reads a little-endian number, the byte order of every processor that runs Windows.
fn number(bytes: &[u8], at: Range<usize>) -> Option<u64> {
    let bytes = bytes.get(at)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    )
}

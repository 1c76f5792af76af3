//! Made-up records for tests.

use std::mem::offset_of;

use windows_sys::Win32::System::SystemInformation::{
    CACHE_RELATIONSHIP, GROUP_AFFINITY, GROUP_RELATIONSHIP, NUMA_NODE_RELATIONSHIP,
    PROCESSOR_GROUP_INFO, PROCESSOR_RELATIONSHIP, RelationCache, RelationGroup, RelationNumaNode,
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX,
};

use super::LogicalProcessors;

/// The bytes of records, each of its kind, as Windows lays them out.
#[derive(Default)]
pub(in super::super) struct Records(pub(in super::super) Vec<u8>);

impl Records {
    fn add(mut self, kind: i32, fields: &[(usize, &[u8])]) -> Self {
        const UNION: usize = offset_of!(SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX, Anonymous);
        let ends = fields.iter().map(|(at, bytes)| at + bytes.len());
        let mut union = vec![0; ends.max().unwrap_or(0)];
        for (at, bytes) in fields {
            union[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        let size = (UNION + union.len()) as u32;
        self.0.extend(kind.to_le_bytes());
        self.0.extend(size.to_le_bytes());
        self.0.extend(union);
        self
    }

    /// Adds a core (or a package) with CPUs of one group.
    pub(in super::super) fn processor(self, kind: i32, group: u16, mask: u64) -> Self {
        let masks = offset_of!(PROCESSOR_RELATIONSHIP, GroupMask);
        self.add(
            kind,
            &[
                (offset_of!(PROCESSOR_RELATIONSHIP, GroupCount), &[1, 0]),
                (masks, &affinity(group, mask)),
            ],
        )
    }

    /// Adds a node as reported before Windows Server 2022, which left the group count zero.
    pub(in super::super) fn node(self, node: u8, group: u16, mask: u64) -> Self {
        self.add(
            RelationNumaNode,
            &[
                (
                    offset_of!(NUMA_NODE_RELATIONSHIP, NodeNumber),
                    &[node, 0, 0, 0],
                ),
                (
                    offset_of!(NUMA_NODE_RELATIONSHIP, Anonymous),
                    &affinity(group, mask),
                ),
            ],
        )
    }

    /// Adds a cache with 64-byte lines.
    pub(in super::super) fn cache(self, level: u8, kind: i32, kib: u32, mask: u64) -> Self {
        self.add(
            RelationCache,
            &[
                (offset_of!(CACHE_RELATIONSHIP, Level), &[level]),
                (offset_of!(CACHE_RELATIONSHIP, LineSize), &[64, 0]),
                (
                    offset_of!(CACHE_RELATIONSHIP, CacheSize),
                    &(kib << 10).to_le_bytes(),
                ),
                (offset_of!(CACHE_RELATIONSHIP, Type), &kind.to_le_bytes()),
                (offset_of!(CACHE_RELATIONSHIP, GroupCount), &[1, 0]),
                (
                    offset_of!(CACHE_RELATIONSHIP, Anonymous),
                    &affinity(0, mask),
                ),
            ],
        )
    }

    /// Adds the record of all groups, with one mask each.
    pub(in super::super) fn groups(self, masks: [u64; 2]) -> Self {
        let info = |index: usize| {
            offset_of!(GROUP_RELATIONSHIP, GroupInfo)
                + index * size_of::<PROCESSOR_GROUP_INFO>()
                + offset_of!(PROCESSOR_GROUP_INFO, ActiveProcessorMask)
        };
        self.add(
            RelationGroup,
            &[
                (offset_of!(GROUP_RELATIONSHIP, ActiveGroupCount), &[2, 0]),
                (info(0), &masks[0].to_le_bytes()),
                (info(1), &masks[1].to_le_bytes()),
            ],
        )
    }

    pub(in super::super) fn parse(&self) -> LogicalProcessors {
        LogicalProcessors::parse(&self.0)
    }
}

fn affinity(group: u16, mask: u64) -> [u8; size_of::<GROUP_AFFINITY>()] {
    let mut bytes = [0; size_of::<GROUP_AFFINITY>()];
    bytes[..8].copy_from_slice(&mask.to_le_bytes());
    bytes[8..10].copy_from_slice(&group.to_le_bytes());
    bytes
}

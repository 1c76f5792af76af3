//! What GetLogicalProcessorInformationEx tells: records of several kinds, one after the other, each with its size.

use std::mem::offset_of;
use std::ops::Range;

use windows_sys::Win32::System::SystemInformation::{
    CACHE_RELATIONSHIP, CacheData, CacheUnified, GROUP_AFFINITY, GROUP_RELATIONSHIP,
    GetLogicalProcessorInformationEx, NUMA_NODE_RELATIONSHIP, PROCESSOR_GROUP_INFO,
    PROCESSOR_RELATIONSHIP, RelationAll, RelationCache, RelationGroup, RelationNumaNode,
    RelationProcessorCore, RelationProcessorPackage, SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX,
};

/// Places in a processor group.
pub(super) const GROUP_CPUS: usize = 64;

/// CPUs of one processor group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) number: u16,
    /// Bit `n` is the group's CPU `n`.
    pub(super) mask: usize,
}

impl Group {
    /// The CPUs by their numbers over all groups, rising.
    pub(super) fn cpus(&self) -> impl Iterator<Item = usize> {
        let Group { number, mask } = *self;
        (0..GROUP_CPUS)
            .filter(move |bit| mask >> bit & 1 == 1)
            .map(move |bit| usize::from(number) * GROUP_CPUS + bit)
    }
}

/// A cache, and the CPUs that share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cache {
    pub(super) level: u8,
    pub(super) bytes: u64,
    pub(super) line_bytes: u64,
    pub(super) cpus: Vec<usize>,
}

/// The records by kind, in Windows' order. Caches are those of data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LogicalProcessors {
    pub(super) groups: Vec<Group>,
    pub(super) cores: Vec<Vec<usize>>,
    pub(super) packages: Vec<Vec<usize>>,
    /// Number and CPUs of each memory node.
    pub(super) nodes: Vec<(usize, Vec<usize>)>,
    pub(super) caches: Vec<Cache>,
}

/// Asks Windows; what it refuses to tell is empty.
pub(super) fn read() -> LogicalProcessors {
    let mut length = 0;
    // SAFETY: no buffer, of no length: only the length is told.
    unsafe {
        GetLogicalProcessorInformationEx(RelationAll, std::ptr::null_mut(), &raw mut length);
    }
    // In words, for the alignment that the records want.
    let mut buffer = vec![0_u64; (length as usize).div_ceil(size_of::<u64>())];
    // SAFETY: the buffer is aligned, and no shorter than the length that goes with it.
    let told = unsafe {
        GetLogicalProcessorInformationEx(RelationAll, buffer.as_mut_ptr().cast(), &raw mut length)
    } != 0;
    if !told {
        return LogicalProcessors::default();
    }
    let bytes: Vec<u8> = buffer.iter().flat_map(|word| word.to_ne_bytes()).collect();
    LogicalProcessors::parse(&bytes[..bytes.len().min(length as usize)])
}

impl LogicalProcessors {
    fn parse(mut bytes: &[u8]) -> LogicalProcessors {
        let mut all = LogicalProcessors::default();
        while let Some(record) = Record::first(bytes) {
            all.add(&record);
            bytes = &bytes[record.size..];
        }
        all
    }

    /// A record that is shorter than its kind wants adds nothing.
    fn add(&mut self, record: &Record<'_>) {
        match record.kind {
            kind if kind == RelationGroup => {
                self.groups.extend(record.groups().unwrap_or_default())
            }
            kind if kind == RelationProcessorCore => self.cores.extend(record.processor()),
            kind if kind == RelationProcessorPackage => self.packages.extend(record.processor()),
            kind if kind == RelationNumaNode => self.nodes.extend(record.node()),
            kind if kind == RelationCache => self.caches.extend(record.data_cache()),
            _ => {}
        }
    }
}

/// One record. Its union starts at the offset `union`.
struct Record<'a> {
    kind: i32,
    size: usize,
    union: &'a [u8],
}

impl<'a> Record<'a> {
    fn first(bytes: &'a [u8]) -> Option<Self> {
        const UNION: usize = offset_of!(SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX, Anonymous);
        let kind = number(bytes, 0..4)? as i32;
        let size = number(bytes, 4..8)? as usize;
        // A size that leads nowhere ends the walk.
        let union = bytes.get(UNION..size)?;
        Some(Self { kind, size, union })
    }

    /// A core's or a package's CPUs.
    fn processor(&self) -> Option<Vec<usize>> {
        let count = self.half(offset_of!(PROCESSOR_RELATIONSHIP, GroupCount))?;
        self.cpus(offset_of!(PROCESSOR_RELATIONSHIP, GroupMask), count)
    }

    fn node(&self) -> Option<(usize, Vec<usize>)> {
        let at = offset_of!(NUMA_NODE_RELATIONSHIP, NodeNumber);
        let node = number(self.union, at..at + 4)? as usize;
        let count = self.half(offset_of!(NUMA_NODE_RELATIONSHIP, GroupCount))?;
        // Before Windows Server 2022 the count was reserved, zero, and meant one.
        let cpus = self.cpus(offset_of!(NUMA_NODE_RELATIONSHIP, Anonymous), count.max(1))?;
        Some((node, cpus))
    }

    fn data_cache(&self) -> Option<Cache> {
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
            // As with nodes.
            cpus: self.cpus(offset_of!(CACHE_RELATIONSHIP, Anonymous), count.max(1))?,
        })
    }

    fn groups(&self) -> Option<Vec<Group>> {
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

    /// The CPUs of `count` group affinities that follow each other from `first` on.
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

/// A little-endian number, as every processor of Windows keeps it.
fn number(bytes: &[u8], at: Range<usize>) -> Option<u64> {
    let bytes = bytes.get(at)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    )
}

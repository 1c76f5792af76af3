//! The records of GetLogicalProcessorInformationEx: several kinds, one after the other, each with its size.

#[cfg(test)]
pub(super) mod made_up;
mod record;

use windows_sys::Win32::System::SystemInformation::{
    GetLogicalProcessorInformationEx, RelationAll, RelationCache, RelationGroup, RelationNumaNode,
    RelationProcessorCore, RelationProcessorPackage,
};

use record::Record;

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
    /// Returns the CPUs by their numbers over all groups, in ascending order.
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

/// The records by kind, in Windows' order. Only data caches are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LogicalProcessors {
    pub(super) groups: Vec<Group>,
    pub(super) cores: Vec<Vec<usize>>,
    pub(super) packages: Vec<Vec<usize>>,
    /// Number and CPUs of each memory node.
    pub(super) nodes: Vec<(usize, Vec<usize>)>,
    pub(super) caches: Vec<Cache>,
}

/// Asks Windows; anything that it refuses to report is empty.
pub(super) fn read() -> LogicalProcessors {
    let mut length = 0;
    // SAFETY: no buffer, and length zero: only the needed length is reported.
    unsafe {
        GetLogicalProcessorInformationEx(RelationAll, std::ptr::null_mut(), &raw mut length);
    }
    // In words, for the alignment that the records need.
    let mut buffer = vec![0_u64; (length as usize).div_ceil(size_of::<u64>())];
    // SAFETY: the buffer is aligned, and at least as long as the length passed with it.
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

    /// Adds a record; one that is too short for its kind adds nothing.
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

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::SystemInformation::CacheData;

    use super::made_up::Records;
    use super::*;

    #[test]
    fn cpus_are_numbered_over_groups() {
        let all = Records::default()
            .groups([0b11, 0b101])
            .processor(RelationProcessorCore, 1, 0b101)
            .node(7, 1, 0b1)
            .parse();
        let cpus: Vec<usize> = all.groups.iter().flat_map(Group::cpus).collect();
        assert_eq!(cpus, [0, 1, 64, 66]);
        assert_eq!(all.cores, [[64, 66]]);
        assert_eq!(all.nodes, [(7, vec![64])]);
    }

    #[test]
    fn an_instruction_cache_is_none_of_data() {
        const INSTRUCTION: i32 = 1;
        let all = Records::default()
            .cache(1, INSTRUCTION, 32, 0b1)
            .cache(1, CacheData, 48, 0b1)
            .parse();
        assert_eq!(all.caches.len(), 1);
        assert_eq!(
            (all.caches[0].bytes, all.caches[0].line_bytes),
            (48 << 10, 64)
        );
    }

    #[test]
    fn bytes_that_break_off_or_lead_nowhere_end_the_list() {
        let whole = Records::default()
            .processor(RelationProcessorCore, 0, 0b1)
            .processor(RelationProcessorCore, 0, 0b10);
        for length in 0..whole.0.len() {
            let cut = Records(whole.0[..length].to_vec()).parse();
            assert!(cut.cores.len() < 2, "{length}: {cut:?}");
        }
        assert_eq!(Records(vec![0; 64]).parse(), LogicalProcessors::default());
        assert_eq!(
            Records(vec![0xff; 64]).parse(),
            LogicalProcessors::default()
        );
    }

    #[test]
    fn this_machine_has_its_groups_and_cores() {
        let all = read();
        let cpus: usize = all.groups.iter().map(|group| group.cpus().count()).sum();
        let in_cores: usize = all.cores.iter().map(Vec::len).sum();
        assert!(cpus > 0);
        assert_eq!(cpus, in_cores, "{all:?}");
    }
}

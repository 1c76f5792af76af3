//! The module that contains an address.

use std::collections::BTreeSet;
use std::vec::Vec;

use super::Module;

/// The address space, divided where modules begin and end, so that a look-up is a binary search.
///
/// Its memory is proportional to the number of ranges, however they overlap.
#[derive(Clone, Debug, Default)]
pub(in crate::reader) struct AddressIndex {
    /// The beginning of each interval, and the module there; rising.
    stretches: Vec<(u64, Option<usize>)>,
}

impl AddressIndex {
    /// Builds the index. Where ranges overlap, the later module in `modules` has the memory: it was mapped after the other had
    /// gone.
    pub fn new(modules: &[Module]) -> Self {
        let mut edges = Vec::new();
        for (number, module) in modules.iter().enumerate() {
            for (position, range) in module.ranges.iter().enumerate() {
                edges.push((range.start, true, (number, position)));
                edges.push((range.end, false, (number, position)));
            }
        }
        edges.sort_unstable();
        let mut there = BTreeSet::new();
        let mut stretches: Vec<(u64, Option<usize>)> = Vec::new();
        for (address, begins, range) in edges {
            if begins {
                there.insert(range);
            } else {
                there.remove(&range);
            }
            let module = there.last().map(|&(module, _)| module);
            match stretches.last_mut() {
                Some((start, last)) if *start == address => *last = module,
                Some((_, last)) if *last == module => {}
                _ => stretches.push((address, module)),
            }
        }
        Self { stretches }
    }

    /// Returns the index of the module in which `address` lies.
    pub fn find(&self, address: u64) -> Option<usize> {
        let after = self
            .stretches
            .partition_point(|&(start, _)| start <= address);
        self.stretches[..after].last()?.1
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::reader::Range;

    fn module(ranges: &[(u64, u64)]) -> Module {
        Module {
            id: 1,
            path: "/bin/x".into(),
            bias: Some(0),
            build_id: Vec::new(),
            first_seen_ns: 0,
            ranges: ranges
                .iter()
                .map(|&(start, end)| Range {
                    start,
                    end,
                    file_offset: None,
                    executable: true,
                    writable: false,
                })
                .collect(),
        }
    }

    proptest! {
        #[test]
        fn the_last_module_whose_range_holds_the_address_is_found(
            modules in vec(vec((0_u64..100, 1_u64..40), 0..4), 0..6),
        ) {
            let modules: Vec<Module> = modules
                .into_iter()
                .map(|ranges| {
                    let ranges: Vec<_> =
                        ranges.into_iter().map(|(start, length)| (start, start + length)).collect();
                    module(&ranges)
                })
                .collect();
            let index = AddressIndex::new(&modules);
            for address in 0..160 {
                let expected = modules.iter().rposition(|module| {
                    module.ranges.iter().any(|range| (range.start..range.end).contains(&address))
                });
                prop_assert_eq!(index.find(address), expected);
            }
        }
    }
}

//! The sizes of the working sets.

use crate::machine::Caches;
use crate::platform::linux::Tree;

/// The smallest size: one page of 4 KiB.
const LEAST: u64 = 4 << 10;
/// The largest size, whatever the caches: larger arrays take longer to build than everything else takes.
const MOST: u64 = 256 << 20;
/// Size assumed for the last-level cache where the kernel does not report it.
const USUAL_LAST_LEVEL: u64 = 8 << 20;
/// Line size assumed where the kernel does not report it.
const USUAL_LINE: u64 = 64;

/// The sizes to measure, and what was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// In bytes, ascending.
    pub(super) bytes: Vec<u64>,
    /// The largest size wanted and why it is left out, if it is.
    pub(super) left_out: Option<(u64, String)>,
}

/// Returns sizes from 4 KiB to four times the last-level cache, each four times the one before; with `quick`, one in each cache.
pub(super) fn sizes(caches: &Caches, available: Option<u64>, quick: bool) -> Sizes {
    let last_level = last_level(caches);
    // Two arrays of a size exist at a time, and a quarter of the free memory is enough to ask for.
    let most = available
        .map_or(MOST, |bytes| (bytes / 8).min(MOST))
        .max(LEAST);
    let wanted = if quick {
        let halves = [caches.l1d_bytes, caches.l2_bytes].map(|bytes| bytes.map(|bytes| bytes / 2));
        let beyond = caches.l2_bytes.map(|bytes| (bytes * 4).min(last_level / 2));
        let mut some: Vec<u64> = halves
            .into_iter()
            .chain([beyond])
            .flatten()
            .map(page)
            .collect();
        if some.is_empty() {
            some = vec![LEAST * 4, LEAST * 64];
        }
        some
    } else {
        let steps = std::iter::successors(Some(LEAST), |bytes| Some(bytes * 4));
        let mut all: Vec<u64> = steps.take_while(|bytes| *bytes < 4 * last_level).collect();
        all.push(page(4 * last_level));
        all
    };
    let largest = wanted.iter().copied().max().unwrap_or(LEAST);
    let mut bytes: Vec<u64> = wanted.into_iter().filter(|bytes| *bytes <= most).collect();
    bytes.sort_unstable();
    bytes.dedup();
    let left_out = (largest > most).then(|| {
        let reason = format!(
            "more than the {} MiB that this run allows itself (256, or an eighth of \
                 the free memory)",
            most >> 20
        );
        (largest, reason)
    });
    Sizes { bytes, left_out }
}

/// Returns the size of the last-level cache, in bytes.
pub(super) fn last_level(caches: &Caches) -> u64 {
    caches
        .l3_bytes
        .or(caches.l2_bytes)
        .or(caches.l1d_bytes)
        .unwrap_or(USUAL_LAST_LEVEL)
        .max(LEAST)
}

/// Rounds down to whole pages of 4 KiB, at least one.
fn page(bytes: u64) -> u64 {
    (bytes / LEAST).max(1) * LEAST
}

/// Returns the number of bytes between two lines of a path through a working set.
pub(in crate::probe) fn line_bytes(caches: &Caches) -> usize {
    let line = caches.line_bytes.unwrap_or(USUAL_LINE);
    if line.is_power_of_two() && (16..=LEAST).contains(&line) {
        line as usize
    } else {
        USUAL_LINE as usize
    }
}

/// Returns the memory available without swapping, in bytes: the machine's, or the control group's where that is less.
pub(super) fn available(tree: &Tree) -> Option<u64> {
    let meminfo = tree.text("/proc/meminfo")?;
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    let machine = kib * 1024;
    // In a container, its own control group is the root that it sees (control groups, version 2).
    let group = tree
        .value::<u64>("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(tree.value("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    Some(group.map_or(machine, |group| group.min(machine)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::linux::fake;

    const CACHES: Caches = Caches {
        line_bytes: Some(64),
        l1d_bytes: Some(48 << 10),
        l2_bytes: Some(1 << 20),
        l3_bytes: Some(32 << 20),
    };

    #[test]
    fn from_a_page_to_four_times_the_last_level() {
        let sizes = sizes(&CACHES, Some(64 << 30), false);
        assert_eq!(sizes.bytes.first(), Some(&4096));
        assert_eq!(sizes.bytes.last(), Some(&(128 << 20)));
        assert_eq!(sizes.bytes.len(), 9);
        assert_eq!(sizes.left_out, None);
    }

    #[test]
    fn quick_has_one_in_each_cache() {
        let sizes = sizes(&CACHES, None, true);
        assert_eq!(sizes.bytes, [24 << 10, 512 << 10, 4 << 20]);
    }

    #[test]
    fn memory_and_huge_caches_set_a_limit_that_is_told() {
        let small = sizes(&CACHES, Some(80 << 20), false);
        assert_eq!(small.bytes.last(), Some(&(4 << 20)));
        let (bytes, reason) = small.left_out.unwrap();
        assert_eq!(bytes, 128 << 20);
        assert!(reason.contains("10 MiB"), "{reason}");
        let server = Caches {
            l3_bytes: Some(512 << 20),
            ..CACHES
        };
        let server = sizes(&server, Some(1 << 40), false);
        assert!(server.bytes.iter().all(|bytes| *bytes <= MOST));
        assert_eq!(server.left_out.unwrap().0, 2 << 30);
    }

    #[test]
    fn unknown_caches_still_give_sizes() {
        for quick in [false, true] {
            let sizes = sizes(&Caches::default(), None, quick);
            assert!(sizes.bytes.len() >= 2);
            assert!(sizes.bytes.iter().all(|bytes| bytes % 4096 == 0));
        }
        assert_eq!(line_bytes(&Caches::default()), 64);
        let odd = Caches {
            line_bytes: Some(3),
            ..CACHES
        };
        assert_eq!(line_bytes(&odd), 64);
    }

    #[test]
    fn the_lesser_of_machine_and_group() {
        let free = (
            "/proc/meminfo",
            "MemTotal: 9000 kB\nMemAvailable:    4000 kB\n",
        );
        let (_folder, tree) = fake::tree(&[free]);
        assert_eq!(available(&tree), Some(4000 << 10));
        let max = ("/sys/fs/cgroup/memory.max", "1048576");
        let (_folder, tree) = fake::tree(&[free, max, ("/sys/fs/cgroup/memory.current", "48576")]);
        assert_eq!(available(&tree), Some(1_000_000));
        let (_folder, tree) = fake::tree(&[free, ("/sys/fs/cgroup/memory.max", "max")]);
        assert_eq!(available(&tree), Some(4000 << 10));
    }
}

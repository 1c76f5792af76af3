//! A random path through all cache lines of a working set, in which each line names the next.
//!
//! 1. `write` puts an address inside the same [`Pages`] into the first word of every line, and afterwards nothing is written
//!    there except a copy of the same value. So a reader that starts inside and follows the addresses stays inside.

use super::pages::Pages;
use crate::random::Random;

/// One random cycle through all lines: for each line, the number of the next.
pub(in crate::probe) struct Cycle {
    next: Vec<u32>,
    line_bytes: usize,
}

impl Cycle {
    /// Draws a cycle through `bytes` in lines of `line_bytes`. The cycle is the same for the same size in every run.
    ///
    /// S. Sattolo, "An algorithm to generate a random cyclic permutation", Information Processing Letters 22 (1986).
    pub(in crate::probe) fn draw(bytes: usize, line_bytes: usize) -> Cycle {
        let lines = u32::try_from(bytes / line_bytes).expect("working sets of under 2^32 lines");
        let mut next: Vec<u32> = (0..lines).collect();
        let mut random = Random::new(lines);
        for last in (1..lines as usize).rev() {
            let other = random.below(last as u64) as usize;
            next.swap(last, other);
        }
        Cycle { next, line_bytes }
    }

    /// Returns the number of lines.
    pub(super) fn lines(&self) -> usize {
        self.next.len()
    }

    /// Returns the bytes of memory that the cycle needs.
    pub(in crate::probe) fn bytes(&self) -> usize {
        self.next.len() * self.line_bytes
    }

    /// Writes the cycle into memory of at least its size, and returns where it starts.
    pub(in crate::probe) fn write(&self, pages: &mut Pages) -> Place {
        assert!(self.bytes() <= pages.bytes());
        let start = pages.start().cast::<u8>();
        for (line, next) in self.next.iter().enumerate() {
            let address = start.wrapping_add(*next as usize * self.line_bytes);
            // SAFETY: the line lies inside the pages, by the assertion, at a multiple of the line size, which is itself a
            // multiple of 8 bytes; `pages` is borrowed mutably, so nobody else looks.
            unsafe {
                start
                    .wrapping_add(line * self.line_bytes)
                    .cast::<usize>()
                    .write(address as usize)
            };
        }
        Place(start as usize)
    }
}

/// The point that a pass has reached: the address of a line of a written cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::probe) struct Place(pub(super) usize);

/// Follows `steps` addresses, at least one, and returns the place reached. Each step waits for the load of the previous one.
///
/// # Safety
/// `place` belongs to a cycle whose pages are still mapped and are not being written to (except with copies of what is there).
#[inline(never)]
pub(in crate::probe) unsafe fn walk(place: Place, steps: usize) -> Place {
    let mut at = place.0;
    // Assembly, so that a build without optimisation makes no other loads in between: a switch changes their price, too.
    #[cfg(target_arch = "x86_64")]
    // SAFETY: invariant 1: every address read is one of a line. The block uses no stack and names the registers it changes.
    unsafe {
        std::arch::asm!(
            "2:",
            "mov {at}, qword ptr [{at}]",
            "dec {steps}",
            "jnz 2b",
            at = inout(reg) at,
            steps = inout(reg) steps.max(1) => _,
            options(nostack, readonly),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    for _ in 0..steps.max(1) {
        // SAFETY: invariant 1. Volatile, so that every load is made.
        at = unsafe { (at as *const usize).read_volatile() };
    }
    Place(at)
}

#[cfg(test)]
mod tests {
    use super::super::pages::PageSize;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_pass_visits_every_line_once_and_comes_home() {
        for bytes in [4096, 3 << 14] {
            let cycle = Cycle::draw(bytes, 64);
            let mut pages = Pages::map(bytes, PageSize::Small).unwrap();
            let start = cycle.write(&mut pages);
            let mut seen = BTreeSet::new();
            let mut place = start;
            for _ in 0..cycle.lines() {
                seen.insert(place.0);
                // SAFETY: the pages are mapped and nobody writes.
                place = unsafe { walk(place, 1) };
            }
            assert_eq!(seen.len(), bytes / 64);
            assert_eq!(place, start);
        }
    }

    #[test]
    fn the_way_is_not_in_the_order_of_addresses() {
        let cycle = Cycle::draw(1 << 16, 64);
        let neighbours = cycle
            .next
            .iter()
            .enumerate()
            .filter(|(line, next)| line.abs_diff(**next as usize) == 1);
        // Of a thousand lines, some two are followed by a neighbour.
        assert!(neighbours.count() < 40);
    }
}

//! Memory on pages of a known size, checked against the kernel's report.
//!
//! 1. A [`Pages`] owns its mapping, all of which can be read and written, until it is dropped.

use std::io;

/// The size of pages to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::probe) enum PageSize {
    /// The smallest (4 KiB on x86-64), even where the kernel would use huge ones by itself.
    Small,
    /// The size of transparent huge pages (2 MiB on x86-64).
    Huge,
}

/// Private, zeroed memory.
#[derive(Debug)]
pub(in crate::probe) struct Pages {
    mapping: *mut libc::c_void,
    mapped: usize,
    start: *mut libc::c_void,
    bytes: usize,
}

// SAFETY: invariant 1: the mapping belongs to the value, whatever thread has it, and only `&mut` methods write to it.
unsafe impl Send for Pages {}

/// Size of huge pages where the kernel does not report it (2 MiB: x86-64, and aarch64 with small pages of 4 KiB).
const USUAL_HUGE: usize = 2 << 20;

impl Pages {
    /// Maps `bytes` on pages of the given size, touches them, and checks that the kernel did as it was asked.
    ///
    /// # Errors
    /// A sentence that says why there are no such pages.
    pub(in crate::probe) fn map(bytes: usize, size: PageSize) -> Result<Pages, String> {
        let huge = huge_page_bytes();
        // Huge pages are aligned to their size, which mmap does not promise.
        let (bytes, slack) = match size {
            PageSize::Small => (bytes, 0),
            PageSize::Huge => (bytes.next_multiple_of(huge), huge),
        };
        let mapped = bytes + slack;
        // SAFETY: a new mapping, which touches no other.
        let mapping = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if mapping == libc::MAP_FAILED {
            return Err(format!("no memory: {}", io::Error::last_os_error()));
        }
        let to_boundary = (mapping as usize).next_multiple_of(huge) - mapping as usize;
        let pages = Pages {
            mapping,
            mapped,
            start: mapping.wrapping_byte_add(if slack > 0 { to_boundary } else { 0 }),
            bytes,
        };
        pages.advise(size)?;
        pages.touch();
        pages.check(size)?;
        Ok(pages)
    }

    fn advise(&self, size: PageSize) -> Result<(), String> {
        let advice = match size {
            PageSize::Small => libc::MADV_NOHUGEPAGE,
            PageSize::Huge => libc::MADV_HUGEPAGE,
        };
        // SAFETY: the range is ours; this advice changes no contents.
        let result = unsafe { libc::madvise(self.start, self.bytes, advice) };
        // A kernel without huge pages knows neither piece of advice, and gives small pages in any case.
        if result == -1 && size == PageSize::Huge {
            return Err(format!(
                "no huge pages: madvise(MADV_HUGEPAGE) says {}",
                io::Error::last_os_error()
            ));
        }
        Ok(())
    }

    /// Writes a zero into each small page, so that all are present.
    fn touch(&self) {
        for offset in (0..self.bytes).step_by(4096) {
            // SAFETY: invariant 1; volatile, since nobody reads it.
            unsafe { self.start.cast::<u8>().add(offset).write_volatile(0) };
        }
    }

    fn check(&self, size: PageSize) -> Result<(), String> {
        let smaps = std::fs::read_to_string("/proc/self/smaps")
            .map_err(|error| format!("/proc/self/smaps: {error}"))?;
        let range = self.start as usize..self.start as usize + self.bytes;
        let seen = resident(&smaps, &range);
        match size {
            PageSize::Small if seen.huge_kib > 0 => {
                Err("the kernel gave huge pages where small ones were asked for".into())
            }
            PageSize::Huge if seen.huge_kib < seen.all_kib || seen.all_kib == 0 => Err(format!(
                "no huge pages: {} of {} KiB are on such (AnonHugePages in /proc/self/smaps; \
                 /sys/kernel/mm/transparent_hugepage/enabled: {})",
                seen.huge_kib,
                seen.all_kib,
                std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
                    .as_deref()
                    .unwrap_or("unreadable")
                    .trim()
            )),
            _ => Ok(()),
        }
    }

    /// In a forked child, rewrites the contents of each page, so that the child has its own copies instead of sharing the
    /// parent's pages until one of them writes. Calls nothing.
    pub(super) fn make_own(&mut self) {
        for offset in (0..self.bytes).step_by(4096) {
            // SAFETY: invariant 1; volatile, since nobody sees a difference.
            unsafe {
                let at = self.start.cast::<u8>().add(offset);
                at.write_volatile(at.read_volatile());
            }
        }
    }

    /// Returns the first byte, at a page boundary.
    pub(in crate::probe) fn start(&mut self) -> *mut libc::c_void {
        self.start
    }

    /// Returns the size, which is at least the size asked for.
    pub(in crate::probe) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: invariant 1.
        unsafe { libc::munmap(self.mapping, self.mapped) };
    }
}

fn huge_page_bytes() -> usize {
    std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .filter(|bytes: &usize| bytes.is_power_of_two())
        .unwrap_or(USUAL_HUGE)
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Resident {
    all_kib: u64,
    huge_kib: u64,
}

/// Returns how much is resident, in total and on huge pages, in the mappings of `smaps` that overlap `range`. (The kernel may
/// show one mapping together with a neighbour of the same kind.)
fn resident(smaps: &str, range: &std::ops::Range<usize>) -> Resident {
    let mut seen = Resident::default();
    let mut inside = false;
    for line in smaps.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        let Some(field) = first.strip_suffix(':') else {
            inside =
                addresses(first).is_some_and(|(from, to)| from < range.end && to > range.start);
            continue;
        };
        let mut kib = || {
            words
                .next()
                .and_then(|word| word.parse::<u64>().ok())
                .unwrap_or(0)
        };
        match field {
            "Rss" if inside => seen.all_kib = seen.all_kib.saturating_add(kib()),
            "AnonHugePages" if inside => seen.huge_kib = seen.huge_kib.saturating_add(kib()),
            _ => {}
        }
    }
    seen
}

fn addresses(word: &str) -> Option<(usize, usize)> {
    let (from, to) = word.split_once('-')?;
    Some((
        usize::from_str_radix(from, 16).ok()?,
        usize::from_str_radix(to, 16).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMAPS: &str = "\
7f0000000000-7f0000400000 rw-p 00000000 00:00 0
Size:               4096 kB
Rss:                4096 kB
AnonHugePages:      2048 kB
VmFlags: rd wr mr mw me ac sd hg
7f0000400000-7f0000500000 rw-p 00000000 00:00 0     [heap: x]
Rss:                 100 kB
AnonHugePages:         0 kB
";

    #[test]
    fn the_right_mapping_counts() {
        let at = |from, to| resident(SMAPS, &(from..to));
        let first = Resident {
            all_kib: 4096,
            huge_kib: 2048,
        };
        assert_eq!(at(0x7f00_0020_0000, 0x7f00_0040_0000), first);
        assert_eq!(
            at(0x7f00_0040_0000, 0x7f00_0040_1000),
            Resident {
                all_kib: 100,
                huge_kib: 0
            }
        );
        assert_eq!(at(0x7f00_0050_0000, 0x7f00_0060_0000), Resident::default());
    }

    #[test]
    fn small_pages_are_small() {
        // More than a huge page, so that a kernel set to use those by itself has the opportunity.
        let mut pages = Pages::map(5 << 20, PageSize::Small).unwrap();
        assert_eq!(pages.bytes(), 5 << 20);
        // SAFETY: invariant 1.
        let last = unsafe { pages.start().cast::<u8>().add((5 << 20) - 1).read() };
        assert_eq!(last, 0);
    }

    #[test]
    fn huge_pages_are_huge_or_refused() {
        match Pages::map(3 << 20, PageSize::Huge) {
            Ok(mut pages) => {
                assert_eq!(pages.bytes() % huge_page_bytes(), 0);
                assert_eq!(pages.start() as usize % huge_page_bytes(), 0);
            }
            Err(reason) => assert!(reason.contains("huge pages"), "{reason}"),
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "([0-9a-f]{1,17}-[0-9a-f]{1,17} r|Rss: |AnonHugePages: |[0-9]{1,25}|[ \n:-]|.){0,40}") {
            resident(&text, &(0..usize::MAX));
        }
    }
}

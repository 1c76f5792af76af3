//! Why a thread left its processor, and counts by cause.

use aya::Pod;

/// Why a thread left its processor: `enum cause` of `bpf/switches.bpf.c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum SwitchCause {
    /// Anything else: a child, a signal, a queue, work for a kernel thread, the thread's end.
    Other = 0,
    /// It blocked in a futex call: for a lock, a condition, or the end of a thread.
    Lock,
    /// It blocked on input or output, a disk or the readiness of descriptors.
    InputOutput,
    /// It slept for a given time.
    Sleep,
    /// It called sched_yield(2).
    Yielded,
    /// It could have continued: its time slice was over, or a thread that had been waiting for a processor came first.
    SliceOver,
    /// It could have continued: a thread that had just been woken took its place.
    WokenOver,
}

impl SwitchCause {
    /// All causes.
    pub const ALL: [Self; 7] = [
        Self::Other,
        Self::Lock,
        Self::InputOutput,
        Self::Sleep,
        Self::Yielded,
        Self::SliceOver,
        Self::WokenOver,
    ];
}

/// Numbers of switches by cause: `struct counts` of `bpf/switches.bpf.c`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchCounts {
    of: [u64; SwitchCause::ALL.len()],
}

// SAFETY: plain integers without padding between them, laid out as in C: any bytes are a value.
unsafe impl Pod for SwitchCounts {}

impl SwitchCounts {
    /// Returns the number of switches with this cause.
    pub fn of(&self, cause: SwitchCause) -> u64 {
        self.of[cause as usize]
    }

    /// Returns the number of all switches.
    pub fn all(&self) -> u64 {
        self.of.iter().copied().fold(0, u64::saturating_add)
    }

    /// Returns the switches since `before`, an earlier reading of the same counts.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            of: std::array::from_fn(|cause| self.of[cause].saturating_sub(before.of[cause])),
        }
    }

    /// Adds up the counts of all processors.
    pub(super) fn sum(counts: &[Self]) -> Self {
        counts.iter().fold(Self::default(), |sum, one| Self {
            of: std::array::from_fn(|cause| sum.of[cause].saturating_add(one.of[cause])),
        })
    }
}

impl FromIterator<(SwitchCause, u64)> for SwitchCounts {
    fn from_iter<T: IntoIterator<Item = (SwitchCause, u64)>>(counts: T) -> Self {
        let mut all = Self::default();
        for (cause, switches) in counts {
            let sum = &mut all.of[cause as usize];
            *sum = sum.saturating_add(switches);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_has_the_place_that_the_kernels_program_gives_it() {
        for (place, cause) in SwitchCause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, place);
        }
        // The programs write `struct counts` with one number per cause.
        let source = include_str!("../../bpf/switches.bpf.c");
        let (_, causes) = source.split_once("enum cause {").expect("it is there");
        let (causes, _) = causes.split_once("CAUSES").expect("it ends so");
        let squeezed = |name: &str| name.replace(['_', '=', ' ', '0'], "").to_lowercase();
        let theirs: Vec<String> = causes
            .split(',')
            .map(|it| squeezed(it.trim()))
            .filter(|it| !it.is_empty())
            .collect();
        let ours = SwitchCause::ALL.map(|cause| squeezed(&format!("{cause:?}")));
        assert_eq!(theirs, ours);
    }

    #[test]
    fn counts_add_up_over_processors_and_differ_over_time() {
        let counts = |all: &[(SwitchCause, u64)]| all.iter().copied().collect::<SwitchCounts>();
        let first = counts(&[(SwitchCause::Lock, 5), (SwitchCause::Yielded, 2)]);
        let second = counts(&[(SwitchCause::Lock, 7), (SwitchCause::Sleep, 1)]);
        let sum = SwitchCounts::sum(&[first, second]);
        assert_eq!((sum.of(SwitchCause::Lock), sum.all()), (12, 15));
        let since = sum.since(&first);
        assert_eq!(since, second);
    }
}

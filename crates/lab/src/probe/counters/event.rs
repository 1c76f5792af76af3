//! One counter of perf_event_open(2), for the calling thread.
//!
//! 1. [`Attributes`] is `struct perf_event_attr` as it was first published, 64 bytes (PERF_ATTR_SIZE_VER0); the kernel takes
//!    its size from the field `size`, reads no further, and takes all later fields as zero.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{FromRawFd, OwnedFd};

use crate::platform::linux::Tree;

/// What is counted: the fields `type` and `config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    family: u32,
    config: u64,
    /// Whether to count while the kernel works for the thread, too.
    in_kernel: bool,
}

const HARDWARE: u32 = 0;
const SOFTWARE: u32 = 1;
const HARDWARE_CACHE: u32 = 3;

/// A load that misses in the given cache: `cache | operation << 8 | result << 16`, operation 0 being a read, result 1 a miss.
const fn read_miss(cache: u64) -> Kind {
    Kind {
        family: HARDWARE_CACHE,
        config: cache | 1 << 16,
        in_kernel: false,
    }
}

/// Loads that miss in the last-level cache.
pub(super) const LAST_LEVEL_MISSES: Kind = read_miss(2);
/// Loads whose page is not in the data TLB.
pub(super) const DATA_TLB_MISSES: Kind = read_miss(3);
/// The event that the processor's vendor counts as cache misses; mostly last-level misses.
pub(super) const CACHE_MISSES: Kind = Kind {
    family: HARDWARE,
    config: 3,
    in_kernel: false,
};
/// The same, in user mode and in the kernel.
const CACHE_MISSES_EVERYWHERE: Kind = Kind {
    in_kernel: true,
    ..CACHE_MISSES
};
/// Context switches of the thread, as the scheduler reports them to perf.
#[cfg(test)]
pub(super) const CONTEXT_SWITCHES: Kind = Kind {
    family: SOFTWARE,
    config: 3,
    in_kernel: true,
};

/// The first 64 bytes of `struct perf_event_attr`.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    family: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    config1: u64,
}

/// Bit 1, `inherit`: threads that the thread starts from now on are counted, too, and a reading is the sum of all.
const INHERITED: u64 = 1 << 1;
/// Bit 2, `pinned`: the event is on a hardware counter whenever the thread runs, or not at all; it is never multiplexed with
/// others.
const PINNED: u64 = 1 << 2;
/// Bit 5, `exclude_kernel`: only loads of the program are measured.
const USER_ONLY: u64 = 1 << 5;
/// Bit 6, `exclude_hv`: the hypervisor is not a part of the thread.
const WITHOUT_HYPERVISOR: u64 = 1 << 6;

/// The flag PERF_FLAG_FD_CLOEXEC.
const CLOSE_ON_EXEC: libc::c_ulong = 8;

/// A running counter.
pub(in crate::probe) struct Event(File);

impl Event {
    /// Starts counting `kind` for the calling thread, on whatever CPU it runs.
    ///
    /// # Errors
    /// The kernel's error, which [`why`] puts into words.
    pub(super) fn open(kind: Kind) -> io::Result<Event> {
        Self::open_with(kind, 0)
    }

    /// Starts counting cache misses, in user mode and in the kernel, for the calling thread and for those that it starts from now
    /// on.
    ///
    /// # Errors
    /// The kernel's error, which [`why`] puts into words.
    pub(in crate::probe) fn of_misses() -> io::Result<Event> {
        Self::open_with(CACHE_MISSES_EVERYWHERE, INHERITED)
    }

    /// Starts counting context switches in the same way.
    ///
    /// # Errors
    /// The kernel's error.
    #[cfg(test)]
    pub(in crate::probe) fn of_switches() -> io::Result<Event> {
        Self::open_with(CONTEXT_SWITCHES, INHERITED)
    }

    fn open_with(kind: Kind, flags: u64) -> io::Result<Event> {
        let attributes = Attributes {
            family: kind.family,
            size: size_of::<Attributes>() as u32,
            config: kind.config,
            flags: flags
                | match (kind.family, kind.in_kernel) {
                    (SOFTWARE, _) => 0,
                    (_, true) => PINNED | WITHOUT_HYPERVISOR,
                    (_, false) => PINNED | USER_ONLY | WITHOUT_HYPERVISOR,
                },
            ..Attributes::default()
        };
        let (this_thread, any_cpu, no_group) = (0, -1, -1);
        // SAFETY: invariant 1; the kernel reads the struct and keeps no pointer to it.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                this_thread,
                any_cpu,
                no_group,
                CLOSE_ON_EXEC,
            )
        };
        if descriptor == -1 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel has just given us this descriptor, and nobody else knows it.
        let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor as i32) };
        Ok(Event(File::from(descriptor)))
    }

    /// Returns the count so far.
    ///
    /// # Errors
    /// If the processor had no counter left: other events hold all of them.
    pub(in crate::probe) fn count(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        // A pinned event that could not be put on the processor reads as an end of file.
        self.0.read_exact(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }
}

/// Opens the counter that most processors have, for the calling thread's user mode, and closes it again.
///
/// # Errors
/// The kernel's error: ENOENT where the processor exposes no counters, EACCES or EPERM where they are not permitted.
pub fn hardware_counter() -> io::Result<()> {
    Event::open(CACHE_MISSES).map(drop)
}

/// The value of `kernel.perf_event_paranoid` up to which users may count what happens in user mode.
pub(super) const USER_MODE_UP_TO: u32 = 2;
/// The same for what happens in the kernel, too.
pub(in crate::probe) const KERNEL_UP_TO: u32 = 1;

/// Returns a sentence that says why there is no hardware counter. Users may count if `kernel.perf_event_paranoid` is at most
/// `most_paranoid`.
pub(in crate::probe) fn why(error: &io::Error, tree: &Tree, most_paranoid: u32) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) => format!(
            "perf_event_open has no such event ({error}); {}",
            match crate::machine::Machine::observe().virtual_machine {
                Some(true) => "the hypervisor shows the processor without its counters",
                _ => "the processor or its driver in the kernel does not offer it",
            }
        ),
        Some(libc::EACCES | libc::EPERM) => {
            let level = tree
                .text("/proc/sys/kernel/perf_event_paranoid")
                .unwrap_or_else(|| "unreadable".into());
            format!(
                "perf_event_open is not permitted ({error}): kernel.perf_event_paranoid is {level}, {most_paranoid} or less is needed, \
                 or CAP_PERFMON; a container's system call filter may forbid it, too"
            )
        }
        Some(libc::ENOSYS) => "this kernel has no perf_event_open".into(),
        _ if error.kind() == io::ErrorKind::UnexpectedEof => {
            "other programs hold all of the processor's counters".into()
        }
        _ => format!("perf_event_open: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::linux::fake;
    use crate::probe::count::Counted;

    #[test]
    fn the_struct_is_the_kernels() {
        assert_eq!(size_of::<Attributes>(), 64);
        assert_eq!(std::mem::offset_of!(Attributes, flags), 40);
        assert_eq!(std::mem::offset_of!(Attributes, config1), 56);
        assert_eq!(DATA_TLB_MISSES.config, 0x1_0003);
    }

    /// perf's own count of switches cross-checks getrusage, on which all probes rely.
    #[test]
    fn perf_and_rusage_count_the_same_switches() {
        let counts = std::thread::spawn(|| {
            let mut event = Event::open(CONTEXT_SWITCHES).ok()?;
            let before = Counted::of_this_thread();
            let first = event.count().unwrap();
            for _ in 0..40 {
                std::thread::sleep(std::time::Duration::from_micros(100));
            }
            let counted = Counted::of_this_thread().since(before);
            Some((
                event.count().unwrap() - first,
                counted.voluntary + counted.involuntary,
            ))
        });
        // Not permitted, or not built into the kernel: then there is nothing to compare.
        let Some((perf, rusage)) = counts.join().unwrap() else {
            return;
        };
        // Between the four readings this thread may be preempted now and then.
        assert!(
            rusage >= 40 && perf.abs_diff(rusage) <= 4,
            "{perf} {rusage}"
        );
    }

    #[test]
    fn a_refusal_says_what_would_help() {
        let (_folder, tree) = fake::tree(&[("/proc/sys/kernel/perf_event_paranoid", "4\n")]);
        let reason = |number| {
            why(
                &io::Error::from_raw_os_error(number),
                &tree,
                USER_MODE_UP_TO,
            )
        };
        assert!(reason(libc::EACCES).contains("perf_event_paranoid is 4"));
        assert!(reason(libc::EACCES).contains("2 or less is needed"));
        let denied = io::Error::from_raw_os_error(libc::EACCES);
        assert!(why(&denied, &tree, KERNEL_UP_TO).contains("1 or less is needed"));
        assert!(reason(libc::ENOENT).contains("no such event"));
        assert!(reason(libc::ENOSYS).contains("no perf_event_open"));
        let end = io::Error::from(io::ErrorKind::UnexpectedEof);
        assert!(why(&end, &tree, USER_MODE_UP_TO).contains("other programs"));
    }
}

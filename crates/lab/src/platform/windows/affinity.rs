//! Which CPUs a thread may run on (GetThreadGroupAffinity, SetThreadGroupAffinity).

use std::io;

use windows_sys::Win32::Foundation::ERROR_INVALID_PARAMETER;
use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    GetCurrentThread, GetThreadGroupAffinity, SetThreadGroupAffinity,
};

use super::logical_processors::{self, GROUP_CPUS, Group};
use super::machine::build_number;

/// The first build (of Windows 11 and Server 2022) whose threads run in all processor groups by default ("Processor Groups",
/// Microsoft's documentation).
const SPANS_GROUPS: u32 = 20_348;

/// Returns the CPUs that the calling thread may run on, in ascending order; at least one.
///
/// # Errors
/// Windows' error, if it refuses to report them.
pub fn usable_cpus() -> io::Result<Vec<usize>> {
    let mut affinity = GROUP_AFFINITY::default();
    // SAFETY: a place of our own for the result; the handle is the calling thread's and needs no closing.
    if unsafe { GetThreadGroupAffinity(GetCurrentThread(), &raw mut affinity) } == 0 {
        return Err(io::Error::last_os_error());
    }
    let spans = build_number().is_some_and(|build| build >= SPANS_GROUPS);
    Ok(usable(&affinity, &logical_processors::read().groups, spans))
}

/// The rule itself: a thread that may use its whole group is not confined, so it spans all groups on systems where threads do.
fn usable(affinity: &GROUP_AFFINITY, groups: &[Group], spans: bool) -> Vec<usize> {
    let whole = groups
        .iter()
        .any(|group| group.number == affinity.Group && group.mask == affinity.Mask);
    if spans && whole {
        groups.iter().flat_map(Group::cpus).collect()
    } else {
        let own = Group {
            number: affinity.Group,
            mask: affinity.Mask,
        };
        own.cpus().collect()
    }
}

/// Pins the calling thread to `cpu`.
///
/// # Errors
/// `InvalidInput` when there is no such CPU or the process may not use it.
pub fn pin_current_thread(cpu: usize) -> io::Result<()> {
    let Ok(group) = u16::try_from(cpu / GROUP_CPUS) else {
        return Err(io::Error::from_raw_os_error(
            ERROR_INVALID_PARAMETER.cast_signed(),
        ));
    };
    let affinity = GROUP_AFFINITY {
        Mask: 1 << (cpu % GROUP_CPUS),
        Group: group,
        Reserved: [0; 3],
    };
    // SAFETY: the mask is ours and complete; the previous one is not requested.
    let result = unsafe {
        SetThreadGroupAffinity(
            GetCurrentThread(),
            &raw const affinity,
            std::ptr::null_mut(),
        )
    };
    if result != 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// A thread that stays on one CPU for a while: none here, since a thread that has been confined to a processor group cannot be
/// let out of it again.
pub enum Stay {}

impl Stay {
    /// Changes nothing.
    pub fn on(_cpu: usize) -> Option<Self> {
        None
    }

    /// There is none to end.
    ///
    /// # Errors
    /// None.
    pub fn end(self) -> io::Result<()> {
        match self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_groups() -> Vec<Group> {
        let group = |number| Group { number, mask: 0b11 };
        vec![group(0), group(1)]
    }

    fn affinity(group: u16, mask: usize) -> GROUP_AFFINITY {
        GROUP_AFFINITY {
            Mask: mask,
            Group: group,
            ..GROUP_AFFINITY::default()
        }
    }

    #[test]
    fn a_thread_that_nobody_confined_spans_the_groups_where_threads_do() {
        assert_eq!(
            usable(&affinity(1, 0b11), &two_groups(), true),
            [0, 1, 64, 65]
        );
        assert_eq!(usable(&affinity(1, 0b11), &two_groups(), false), [64, 65]);
        assert_eq!(usable(&affinity(1, 0b10), &two_groups(), true), [65]);
    }

    #[test]
    fn a_pinned_thread_is_where_it_was_put() {
        for cpu in usable_cpus().unwrap() {
            let seen = std::thread::spawn(move || {
                pin_current_thread(cpu).unwrap();
                usable_cpus().unwrap()
            });
            assert_eq!(seen.join().unwrap(), [cpu]);
        }
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_an_error() {
        let before = usable_cpus().unwrap();
        for cpu in [60_000, usize::MAX / 2] {
            let error = pin_current_thread(cpu).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{error}");
        }
        assert_eq!(usable_cpus().unwrap(), before);
    }
}

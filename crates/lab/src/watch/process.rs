//! The contents of `/proc/PID/stat` for a process, including its threads that have ended (proc_pid_stat(5)).

use crate::platform::linux::Tree;

/// Counters of a process since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProcessTotals {
    /// Page faults that needed no disk.
    pub(super) minor_faults: u64,
    /// Page faults that waited for a disk.
    pub(super) major_faults: u64,
    /// CPU time in its own code, in kernel ticks.
    pub(super) user_ticks: u64,
    /// CPU time in the kernel, in kernel ticks.
    pub(super) system_ticks: u64,
}

impl ProcessTotals {
    pub(super) fn read(tree: &Tree, pid: u32) -> Option<Self> {
        Self::parse(&tree.text(&format!("/proc/{pid}/stat"))?)
    }

    pub(super) fn parse(stat: &str) -> Option<Self> {
        // The name in parentheses may itself contain parentheses and spaces.
        let (_, after_name) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        // The first of these is the state, which is field 3 in the manual.
        let field = |number: usize| fields.get(number - 3)?.parse().ok();
        Some(Self {
            minor_faults: field(10)?,
            major_faults: field(12)?,
            user_ticks: field(14)?,
            system_ticks: field(15)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::linux::fake;
    use proptest::prelude::*;

    #[test]
    fn fields_are_those_of_the_manual() {
        let (_folder, tree) = fake::tree(&[(
            "/proc/7/stat",
            "7 (a) S (b) S 1 7 7 0 -1 4194304 110 0 12 0 14 15 16 17 20 0 1 0 22 1000\n",
        )]);
        let totals = ProcessTotals::read(&tree, 7).unwrap();
        assert_eq!((totals.minor_faults, totals.major_faults), (110, 12));
        assert_eq!((totals.user_ticks, totals.system_ticks), (14, 15));
        assert_eq!(ProcessTotals::read(&tree, 8), None);
    }

    proptest! {
        #[test]
        fn any_text_is_totals_or_nothing(text in "\\PC{0,20}\\) [SR]( -?[0-9]{0,25}){0,20}|\\PC{0,30}") {
            let _ = ProcessTotals::parse(&text);
        }
    }
}

//! Long waits: the holders of the locks that threads wait for, and deadlocks.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::time::Duration;

use super::lock_rows::{LockRow, add_holders};
use crate::running::Holders;

/// A wait that lasts this long makes the agent look for the lock's holder. Reading all stacks of a process for every short wait would cost
/// more than everything else.
pub const LONG_WAIT: Duration = Duration::from_secs(1);

/// Deadlocks of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadlocks {
    /// Those that were found.
    pub found: u64,
    /// Whether a process could not be looked at, so that there may be more.
    pub may_be_more: bool,
}

impl Deadlocks {
    /// Returns their number; `None` if none was found and there may be some.
    pub fn known(self) -> Option<u64> {
        (self.found > 0 || !self.may_be_more).then_some(self.found)
    }
}

impl AddAssign for Deadlocks {
    fn add_assign(&mut self, other: Self) {
        self.found += other.found;
        self.may_be_more |= other.may_be_more;
    }
}

/// Finds the holders of the locks for which threads of these processes have waited long. Returns the deadlocks.
pub fn look_at_holders(
    pids: &[u32],
    holders: &mut BTreeMap<u32, Holders>,
    rows: &mut [LockRow],
) -> Deadlocks {
    let is_long = |row: &LockRow| u128::from(row.longest_wait_ns) >= LONG_WAIT.as_nanos();
    if !rows.iter().any(is_long) {
        holders.clear();
        return Deadlocks::default();
    }
    holders.retain(|pid, _| pids.contains(pid));
    let mut deadlocks = Deadlocks::default();
    for &pid in pids {
        let Some(stuck) = holders.entry(pid).or_default().look_at(pid) else {
            deadlocks.may_be_more = true;
            continue;
        };
        add_holders(rows, &stuck.held);
        deadlocks.found += stuck.deadlocks;
    }
    deadlocks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number larger than the id of any process: it can be looked at as little as a process of another user without privileges.
    const NO_PROCESS: u32 = 1 << 30;

    fn look(pids: &[u32], wait: Duration) -> Deadlocks {
        let row = LockRow {
            longest_wait_ns: wait.as_nanos() as u64,
            ..LockRow::default()
        };
        look_at_holders(pids, &mut BTreeMap::new(), &mut [row])
    }

    #[test]
    fn what_could_not_be_looked_at_is_not_zero() {
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .unwrap();
        let seen = child.id();
        assert_eq!(look(&[NO_PROCESS], LONG_WAIT).known(), None);
        assert_eq!(look(&[seen, NO_PROCESS], LONG_WAIT).known(), None);
        assert_eq!(look(&[seen], LONG_WAIT).known(), Some(0));
        // The threads of a deadlock wait for ever: where no wait is long, there is none.
        assert_eq!(look(&[NO_PROCESS], LONG_WAIT / 2).known(), Some(0));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn deadlocks_that_were_found_count_even_if_there_may_be_more() {
        let mut all = Deadlocks {
            found: 2,
            may_be_more: false,
        };
        all += Deadlocks {
            found: 0,
            may_be_more: true,
        };
        assert_eq!(all.known(), Some(2));
    }
}

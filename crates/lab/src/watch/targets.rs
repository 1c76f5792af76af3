//! The threads that are worth a sample between two sweeps.

use std::collections::HashSet;

use super::sweep::Sweep;

/// The number of threads to look at: high enough to include the ones that wait most, low enough to keep the looks cheap.
const MOST: usize = 32;

/// Chooses the threads of programs that waited most often between the two sweeps, or since their start if there is no earlier
/// sweep. Processes in `closed` refuse to be looked at.
pub(super) fn choose(
    before: Option<&Sweep>,
    after: &Sweep,
    closed: &HashSet<u32>,
) -> Vec<(u32, u32)> {
    let mut waits: Vec<(u64, u32, u32)> = Vec::new();
    for (&pid, process) in &after.processes {
        if closed.contains(&pid) {
            continue;
        }
        let known = before.and_then(|before| before.processes.get(&pid));
        for (&tid, thread) in &process.threads {
            let before = known.and_then(|known| known.threads.get(&tid));
            let before = before.map_or(0, |thread| thread.voluntary);
            let waited = thread.voluntary.saturating_sub(before);
            if waited > 0 && !thread.kernel && !thread.ended() {
                waits.push((waited, pid, tid));
            }
        }
    }
    waits.sort_unstable_by(|a, b| b.cmp(a));
    waits.truncate(MOST);
    waits.into_iter().map(|(_, pid, tid)| (pid, tid)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Subject;
    use super::super::made_up::status;
    use super::*;
    use crate::platform::linux::fake;

    #[test]
    fn those_that_waited_most_and_can_be_looked_at() {
        let kernel = status("kworker", 'I', 900, 0).replace("VmSize", "Other");
        let (folder, tree) = fake::tree(&[
            ("/proc/7/task/7/status", &status("main", 'S', 100, 0)),
            ("/proc/7/task/8/status", &status("worker", 'S', 5, 0)),
            ("/proc/9/task/9/status", &status("closed", 'S', 800, 0)),
            ("/proc/11/task/11/status", &kernel),
            ("/proc/12/task/12/status", &status("burner", 'R', 0, 70)),
        ]);
        let closed = HashSet::from([9]);
        let first = Sweep::take(&tree, Subject::Machine, None);
        assert_eq!(choose(None, &first, &closed), [(7, 7), (7, 8)]);

        std::fs::write(
            folder.path().join("proc/7/task/8/status"),
            status("worker", 'S', 50, 0),
        )
        .unwrap();
        let second = Sweep::take(&tree, Subject::Machine, Some(&first));
        assert_eq!(choose(Some(&first), &second, &closed), [(7, 8)]);
    }

    #[test]
    fn never_more_than_can_be_afforded() {
        let files: Vec<(String, String)> = (1..=100)
            .map(|tid| {
                (
                    format!("/proc/1/task/{tid}/status"),
                    status("x", 'S', tid, 0),
                )
            })
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
        let (_folder, tree) = fake::tree(&files);
        let chosen = choose(
            None,
            &Sweep::take(&tree, Subject::Machine, None),
            &HashSet::new(),
        );
        assert_eq!(chosen.len(), MOST);
        assert_eq!(chosen[0], (1, 100));
    }
}

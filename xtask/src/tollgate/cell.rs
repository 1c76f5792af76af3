//! The cells of the table: each row's list, and the settings that have to be measured for it.

use super::group::Group;
use super::setting::{AT_REST, Setting};

/// A line of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The row it belongs to.
    pub group: Group,
    /// What the command line calls it: the row's name and more words, with slashes between.
    pub name: String,
    /// What a reader calls it.
    pub title: String,
    /// What is measured for it; the collapse compares several, the last of which is the one with the most threads.
    pub settings: Vec<Setting>,
}

const THREADS: [u32; 6] = [2, 4, 8, 16, 32, 64];
const QUICK_THREADS: [u32; 3] = [2, 8, 64];

/// The threads of the cells about collapse and waiting.
pub const MOST_THREADS: u32 = 64;
/// Work between operations, where there is any.
const THINK_NS: u64 = 200;
/// Threads that compete beside the busy ones, and the busy ones.
pub const BESIDE_HOGS: (u32, u32) = (4, 4);

/// All cells, in the table's order; `quick` leaves out numbers of threads between the extremes.
pub fn all(quick: bool) -> Vec<Cell> {
    let threads: &[u32] = if quick { &QUICK_THREADS } else { &THREADS };
    Group::ALL
        .into_iter()
        .flat_map(|group| of(group, threads))
        .collect()
}

fn of(group: Group, threads: &[u32]) -> Vec<Cell> {
    match group {
        Group::Uncontended => vec![cell(
            group,
            &[],
            "one thread",
            vec![Setting {
                workload: "pair",
                ..AT_REST
            }],
        )],
        Group::NoThink => short(group, 0, threads),
        Group::Think => short(group, THINK_NS, threads),
        Group::Holds => holds(threads),
        Group::Collapse => collapse(threads),
        Group::Waiting => waiting(),
        Group::Hogs => vec![cell(
            group,
            &[],
            "list",
            vec![Setting {
                threads: BESIDE_HOGS.0,
                hogs: BESIDE_HOGS.1,
                ..AT_REST
            }],
        )],
        // Measured by a program of its own, which has no settings.
        Group::Condition => vec![
            cell(
                group,
                &["ping-pong"],
                "ping-pong of two threads",
                Vec::new(),
            ),
            cell(group, &["broadcast"], "broadcast to 64 waiters", Vec::new()),
        ],
    }
}

fn short(group: Group, think_ns: u64, threads: &[u32]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for workload in ["list", "thread-id"] {
        for &threads in threads {
            let setting = Setting {
                workload,
                threads,
                think_ns,
                ..AT_REST
            };
            let title = format!("{workload}, {threads} threads");
            cells.push(cell(
                group,
                &[workload, &threads.to_string()],
                &title,
                vec![setting],
            ));
        }
    }
    cells
}

fn holds(threads: &[u32]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for hold_us in [1, 10, 100] {
        for &threads in threads {
            let setting = Setting {
                workload: "pair",
                threads,
                hold_ns: hold_us * 1000,
                ..AT_REST
            };
            let words = [format!("{hold_us}us"), threads.to_string()];
            let title = format!("{hold_us} us, {threads} threads");
            cells.push(cell(
                Group::Holds,
                &[&words[0], &words[1]],
                &title,
                vec![setting],
            ));
        }
    }
    cells
}

fn collapse(threads: &[u32]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (think_ns, pause, words) in [
        (0, "no-think", "no think time"),
        (THINK_NS, "think", "200 ns of think time"),
    ] {
        for workload in ["list", "thread-id"] {
            let settings = threads.iter().map(|&threads| Setting {
                workload,
                threads,
                think_ns,
                ..AT_REST
            });
            let title = format!("{workload}, {words}");
            cells.push(cell(
                Group::Collapse,
                &[pause, workload],
                &title,
                settings.collect(),
            ));
        }
    }
    cells
}

fn waiting() -> Vec<Cell> {
    let cells = [
        (0, "no-think", "list, no think time"),
        (THINK_NS, "think", "list, 200 ns of think time"),
    ];
    cells
        .into_iter()
        .map(|(think_ns, pause, title)| {
            let setting = Setting {
                threads: MOST_THREADS,
                think_ns,
                waiting: true,
                ..AT_REST
            };
            cell(Group::Waiting, &[pause], title, vec![setting])
        })
        .collect()
}

fn cell(group: Group, words: &[&str], title: &str, settings: Vec<Setting>) -> Cell {
    let mut name = group.name().to_owned();
    for word in words {
        name.push('/');
        name.push_str(word);
    }
    Cell {
        group,
        name,
        title: title.to_owned(),
        settings,
    }
}

impl Cell {
    /// Whether `word` of the command line means it: its whole name, or the beginning up to a slash.
    pub fn is_meant_by(&self, word: &str) -> bool {
        let rest = self.name.strip_prefix(word.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_the_table_is_there_once() {
        let cells = all(false);
        let count = |group| cells.iter().filter(|cell| cell.group == group).count();
        let counts = Group::ALL.map(count);
        assert_eq!(counts, [1, 12, 12, 18, 4, 2, 1, 2]);
        let mut names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), cells.len());
    }

    #[test]
    fn a_quick_run_has_the_same_rows_and_both_extremes() {
        let cells = all(true);
        for group in Group::ALL {
            assert!(cells.iter().any(|cell| cell.group == group), "{group:?}");
        }
        for word in ["no-think/list/2", "no-think/list/64", "holds/100us/64"] {
            assert!(cells.iter().any(|cell| cell.name == word), "{word}");
        }
    }

    #[test]
    fn a_word_means_whole_steps_of_a_name() {
        let cells = all(false);
        let meant = |word: &str| cells.iter().filter(|cell| cell.is_meant_by(word)).count();
        assert_eq!(meant("no-think"), 12);
        assert_eq!(meant("no-think/list"), 6);
        assert_eq!(meant("no-think/list/"), 6);
        assert_eq!(meant("no-think/list/8"), 1);
        assert_eq!(meant("holds/1"), 0);
        assert_eq!(meant("think"), 12);
    }

    #[test]
    fn the_collapse_ends_with_the_most_threads() {
        for quick in [false, true] {
            let cells = all(quick);
            for cell in cells.iter().filter(|cell| cell.group == Group::Collapse) {
                assert_eq!(cell.settings.last().unwrap().threads, MOST_THREADS);
            }
        }
    }
}

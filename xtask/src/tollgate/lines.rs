//! The lines of the table: what is measured for each, what is judged, and against which limit. A reader finds every limit here.

use locktoll_locks::Tollgate;

use super::goal::Goal::{self, AtLeast, AtMost};

/// Lines that belong together.
#[derive(Debug, PartialEq)]
pub struct Group {
    /// Its name on the command line.
    pub name: &'static str,
    pub heading: &'static str,
    pub to_reach: &'static str,
}

pub const GROUPS: [Group; 8] = [
    group(
        "uncontended",
        "Uncontended pair, a second thread alive",
        "at most 9.5 ns, and 1.4x ahead of the best",
    ),
    group(
        "no-think",
        "List and thread-id, no think time",
        "at most the best in every cell, 1.3x ahead in the geometric mean",
    ),
    group(
        "think",
        "List and thread-id, 200 ns of think time",
        "at most the best in every cell, 1.15x ahead in the geometric mean",
    ),
    group(
        "holds",
        "Holds of 1, 10 and 100 us",
        "within 3 % of the best, and the least CPU time an operation",
    ),
    group(
        "collapse",
        "Collapse: best throughput over that with 64 threads",
        "at most 1.2",
    ),
    group(
        "waiting",
        "Waiting: longest and p99.9 acquisition, 64 threads",
        "at most the bound: 500 us times the threads",
    ),
    group(
        "hogs",
        "4 busy threads next to 4 threads that compete",
        "ahead of pthread, and the busy threads get their fair share",
    ),
    group(
        "condition",
        "Condition variable: ping-pong, broadcast to 64",
        "ahead of pthread",
    ),
];

const fn group(name: &'static str, heading: &'static str, to_reach: &'static str) -> Group {
    Group {
        name,
        heading,
        to_reach,
    }
}

/// What threads do, whatever the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Setting {
    pub slices: Slices,
    /// The lab's name of what happens inside.
    pub workload: &'static str,
    pub threads: u32,
    pub think_ns: u64,
    pub hold_ns: u64,
}

/// Settings whose slices have one length, and are measured in one interleaved run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slices {
    Alone,
    Short,
    Long,
    Waiting,
    Hogs,
    /// Not of `locktoll bench`.
    Condition,
}

impl Slices {
    /// Busy threads next to those that compete.
    pub fn hogs(self) -> u32 {
        if self == Slices::Hogs { HOGS } else { 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    /// Wall time over the operations of all threads, in nanoseconds.
    Time,
    /// User and kernel time over operations, in nanoseconds.
    Cpu,
    /// The longest acquisition, in nanoseconds.
    Longest,
    /// One acquisition in a thousand takes longer, in nanoseconds.
    P99_9,
    /// The share of all CPU time that busy threads got.
    HogShare,
}

/// What of a line is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// The subject's own figure.
    Own,
    /// Its time with the last setting over its least in any.
    Collapse,
    /// How far it is ahead of the peer with the least figure.
    Best,
    /// How far it is ahead of this peer.
    Named(&'static str),
    /// How far it is ahead of the best peers, in the geometric mean over the settings.
    Mean,
}

#[derive(Clone, Debug)]
pub struct Line {
    pub group: &'static Group,
    /// The cell's name on the command line.
    pub cell: String,
    pub title: String,
    pub settings: Vec<Setting>,
    pub figure: Figure,
    pub judged: Judged,
    pub goal: Option<Goal>,
}

const THREADS: [u32; 6] = [2, 4, 8, 16, 32, 64];
const QUICK_THREADS: [u32; 3] = [2, 8, 64];
const WORKLOADS: [&str; 2] = ["list", "thread-id"];
const PAUSES: [(&str, u64, &str); 2] = [("no-think", 0, "no"), ("think", 200, "200 ns of")];
const HOGS: u32 = 4;

/// The lines of all cells that the words mean, or of all; `quick` leaves out numbers of threads between the extremes.
pub fn lines(quick: bool, words: &[&str]) -> Vec<Line> {
    let mut lines = cells(if quick { &QUICK_THREADS } else { &THREADS });
    lines.retain(|line| words.is_empty() || words.iter().any(|word| line.is_meant_by(word)));
    for (group, figure, title, goal) in [
        (
            "no-think",
            Figure::Time,
            "geometric mean",
            Some(AtLeast(1.3)),
        ),
        ("think", Figure::Time, "geometric mean", Some(AtLeast(1.15))),
        ("holds", Figure::Time, "geometric mean", None),
        ("holds", Figure::Cpu, "geometric mean, CPU", None),
    ] {
        let own = |line: &&Line| line.group.name == group && line.figure == figure;
        let settings: Vec<Setting> = lines
            .iter()
            .filter(own)
            .map(|line| line.settings[0])
            .collect();
        let last = lines.iter().rposition(|line| line.group.name == group);
        if let (Some(last), 2..) = (last, settings.len()) {
            let mean = Line::new(group, title, (settings, figure), Judged::Mean, goal);
            lines.insert(last + 1, mean);
        }
    }
    lines
}

/// Every cell, in the table's order.
fn cells(threads: &[u32]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut add = |cell: &str, title: &str, of: (Vec<Setting>, Figure), judged, goal| {
        lines.push(Line::new(cell, title, of, judged, Some(goal)));
    };
    let time = |setting| (vec![setting], Figure::Time);

    let alone = || time(setting(Slices::Alone, "pair", 1, 0, 0));
    add(
        "uncontended",
        "one thread",
        alone(),
        Judged::Own,
        AtMost(9.5),
    );
    add(
        "uncontended",
        "one thread",
        alone(),
        Judged::Best,
        AtLeast(1.4),
    );
    for (group, think_ns, _) in PAUSES {
        for workload in WORKLOADS {
            for &n in threads {
                let cell = format!("{group}/{workload}/{n}");
                let title = format!("{workload}, {n} threads");
                let own = setting(Slices::Short, workload, n, think_ns, 0);
                add(&cell, &title, time(own), Judged::Best, AtLeast(1.0));
            }
        }
    }
    for us in [1, 10, 100] {
        for &n in threads {
            let (cell, title) = (format!("holds/{us}us/{n}"), format!("{us} us, {n} threads"));
            let own = setting(Slices::Long, "pair", n, 0, us * 1000);
            add(&cell, &title, time(own), Judged::Best, AtLeast(1.0 / 1.03));
            let (title, cpu) = (title + ", CPU", (vec![own], Figure::Cpu));
            add(&cell, &title, cpu, Judged::Best, AtLeast(1.0));
        }
    }
    for (pause, think_ns, words) in PAUSES {
        for workload in WORKLOADS {
            let of = |&n| setting(Slices::Short, workload, n, think_ns, 0);
            let all = (threads.iter().map(of).collect(), Figure::Time);
            let title = format!("{workload}, {words} think time");
            let cell = format!("collapse/{pause}/{workload}");
            add(&cell, &title, all, Judged::Collapse, AtMost(1.2));
        }
    }
    for (pause, think_ns, words) in PAUSES {
        let own = setting(Slices::Waiting, "list", 64, think_ns, 0);
        let bound = AtMost(Tollgate::TURN.as_nanos() as f64 * f64::from(own.threads));
        for (figure, which) in [(Figure::Longest, "longest"), (Figure::P99_9, "p99.9")] {
            let title = format!("list, {words} think time, {which}");
            let cell = format!("waiting/{pause}");
            add(&cell, &title, (vec![own], figure), Judged::Own, bound);
        }
    }
    let pthread = Judged::Named("pthread");
    let own = setting(Slices::Hogs, "list", 4, 0, 0);
    add("hogs", "list", time(own), pthread, AtLeast(1.0));
    let share = (vec![own], Figure::HogShare);
    let fair = AtLeast(f64::from(HOGS) / f64::from(HOGS + own.threads));
    add("hogs", "list, busy threads' CPU", share, Judged::Own, fair);
    for (name, title) in [
        (PING_PONG, "ping-pong of two threads"),
        (BROADCAST, "broadcast to 64 waiters"),
    ] {
        let cell = format!("condition/{name}");
        add(&cell, title, time(condition(name)), pthread, AtLeast(1.0));
    }
    lines
}

pub const PING_PONG: &str = "ping-pong";
pub const BROADCAST: &str = "broadcast";

pub fn condition(name: &'static str) -> Setting {
    setting(Slices::Condition, name, 0, 0, 0)
}

fn setting(
    slices: Slices,
    workload: &'static str,
    threads: u32,
    think_ns: u64,
    hold_ns: u64,
) -> Setting {
    Setting {
        slices,
        workload,
        threads,
        think_ns,
        hold_ns,
    }
}

impl Line {
    fn new(
        cell: &str,
        title: &str,
        (settings, figure): (Vec<Setting>, Figure),
        judged: Judged,
        goal: Option<Goal>,
    ) -> Line {
        let name = cell.split('/').next();
        let group = GROUPS.iter().find(|group| Some(group.name) == name);
        Line {
            group: group.expect("a line's group is listed"),
            cell: cell.to_owned(),
            title: title.to_owned(),
            settings,
            figure,
            judged,
            goal,
        }
    }

    /// Whether a word of the command line means its cell: the whole name, or the beginning up to a slash.
    pub fn is_meant_by(&self, word: &str) -> bool {
        let rest = self.cell.strip_prefix(word.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    pub fn is_condition(&self) -> bool {
        self.settings[0].slices == Slices::Condition
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells_of(quick: bool, words: &[&str]) -> Vec<String> {
        let mut cells: Vec<String> = lines(quick, words)
            .into_iter()
            .filter(|line| line.judged != Judged::Mean)
            .map(|line| line.cell)
            .collect();
        cells.dedup();
        cells
    }

    #[test]
    fn every_cell_is_there_and_a_quick_run_has_both_extremes() {
        let all = cells_of(false, &[]);
        let count = |group: &Group| {
            let own = all
                .iter()
                .filter(|it| it.split('/').next() == Some(group.name));
            own.count()
        };
        assert_eq!(GROUPS.each_ref().map(count), [1, 12, 12, 18, 4, 2, 1, 2]);
        let quick = cells_of(true, &[]);
        for cell in [
            "no-think/list/2",
            "no-think/list/64",
            "holds/100us/64",
            "hogs",
        ] {
            assert!(quick.iter().any(|it| it == cell), "{cell}");
        }
    }

    #[test]
    fn a_word_means_whole_steps_of_a_name() {
        let count = |word: &str| cells_of(false, &[word]).len();
        let words = [
            "no-think",
            "no-think/list/",
            "no-think/list/8",
            "holds/1",
            "think",
        ];
        assert_eq!(words.map(count), [12, 6, 1, 0, 12]);
    }

    #[test]
    fn a_mean_is_of_several_cells_of_its_group() {
        let means = |words: &[&str]| -> Vec<usize> {
            let lines = lines(true, words);
            let means = lines.iter().filter(|line| line.judged == Judged::Mean);
            means.map(|line| line.settings.len()).collect()
        };
        assert_eq!(means(&[]), [6, 6, 9, 9]);
        assert_eq!(means(&["think/list"]), [3]);
        assert_eq!(means(&["think/list/8", "hogs"]), [0; 0]);
    }

    #[test]
    fn the_limits_that_are_judged_are_those_that_are_stated() {
        for line in lines(false, &[]) {
            let (Some(AtLeast(limit) | AtMost(limit)), true) =
                (line.goal, line.judged != Judged::Best)
            else {
                continue;
            };
            let stated = match line.group.name {
                "waiting" => Tollgate::TURN.as_nanos() as f64 / 1e3,
                "hogs" | "condition" => continue,
                _ => limit,
            };
            assert!(
                line.group.to_reach.contains(&stated.to_string()),
                "{}",
                line.title
            );
        }
    }
}

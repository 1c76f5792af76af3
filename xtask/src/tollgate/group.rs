//! The rows of the table, and what is to be reached in each: data, so that a reader finds every limit in one place.

use locktoll_locks::Tollgate;

/// What a figure is judged against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// At least so much, as of a ratio that is better when greater.
    AtLeast(f64),
    /// At most so much, as of a time.
    AtMost(f64),
}

/// What is to be reached in each cell of a row, and in its geometric mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// One thread takes and releases a free lock while others are alive.
    Uncontended,
    /// Short critical sections, back to back.
    NoThink,
    /// Short critical sections, with work between them.
    Think,
    /// Long critical sections.
    Holds,
    /// What many threads make of the best throughput.
    Collapse,
    /// How long an acquisition takes at most.
    Waiting,
    /// Beside threads that want the processors for something else.
    Hogs,
    /// Condition variables.
    Condition,
}

/// Nanoseconds of the uncontended pair.
pub const UNCONTENDED: Goal = Goal::AtMost(9.5);
/// How far ahead of the best peer the uncontended pair is.
pub const UNCONTENDED_AHEAD: Goal = Goal::AtLeast(1.4);
/// In every cell of short critical sections.
pub const CELL_AHEAD: Goal = Goal::AtLeast(1.0);
/// In the geometric mean of cells without think time.
pub const NO_THINK_MEAN: Goal = Goal::AtLeast(1.3);
/// In the geometric mean of cells with think time.
pub const THINK_MEAN: Goal = Goal::AtLeast(1.15);
/// Long critical sections: within 3 % of the best.
pub const HOLD_AHEAD: Goal = Goal::AtLeast(1.0 / 1.03);
/// Long critical sections: the least CPU time an operation.
pub const HOLD_CPU_AHEAD: Goal = Goal::AtLeast(1.0);
/// Best throughput over that with the most threads.
pub const COLLAPSE: Goal = Goal::AtMost(1.2);
/// Beside busy threads, and where a condition variable is concerned: ahead of pthread.
pub const PTHREAD_AHEAD: Goal = Goal::AtLeast(1.0);
/// What Tollgate states: nobody waits for longer than this times the threads that compete.
pub const BOUND_NS: f64 = Tollgate::BOUND_NS as f64;

impl Group {
    /// All rows, in the table's order.
    pub const ALL: [Group; 8] = [
        Group::Uncontended,
        Group::NoThink,
        Group::Think,
        Group::Holds,
        Group::Collapse,
        Group::Waiting,
        Group::Hogs,
        Group::Condition,
    ];

    /// What the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Group::Uncontended => "uncontended",
            Group::NoThink => "no-think",
            Group::Think => "think",
            Group::Holds => "holds",
            Group::Collapse => "collapse",
            Group::Waiting => "waiting",
            Group::Hogs => "hogs",
            Group::Condition => "condition",
        }
    }

    /// What a reader calls it.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Uncontended => "Uncontended pair, a second thread alive",
            Group::NoThink => "List and thread-id, no think time",
            Group::Think => "List and thread-id, 200 ns of think time",
            Group::Holds => "Holds of 1, 10 and 100 us",
            Group::Collapse => "Collapse: best throughput over that with 64 threads",
            Group::Waiting => "Waiting: longest and p99.9 acquisition, 64 threads",
            Group::Hogs => "4 busy threads beside 4 threads that compete",
            Group::Condition => "Condition variable: ping-pong, broadcast to 64",
        }
    }

    /// The heading, in the few words that a summary has room for.
    pub fn short(self) -> &'static str {
        match self {
            Group::Uncontended => "uncontended pair",
            Group::NoThink => "no think time",
            Group::Think => "200 ns of think time",
            Group::Holds => "holds of 1 to 100 us",
            Group::Collapse => "collapse",
            Group::Waiting => "waiting, 64 threads",
            Group::Hogs => "4 busy threads beside",
            Group::Condition => "condition variable",
        }
    }

    /// What is to be reached, likewise.
    pub fn to_reach_in_short(self) -> &'static str {
        match self {
            Group::Uncontended => "9.5 ns, 1.4x ahead",
            Group::NoThink => "the best, mean 1.3x ahead",
            Group::Think => "the best, mean 1.15x ahead",
            Group::Holds => "best within 3 %, least CPU",
            Group::Collapse => "1.2x",
            Group::Waiting => "500 us x threads",
            Group::Hogs => "pthread, fair share",
            Group::Condition => "pthread",
        }
    }

    /// What is to be reached, in words.
    pub fn to_reach(self) -> &'static str {
        match self {
            Group::Uncontended => "at most 9.5 ns, and 1.4x ahead of the best",
            Group::NoThink => "at most the best in every cell, 1.3x ahead in the geometric mean",
            Group::Think => "at most the best in every cell, 1.15x ahead in the geometric mean",
            Group::Holds => "within 3 % of the best, and the least CPU time an operation",
            Group::Collapse => "at most 1.2",
            Group::Waiting => "at most the bound: 500 us times the threads",
            Group::Hogs => "ahead of pthread, and the busy threads get their fair share",
            Group::Condition => "ahead of pthread",
        }
    }

    /// What the geometric mean over the row's cells is to reach, where it is to reach anything.
    pub fn mean_goal(self) -> Option<Goal> {
        match self {
            Group::NoThink => Some(NO_THINK_MEAN),
            Group::Think => Some(THINK_MEAN),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_by_the_command_line() {
        for (index, group) in Group::ALL.iter().enumerate() {
            for other in &Group::ALL[index + 1..] {
                assert_ne!(group.name(), other.name());
            }
        }
    }

    #[test]
    fn what_is_said_is_what_is_judged() {
        let says = |group: Group, goal: Goal| {
            let number = match goal {
                Goal::AtLeast(it) | Goal::AtMost(it) => it,
            };
            assert!(group.to_reach().contains(&number.to_string()), "{group:?}");
        };
        says(Group::Uncontended, UNCONTENDED);
        says(Group::Uncontended, UNCONTENDED_AHEAD);
        says(Group::NoThink, NO_THINK_MEAN);
        says(Group::Think, THINK_MEAN);
        says(Group::Collapse, COLLAPSE);
        assert!(
            Group::Waiting
                .to_reach()
                .contains(&(BOUND_NS / 1e3).to_string())
        );
    }
}

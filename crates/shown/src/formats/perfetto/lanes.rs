//! Intervals of one thread, in lanes in which each lies within the one before it or begins after its end.
//!
//! A thread may release its locks in any order, and slices of one track must be nested.

/// Open intervals of a lane: the ends, the innermost last.
#[derive(Default)]
struct Lane {
    open: Vec<u64>,
}

/// The lanes of one thread.
#[derive(Default)]
pub struct Lanes {
    lanes: Vec<Lane>,
}

/// What has to be written, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The innermost interval of a lane ends.
    End {
        /// The lane.
        lane: usize,
        /// When.
        at_ns: u64,
    },
    /// An interval begins.
    Begin {
        /// Its lane.
        lane: usize,
    },
}

impl Lanes {
    /// Adds an interval, which does not begin before the last one did. Calls `write` with each step.
    pub fn add<E>(
        &mut self,
        begin_ns: u64,
        end_ns: u64,
        mut write: impl FnMut(Step) -> Result<(), E>,
    ) -> Result<(), E> {
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            while let Some(&at_ns) = lane.open.last().filter(|&&end| end <= begin_ns) {
                lane.open.pop();
                write(Step::End {
                    lane: number,
                    at_ns,
                })?;
            }
        }
        let fits = |lane: &Lane| lane.open.last().is_none_or(|&outer| end_ns <= outer);
        let lane = match self.lanes.iter().position(fits) {
            Some(lane) => lane,
            None => {
                self.lanes.push(Lane::default());
                self.lanes.len() - 1
            }
        };
        self.lanes[lane].open.push(end_ns);
        write(Step::Begin { lane })
    }

    /// Ends all open intervals.
    pub fn finish<E>(mut self, mut write: impl FnMut(Step) -> Result<(), E>) -> Result<(), E> {
        for (lane, open) in self.lanes.iter_mut().enumerate() {
            while let Some(at_ns) = open.open.pop() {
                write(Step::End { lane, at_ns })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Returns the steps of these intervals as text: `b0` begins in lane 0, `e1@9` ends in lane 1 at 9.
    fn steps(intervals: &[(u64, u64)]) -> String {
        let mut lanes = Lanes::default();
        let mut words = Vec::new();
        let mut write = |step| {
            words.push(match step {
                Step::Begin { lane } => format!("b{lane}"),
                Step::End { lane, at_ns } => format!("e{lane}@{at_ns}"),
            });
            Ok::<(), Infallible>(())
        };
        for &(begin, end) in intervals {
            lanes.add(begin, end, &mut write).unwrap();
        }
        lanes.finish(&mut write).unwrap();
        words.join(" ")
    }

    #[test]
    fn nested_intervals_share_a_lane_and_crossing_ones_do_not() {
        assert_eq!(steps(&[(0, 9), (1, 4), (4, 9)]), "b0 b0 e0@4 b0 e0@9 e0@9");
        assert_eq!(steps(&[(0, 5), (3, 8), (6, 7)]), "b0 b1 e0@5 b0 e0@7 e1@8");
        assert_eq!(steps(&[(2, 2), (2, 2)]), "b0 e0@2 b0 e0@2");
    }
}

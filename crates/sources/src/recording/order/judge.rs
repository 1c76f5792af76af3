//! Whether threads can be in the middle of all steps of a cycle at once, each waiting for the next.

use super::steps::{Step, exclude_each_other};
use super::threads::{Alike, Threads};
use locktoll_results::profile::OrderMode;

/// The number of combinations of steps that are tried for one cycle.
const MOST_TRIED: usize = 20_000;

/// Chooses one step for each arc of a cycle.
pub struct Judge<'s, 'a> {
    /// The steps of each arc, in the order of the cycle.
    pub arcs: Vec<Vec<&'s Step>>,
    /// The threads of the process.
    pub alike: &'a Alike,
}

impl<'s> Judge<'s, '_> {
    /// Returns steps by which the cycle can end in a deadlock, one for each arc.
    pub fn realisable(&self) -> Option<Vec<&'s Step>> {
        let mut chosen = Vec::new();
        let mut left = MOST_TRIED;
        self.choose(&mut chosen, &mut left).then_some(chosen)
    }

    fn choose(&self, chosen: &mut Vec<&'s Step>, left: &mut usize) -> bool {
        let Some(steps) = self.arcs.get(chosen.len()) else {
            return self.closes(chosen);
        };
        for &step in steps {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let fits = chosen
                .iter()
                .all(|it| !exclude_each_other(&it.key, &step.key))
                && chosen.last().is_none_or(|before| waits_for(before, step));
            if fits {
                chosen.push(step);
                if self.choose(chosen, left) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }

    fn closes(&self, chosen: &[&'s Step]) -> bool {
        let (Some(first), Some(last)) = (chosen.first(), chosen.last()) else {
            return false;
        };
        let threads: Vec<&Threads> = chosen.iter().map(|it| &it.threads).collect();
        waits_for(last, first) && self.alike.are_enough(&threads)
    }
}

/// Whether the acquisition of one step waits for the lock that the other step holds.
fn waits_for(one: &Step, other: &Step) -> bool {
    let is_shared =
        one.key.acquired_mode == OrderMode::Shared && other.key.held_mode == OrderMode::Shared;
    one.key.waits && (!is_shared || one.behind_writers)
}

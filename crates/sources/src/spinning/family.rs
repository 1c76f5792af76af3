//! Which processes are watched, and which program each of them runs.

use std::collections::HashMap;

use crate::perf::Task;
use locktoll_terminal::system::files::{field_of_stat, text_of_process};

/// The number of a program in a process: a process that runs another program gets another number.
pub type ImageNumber = usize;

/// Processes and the numbers of their programs.
#[derive(Debug, Default)]
pub struct Family {
    /// `None` for processes that are known to be strangers.
    images: HashMap<u32, Option<ImageNumber>>,
    next: ImageNumber,
    /// Whether the children of watched processes are watched too.
    with_children: bool,
    /// Whether all samples are of watched processes, since only those were asked for.
    all_are_ours: bool,
}

/// What a process that was met for the first time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// The number of its program.
    pub image: ImageNumber,
    /// The program from which it was forked, if that is watched: it begins with the same code.
    pub forked_from: Option<ImageNumber>,
}

/// More processes than this are not watched in one run.
const MOST_IMAGES: usize = 10_000;

/// More generations are not looked at.
const GENERATIONS: usize = 32;

impl Family {
    /// Starts without processes.
    pub fn new(with_children: bool, all_are_ours: bool) -> Self {
        Self {
            with_children,
            all_are_ours,
            ..Self::default()
        }
    }

    /// Takes in a process.
    pub fn add(&mut self, pid: u32) -> Option<Met> {
        self.begin(pid, None)
    }

    fn begin(&mut self, pid: u32, forked_from: Option<ImageNumber>) -> Option<Met> {
        if self.next >= MOST_IMAGES {
            return None;
        }
        let image = self.next;
        self.next += 1;
        self.images.insert(pid, Some(image));
        Some(Met { image, forked_from })
    }

    /// Returns the number of the program that `pid` runs, and whether it was met for the first time; `None` for strangers.
    pub fn of_sample(&mut self, pid: u32) -> Option<(ImageNumber, Option<Met>)> {
        if let Some(known) = self.images.get(&pid) {
            return known.map(|image| (image, None));
        }
        // The record of its beginning was lost, or it comes with the records of another CPU.
        let parent = match self.all_are_ours {
            true => None,
            false if self.with_children && self.descends(pid) => {
                parent_of(pid).and_then(|it| self.image_of(it))
            }
            false => {
                // Most processes of a busy machine: each of their samples would read the file again.
                self.images.insert(pid, None);
                return None;
            }
        };
        let met = self.begin(pid, parent)?;
        Some((met.image, Some(met)))
    }

    /// Whether a watched process is among the ancestors.
    fn descends(&self, pid: u32) -> bool {
        let ancestors = std::iter::successors(parent_of(pid), |&it| parent_of(it));
        ancestors
            .take(GENERATIONS)
            .take_while(|it| *it > 0 && !self.is_stranger(*it))
            .any(|it| self.knows(it))
    }

    /// Notes a thread that began. Returns the new process, if it is one.
    pub fn began(&mut self, task: Task) -> Option<Met> {
        if task.pid != task.tid || !self.with_children {
            return None;
        }
        let parent = self.images.get(&task.parent_pid).copied().flatten();
        if self.knows(task.pid) {
            // It was named, or a sample of it came first.
            return None;
        }
        if parent.is_none() && !self.all_are_ours {
            // A stranger's number may have been given to another process.
            self.images.remove(&task.pid);
            return None;
        }
        self.begin(task.pid, parent)
    }

    /// Returns the number of the program that `pid` runs, if it is watched and known.
    pub fn image_of(&self, pid: u32) -> Option<ImageNumber> {
        self.images.get(&pid).copied().flatten()
    }

    /// Whether `pid` is known not to be watched.
    pub fn is_stranger(&self, pid: u32) -> bool {
        self.images.get(&pid).is_some_and(Option::is_none)
    }

    /// Whether `pid` is watched.
    pub fn knows(&self, pid: u32) -> bool {
        self.images.get(&pid).is_some_and(Option::is_some)
    }

    /// Notes that a process runs another program.
    pub fn new_program(&mut self, pid: u32) -> Option<Met> {
        self.images.get(&pid).copied().flatten()?;
        self.begin(pid, None)
    }

    /// Notes that a process has ended.
    pub fn ended(&mut self, pid: u32) {
        self.images.remove(&pid);
    }
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = text_of_process(pid, "stat").ok()?;
    field_of_stat(&stat, 4)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(pid: u32, tid: u32, parent_pid: u32) -> Task {
        Task {
            pid,
            tid,
            parent_pid,
        }
    }

    #[test]
    fn children_belong_to_the_family_and_get_their_own_programs() {
        let mut family = Family::new(true, false);
        let root = family.add(10).unwrap();
        let child = family.began(task(11, 11, 10)).unwrap();
        assert_eq!(child.forked_from, Some(root.image));
        assert_eq!(family.began(task(11, 12, 11)), None);
        assert_eq!(family.began(task(90, 90, 80)), None);
        let program = family.new_program(11).unwrap();
        assert_eq!(program.forked_from, None);
        assert_ne!(program.image, child.image);
        assert_eq!(family.of_sample(11), Some((program.image, None)));
        assert_eq!(family.new_program(90), None);
        assert!(!family.is_stranger(11) && !family.is_stranger(u32::MAX / 2));
        family.ended(11);
        // A process of which nothing is known and which is gone.
        assert_eq!(family.of_sample(u32::MAX / 2), None);
    }

    #[test]
    fn a_stranger_is_looked_up_once() {
        let mut family = Family::new(true, false);
        family.add(u32::MAX / 2);
        // The parent of this process is not of the family.
        let own = std::process::id();
        assert_eq!(family.of_sample(own), None);
        assert!(family.is_stranger(own));
    }

    #[test]
    fn without_children_only_the_named_processes_count() {
        let mut family = Family::new(false, false);
        family.add(10);
        assert_eq!(family.began(task(11, 11, 10)), None);
        assert_eq!(family.of_sample(11), None);
    }
}

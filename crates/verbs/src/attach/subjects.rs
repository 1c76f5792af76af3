//! The processes to watch.

use crate::attach::flags::AttachArgs;
use crate::groups::Cgroup;
use locktoll_sources::futexes::{Subject, Whom};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// The processes to watch, and the sources of further ones.
pub struct Subjects {
    /// The processes that are there now.
    pub now: Vec<Subject>,
    /// Whether the processes that they start are watched.
    pub children: bool,
    /// The control group that other processes may join.
    pub cgroup: Option<Cgroup>,
}

impl Subjects {
    /// Finds the processes that the command line names.
    ///
    /// # Errors
    /// [`Failure`] if one of the processes is not there or cannot be watched, or if the control group has none that can.
    pub fn of(args: &AttachArgs) -> Result<Self, Failure> {
        if let Some(cgroup) = args.group.find()? {
            return Self::in_group(cgroup);
        }
        let mut pids = args.pids.clone();
        let mut seen = std::collections::HashSet::new();
        pids.retain(|&pid| seen.insert(pid));
        let now = pids.into_iter().map(Subject::of);
        Ok(Self {
            now: now.collect::<Result<_, _>>()?,
            children: args.children,
            cgroup: None,
        })
    }

    fn in_group(cgroup: Cgroup) -> Result<Self, Failure> {
        let pids = cgroup.processes();
        let now: Vec<Subject> = pids
            .iter()
            .filter_map(|&pid| Subject::of(pid).ok())
            .collect();
        if now.is_empty() {
            let folder = shown(cgroup.folder().as_os_str());
            return Err(Failure::Unsupported(format!(
                "{folder} has no process that can be watched; `locktoll doctor` reports missing privileges, if any"
            )));
        }
        Ok(Self {
            now,
            children: true,
            cgroup: Some(cgroup),
        })
    }

    /// Whether only one process is meant, and only as the program that it is now.
    pub fn is_one(&self) -> bool {
        self.now.len() == 1 && !self.children
    }

    /// Returns the same for the programs in the kernel.
    pub fn whom(&self) -> Whom {
        match &self.now[..] {
            [only] if self.is_one() => Whom::One(only.pid),
            all => Whom::Some {
                processes: all.iter().map(|it| it.pid).collect(),
                children: self.children,
            },
        }
    }

    /// Returns each process with the number by which the programs in the kernel know it.
    pub fn numbered(&self) -> Vec<(u32, Subject)> {
        match &self.now[..] {
            [only] if self.is_one() => vec![(only.pid, only.clone())],
            all => (1..).zip(all.iter().cloned()).collect(),
        }
    }
}

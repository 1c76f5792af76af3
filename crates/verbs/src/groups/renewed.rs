//! The control group that flags name, for those who watch for months: a container may be made anew under the same name.

use std::time::{Duration, Instant};

use super::cgroup::Cgroup;
use super::flags::GroupArgs;
use locktoll_terminal::failure::Failure;

/// How often to find out whether another group has the name now, while the known group is still there.
const RENEW: Duration = Duration::from_secs(30);

/// A search is not repeated before this many times its own length has passed: on a machine with thousands of groups, it costs most.
const SPARE: u32 = 200;

/// The group that the flags name.
pub struct Renewed {
    asked: GroupArgs,
    group: Cgroup,
    /// When to search again if the group is gone, and if it is still there.
    due: [Instant; 2],
}

impl Renewed {
    /// Finds the group, if the flags name one.
    ///
    /// # Errors
    /// As [`GroupArgs::find`].
    pub fn of(asked: &GroupArgs) -> Result<Option<Self>, Failure> {
        let Some(group) = asked.find()? else {
            return Ok(None);
        };
        let mut asked = asked.clone();
        // A container that is made anew has another id, and another container's id may have the same beginning.
        if asked
            .container
            .as_deref()
            .is_some_and(|id| group.has_id(id))
        {
            asked = GroupArgs {
                cgroup: Some(group.folder().to_owned()),
                container: None,
            };
        }
        let now = Instant::now();
        Ok(Some(Self {
            asked,
            group,
            due: [now, now + RENEW],
        }))
    }

    /// Returns the group that has the name now; the last one if there is none, or if several have it. To be called about once a second.
    pub fn now(&mut self) -> &Cgroup {
        let began = Instant::now();
        let due = self.due[usize::from(self.group.exists())];
        if began >= due {
            if let Ok(Some(group)) = self.asked.find() {
                self.group = group;
            }
            let took = began.elapsed();
            let gone = Instant::now() + took * SPARE;
            self.due = [gone, gone.max(began + RENEW)];
        }
        &self.group
    }

    /// Whether the group has gone, and no other with the name has been found.
    pub fn is_gone(&self) -> bool {
        !self.group.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::super::cgroup::PROCESSES;
    use super::*;
    use std::fs;

    #[test]
    fn a_group_that_comes_back_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let group = folder.path().join("web");
        let make = || {
            fs::create_dir(&group).unwrap();
            fs::write(group.join(PROCESSES), "7\n").unwrap();
        };
        make();
        let asked = GroupArgs {
            cgroup: Some(group.clone()),
            container: None,
        };
        let mut renewed = Renewed::of(&asked).unwrap().unwrap();
        assert_eq!(renewed.now().processes(), [7]);
        fs::remove_dir_all(&group).unwrap();
        assert_eq!(renewed.now().processes(), [0; 0]);
        assert!(renewed.is_gone());
        make();
        assert_eq!(renewed.now().processes(), [7]);
        assert!(Renewed::of(&GroupArgs::default()).unwrap().is_none());
    }
}

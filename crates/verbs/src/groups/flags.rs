//! Flags that name a control group.

use std::path::PathBuf;

use clap::Args;

use super::cgroup::Cgroup;
use locktoll_terminal::failure::Failure;

/// The control group whose processes are watched.
#[derive(Clone, Debug, Default, Args)]
pub struct GroupArgs {
    /// Watch a control group: its processes, those of the groups below it, and those that join later. PATH is a folder, or its name
    /// under /sys/fs/cgroup.
    #[arg(long, value_name = "PATH", conflicts_with = "container")]
    pub cgroup: Option<PathBuf>,
    /// Watch the control group of a container (Docker, containerd, CRI-O, podman) or of a systemd unit: its id, the beginning of its
    /// id, or its name.
    #[arg(long, value_name = "ID|NAME")]
    pub container: Option<String>,
}

impl GroupArgs {
    /// Finds the group that the flags name, if they name one.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no such group, or if several groups could be meant.
    pub fn find(&self) -> Result<Option<Cgroup>, Failure> {
        match (&self.cgroup, &self.container) {
            (Some(path), _) => Cgroup::of(path).map(Some),
            (None, Some(container)) => Cgroup::of_container(container).map(Some),
            (None, None) => Ok(None),
        }
    }
}

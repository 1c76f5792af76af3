//! The processes of a control group or a container, for the verbs that watch processes.
//!
//! - `flags`: `--cgroup` and `--container`.
//! - `cgroup`: a control group: its folder and its processes.
//! - `renewed`: the group that the flags name, for months.
//! - `tree`: the groups of this machine; `container`: the one among them that an id or a name means.
//! - `container_names`: the names that container engines give to ids.

mod cgroup;
mod container;
mod container_names;
mod flags;
mod renewed;
mod tree;

pub use cgroup::{Cgroup, InKernel};
pub use flags::GroupArgs;
pub use renewed::Renewed;

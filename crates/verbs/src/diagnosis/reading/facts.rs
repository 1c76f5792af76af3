//! The shape of a reading.

use locktoll_lab::machine::Machine;

use super::{Calls, Kernel, Preload, Processor};
use crate::diagnosis::{Capabilities, Capability, KernelVersion};

/// All the facts that findings are made from.
#[derive(Clone, Debug)]
pub struct Reading {
    /// This program's own file.
    pub binary: Binary,
    /// The privileges of this process, and the limits on them.
    pub privileges: Privileges,
    /// The kernel and its settings.
    pub kernel: Kernel,
    /// The results of system calls made as a test.
    pub calls: Calls,
    /// The processors, and disturbances of their times.
    pub processor: Processor,
    /// Obstacles to preload libraries.
    pub preload: Preload,
    /// The facts about the machine that reports show.
    pub machine: Machine,
    /// Whether systemd is the service manager (`sd_booted(3)`).
    pub systemd: bool,
    /// Whether a tracing program was loaded.
    pub trial: Trial,
}

/// This program's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// Its path.
    pub path: String,
    /// Whether it lies on a file system that is mounted nosuid, where the kernel takes no notice of file capabilities.
    pub nosuid: Option<bool>,
}

/// The privileges of this process, and the limits on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Privileges {
    /// The effective user.
    pub user_id: Option<u32>,
    /// The effective capabilities.
    pub effective: Option<Capabilities>,
    /// The limit on the effective capabilities.
    pub permitted: Option<Capabilities>,
    /// The limit on the capabilities that executing a file can give.
    pub bounding: Option<Capabilities>,
    /// Number of the last capability that the kernel knows.
    pub last_capability: Option<u32>,
    /// Whether executing a file can raise anything (prctl(2), `PR_SET_NO_NEW_PRIVS`).
    pub no_new_privs: Option<bool>,
    /// Whether system calls go through a seccomp(2) filter.
    pub seccomp_filter: Option<bool>,
    /// Whether this is the first user namespace, the only one in which capabilities count for the kernel as a whole.
    pub first_user_namespace: Option<bool>,
    /// Whether the process ids are those of the whole system.
    pub first_pid_namespace: Option<bool>,
    /// Whether this process has its own namespace of any kind that containers use. The marks of containers alone do not prove it:
    /// a virtual machine may have been made from a container's files.
    pub confined: Option<bool>,
}

/// The result of loading a tracing program that does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The kernel took it.
    Loaded,
    /// The kernel, or something in front of it, refused.
    Refused {
        /// The reason, in one line.
        reason: String,
    },
    /// It was not tried.
    NotTried,
}

impl Reading {
    /// The same with a program loaded for real, where the reading itself does not stand in the way.
    pub fn tried(mut self) -> Self {
        self.trial = crate::diagnosis::tracing_attempt::attempt();
        self
    }

    /// Returns the path of this program's own file.
    pub fn program(&self) -> &str {
        &self.binary.path
    }

    /// Returns the effective user.
    pub fn user_id(&self) -> Option<u32> {
        self.privileges.user_id
    }

    /// Returns the kernel's version, if its release could be read.
    pub fn kernel_version(&self) -> Option<KernelVersion> {
        KernelVersion::of_release(self.machine.kernel.as_deref()?)
    }

    /// Whether the kernel lets this process do what the capability is for. Outside the first user namespace, capabilities do not
    /// count for BPF, performance counters and the kernel's addresses.
    pub fn permits(&self, capability: Capability) -> Option<bool> {
        let privileges = &self.privileges;
        if self.in_user_namespace() && capability != Capability::SysPtrace {
            return Some(false);
        }
        Some(privileges.effective?.permits(capability))
    }

    /// Whether this is known to be another user namespace than the first.
    pub fn in_user_namespace(&self) -> bool {
        self.privileges.first_user_namespace == Some(false)
    }

    /// Returns the container around this process, if there is one that confines it.
    pub fn container(&self) -> Option<&str> {
        let mark = self.machine.container.as_deref()?;
        (self.privileges.confined != Some(false)).then_some(mark)
    }

    /// Whether the effective user is root, in any namespace.
    pub fn is_root(&self) -> bool {
        self.privileges.user_id == Some(0)
    }
}

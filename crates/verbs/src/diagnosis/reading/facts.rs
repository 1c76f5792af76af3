//! The shape of a reading.

use locktoll_lab::machine::Machine;

use super::{Calls, Kernel, Preload, Processor};
use crate::diagnosis::{Capabilities, Capability, KernelVersion};

/// All that findings are made from.
#[derive(Clone, Debug)]
pub struct Reading {
    /// This very program.
    pub binary: Binary,
    /// What this process may do.
    pub privileges: Privileges,
    /// The kernel and its settings.
    pub kernel: Kernel,
    /// System calls that were made to see what comes back.
    pub calls: Calls,
    /// Processors and what disturbs them.
    pub processor: Processor,
    /// What stands in the way of preload libraries.
    pub preload: Preload,
    /// What reports show of the machine.
    pub machine: Machine,
    /// Whether systemd is the service manager (`sd_booted(3)`).
    pub systemd: bool,
    /// Whether a tracing program was loaded.
    pub trial: Trial,
}

/// This very program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// Its path.
    pub path: String,
    /// Whether it lies on a file system that is mounted nosuid, where the kernel takes no notice of file capabilities.
    pub nosuid: Option<bool>,
}

/// What this process may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Privileges {
    /// The effective user.
    pub user_id: Option<u32>,
    /// In force.
    pub effective: Option<Capabilities>,
    /// At most in force.
    pub permitted: Option<Capabilities>,
    /// At most to be had by executing a file.
    pub bounding: Option<Capabilities>,
    /// Number of the last capability that the kernel knows.
    pub last_capability: Option<u32>,
    /// Whether executing a file can raise anything (prctl(2), `PR_SET_NO_NEW_PRIVS`).
    pub no_new_privs: Option<bool>,
    /// Whether system calls go through a seccomp(2) filter.
    pub seccomp_filter: Option<bool>,
    /// Whether the user namespace is the first one, in which alone capabilities count for the kernel as a whole.
    pub first_user_namespace: Option<bool>,
    /// Whether the process ids are those of the whole system.
    pub first_pid_namespace: Option<bool>,
    /// Whether any name space of a kind that containers have is one of its own. Marks of containers alone do not tell: a
    /// virtual machine may have been made from a container's files.
    pub confined: Option<bool>,
}

/// What came of loading a tracing program that does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The kernel took it.
    Loaded,
    /// The kernel, or something before it, did not.
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

    /// The path of this very program.
    pub fn program(&self) -> &str {
        &self.binary.path
    }

    /// The effective user.
    pub fn user_id(&self) -> Option<u32> {
        self.privileges.user_id
    }

    /// The kernel's version, if its release could be read.
    pub fn kernel_version(&self) -> Option<KernelVersion> {
        KernelVersion::of_release(self.machine.kernel.as_deref()?)
    }

    /// Whether the kernel lets this process do what the capability is for. Capabilities of another user namespace than
    /// the first one do not count for BPF, performance counters and the kernel's addresses.
    pub fn permits(&self, capability: Capability) -> Option<bool> {
        let privileges = &self.privileges;
        if self.in_user_namespace() && capability != Capability::SysPtrace {
            return Some(false);
        }
        Some(privileges.effective?.permits(capability))
    }

    /// Whether this is known to be a user namespace of its own.
    pub fn in_user_namespace(&self) -> bool {
        self.privileges.first_user_namespace == Some(false)
    }

    /// The container around this process, if it is one that confines it.
    pub fn container(&self) -> Option<&str> {
        let mark = self.machine.container.as_deref()?;
        (self.privileges.confined != Some(false)).then_some(mark)
    }

    /// Whether the effective user is root, of whatever namespace.
    pub fn is_root(&self) -> bool {
        self.privileges.user_id == Some(0)
    }
}

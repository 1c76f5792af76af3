//! Taking a reading of the running system.

use std::fs::read_link;
use std::path::Path;

use locktoll_lab::machine::Machine;
use rustix::fs::StatVfsMountFlags;

use super::text::{text, value};
use super::{Binary, Calls, Kernel, Preload, Privileges, Processor, Reading, Trial, status};

/// Numbers of the first namespaces, which the kernel has fixed (`include/linux/proc_ns.h`, user-visible since 3.8).
const FIRST_USER_NAMESPACE: &str = "user:[4026531837]";
const FIRST_PID_NAMESPACE: &str = "pid:[4026531836]";

impl Reading {
    /// Reads all of it, which takes some 50 ms, and loads nothing into the kernel.
    pub fn take() -> Self {
        Self {
            binary: binary(),
            privileges: privileges(),
            kernel: Kernel::read(),
            calls: Calls::make(),
            processor: Processor::read(),
            preload: Preload::read(),
            machine: Machine::observe(),
            systemd: Path::new("/run/systemd/system").exists(),
            trial: Trial::NotTried,
        }
    }
}

fn binary() -> Binary {
    let Ok(path) = std::env::current_exe() else {
        return Binary {
            path: "locktoll".to_owned(),
            nosuid: None,
        };
    };
    let nosuid = rustix::fs::statvfs(&path)
        .ok()
        .map(|mount| mount.f_flag.contains(StatVfsMountFlags::NOSUID));
    Binary {
        path: path.display().to_string(),
        nosuid,
    }
}

fn privileges() -> Privileges {
    let first = |kind: &str, name: &str| {
        let link = read_link(format!("/proc/self/ns/{kind}")).ok()?;
        Some(link == Path::new(name))
    };
    Privileges {
        last_capability: value("/proc/sys/kernel/cap_last_cap"),
        first_user_namespace: first("user", FIRST_USER_NAMESPACE),
        first_pid_namespace: first("pid", FIRST_PID_NAMESPACE),
        ..status::privileges(&text("/proc/self/status").unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_system_reads() {
        let reading = Reading::take();
        assert!(reading.kernel_version().is_some());
        assert!(reading.privileges.effective.is_some());
        assert!(Path::new(&reading.binary.path).is_file());
        assert!(reading.privileges.user_id.is_some());
    }
}

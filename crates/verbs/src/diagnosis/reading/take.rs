//! Reads the facts of the running system.

use std::fs::read_link;
use std::path::Path;

use locktoll_lab::machine::Machine;
use rustix::fs::StatVfsMountFlags;

use super::small_files::{text, value};
use super::{Binary, Calls, Kernel, Preload, Privileges, Processor, Reading, Trial, status};

/// Inode numbers of the first namespaces, which the kernel has fixed (`include/linux/proc_ns.h`, user-visible since 3.8).
const FIRST_NAMESPACES: [(&str, u32); 5] = [
    ("user", 4_026_531_837),
    ("pid", 4_026_531_836),
    ("uts", 4_026_531_838),
    ("ipc", 4_026_531_839),
    ("cgroup", 4_026_531_835),
];

impl Reading {
    /// Reads everything. This takes some 50 ms, and loads nothing into the kernel.
    pub fn take() -> Self {
        let machine = Machine::observe();
        Self {
            binary: binary(),
            privileges: privileges(),
            kernel: Kernel::read(machine.kernel.as_deref()),
            calls: Calls::make(),
            processor: Processor::read(),
            preload: Preload::read(),
            machine,
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
    let first = |kind: &str| {
        let (_, number) = FIRST_NAMESPACES.iter().find(|(it, _)| *it == kind)?;
        let link = read_link(format!("/proc/self/ns/{kind}")).ok()?;
        Some(link == Path::new(&format!("{kind}:[{number}]")))
    };
    let known: Vec<bool> = FIRST_NAMESPACES
        .iter()
        .filter_map(|(kind, _)| first(kind))
        .collect();
    Privileges {
        last_capability: value("/proc/sys/kernel/cap_last_cap"),
        first_user_namespace: first("user"),
        first_pid_namespace: first("pid"),
        confined: (!known.is_empty()).then(|| known.contains(&false)),
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

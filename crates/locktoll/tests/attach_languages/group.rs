//! Control groups that tests make.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// As long as anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A control group of our own; removed with this value.
pub struct Group(PathBuf);

impl Group {
    /// `None`, and the test is skipped, where none can be made.
    pub fn new() -> Option<Self> {
        let mounts = [
            "/sys/fs/cgroup/unified",
            "/sys/fs/cgroup/pids",
            "/sys/fs/cgroup",
        ];
        Self::below(&mounts, &format!("locktoll-test-{}", std::process::id()))
    }

    /// A group of version 2 with this name.
    pub fn of_version_2(name: &str) -> Option<Self> {
        Self::below(&["/sys/fs/cgroup/unified", "/sys/fs/cgroup"], name)
    }

    fn below(mounts: &[&str], name: &str) -> Option<Self> {
        let folders = mounts.iter().map(|mount| Path::new(mount).join(name));
        for folder in folders {
            if fs::create_dir(&folder).is_ok() {
                if folder.join("cgroup.procs").exists() {
                    return Some(Self(folder));
                }
                let _ = fs::remove_dir(folder);
            }
        }
        locktoll_needs::refused("no control group can be made here");
        None
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Moves a process into it.
    pub fn add(&self, pid: u32) {
        fs::write(self.0.join("cgroup.procs"), pid.to_string()).unwrap();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The kernel keeps it until the last process in it has been taken note of.
        let end = Instant::now() + PATIENCE;
        while fs::remove_dir(&self.0).is_err() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

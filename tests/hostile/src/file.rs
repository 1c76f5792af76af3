//! Bytes as a file, for readers that take one.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};

/// A file in memory, and a path that leads to it.
pub fn holding(bytes: &[u8]) -> (File, PathBuf) {
    let memory = memfd_create("input", MemfdFlags::CLOEXEC).expect("a file in memory");
    let mut file = File::from(memory);
    file.write_all(bytes).expect("writing to memory");
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    (file, path)
}

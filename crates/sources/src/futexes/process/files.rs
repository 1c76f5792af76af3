//! The files that code is mapped from, kept open: a file that is replaced meanwhile, and the files of a container that ends, stay readable.

use std::collections::HashMap;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Mapping, Subject};
use crate::elf::Loads;

/// Which of the files.
pub type FileIndex = usize;

/// All files that something is mapped from. Processes that map the same file share it here.
#[derive(Debug, Default)]
pub struct Files {
    all: Vec<MappedFile>,
    /// By path, device and inode.
    known: HashMap<(PathBuf, String, u64), FileIndex>,
}

impl Files {
    /// All of them, by their index.
    pub fn all(&self) -> &[MappedFile] {
        &self.all
    }

    /// The file that `mapping` is of.
    pub(super) fn index_of(&mut self, subject: &Subject, mapping: &Mapping) -> FileIndex {
        let key = (mapping.path.clone(), mapping.device.clone(), mapping.inode);
        if let Some(&known) = self.known.get(&key) {
            // Where one process's view leads nowhere any more, another's may still.
            if self.all[known].file.is_none() {
                self.all[known] = MappedFile::open(subject, mapping);
            }
            return known;
        }
        self.all.push(MappedFile::open(subject, mapping));
        let index = self.all.len() - 1;
        self.known.insert(key, index);
        index
    }
}

/// A file that something is mapped from.
#[derive(Clone, Debug)]
pub struct MappedFile {
    /// Its path, as the process has it.
    pub path: PathBuf,
    /// The file itself; `None` if the one that was mapped is not there any more.
    pub file: Option<Arc<File>>,
    /// What is loaded of it; `None` if it is no ELF file, or not there.
    pub loads: Option<Arc<Loads>>,
}

impl MappedFile {
    /// Opens what `mapping` is of.
    pub fn open(subject: &Subject, mapping: &Mapping) -> Self {
        let file = candidates(subject, mapping)
            .into_iter()
            .find_map(|path| open(&path, mapping.inode));
        let loads = file.as_ref().and_then(Loads::read);
        Self {
            path: mapping.path.clone(),
            file: file.map(Arc::new),
            loads: loads.map(Arc::new),
        }
    }

    /// A path by which this process reaches the very file that was mapped.
    pub fn readable_path(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        Some(PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
    }
}

/// Where the file may be found: by its name as the process sees it, then by the mapping, which leads to files that have been removed
/// but asks for CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN, then as the program of the process.
fn candidates(subject: &Subject, mapping: &Mapping) -> [PathBuf; 3] {
    let pid = subject.pid;
    let inside = mapping.path.strip_prefix("/").unwrap_or(&mapping.path);
    [
        subject.root().join(inside),
        format!(
            "/proc/{pid}/map_files/{:x}-{:x}",
            mapping.start, mapping.end
        )
        .into(),
        format!("/proc/{pid}/exe").into(),
    ]
}

/// Opens the file if it is the one with this inode. The device is not compared: where file systems are laid over each other, the kernel
/// names another one in maps than to those who ask for the file.
fn open(path: &Path, inode: u64) -> Option<File> {
    // Looked at first: opening a device may do things, and opening a pipe waits.
    if !std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.ino() == inode) {
        return None;
    }
    let file = File::options()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)
        .ok()?;
    let metadata = file.metadata().ok()?;
    (metadata.is_file() && metadata.ino() == inode).then_some(file)
}

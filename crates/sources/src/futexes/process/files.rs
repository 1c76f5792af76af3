//! The files that code is mapped from, kept open. A file that is replaced in the meantime, and the files of a container that
//! ends, stay readable.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use super::Subject;
use crate::elf::Loads;
use crate::mapped;
use crate::mapped::Mapping;

/// The number of a file among them.
pub type FileIndex = usize;

/// All files that something is mapped from. Processes that map the same file share an entry.
#[derive(Debug)]
pub struct Files {
    all: Vec<MappedFile>,
    /// How many of them may be open at a time: a process can map more files than we have descriptors for.
    most_open: usize,
    open: usize,
    /// The files by path, device and inode.
    known: HashMap<(PathBuf, String, u64), FileIndex>,
}

/// A process may have mapped code from this many files, and all of them are held open.
const MOST_OPEN: usize = 4096;
/// These files may use one in this many of the descriptors that we may have.
const SHARE: u64 = 2;
/// Beyond this number, files are not distinguished.
const MOST_FILES: usize = 10_000;

impl Default for Files {
    /// Returns an empty set.
    fn default() -> Self {
        let descriptors = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let share = descriptors.map_or(MOST_OPEN, |all| (all / SHARE) as usize);
        Self {
            all: Vec::new(),
            most_open: share.min(MOST_OPEN),
            open: 0,
            known: HashMap::new(),
        }
    }
}

impl Files {
    /// Returns all of them, by index.
    pub fn all(&self) -> &[MappedFile] {
        &self.all
    }

    /// Returns the index of the file behind `mapping`.
    pub(super) fn index_of(&mut self, subject: &Subject, mapping: &Mapping) -> Option<FileIndex> {
        let key = (mapping.path.clone(), mapping.device.clone(), mapping.inode);
        if let Some(&known) = self.known.get(&key) {
            // If one process's view no longer leads to the file, another's may.
            if self.all[known].file.is_none() {
                self.all[known] = self.opened(subject, mapping);
            }
            return Some(known);
        }
        if self.all.len() >= MOST_FILES {
            return None;
        }
        let file = self.opened(subject, mapping);
        self.all.push(file);
        let index = self.all.len() - 1;
        self.known.insert(key, index);
        Some(index)
    }

    /// Returns the index of a file that is open already, or is not here.
    pub(super) fn index_of_opened(
        &mut self,
        mapping: &Mapping,
        file: Option<Arc<File>>,
    ) -> Option<FileIndex> {
        let key = (mapping.path.clone(), mapping.device.clone(), mapping.inode);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.all.len() >= MOST_FILES {
            return None;
        }
        let loads = file.as_deref().and_then(Loads::read);
        self.all.push(MappedFile {
            path: mapping.path.clone(),
            file,
            loads: loads.map(Arc::new),
        });
        let index = self.all.len() - 1;
        self.known.insert(key, index);
        Some(index)
    }

    fn opened(&mut self, subject: &Subject, mapping: &Mapping) -> MappedFile {
        if self.open >= self.most_open {
            return MappedFile {
                path: mapping.path.clone(),
                file: None,
                loads: None,
            };
        }
        let file = MappedFile::of(subject, mapping);
        self.open += usize::from(file.file.is_some());
        file
    }
}

/// A file that something is mapped from.
#[derive(Clone, Debug)]
pub struct MappedFile {
    /// Its path, as the process sees it.
    pub path: PathBuf,
    /// The file itself; `None` if the one that was mapped is no longer there.
    pub file: Option<Arc<File>>,
    /// Its loaded parts; `None` if it is not an ELF file, or not there.
    pub loads: Option<Arc<Loads>>,
}

impl MappedFile {
    /// Opens the file behind `mapping`.
    pub fn of(subject: &Subject, mapping: &Mapping) -> Self {
        let file = mapped::open(subject.pid, mapping).ok();
        let loads = file.as_ref().and_then(Loads::read);
        Self {
            path: mapping.path.clone(),
            file: file.map(Arc::new),
            loads: loads.map(Arc::new),
        }
    }
}

//! The processes that write to the parts of a recording in progress.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;

use crate::mapped::{innermost_number, mappings, part_of};

/// The processes that ran at one moment.
pub struct Writers {
    /// Their ids here, by the ids by which they know themselves. A process in another pid namespace has two.
    by_own: HashMap<u32, Vec<u32>>,
}

impl Writers {
    /// Finds all processes.
    pub fn look() -> Self {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let all = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let mut by_own: HashMap<u32, Vec<u32>> = HashMap::new();
        for pid in all {
            if let Some(own) = innermost_number(pid) {
                by_own.entry(own).or_default().push(pid);
            }
        }
        Self { by_own }
    }

    /// Whether a process that knows itself by the id `own` writes to this part. A process that has become another program writes to
    /// another part.
    pub fn write_to(&self, part: &File, own: u32) -> bool {
        let id = |file: &File| {
            let data = file.metadata().ok()?;
            Some((data.dev(), data.ino()))
        };
        let candidates = self.by_own.get(&own).into_iter().flatten();
        candidates.copied().any(|pid| match mappings(pid) {
            Ok(_) => part_of(pid).is_some_and(|it| id(&it) == id(part)),
            // It may have changed its user. That it has the same number is all that is known then.
            Err(error) => error.kind() == io::ErrorKind::PermissionDenied && pid == own,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_has_not_mapped_the_part_does_not_write_to_it() {
        let writers = Writers::look();
        let own = std::process::id();
        assert!(writers.by_own[&own].contains(&own));
        let folder = tempfile::tempdir().unwrap();
        let part = File::create(folder.path().join(format!("{own}-0.part"))).unwrap();
        assert!(!writers.write_to(&part, own));
        assert!(!writers.write_to(&part, u32::MAX));
    }
}

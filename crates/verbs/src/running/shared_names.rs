//! Names of functions, shared by processes that run the same files. One program's debug information takes megabytes; fifty processes of it
//! need it once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::Recording;
use locktoll_sources::recording::Symbols;

/// The mapped files, with their build ids.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// Names by the files that have them.
#[derive(Default)]
pub struct SharedNames(HashMap<Files, Shared>);

#[derive(Default)]
struct Shared {
    symbols: Symbols,
    is_used: bool,
}

impl SharedNames {
    /// Returns the names for the process that made this recording; `None` if its files cannot be recognised in other processes.
    pub fn of(&mut self, recording: &Recording) -> Option<&mut Symbols> {
        let modules = recording.parts.first()?.modules.iter();
        let files = files(modules.map(|it| (it.path.as_path(), it.build_id.as_slice())))?;
        let shared = self.0.entry(files).or_default();
        shared.is_used = true;
        Some(&mut shared.symbols)
    }

    /// Forgets the names that nobody has asked for since the last call.
    pub fn forget_unused(&mut self) {
        self.0
            .retain(|_, shared| std::mem::take(&mut shared.is_used));
    }
}

/// Returns the files, if each has a build id. Without one, two files at one path may be different: a program that was replaced while it
/// ran, or the programs of two containers.
fn files<'a>(modules: impl Iterator<Item = (&'a Path, &'a [u8])>) -> Option<Files> {
    // The kernel's own pages (`[vdso]`) are not files.
    let files = modules.filter(|(path, _)| !path.as_os_str().as_encoded_bytes().starts_with(b"["));
    let named = files.map(|(path, id)| (!id.is_empty()).then(|| (path.to_owned(), id.to_owned())));
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(modules: &[(&str, &str)]) -> Option<Files> {
        files(
            modules
                .iter()
                .map(|(path, id)| (Path::new(*path), id.as_bytes())),
        )
    }

    #[test]
    fn the_same_files_are_shared_and_no_others() {
        let first = of(&[("/bin/a", "1"), ("[vdso]", ""), ("/lib/c", "9")]);
        assert!(first.is_some());
        assert_eq!(first, of(&[("/bin/a", "1"), ("/lib/c", "9")]));
        assert_ne!(first, of(&[("/bin/a", "2"), ("/lib/c", "9")]));
        assert_eq!(of(&[("/bin/a", "1"), ("/lib/c", "")]), None);
    }

    #[test]
    fn names_that_are_not_asked_for_any_more_are_forgotten() {
        let mut names = SharedNames::default();
        let files = of(&[("/bin/a", "1")]).unwrap();
        names.0.entry(files).or_default().is_used = true;
        names.forget_unused();
        assert_eq!(names.0.len(), 1);
        names.forget_unused();
        assert!(names.0.is_empty());
    }
}

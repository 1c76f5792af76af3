//! The kernel's own page of code in every process. It is the same in all of them, so names are looked up in this process's page.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::mapped::mappings;
use locktoll_terminal::system::files::open_of_process;

/// A copy of the page.
#[derive(Debug)]
pub struct Vdso(File);

impl Vdso {
    /// Copies the page; `None` if this process does not have one.
    pub fn copy() -> Option<Self> {
        let own = mappings(std::process::id())
            .ok()?
            .into_iter()
            .find(|it| it.path == Path::new("[vdso]"))?;
        let mut image = vec![0; usize::try_from(own.end - own.start).ok()?];
        open_of_process(std::process::id(), "mem")
            .ok()?
            .read_exact_at(&mut image, own.start)
            .ok()?;
        let mut copy = tempfile::tempfile().ok()?;
        copy.write_all(&image).ok()?;
        Some(Self(copy))
    }

    /// Returns the copy.
    pub fn file(&self) -> &File {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_a_library() {
        let vdso = Vdso::copy().expect("every process has one");
        let file = object::ReadCache::new(vdso.file());
        let elf = object::read::elf::ElfFile64::<object::Endianness, _>::parse(&file).unwrap();
        use object::{Object, ObjectSymbol};
        let mut names = elf
            .dynamic_symbols()
            .filter_map(|it| it.name().ok().map(str::to_owned));
        assert!(names.any(|name| name.contains("clock_gettime")));
    }
}

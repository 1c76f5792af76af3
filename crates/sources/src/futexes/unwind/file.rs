//! From a file to its table.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::eh_frame;
use super::elf::Layout;
use super::table::{Builder, Table};
use crate::bounded::Bounded;

/// The limit for headers and the names of sections.
const MOST_OF_HEADERS: u64 = 32 << 20;

/// The data of an executable file, or of the kernel's page of code, for walking stacks.
#[derive(Clone, Debug)]
pub struct Unwindable {
    /// Where its code is.
    pub layout: Layout,
    /// The rules, if it has any.
    pub table: Option<Table>,
}

impl Unwindable {
    /// Reads `file`, at most `limit` rows. Data that cannot be read, or changes meanwhile, gives no table, or one with gaps.
    pub fn of_file(file: &File, limit: usize) -> Self {
        let layout = Layout::read(&Bounded::new(file, MOST_OF_HEADERS));
        // The section is read, not mapped: if the file were truncated meanwhile, a mapping would kill us.
        let section = layout.eh_frame.and_then(|at| {
            // At most the bytes that exist: a header may claim any number.
            let there = file.metadata().ok()?.len().checked_sub(at.offset)?;
            let mut bytes = vec![0; usize::try_from(at.bytes.min(there)).ok()?];
            file.read_exact_at(&mut bytes, at.offset).ok()?;
            Some(bytes)
        });
        Self::of(layout, section.as_deref(), limit)
    }

    /// Reads `image`, the bytes of a file.
    pub fn of_image(image: &[u8], limit: usize) -> Self {
        let layout = Layout::read(image);
        let section = layout.eh_frame.and_then(|at| {
            let begin = usize::try_from(at.offset).ok()?;
            image.get(begin..begin.checked_add(usize::try_from(at.bytes).ok()?)?)
        });
        Self::of(layout, section, limit)
    }

    fn of(layout: Layout, section: Option<&[u8]>, limit: usize) -> Self {
        let table = layout.eh_frame.zip(section).map(|(at, section)| {
            let section = if at.is_whole {
                section
            } else {
                eh_frame::up_to_end(section)
            };
            let mut builder = Builder::new(layout.base(), limit);
            let found = eh_frame::read(section, at.address, &mut builder);
            builder.finish(found)
        });
        Self { layout, table }
    }
}

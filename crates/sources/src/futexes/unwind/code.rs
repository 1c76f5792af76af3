//! The code of one process, as far as it can be walked: which memory, which files, which tables.

use std::collections::HashMap;
use std::io;

use anyhow::Context;

use super::elf::Layout;
use super::file::Unwindable;
use super::layout::{Mapping, Process};
use super::rule::Rule;
use super::space::{Placed, Space};
use super::table::Table;
use crate::ebpf::Loaded;
use crate::futexes::memory_map;
use crate::futexes::memory_map::{Executable, FileId, Origin};

/// More executable mappings than this the kernel's program does not search.
const MAPPINGS: usize = 2048;

/// Room that is left for files that are mapped later: one part in this many of those that are there, and the least.
const LATER_SHARE: usize = 2;
const LATER_ROWS: usize = 1 << 18;

/// What there is of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Files (the kernel's page of code is one) that have a table.
    pub tables: usize,
    /// Their rows.
    pub rows: usize,
    /// Files whose table found no room, or not all of it.
    pub without_room: usize,
    /// Files that could not be read.
    pub unreadable: usize,
    /// Executable mappings that were too many.
    pub mappings_left_out: usize,
}

/// A process's code.
#[derive(Debug)]
pub struct Code {
    process: u32,
    row_limit: usize,
    files: HashMap<Option<FileId>, Known>,
    seen: Vec<Executable>,
    /// As the kernel's program has them.
    mappings: Vec<Mapping>,
    space: Option<Space>,
    generation: u32,
    extent: Extent,
}

/// What is known of a file.
#[derive(Debug)]
struct Known {
    layout: Layout,
    base: u64,
    /// Until it has been placed.
    table: Option<Table>,
    placed: Option<Placed>,
}

impl Code {
    /// Reads what `process` has mapped now, no more than `row_limit` rows in all. Takes long for large files.
    ///
    /// # Errors
    /// If the process is gone, or not ours to look at.
    pub fn survey(process: u32, row_limit: u32) -> io::Result<Self> {
        let mut code = Self {
            process,
            row_limit: row_limit as usize,
            files: HashMap::new(),
            seen: Vec::new(),
            mappings: Vec::new(),
            space: None,
            generation: 0,
            extent: Extent::default(),
        };
        code.look()?;
        Ok(code)
    }

    /// How large the kernel's maps have to be, by name: for what is there, and some more.
    pub fn sizes(&self) -> [(&'static str, u32); 3] {
        let rows = self.extent.rows;
        let rows = (rows + rows / LATER_SHARE + LATER_ROWS).min(self.row_limit);
        let tables = self.files.values().filter_map(|known| known.table.as_ref());
        let pages: usize = tables.map(Table::page_count).sum();
        // As many as there is code that the rows are enough for.
        let pages = (pages + pages / LATER_SHARE + LATER_ROWS / 4).min(self.row_limit);
        [
            ("unwind_rows", rows.max(1) as u32),
            ("unwind_pages", pages.max(1) as u32),
            // The old list and the new one.
            ("unwind_mappings", 2 * MAPPINGS as u32),
        ]
    }

    /// Gives it to the kernel's programs.
    ///
    /// # Errors
    /// If the maps cannot be written.
    pub fn install(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        self.space = Some(Space::of(loaded)?);
        self.publish(loaded)
    }

    /// Looks again, for what was mapped since. Does nothing if nothing was, or if the process is gone.
    ///
    /// # Errors
    /// If the maps cannot be written.
    pub fn refresh(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        match self.look() {
            Ok(true) => self.publish(loaded),
            Ok(false) | Err(_) => Ok(()),
        }
    }

    /// What there is.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether something has changed.
    fn look(&mut self) -> io::Result<bool> {
        let now = memory_map::executables(self.process)?;
        if now == self.seen {
            return Ok(false);
        }
        for mapping in &now {
            let id = match &mapping.origin {
                Origin::Anonymous => continue,
                Origin::Vdso => None,
                Origin::File { id, .. } => Some(id.clone()),
            };
            if !self.files.contains_key(&id) {
                let known = self.read(mapping);
                self.files.insert(id, known);
            }
        }
        self.seen = now;
        Ok(true)
    }

    fn read(&mut self, mapping: &Executable) -> Known {
        let limit = self.row_limit - self.extent.rows;
        let found = match mapping.origin {
            Origin::Vdso => memory_map::bytes(self.process, mapping)
                .map(|image| Unwindable::of_image(&image, limit)),
            _ => memory_map::open(self.process, mapping)
                .map(|file| Unwindable::of_file(&file, limit)),
        };
        let Ok(Unwindable { layout, table }) = found else {
            self.extent.unreadable += 1;
            return Known {
                layout: Layout::default(),
                base: 0,
                table: None,
                placed: None,
            };
        };
        if let Some(table) = &table {
            self.extent.tables += 1;
            self.extent.rows += table.rows.len();
            self.extent.without_room += usize::from(table.found.is_cut);
        }
        Known {
            base: table.as_ref().map_or(0, |table| table.base),
            layout,
            table,
            placed: None,
        }
    }

    fn publish(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        let space = self.space.as_mut().context("nothing was installed")?;
        for known in self.files.values_mut() {
            let Some(table) = known.table.take() else {
                continue;
            };
            known.placed = space.place(&table);
            self.extent.without_room += usize::from(known.placed.is_none());
        }
        let mut list = list(&self.seen, &self.files);
        self.extent.mappings_left_out = list.len().saturating_sub(MAPPINGS);
        list.truncate(MAPPINGS);

        // Whoever is walking goes on by the old list: the new one takes the place of the one before it.
        self.generation += 1;
        let first = self.generation % 2 * MAPPINGS as u32;
        let mut mappings = loaded.array_mut::<Mapping>("unwind_mappings")?;
        for (index, mapping) in (first..).zip(&list) {
            mappings.set(index, mapping, 0)?;
        }
        let process = Process {
            first,
            mappings: list.len() as u32,
            generation: self.generation,
            padding: 0,
        };
        let mut processes = loaded.hash_mut::<u32, Process>("unwind_processes")?;
        processes.insert(self.process, process, 0)?;
        self.mappings = list;
        Ok(())
    }

    /// The rule for the instruction at `address`; `None` if it is in no memory that is code.
    pub fn rule(&self, address: u64) -> Option<Rule> {
        let after = self.mappings.partition_point(|it| it.start <= address);
        let mapping = self.mappings[..after].last()?;
        if address >= mapping.end {
            return None;
        }
        let offset = address.wrapping_sub(mapping.base);
        let space = self.space.as_ref()?;
        Some(space.rule(mapping.first_page, mapping.pages, offset))
    }
}

/// The list for the kernel's program. Neighbours without tables are one.
fn list(mappings: &[Executable], files: &HashMap<Option<FileId>, Known>) -> Vec<Mapping> {
    let mut list: Vec<Mapping> = Vec::new();
    for mapping in mappings {
        let known = match &mapping.origin {
            Origin::Anonymous => None,
            Origin::Vdso => files.get(&None),
            Origin::File { id, .. } => files.get(&Some(id.clone())),
        };
        let walkable = known.and_then(|known| {
            let placed = known.placed?;
            let address = known.layout.address_of(mapping.offset)?;
            let base = mapping.start.wrapping_sub(address).wrapping_add(known.base);
            Some((base, placed))
        });
        match (walkable, list.last_mut()) {
            (Some((base, placed)), _) => list.push(Mapping {
                start: mapping.start,
                end: mapping.end,
                base,
                first_page: placed.first_page,
                pages: placed.pages,
            }),
            (None, Some(last)) if last.pages == 0 && last.end == mapping.start => {
                last.end = mapping.end;
            }
            (None, _) => list.push(Mapping {
                start: mapping.start,
                end: mapping.end,
                ..Mapping::default()
            }),
        }
    }
    list
}

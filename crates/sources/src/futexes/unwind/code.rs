//! The code of the watched processes, as far as stacks in it can be walked: its memory, its files, its tables.

use std::collections::{HashMap, HashSet};
use std::io;

use anyhow::Context;

use super::elf::Layout;
use super::file::Unwindable;
use super::layout::{Mapping, Process};
use super::regions::{Region, Regions};
use super::rule::Rule;
use super::space::{Placed, Space};
use super::table::Table;
use crate::ebpf::Loaded;
use crate::futexes::memory_map;
use crate::futexes::memory_map::{Executable, FileId, Origin};

/// The kernel's program does not search more executable mappings than this.
const MAPPINGS: usize = 2048;
/// How many full-length lists of mappings fit: for one process (whose replaced lists rest), and for many.
const LISTS: usize = 4;
const LISTS_OF_MANY: usize = 64;

/// Room for files that are mapped later: the present rows divided by `LATER_SHARE`, plus a fixed number of rows, which is larger
/// if more processes may come.
const LATER_SHARE: usize = 2;
const LATER_ROWS: usize = 1 << 18;
const LATER_ROWS_OF_MANY: usize = 1 << 21;

/// The size of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Files that have a table, including the kernel's page of code.
    pub tables: usize,
    /// Their rows.
    pub rows: usize,
    /// Files whose table did not fit, or not as a whole.
    pub without_room: usize,
    /// Files that could not be read.
    pub unreadable: usize,
    /// Executable mappings beyond the limit.
    pub mappings_left_out: usize,
}

/// The processes' code.
#[derive(Debug)]
pub struct Code {
    row_limit: usize,
    files: HashMap<Option<FileId>, Known>,
    /// Mappings by the number that the kernel's programs give each process.
    processes: HashMap<u32, Mapped>,
    is_of_many: bool,
    space: Option<Space>,
    regions: Regions,
    generation: u32,
    extent: Extent,
}

/// The mappings of a process.
#[derive(Debug, Default)]
struct Mapped {
    seen: Vec<Executable>,
    /// The list in the form that the kernel's program uses.
    mappings: Vec<Mapping>,
    region: Option<Region>,
    left_out: usize,
}

/// The data about a file.
#[derive(Debug)]
struct Known {
    layout: Layout,
    base: u64,
    /// Present until it has been placed.
    table: Option<Table>,
    placed: Option<Placed>,
}

impl Code {
    /// Reads the present mappings of these processes, each with its number, and at most `row_limit` rows in all. It takes long
    /// for large files. `is_of_many` says whether other processes may come.
    pub fn survey(processes: &[(u32, u32)], row_limit: u32, is_of_many: bool) -> Self {
        let mut code = Self {
            row_limit: row_limit as usize,
            files: HashMap::new(),
            processes: HashMap::new(),
            is_of_many,
            space: None,
            regions: Regions::of(entries(is_of_many)),
            generation: 0,
            extent: Extent::default(),
        };
        for &(number, process) in processes {
            // Nothing can be read of a process that is gone, or that we may not look at. Its frame pointers are followed.
            let _ = code.look(number, process);
        }
        code
    }

    /// Returns the necessary sizes of the kernel's maps, by name: enough for the present data, and some more.
    pub fn sizes(&self) -> [(&'static str, u32); 3] {
        let later = match self.is_of_many {
            true => LATER_ROWS_OF_MANY,
            false => LATER_ROWS,
        };
        let rows = self.extent.rows;
        let rows = (rows + rows / LATER_SHARE + later).min(self.row_limit);
        let tables = self.files.values().filter_map(|known| known.table.as_ref());
        let pages: usize = tables.map(Table::page_count).sum();
        // Enough pages for all the code that the rows can describe.
        let pages = (pages + pages / LATER_SHARE + later / 4).min(self.row_limit);
        [
            ("unwind_rows", rows.max(1) as u32),
            ("unwind_pages", pages.max(1) as u32),
            ("unwind_mappings", entries(self.is_of_many)),
        ]
    }

    /// Gives the data to the kernel's programs.
    ///
    /// # Errors
    /// If the maps cannot be written.
    pub fn install(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        self.space = Some(Space::of(loaded)?);
        let numbers: Vec<u32> = self.processes.keys().copied().collect();
        for number in numbers {
            self.publish(number, loaded)?;
        }
        Ok(())
    }

    /// Looks for new mappings of these processes, and forgets all other processes. A process that has ended keeps its last known
    /// mappings as long as `processes` lists it.
    ///
    /// # Errors
    /// If the maps cannot be written.
    pub fn refresh(&mut self, processes: &[(u32, u32)], loaded: &mut Loaded) -> anyhow::Result<()> {
        self.regions.next_turn();
        for &(number, process) in processes {
            if let Ok(true) = self.look(number, process) {
                self.publish(number, loaded)?;
            }
        }
        let kept: HashSet<u32> = processes.iter().map(|&(number, _)| number).collect();
        let gone = self
            .processes
            .extract_if(|number, _| !kept.contains(number));
        let mut known = loaded.hash_mut::<u32, Process>("unwind_processes")?;
        for (number, mapped) in gone {
            // It may never have been inserted.
            let _ = known.remove(&number);
            if let Some(region) = mapped.region {
                self.regions.give_back(region);
            }
        }
        Ok(())
    }

    /// Returns the present size.
    pub fn extent(&self) -> Extent {
        Extent {
            mappings_left_out: self.processes.values().map(|it| it.left_out).sum(),
            ..self.extent
        }
    }

    /// Reads the mappings again; returns whether they have changed.
    pub(super) fn look(&mut self, number: u32, process: u32) -> io::Result<bool> {
        let now = memory_map::executables(process)?;
        if self.processes.get(&number).is_some_and(|it| it.seen == now) {
            return Ok(false);
        }
        for mapping in &now {
            let id = match &mapping.origin {
                Origin::Anonymous => continue,
                Origin::Vdso => None,
                Origin::File { id, .. } => Some(id.clone()),
            };
            if !self.files.contains_key(&id) {
                let known = self.read(process, mapping);
                self.files.insert(id, known);
            }
        }
        self.processes.entry(number).or_default().seen = now;
        Ok(true)
    }

    fn read(&mut self, process: u32, mapping: &Executable) -> Known {
        let limit = self.row_limit - self.extent.rows;
        let found = match mapping.origin {
            Origin::Vdso => {
                memory_map::bytes(process, mapping).map(|image| Unwindable::of_image(&image, limit))
            }
            _ => memory_map::open(process, mapping).map(|file| Unwindable::of_file(&file, limit)),
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

    fn publish(&mut self, number: u32, loaded: &mut Loaded) -> anyhow::Result<()> {
        let space = self.space.as_mut().context("nothing was installed")?;
        for known in self.files.values_mut() {
            let Some(table) = known.table.take() else {
                continue;
            };
            known.placed = space.place(&table);
            self.extent.without_room += usize::from(known.placed.is_none());
        }
        let mapped = self.processes.entry(number).or_default();
        let mut list = list(&mapped.seen, &self.files);
        mapped.left_out = list.len().saturating_sub(MAPPINGS);
        list.truncate(MAPPINGS);
        let region = self.regions.take(list.len() as u32);
        if region.is_none() {
            mapped.left_out += list.len();
            list.clear();
        }

        // A program that is walking a stack continues with the old list: the new one takes its place afterwards.
        self.generation += 1;
        let first = region.map_or(0, |it| it.first);
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
        // If there is no room for another process, its frame pointers are followed.
        let _ = processes.insert(number, process, 0);
        mapped.mappings = list;
        if let Some(before) = std::mem::replace(&mut mapped.region, region) {
            self.regions.give_back(before);
        }
        Ok(())
    }

    /// Like [`rule`](Self::rule), for code that was surveyed and not installed in the kernel.
    pub fn rule_of_table(&self, number: u32, address: u64) -> Option<Rule> {
        let mappings = &self.processes.get(&number)?.seen;
        let after = mappings.partition_point(|it| it.start <= address);
        let mapping = mappings[..after].last()?;
        if address >= mapping.end {
            return None;
        }
        let id = match &mapping.origin {
            Origin::Anonymous => return Some(Rule::GAP),
            Origin::Vdso => None,
            Origin::File { id, .. } => Some(id.clone()),
        };
        let rule = || {
            let known = self.files.get(&id)?;
            let in_file = known.layout.address_of(mapping.offset)?;
            let own = address
                .wrapping_sub(mapping.start)
                .wrapping_add(in_file)
                .wrapping_sub(known.base);
            Some(known.table.as_ref()?.rule(u32::try_from(own).ok()?))
        };
        Some(rule().unwrap_or(Rule::GAP))
    }

    /// Returns the rule for the instruction at `address` of process `number`; `None` if there is no code.
    pub fn rule(&self, number: u32, address: u64) -> Option<Rule> {
        let mappings = &self.processes.get(&number)?.mappings;
        let after = mappings.partition_point(|it| it.start <= address);
        let mapping = mappings[..after].last()?;
        if address >= mapping.end {
            return None;
        }
        let offset = address.wrapping_sub(mapping.base);
        let space = self.space.as_ref()?;
        Some(space.rule(mapping.first_page, mapping.pages, offset))
    }
}

/// Returns the size of the map of mappings.
fn entries(is_of_many: bool) -> u32 {
    let lists = match is_of_many {
        true => LISTS_OF_MANY,
        false => LISTS,
    };
    (lists * MAPPINGS) as u32
}

/// Returns the list for the kernel's program. Adjacent mappings without tables are merged.
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

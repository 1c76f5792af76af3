//! The kernel's maps that contain all tables one after the other.
//!
//! Invariants:
//! 1. `rows` and `pages` are each mapped for as many words as `capacity` says, and for as long as this value lives.
//! 2. Data from `used` on is not read: no mapping that the kernel's program knows leads there.

use std::os::fd::{AsFd, AsRawFd};

use anyhow::Context;
use aya::maps::Map;
use memmap2::{MmapOptions, MmapRaw};

use super::rule::Rule;
use super::table::{PAGE_SHIFT, Table};
use crate::ebpf::Loaded;

/// The location of a table in the map of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its first page.
    pub first_page: u32,
    /// The number of its pages.
    pub pages: u32,
}

/// The room for tables.
#[derive(Debug)]
pub struct Space {
    rows: Words,
    pages: Words,
}

#[derive(Debug)]
struct Words {
    memory: MmapRaw,
    capacity: usize,
    used: usize,
}

impl Space {
    /// Uses the maps of `loaded`, which nobody uses yet.
    ///
    /// # Errors
    /// If they cannot be mapped.
    pub fn of(loaded: &Loaded) -> anyhow::Result<Self> {
        Ok(Self {
            rows: Words::of(loaded, "unwind_rows")?,
            pages: Words::of(loaded, "unwind_pages")?,
        })
    }

    /// Returns the rule at `offset` of the table that was placed at `first_page` with `pages` pages, as the kernel's program
    /// finds it.
    pub fn rule(&self, first_page: u32, pages: u32, offset: u64) -> Rule {
        let page = offset >> PAGE_SHIFT;
        if page >= u64::from(pages) {
            return Rule::GAP;
        }
        let Some(bounds) = self.pages.get(first_page as usize + page as usize) else {
            return Rule::GAP;
        };
        let (mut low, mut high) = (bounds as u32 as usize, (bounds >> 32) as usize);
        while low < high {
            let middle = (low + high) / 2;
            match self.rows.get(middle) {
                Some(row) if row >> 32 <= offset => low = middle + 1,
                _ => high = middle,
            }
        }
        // Each table begins with a row for offset zero, so there is a row before.
        let row = low.checked_sub(1).and_then(|row| self.rows.get(row));
        row.map_or(Rule::GAP, |row| Rule::of_bits(row as u32))
    }

    /// Places `table` behind the others. `None` if there is no room.
    pub fn place(&mut self, table: &Table) -> Option<Placed> {
        let first_row = u32::try_from(self.rows.used).ok()?;
        let first_page = u32::try_from(self.pages.used).ok()?;
        let pages = table.page_count();
        if table.rows.len() > self.rows.free() || pages > self.pages.free() {
            return None;
        }
        self.rows.append(table.rows.iter().copied());
        self.pages.append(table.pages(first_row));
        Some(Placed {
            first_page,
            pages: u32::try_from(pages).ok()?,
        })
    }
}

impl Words {
    fn of(loaded: &Loaded, name: &str) -> anyhow::Result<Self> {
        let Map::Array(data) = loaded.map(name)? else {
            anyhow::bail!("the map {name} is no array");
        };
        let capacity = data.info()?.max_entries() as usize;
        let memory = MmapOptions::new()
            .len(capacity * size_of::<u64>())
            .map_raw(data.fd().as_fd().as_raw_fd())
            .with_context(|| format!("mapping {name}"))?;
        Ok(Self {
            memory,
            capacity,
            used: 0,
        })
    }

    fn free(&self) -> usize {
        self.capacity - self.used
    }

    fn get(&self, index: usize) -> Option<u64> {
        let at = self.memory.as_mut_ptr().cast::<u64>().wrapping_add(index);
        // SAFETY: within the mapping, since `used` is no more than `capacity` (invariant 1); only `append` writes, and it has
        // exclusive access.
        (index < self.used).then(|| unsafe { at.read_volatile() })
    }

    fn append(&mut self, words: impl Iterator<Item = u64>) {
        let free = self.free();
        for word in words.take(free) {
            let at = self
                .memory
                .as_mut_ptr()
                .cast::<u64>()
                .wrapping_add(self.used);
            // SAFETY: within the mapping, since `used` is below `capacity` (invariant 1); not read meanwhile (invariant 2).
            unsafe { at.write_volatile(word) };
            self.used += 1;
        }
    }
}

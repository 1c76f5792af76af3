//! The rules of one file, sorted by address, and how they are found.

use super::eh_frame::{Found, Rows};
use super::rule::Rule;

/// Addresses are grouped into pages of this many bytes (as a power of two), each with the rows that lie in it. The search for an
/// address then takes at most one step more than this number, whatever the file.
pub const PAGE_SHIFT: u32 = 10;

/// A gap between two functions that is shorter than this belongs to the first of them. It aligns the second, and is never
/// executed.
const ALIGNMENT: u32 = 16;

/// Rules by address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The address, by the file's own numbering, from which offsets are counted.
    pub base: u64,
    /// Rows with the offset in the upper half and the [`Rule`] in the lower, sorted, without adjacent rows of the same rule. The
    /// first is at offset zero, the last is a gap.
    pub rows: Vec<u64>,
    /// What was found.
    pub found: Found,
}

impl Table {
    /// Returns the rule at `offset`, as the kernel's program finds it.
    pub fn rule(&self, offset: u32) -> Rule {
        let after = self
            .rows
            .partition_point(|&row| (row >> 32) as u32 <= offset);
        after
            .checked_sub(1)
            .map_or(Rule::GAP, |row| Rule::of_bits(self.rows[row] as u32))
    }

    /// Returns the number of pages of addresses that it covers.
    pub fn page_count(&self) -> usize {
        let last = self.rows.last().map_or(0, |&row| row >> 32);
        (last >> PAGE_SHIFT) as usize + 1
    }

    /// Returns, for each page of addresses, the numbers of the first row in it (in the lower half) and of the first row behind it
    /// (in the upper half), counted from `first`.
    pub fn pages(&self, first: u32) -> impl Iterator<Item = u64> + '_ {
        let mut next = 0;
        (0..self.page_count() as u64).map(move |page| {
            let begin = next;
            while next < self.rows.len() && self.rows[next] >> 32 >> PAGE_SHIFT == page {
                next += 1;
            }
            (u64::from(first) + begin as u64) | (u64::from(first) + next as u64) << 32
        })
    }
}

/// Collects rows, and builds a [`Table`] from them.
#[derive(Debug)]
pub struct Builder {
    base: u64,
    limit: usize,
    rows: Vec<u64>,
    last: Option<Rule>,
}

impl Builder {
    /// Starts a table for a file whose addresses begin at `base`, with at most `limit` rows.
    pub fn new(base: u64, limit: usize) -> Self {
        Self {
            base,
            limit,
            rows: Vec::new(),
            last: None,
        }
    }

    /// Returns all rows, sorted and joined.
    pub fn finish(mut self, found: Found) -> Table {
        // Linkers usually sort functions, and sorting sorted rows takes no time. Of several rows at one address, a gap (the least
        // rule) comes first and gives way.
        self.rows.sort_unstable();
        let mut kept = 0;
        for at in 0..self.rows.len() {
            let row = self.rows[at];
            if let Some(&next) = self.rows.get(at + 1) {
                let distance = (next >> 32) as u32 - (row >> 32) as u32;
                let is_gap = Rule::of_bits(row as u32) == Rule::GAP;
                if distance == 0 || is_gap && distance < ALIGNMENT {
                    continue;
                }
            }
            self.rows[kept] = row;
            kept += 1;
        }
        self.rows.truncate(kept);
        self.rows.dedup_by_key(|row| *row as u32);
        let gap = u64::from(Rule::GAP.bits());
        match self.rows.first_mut() {
            Some(first) if *first as u32 == gap as u32 => *first = gap,
            Some(first) if *first >> 32 == 0 => {}
            _ => self.rows.insert(0, gap),
        }
        self.rows.shrink_to_fit();
        Table {
            base: self.base,
            rows: self.rows,
            found,
        }
    }

    /// Adds a row; returns whether there was room. Addresses beyond 32 bits are left out.
    fn put(&mut self, address: u64, rule: Rule) -> bool {
        if self.rows.len() >= self.limit {
            return false;
        }
        let Ok(offset) = u32::try_from(address.wrapping_sub(self.base)) else {
            return true;
        };
        self.rows
            .push(u64::from(offset) << 32 | u64::from(rule.bits()));
        true
    }
}

impl Rows for Builder {
    fn row(&mut self, address: u64, rule: Rule) -> bool {
        if self.last == Some(rule) {
            return true;
        }
        self.last = Some(rule);
        self.put(address, rule)
    }

    fn end(&mut self, address: u64) -> bool {
        self.last = None;
        self.put(address, Rule::GAP)
    }
}

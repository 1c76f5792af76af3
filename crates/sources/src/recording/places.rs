//! The names of single locks and places of a process that is still being recorded.

use std::collections::HashMap;

use locktoll_recording::reader::Recording;

use super::join::{Wanted, joined};
use super::symbols::Symbols;
use locktoll_results::profile::{Frame, Lock};

/// The names of one process's locks and places.
#[derive(Default)]
pub struct Places {
    locks: Vec<Lock>,
    /// The position among the locks, by address.
    by_address: HashMap<u64, usize>,
    /// The functions at a place, by the number of its site.
    sites: HashMap<u32, Vec<Frame>>,
}

/// Returns the names in a recording of one process.
pub fn places(recording: &Recording, symbols: &mut Symbols) -> Places {
    let wanted = Wanted {
        numbers: true,
        ..Wanted::default()
    };
    let joined = joined(recording, symbols, wanted);
    let ids: HashMap<&str, usize> = joined
        .profile
        .locks
        .iter()
        .enumerate()
        .map(|(place, lock)| (lock.id.as_str(), place))
        .collect();
    let position = |row: &usize| ids.get(joined.ids.get(*row)?.as_str()).copied();
    let by_address = joined.rows.iter();
    let by_address = by_address
        .filter_map(|(&address, row)| Some((address, position(row)?)))
        .collect();
    Places {
        by_address,
        sites: joined.sites,
        locks: joined.profile.locks,
    }
}

impl Places {
    /// Returns the lock at an address.
    pub fn lock(&self, address: u64) -> Option<&Lock> {
        self.locks.get(*self.by_address.get(&address)?)
    }

    /// Returns the functions at a site, innermost first.
    pub fn site(&self, id: u32) -> Option<&[Frame]> {
        self.sites.get(&id).map(Vec::as_slice)
    }

    /// Whether both are known.
    pub fn knows(&self, address: u64, site: u32) -> bool {
        self.by_address.contains_key(&address) && (site == 0 || self.sites.contains_key(&site))
    }
}

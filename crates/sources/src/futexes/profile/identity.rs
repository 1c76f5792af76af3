//! The objects that share a row.

use std::collections::HashMap;

use super::calls::Site;
use crate::elf::{Variables, demangled};
use crate::futexes::process::{InFile, Processes};
use crate::joiner::Origin;
use locktoll_results::profile::{Frame, base};

/// If a variable contains more objects than this, they share a row.
const MANY: usize = 16;

/// What the objects of one row have in common, apart from their kind and use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// At this offset in the variable that begins there.
    Variable(InFile, u64),
    /// One of many objects in the variable that begins there.
    Array(InFile),
    /// In a file's data, where no symbol names it.
    Unnamed(InFile),
    /// In allocated memory or on a stack. Identified by the place that waits for it most.
    Place(Site),
    /// In the C library itself, in this function.
    Library(String),
    /// The ends of threads, waited for at this place.
    Join(Site),
}

/// Variables by the files that contain them.
pub struct Statics<'p> {
    processes: &'p Processes,
    files: HashMap<usize, Variables>,
    /// The objects found in each variable.
    found: HashMap<InFile, std::collections::HashSet<u64>>,
    names: HashMap<InFile, String>,
}

impl<'p> Statics<'p> {
    /// Looks in the files of these processes.
    pub fn of(processes: &'p Processes) -> Self {
        Self {
            processes,
            files: HashMap::new(),
            found: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// Returns the identity of the object at `address` of `process`, if it lies in a file's data.
    pub fn find(&mut self, process: u32, address: u64) -> Option<Identity> {
        let place = self.processes.data(process, address)?;
        let file = &self.processes.files().all()[place.file];
        let variables = self.files.entry(place.file).or_insert_with(|| {
            let opened = file.file.as_ref();
            opened.map(|it| Variables::read(it)).unwrap_or_default()
        });
        let Some(variable) = variables.find(place.address) else {
            return Some(Identity::Unnamed(place));
        };
        let start = InFile {
            address: variable.start,
            ..place
        };
        let offset = place.address - variable.start;
        self.names
            .entry(start)
            .or_insert_with(|| demangled(&variable.name));
        self.found.entry(start).or_default().insert(offset);
        Some(Identity::Variable(start, offset))
    }

    /// Returns the final identity, once all objects have been found.
    pub fn settled(&self, identity: Identity) -> Identity {
        match identity {
            Identity::Variable(start, _)
                if self.found.get(&start).is_some_and(|it| it.len() > MANY) =>
            {
                Identity::Array(start)
            }
            other => other,
        }
    }

    /// Describes the identity in words; `site` has the frames of the place in it.
    pub fn origin(&self, identity: &Identity, site: &[Frame]) -> Origin {
        let site = || site.to_vec();
        match identity {
            Identity::Variable(start, offset) => Origin::Variable {
                file: self.file(*start),
                variable: self.variable(*start),
                offset: *offset,
            },
            Identity::Array(start) => Origin::Array {
                file: self.file(*start),
                variable: self.variable(*start),
            },
            Identity::Unnamed(place) => Origin::Unnamed {
                file: self.file(*place),
                address: place.address,
            },
            Identity::Library(function) => Origin::Library(function.clone()),
            Identity::Place(_) => Origin::WaitedFor(site()),
            Identity::Join(_) => Origin::ThreadEnd(site()),
        }
    }

    fn variable(&self, start: InFile) -> String {
        self.names.get(&start).cloned().unwrap_or_default()
    }

    fn file(&self, place: InFile) -> String {
        base(&self.processes.files().all()[place.file].path)
    }
}

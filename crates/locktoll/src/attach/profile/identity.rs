//! Which objects share a row, and what the row is called.

use std::collections::HashMap;

use super::calls::Site;
use crate::attach::process::{InFile, Memory};
use crate::profile::{
    Frame, LockKind, Use, Variables, base, caller, demangled, described, kind_word, place_in_id,
};

/// Objects in one variable beyond this share a row.
const MANY: usize = 16;

/// What objects of one row have in common, beside their sort and use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// So far from the beginning of the variable that begins there.
    Variable(InFile, u64),
    /// One of the many in the variable that begins there.
    Array(InFile),
    /// In a file's data that no symbol names.
    Unnamed(InFile),
    /// In allocated memory or on a stack: the place that waits for it most.
    Place(Site),
    /// The C library's own, in this function.
    Library(String),
    /// The ends of threads, waited for at this place.
    Join(Site),
}

/// Variables by the files they are in.
pub struct Statics<'m> {
    memory: &'m Memory,
    files: HashMap<usize, Variables>,
    /// Objects found in each variable.
    found: HashMap<InFile, std::collections::HashSet<u64>>,
    names: HashMap<InFile, String>,
}

impl<'m> Statics<'m> {
    /// Of these files.
    pub fn of(memory: &'m Memory) -> Self {
        Self {
            memory,
            files: HashMap::new(),
            found: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// The identity of the object at `address`, if it lies in a file's data.
    pub fn find(&mut self, address: u64) -> Option<Identity> {
        let place = self.memory.data(address)?;
        let file = &self.memory.files()[place.file];
        let variables = self.files.entry(place.file).or_insert_with(|| {
            let path = file.readable_path();
            path.map(|path| Variables::read(&path)).unwrap_or_default()
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

    /// The identity once all objects have been found.
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

    fn variable(&self, start: InFile) -> &str {
        self.names.get(&start).map_or("", String::as_str)
    }

    fn file(&self, place: InFile) -> String {
        base(&self.memory.files()[place.file].path)
    }
}

/// A row's name and id.
pub struct Named {
    /// The same in every run of the same program.
    pub id: String,
    /// For people.
    pub name: String,
}

impl Named {
    /// Of an identity; `site` has the frames of the place in it.
    pub fn of(
        identity: &Identity,
        kind: LockKind,
        used_as: Use,
        site: &[Frame],
        statics: &Statics<'_>,
    ) -> Self {
        let word = kind_word(kind);
        match identity {
            Identity::Variable(start, offset) => {
                let variable = match offset {
                    0 => statics.variable(*start).to_owned(),
                    _ => format!("{}+{offset:#x}", statics.variable(*start)),
                };
                Self {
                    id: format!("{word}:{}:{variable}", statics.file(*start)),
                    name: variable,
                }
            }
            Identity::Array(start) => {
                let variable = format!("{}[]", statics.variable(*start));
                Self {
                    id: format!("{word}:{}:{variable}", statics.file(*start)),
                    name: variable,
                }
            }
            Identity::Unnamed(place) => Self {
                id: format!("{word}:{}:{:#x}", statics.file(*place), place.address),
                name: format!("{}+{:#x}", statics.file(*place), place.address),
            },
            Identity::Library(function) => Self {
                id: format!("{word}:C library:{function}"),
                name: format!("the C library's own lock in {function}"),
            },
            Identity::Place(_) => Self {
                id: format!("{word}:{}", place_id(site)),
                name: format!("{} waited for in {}", thing(kind, used_as), place(site)),
            },
            Identity::Join(_) => Self {
                id: format!("join:{}", place_id(site)),
                name: format!("end of a thread waited for in {}", place(site)),
            },
        }
    }
}

fn place_id(site: &[Frame]) -> String {
    caller(site).map_or_else(
        || "first:unknown".to_owned(),
        |frame| place_in_id("first", frame),
    )
}

fn place(site: &[Frame]) -> String {
    caller(site).map_or_else(|| "an unknown place".to_owned(), described)
}

fn thing(kind: LockKind, used_as: Use) -> &'static str {
    match (kind, used_as) {
        (LockKind::Condvar, _) => "condition variable",
        (LockKind::Barrier, _) => "barrier",
        (LockKind::Semaphore, _) => "semaphore",
        (_, Use::Lock) => "lock",
        (_, Use::Signal) => "signal",
    }
}

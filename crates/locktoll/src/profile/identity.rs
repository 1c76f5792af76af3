//! Which lock is which, from one run to the next.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::Part;

use super::symbols::{Place, Symbols};
use super::{Frame, LockKind};

/// What a lock is recognised by: locks with the same identity share a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// Its sort.
    pub kind: LockKind,
    /// Where it comes from.
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Origin {
    /// In a file's data: the variable if it has a name, else the address as the file numbers it.
    Static {
        module: PathBuf,
        variable: Option<(String, u64)>,
        address: u64,
    },
    /// In allocated memory or on a stack: where it was first taken.
    FirstTaken(Option<Place>),
}

impl Identity {
    /// The identity of the lock at `address`, first taken at `first`.
    pub fn of(
        part: &Part,
        kind: LockKind,
        address: u64,
        first: Option<Place>,
        symbols: &mut Symbols,
    ) -> Self {
        let origin = match part.elf_address(address) {
            Some((module, in_file)) => Origin::Static {
                variable: symbols.variable(part, module, in_file),
                module: module.path.clone(),
                address: in_file,
            },
            None => Origin::FirstTaken(first),
        };
        Self { kind, origin }
    }

    /// For people.
    pub fn name(&self, first_site: &[Frame]) -> String {
        match &self.origin {
            Origin::Static {
                variable: Some((name, offset)),
                ..
            } => with_offset(name, *offset),
            Origin::Static {
                module, address, ..
            } => format!("{}+{address:#x}", base(module)),
            Origin::FirstTaken(_) => match super::caller(first_site) {
                Some(frame) => format!("lock first taken in {}", described(frame)),
                None => "lock first taken at an unknown place".to_owned(),
            },
        }
    }

    /// The same for the same lock in every run of the same program. No lines and no addresses
    /// where there are names, so that it survives a small change of the program, too.
    pub fn id(&self, first_site: &[Frame]) -> String {
        let kind = match self.kind {
            LockKind::Mutex => "mutex",
            LockKind::RwLock => "rwlock",
            LockKind::Spin => "spin",
            LockKind::Semaphore => "semaphore",
            LockKind::Condvar => "condvar",
            LockKind::Barrier => "barrier",
            LockKind::Futex => "futex",
        };
        match &self.origin {
            Origin::Static {
                module,
                variable: Some((name, offset)),
                ..
            } => {
                format!("{kind}:{}:{}", base(module), with_offset(name, *offset))
            }
            Origin::Static {
                module, address, ..
            } => format!("{kind}:{}:{address:#x}", base(module)),
            Origin::FirstTaken(place) => {
                let function = super::caller(first_site).and_then(|frame| frame.function.clone());
                match (function, place) {
                    (Some(function), Some(place)) => {
                        format!("{kind}:{}:first:{function}", base(&place.module))
                    }
                    (None, Some(place)) => {
                        format!("{kind}:{}:first:{:#x}", base(&place.module), place.address)
                    }
                    (_, None) => format!("{kind}:first:unknown"),
                }
            }
        }
    }
}

/// Keeps ids apart that would be the same: the second is `...#2`.
#[derive(Default)]
pub struct Identities(HashMap<String, u64>);

impl Identities {
    /// The id itself the first time, then with a number.
    pub fn unique(&mut self, id: String) -> String {
        let seen = self.0.entry(id.clone()).or_default();
        *seen += 1;
        match *seen {
            1 => id,
            number => format!("{id}#{number}"),
        }
    }
}

fn with_offset(name: &str, offset: u64) -> String {
    match offset {
        0 => name.to_owned(),
        _ => format!("{name}+{offset:#x}"),
    }
}

fn base(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

fn described(frame: &Frame) -> String {
    let Some(function) = &frame.function else {
        let module = frame.module.as_deref().unwrap_or("generated code");
        return format!(
            "{}+{:#x}",
            base(Path::new(module)),
            frame.offset.unwrap_or(0)
        );
    };
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{function} ({}:{line})", base(Path::new(file))),
        _ => function.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_apart() {
        let mut identities = Identities::default();
        assert_eq!(identities.unique("a".to_owned()), "a");
        assert_eq!(identities.unique("a".to_owned()), "a#2");
        assert_eq!(identities.unique("b".to_owned()), "b");
    }

    #[test]
    fn a_static_lock_is_named_by_its_variable_and_a_heap_lock_by_where_it_was_first_taken() {
        let named = |offset| Identity {
            kind: LockKind::Mutex,
            origin: Origin::Static {
                module: "/bin/server".into(),
                variable: Some(("pool".to_owned(), offset)),
                address: 0x4040,
            },
        };
        assert_eq!(named(0).name(&[]), "pool");
        assert_eq!(named(0x28).name(&[]), "pool+0x28");
        assert_eq!(named(0).id(&[]), "mutex:server:pool");

        let frame = Frame {
            function: Some("accept_loop".to_owned()),
            file: Some("/src/net/accept.c".to_owned()),
            line: Some(7),
            ..Frame::default()
        };
        let heap = Identity {
            kind: LockKind::Mutex,
            origin: Origin::FirstTaken(Some(Place {
                module: Path::new("/bin/server").into(),
                address: 0x1234,
            })),
        };
        let site = [frame];
        assert_eq!(
            heap.name(&site),
            "lock first taken in accept_loop (accept.c:7)"
        );
        assert_eq!(heap.id(&site), "mutex:server:first:accept_loop");
        assert_eq!(heap.id(&[]), "mutex:server:first:0x1234");
    }
}

//! Where the locks of a row lie or come from, and the names that follow from it.

use locktoll_results::profile::{Frame, LockKind, Use, caller, described, place_in_id};

/// What a row's name and id are made from.
#[derive(Debug)]
pub enum Origin {
    /// In a variable of this file, at an offset from its beginning.
    Variable {
        /// The file's name.
        file: String,
        /// The variable's name, demangled.
        variable: String,
        /// Bytes from its start.
        offset: u64,
    },
    /// One of many in a variable.
    Array {
        /// The file's name.
        file: String,
        /// The variable's name, demangled.
        variable: String,
    },
    /// In a file's data, at an address, by the file's numbering, that no symbol names.
    Unnamed {
        /// The file's name.
        file: String,
        /// The address.
        address: u64,
    },
    /// In allocated memory or on a stack, initialised by these calls.
    Initialised(Vec<Frame>),
    /// As before, first taken by these calls.
    FirstTaken(Vec<Frame>),
    /// As before, if only the place is known that took it first.
    FirstTakenAt(Vec<Frame>),
    /// As before, if only the place is known that waits for it most.
    WaitedFor(Vec<Frame>),
    /// In the C library itself, in this function.
    Library(String),
    /// The ends of threads, waited for at this place.
    ThreadEnd(Vec<Frame>),
}

impl Origin {
    /// Returns the name for people.
    pub fn name(&self, kind: LockKind, used_as: Use) -> String {
        match self {
            Self::Variable {
                variable, offset, ..
            } => with_offset(variable, *offset),
            Self::Array { variable, .. } => format!("{variable}[]"),
            Self::Unnamed { file, address } => format!("{file}+{address:#x}"),
            Self::Initialised(frames) => {
                format!("{} made in {}", thing(kind, used_as), place(frames))
            }
            Self::FirstTaken(frames) | Self::FirstTakenAt(frames) => {
                let at = if frames.is_empty() { "at" } else { "in" };
                let (thing, first) = (thing(kind, used_as), first(kind, used_as));
                format!("{thing} first {first} {at} {}", place(frames))
            }
            Self::WaitedFor(frames) => {
                format!("{} waited for in {}", thing(kind, used_as), place(frames))
            }
            Self::Library(function) => format!("the C library's own lock in {function}"),
            Self::ThreadEnd(frames) => format!("end of a thread waited for in {}", place(frames)),
        }
    }

    /// Returns an id that is the same for the same lock in every run of the same program; `word` is the word for its kind. Where
    /// there are names, the id contains no lines and no addresses, so that it also survives a small change of the program.
    pub fn id(&self, word: &str) -> String {
        match self {
            Self::Variable {
                file,
                variable,
                offset,
            } => format!("{word}:{file}:{}", with_offset(variable, *offset)),
            Self::Array { file, variable } => format!("{word}:{file}:{variable}[]"),
            Self::Unnamed { file, address } => format!("{word}:{file}:{address:#x}"),
            Self::Initialised(frames) => format!("{word}:{}", place_id("born", frames)),
            Self::FirstTaken(frames) | Self::FirstTakenAt(frames) | Self::WaitedFor(frames) => {
                format!("{word}:{}", place_id("first", frames))
            }
            Self::Library(function) => format!("{word}:C library:{function}"),
            Self::ThreadEnd(frames) => format!("join:{}", place_id("first", frames)),
        }
    }

    /// Returns the calls that it came from, innermost first; empty if they are not known.
    pub fn birth(&self) -> &[Frame] {
        match self {
            Self::Initialised(frames) | Self::FirstTaken(frames) => frames,
            _ => &[],
        }
    }
}

fn place_id(how: &str, frames: &[Frame]) -> String {
    caller(frames).map_or_else(|| format!("{how}:unknown"), |frame| place_in_id(how, frame))
}

fn place(frames: &[Frame]) -> String {
    caller(frames).map_or_else(|| "an unknown place".to_owned(), described)
}

fn thing(kind: LockKind, used_as: Use) -> &'static str {
    match (kind, used_as) {
        (LockKind::Condvar, _) => "condition variable",
        (LockKind::Barrier, _) => "barrier",
        (LockKind::Semaphore, _) => "semaphore",
        (_, Use::Lock) => "lock",
        (_, Use::Signal) => "event",
    }
}

/// Returns what is done to it first.
fn first(kind: LockKind, used_as: Use) -> &'static str {
    match (kind, used_as) {
        (LockKind::Condvar | LockKind::Barrier, _) => "used",
        (LockKind::Semaphore, _) | (_, Use::Lock) => "taken",
        (_, Use::Signal) => "waited for",
    }
}

fn with_offset(name: &str, offset: u64) -> String {
    match offset {
        0 => name.to_owned(),
        _ => format!("{name}+{offset:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_variable_is_named_by_where_it_came_from() {
        let frame = |function: &str| Frame {
            function: Some(function.to_owned()),
            file: Some("/src/net/accept.c".to_owned()),
            line: Some(7),
            ..Frame::default()
        };
        let frames = vec![frame("std::mutex::lock()"), frame("accept_loop")];
        assert_eq!(
            Origin::FirstTaken(frames.clone()).name(LockKind::Mutex, Use::Lock),
            "lock first taken in accept_loop (accept.c:7)"
        );
        assert_eq!(
            Origin::Initialised(frames).name(LockKind::Condvar, Use::Signal),
            "condition variable made in accept_loop (accept.c:7)"
        );
        assert_eq!(
            Origin::FirstTakenAt(Vec::new()).name(LockKind::Futex, Use::Signal),
            "event first waited for at an unknown place"
        );
    }
}

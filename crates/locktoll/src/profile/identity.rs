//! Which lock is which, from one run to the next.

use std::collections::HashMap;

use locktoll_recording::layout;

use super::births::{BirthId, Births};
use super::instances::{Crowds, Instance};
use super::named::{base, described, kind_word, place_in_id};
use super::sites::{SiteId, Sites};
use super::statics::{FileId, Spot, Statics, VariableId};
use super::{Frame, LockKind, Use, caller};

/// What a lock is recognised by: locks with the same identity share a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Its sort.
    pub kind: LockKind,
    /// Whether it is a semaphore that is posted by threads that do not hold it. One place may make both sorts.
    posted: bool,
    origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Origin {
    /// In a variable, so far from its start.
    Variable(VariableId, u64),
    /// One of the many in a variable.
    Array(VariableId),
    /// In a file's data, at an address of the file's numbering.
    Unnamed(FileId, u64),
    /// In allocated memory or on a stack, or one of the many in a file's unnamed data: where it came from.
    Born(BirthId),
    /// As before, where the recording does not say where it came from: the first place that took it.
    FirstTaken(SiteId),
}

/// What names and ids are made from.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// Call sites.
    pub sites: &'a Sites,
    /// Births.
    pub births: &'a Births,
    /// Variables and files.
    pub statics: &'a Statics,
}

impl Identity {
    /// The identity of a lock, first taken at `first`; `None` for a sort that a later format added.
    pub fn of(
        instance: &Instance,
        crowds: &Crowds,
        first: impl FnOnce() -> SiteId,
    ) -> Option<Self> {
        let born = |birth: Option<BirthId>| match birth {
            Some(birth) => Origin::Born(birth),
            None => Origin::FirstTaken(first()),
        };
        let origin = match instance.spot {
            Spot::Variable(variable, _) if crowds.in_variable(variable, instance.kind) => {
                Origin::Array(variable)
            }
            Spot::Variable(variable, offset) => Origin::Variable(variable, offset),
            Spot::Unnamed(file, _) if crowds.in_file(file, instance.birth, instance.kind) => {
                born(instance.birth)
            }
            Spot::Unnamed(file, address) => Origin::Unnamed(file, address),
            Spot::Elsewhere => born(instance.birth),
        };
        Some(Self {
            kind: kind(instance.kind)?,
            posted: instance.posted,
            origin,
        })
    }

    /// Whether it is a semaphore that is posted by threads that do not hold it.
    pub fn is_posted(&self) -> bool {
        self.posted
    }

    /// The calls that it came from, and whether they initialised it.
    pub fn birth(&self, births: &Births) -> Option<(Vec<SiteId>, bool)> {
        match self.origin {
            Origin::Born(id) => {
                let birth = births.get(id);
                Some((birth.calls.clone(), birth.initialised))
            }
            _ => None,
        }
    }

    /// For people.
    pub fn name(&self, used_as: Use, places: Places<'_>) -> String {
        match self.origin {
            Origin::Variable(variable, offset) => {
                with_offset(&places.statics.variable(variable).name, offset)
            }
            Origin::Array(variable) => format!("{}[]", places.statics.variable(variable).name),
            Origin::Unnamed(file, address) => {
                format!("{}+{address:#x}", base(places.statics.file(file)))
            }
            Origin::Born(id) => {
                let birth = places.births.get(id);
                let frames = places.sites.stack(&birth.calls);
                came_from(self.kind, used_as, birth.initialised, &frames)
            }
            Origin::FirstTaken(site) => {
                came_from(self.kind, used_as, false, places.sites.frames(site))
            }
        }
    }

    /// The same for the same lock in every run of the same program. No lines and no addresses
    /// where there are names, so that it survives a small change of the program, too.
    pub fn id(&self, places: Places<'_>) -> String {
        let kind = match self.posted {
            true => "signal-semaphore",
            false => kind_word(self.kind),
        };
        let born = |how: &str, frames: &[Frame]| {
            let Some(frame) = caller(frames) else {
                return format!("{kind}:{how}:unknown");
            };
            format!("{kind}:{}", place_in_id(how, frame))
        };
        let variable = |id: VariableId| {
            let variable = places.statics.variable(id);
            (base(places.statics.file(variable.file)), &variable.name)
        };
        match self.origin {
            Origin::Variable(id, offset) => {
                let (file, name) = variable(id);
                format!("{kind}:{file}:{}", with_offset(name, offset))
            }
            Origin::Array(id) => {
                let (file, name) = variable(id);
                format!("{kind}:{file}:{name}[]")
            }
            Origin::Unnamed(file, address) => {
                format!("{kind}:{}:{address:#x}", base(places.statics.file(file)))
            }
            Origin::Born(id) => {
                let birth = places.births.get(id);
                let how = if birth.initialised { "born" } else { "first" };
                born(how, &places.sites.stack(&birth.calls))
            }
            Origin::FirstTaken(site) => born("first", places.sites.frames(site)),
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

/// `lock made in open_session (session.c:17)`.
fn came_from(kind: LockKind, used_as: Use, initialised: bool, frames: &[Frame]) -> String {
    let (thing, first) = match (kind, used_as) {
        (LockKind::Condvar, _) => ("condition variable", "used"),
        (LockKind::Barrier, _) => ("barrier", "used"),
        (LockKind::Semaphore, _) => ("semaphore", "taken"),
        (_, Use::Lock) => ("lock", "taken"),
        (_, Use::Signal) => ("signal", "waited for"),
    };
    let place = caller(frames).map_or_else(|| "an unknown place".to_owned(), described);
    let (how, at) = match (initialised, frames.is_empty()) {
        (true, _) => ("made".to_owned(), "in"),
        (false, false) => (format!("first {first}"), "in"),
        (false, true) => (format!("first {first}"), "at"),
    };
    format!("{thing} {how} {at} {place}")
}

fn with_offset(name: &str, offset: u64) -> String {
    match offset {
        0 => name.to_owned(),
        _ => format!("{name}+{offset:#x}"),
    }
}

fn kind(kind: layout::LockKind) -> Option<LockKind> {
    Some(match kind {
        layout::LockKind::Mutex => LockKind::Mutex,
        layout::LockKind::RwLock => LockKind::RwLock,
        layout::LockKind::Spin => LockKind::Spin,
        layout::LockKind::Semaphore => LockKind::Semaphore,
        layout::LockKind::Condvar => LockKind::Condvar,
        layout::LockKind::Barrier => LockKind::Barrier,
        layout::LockKind::Futex => LockKind::Futex,
        // A sort that a later format added; its numbers would mean nothing here.
        _ => return None,
    })
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
    fn what_has_no_variable_is_named_by_where_it_came_from() {
        let frame = |function: &str| Frame {
            function: Some(function.to_owned()),
            file: Some("/src/net/accept.c".to_owned()),
            line: Some(7),
            ..Frame::default()
        };
        let frames = [frame("std::mutex::lock()"), frame("accept_loop")];
        assert_eq!(
            came_from(LockKind::Mutex, Use::Lock, false, &frames),
            "lock first taken in accept_loop (accept.c:7)"
        );
        assert_eq!(
            came_from(LockKind::Condvar, Use::Signal, true, &frames),
            "condition variable made in accept_loop (accept.c:7)"
        );
        assert_eq!(
            came_from(LockKind::Futex, Use::Signal, false, &[]),
            "signal first waited for at an unknown place"
        );
    }
}

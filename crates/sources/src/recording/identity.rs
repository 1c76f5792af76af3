//! The identity of locks from one run to the next.

use locktoll_recording::layout;

use super::births::{BirthId, Births};
use super::instances::{Crowds, Instance};
use super::sites::{SiteId, Sites};
use super::statics::{FileId, Spot, Statics, VariableId};
use crate::joiner;
use locktoll_results::profile::{LockKind, base};

/// What identifies a lock: locks with the same identity share a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Its kind.
    pub kind: LockKind,
    /// Whether it is a semaphore that is posted by threads that do not hold it. One place may make both sorts.
    posted: bool,
    origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Origin {
    /// In a variable, at this offset.
    Variable(VariableId, u64),
    /// One of many in a variable.
    Array(VariableId),
    /// In a file's data, at an address by the file's numbering.
    Unnamed(FileId, u64),
    /// In allocated memory or on a stack, or one of many in a file's unnamed data: the place where it came from.
    Born(BirthId),
    /// As before, if the recording does not say where it came from: the place that took it first.
    FirstTaken(SiteId),
}

/// The tables from which names and ids are made.
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
    /// Returns the identity of a lock that was first taken at `first`; `None` for a kind that a later format added.
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

    /// Returns the calls that it came from; empty if they are not known.
    pub fn birth<'b>(&self, births: &'b Births) -> &'b [SiteId] {
        match self.origin {
            Origin::Born(id) => &births.get(id).calls,
            _ => &[],
        }
    }

    /// Returns how far a lock lies from the beginning of the variable that contains all locks of this identity, if there is one that
    /// contains many.
    pub fn offset_in_array(&self, instance: &Instance) -> Option<u64> {
        match (self.origin, instance.spot) {
            (Origin::Array(_), Spot::Variable(_, offset)) => Some(offset),
            _ => None,
        }
    }

    /// Returns the size of that variable.
    pub fn array_bytes(&self, statics: &Statics) -> Option<u64> {
        match self.origin {
            Origin::Array(id) => Some(statics.variable(id).bytes),
            _ => None,
        }
    }

    /// Whether those calls initialised it.
    pub fn is_initialised(&self, births: &Births) -> bool {
        matches!(self.origin, Origin::Born(id) if births.get(id).initialised)
    }

    /// Describes it in words, for all processes.
    pub fn origin(&self, places: Places<'_>) -> joiner::Origin {
        let (sites, statics) = (places.sites, places.statics);
        let file = |id| base(statics.file(id));
        match self.origin {
            Origin::Variable(id, offset) => joiner::Origin::Variable {
                file: file(statics.variable(id).file),
                variable: statics.variable(id).name.clone(),
                offset,
            },
            Origin::Array(id) => joiner::Origin::Array {
                file: file(statics.variable(id).file),
                variable: statics.variable(id).name.clone(),
            },
            Origin::Unnamed(id, address) => joiner::Origin::Unnamed {
                file: file(id),
                address,
            },
            Origin::Born(id) => {
                let birth = places.births.get(id);
                let frames = sites.stack(&birth.calls);
                match birth.initialised {
                    true => joiner::Origin::Initialised(frames),
                    false => joiner::Origin::FirstTaken(frames),
                }
            }
            Origin::FirstTaken(site) => joiner::Origin::FirstTakenAt(sites.frames(site).to_vec()),
        }
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
        // A kind that a later format added; its numbers would mean nothing here.
        _ => return None,
    })
}

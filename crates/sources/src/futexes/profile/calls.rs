//! Call stacks.

use std::collections::HashMap;
use std::rc::Rc;

use super::names::Names;
use crate::futexes::gathered::Gathered;
use locktoll_results::profile::{Frame, caller};

/// A stack of calls, innermost first.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The places to which its calls return, by number.
    places: Vec<u64>,
    /// The functions, including inlined ones.
    frames: Vec<Frame>,
    /// How many of the places, and of the frames, lead from the system call out to the program's own call.
    site: (usize, usize),
}

/// A place in the program, given by the calls from the system call out to it. It is the same for all processes that run the same
/// file.
pub type Site = Rc<[u64]>;

impl Calls {
    /// Builds the stack of `process` with these addresses.
    pub fn of(process: u32, addresses: &[u64], names: &Names) -> Self {
        let mut calls = Self::default();
        let mut ends = Vec::with_capacity(addresses.len());
        for address in addresses.iter().map(|&address| (process, address)) {
            calls.places.push(names.place(address));
            calls.frames.extend(names.frames(address).iter().cloned());
            ends.push(calls.frames.len());
        }
        // The place includes the call of the function that asks for the lock, with everything that is inlined there.
        let asks = caller(&calls.frames);
        let asks = asks.and_then(|asks| calls.frames.iter().position(|it| std::ptr::eq(it, asks)));
        if let Some(asks) = asks {
            let last = ends.partition_point(|&end| end <= asks);
            calls.site = (last + 1, ends[last]);
        }
        calls
    }

    /// Returns the functions, innermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Returns the functions from the program's own call inwards, innermost first.
    pub fn site_frames(&self) -> &[Frame] {
        &self.frames[..self.site.1]
    }

    /// Returns the place of `site_frames` as a key.
    pub fn site(&self) -> Site {
        self.places[..self.site.0].into()
    }

    /// Returns the name of the function that contains the program's own call.
    pub fn caller(&self) -> Option<&str> {
        caller(self.site_frames())?.function.as_deref()
    }
}

/// All stacks by their number. Number zero is the stack of a call whose stack was not taken.
#[derive(Debug, Default)]
pub struct Stacks {
    by_number: HashMap<u32, Calls>,
    none: Calls,
}

impl Stacks {
    /// Builds all stacks, with names.
    pub fn of(gathered: &Gathered, names: &Names) -> Self {
        let named = gathered.stacks.iter().map(|(&number, addresses)| {
            let process = gathered.stack_process.get(&number).copied();
            let process = process.unwrap_or_default();
            (number, Calls::of(process, addresses, names))
        });
        Self {
            by_number: named.collect(),
            none: Calls::default(),
        }
    }

    /// Returns the stack with this number; empty if it is not known.
    pub fn get(&self, number: u32) -> &Calls {
        self.by_number.get(&number).unwrap_or(&self.none)
    }
}

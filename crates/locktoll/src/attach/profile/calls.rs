//! Stacks of calls.

use std::collections::HashMap;
use std::rc::Rc;

use super::names::Names;
use crate::profile::{Frame, is_wrapper};

/// A stack of calls, innermost first.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The return addresses.
    addresses: Vec<u64>,
    /// The functions, what was inlined included.
    frames: Vec<Frame>,
    /// How many of the addresses, and of the frames, lead from the system call out to the program's own call.
    site: (usize, usize),
}

/// A place in the program, by the calls from the system call out to it.
pub type Site = Rc<[u64]>;

impl Calls {
    /// The stack with these addresses.
    pub fn of(addresses: &[u64], names: &Names) -> Self {
        let mut calls = Self {
            addresses: addresses.to_vec(),
            ..Self::default()
        };
        for (position, &address) in addresses.iter().enumerate() {
            let frames = names.frames(address);
            let asks = frames.iter().any(|frame| !is_wrapper(frame));
            calls.frames.extend(frames.iter().cloned());
            if asks && calls.site.0 == 0 {
                calls.site = (position + 1, calls.frames.len());
            }
        }
        if calls.site.0 == 0 {
            calls.site = (addresses.len(), calls.frames.len());
        }
        calls
    }

    /// The functions, innermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The functions from the program's own call inwards, innermost first.
    pub fn site_frames(&self) -> &[Frame] {
        &self.frames[..self.site.1]
    }

    /// The same as a key.
    pub fn site(&self) -> Site {
        self.addresses[..self.site.0].into()
    }

    /// The function that the program's own call stands in, by name.
    pub fn caller(&self) -> Option<&str> {
        crate::profile::caller(self.site_frames())?
            .function
            .as_deref()
    }
}

/// All stacks by their number. Zero is that of a call whose stack was not taken.
#[derive(Debug, Default)]
pub struct Stacks {
    by_number: HashMap<u32, Calls>,
    none: Calls,
}

impl Stacks {
    /// With names.
    pub fn of(stacks: &HashMap<u32, Vec<u64>>, names: &Names) -> Self {
        let named = stacks
            .iter()
            .map(|(&number, addresses)| (number, Calls::of(addresses, names)));
        Self {
            by_number: named.collect(),
            none: Calls::default(),
        }
    }

    /// The stack with this number; empty if it is not known.
    pub fn get(&self, number: u32) -> &Calls {
        self.by_number.get(&number).unwrap_or(&self.none)
    }
}

//! Functions at places of code, looked up in the mapped files.

use std::cell::RefCell;
use std::collections::HashMap;

use blazesym::symbolize::Input;

use super::places::{Files, Place};
use crate::elf::Functions;
use crate::futexes::generated_names;
use locktoll_results::profile::Frame;

/// Looks up functions.
pub struct Names {
    functions: Functions,
    /// Places that were looked up: reports that follow each other have the same ones.
    known: RefCell<HashMap<Place, Vec<Frame>>>,
    /// Names of generated code, by process and address; `None` for code without a name.
    generated: HashMap<(u32, u64), Option<String>>,
}

impl Names {
    /// Starts without any.
    pub fn new() -> Self {
        Self {
            functions: Functions::of_debug_information(),
            known: RefCell::default(),
            generated: HashMap::new(),
        }
    }

    /// Reads the names of generated code at these places: each process has one file of them, which is read once for all.
    pub fn prepare<'a>(&mut self, places: impl Iterator<Item = &'a Place>) {
        let mut asked: HashMap<u32, Vec<u64>> = HashMap::new();
        for place in places {
            if let Place::Elsewhere { pid, address, .. } = *place
                && !self.generated.contains_key(&(pid, address))
            {
                asked.entry(pid).or_default().push(address);
            }
        }
        for (pid, addresses) in asked {
            let mut names = generated_names(pid, &addresses);
            for address in addresses {
                let name = names.remove(&address);
                self.generated.entry((pid, address)).or_insert(name);
            }
        }
    }

    /// Returns the functions at a place, innermost first: inlined ones before the function that contains them. A place without a
    /// name has one frame, too.
    pub fn frames(&self, files: &Files, place: &Place) -> Vec<Frame> {
        if let Some(known) = self.known.borrow().get(place) {
            return known.clone();
        }
        let found = self.looked_up(files, place);
        self.known.borrow_mut().insert(place.clone(), found.clone());
        found
    }

    fn looked_up(&self, files: &Files, place: &Place) -> Vec<Frame> {
        let bare = bare(files, place);
        let found = match *place {
            Place::File { file, address } => files.get(file).and_then(|it| {
                let opened = it.file.as_deref()?;
                self.functions
                    .frames(opened, &it.path, Input::VirtOffset(address), &bare)
            }),
            Place::Elsewhere { pid, address, .. } => {
                let name = self.generated.get(&(pid, address)).cloned().flatten();
                name.map(|function| {
                    // The name says enough without the mapping.
                    let module = bare.module.clone().filter(|it| it != ANONYMOUS);
                    vec![Frame {
                        function: Some(function),
                        module,
                        ..bare.clone()
                    }]
                })
            }
            Place::Nowhere { .. } => None,
        };
        found.unwrap_or_else(|| vec![bare])
    }
}

/// The mapping of generated code, in which a place has its address.
const ANONYMOUS: &str = "[anon]";

/// Returns what is known of a place without its name: generated code has no file.
fn bare(files: &Files, place: &Place) -> Frame {
    let (module, offset) = match place {
        Place::File { file, address } => {
            let path = files.get(*file).map(|it| it.path.to_string_lossy());
            (path.map(|it| it.into_owned()), *address)
        }
        Place::Elsewhere {
            mapping, offset, ..
        } if !mapping.is_empty() => (Some(mapping.clone()), *offset),
        Place::Elsewhere { address, .. } => (Some(ANONYMOUS.to_owned()), *address),
        Place::Nowhere { address } => (None, *address),
    };
    Frame {
        module,
        offset: Some(offset),
        ..Frame::default()
    }
}

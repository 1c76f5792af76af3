//! Functions at places of code, looked up in the mapped files.

use std::cell::RefCell;
use std::collections::HashMap;

use blazesym::symbolize::Input;

use super::places::{Files, Place};
use crate::elf::Functions;
use locktoll_results::profile::Frame;

/// Looks up functions.
pub struct Names {
    functions: Functions,
    /// Places that were looked up: reports that follow each other have the same ones.
    known: RefCell<HashMap<Place, Vec<Frame>>>,
}

impl Names {
    /// Starts without any.
    pub fn new() -> Self {
        Self {
            functions: Functions::of_debug_information(),
            known: RefCell::default(),
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
                let opened = it.file.as_ref()?;
                self.functions
                    .frames(opened, &it.path, Input::VirtOffset(address), &bare)
            }),
            _ => None,
        };
        found.unwrap_or_else(|| vec![bare])
    }
}

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
        Place::Elsewhere { address, .. } | Place::Nowhere { address } => (None, *address),
    };
    Frame {
        module,
        offset: Some(offset),
        ..Frame::default()
    }
}

//! Functions and source lines for call sites, offline, from the mapped files.

use std::collections::HashMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};

use blazesym::symbolize::Input;
use locktoll_recording::reader::{Module, Part, Site};

use crate::elf::{Functions, Variable, Variables, build_id};
use locktoll_results::profile::Frame;
use locktoll_terminal::system::files::open_regular;

/// Names for addresses. It keeps the results of earlier look-ups.
pub struct Symbols {
    functions: Functions,
    frames: HashMap<Place, Vec<Frame>>,
    modules: HashMap<PathBuf, ModuleFile>,
    warnings: Vec<String>,
}

/// The present state of a mapped file.
struct ModuleFile {
    /// The file, held open, if it is the one that was mapped and its names are therefore right.
    file: Option<File>,
    /// Its variables, looked up when first asked for.
    variables: Option<Variables>,
}

/// A place that has the same meaning in every run of the same program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The mapped file; empty for generated code. It is shared, since a place is kept for every lock.
    pub module: Rc<Path>,
    /// The address as the file numbers it, or the address in memory if there is no file.
    pub address: u64,
}

impl Default for Symbols {
    /// Starts without any names.
    fn default() -> Self {
        Self {
            functions: Functions::of_debug_information(),
            frames: HashMap::new(),
            modules: HashMap::new(),
            warnings: Vec::new(),
        }
    }
}

impl Symbols {
    /// Returns warnings for the reader of the names.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns where a call site lies: the byte before the return address, which belongs to the call.
    pub fn place(part: &Part, site: Site) -> Place {
        let place = Self::function_place(part, site);
        Place {
            address: place.address.wrapping_sub(1),
            ..place
        }
    }

    /// Returns where a function lies with which a thread was started.
    pub fn function_place(part: &Part, site: Site) -> Place {
        let module = site.module.and_then(|index| part.modules.get(index));
        let (module, address) = match module {
            Some(module) => match module.bias {
                Some(bias) => (module.path.as_path(), site.address.wrapping_sub(bias)),
                None => (module.path.as_path(), site.file_offset),
            },
            None => (Path::new(""), site.address),
        };
        Place {
            module: module.into(),
            address,
        }
    }

    /// Returns the functions at a place in `site`'s module, innermost first: an inlined function comes before the function that
    /// contains it.
    pub fn frames(&mut self, part: &Part, site: Site, place: &Place) -> Vec<Frame> {
        if let Some(frames) = self.frames.get(place) {
            return frames.clone();
        }
        let module = site.module.and_then(|index| part.modules.get(index));
        let frames = self.look_up(part, module, place.address);
        self.frames.insert(place.clone(), frames.clone());
        frames
    }

    /// Returns the variable at `address` of a mapped file.
    pub fn variable(&mut self, part: &Part, module: &Module, address: u64) -> Option<&Variable> {
        if !self.usable(part, module) {
            return None;
        }
        let file = self.modules.get_mut(&module.path)?;
        let opened = file.file.as_ref()?;
        file.variables
            .get_or_insert_with(|| Variables::read(opened))
            .find(address)
    }

    fn look_up(&mut self, part: &Part, module: Option<&Module>, address: u64) -> Vec<Frame> {
        let bare = Frame {
            module: module.map(|module| module.path.to_string_lossy().into_owned()),
            offset: Some(address),
            ..Frame::default()
        };
        let Some(module) = module else {
            return vec![bare];
        };
        if !self.usable(part, module) {
            return vec![bare];
        }
        let input = match module.bias {
            Some(_) => Input::VirtOffset(address),
            None => Input::FileOffset(address),
        };
        let file = self.modules.get(&module.path);
        let found = file
            .and_then(|it| it.file.as_ref())
            .and_then(|file| self.functions.frames(file, &module.path, input, &bare));
        found.unwrap_or_else(|| vec![bare])
    }

    /// Whether the file on disk is still the one that was mapped. Warns once if it is not.
    pub(super) fn usable(&mut self, part: &Part, module: &Module) -> bool {
        if let Some(known) = self.modules.get(&module.path) {
            return known.file.is_some();
        }
        let state = state_of(module, part.process.start_realtime_ns);
        // The kernel's own pages (`[vdso]`) were never a file.
        let kernels = module.path.as_os_str().as_encoded_bytes().starts_with(b"[");
        if let (Err(reason), false) = (&state, kernels) {
            self.warnings.push(format!(
                "{} {reason}, so that places in it are shown as addresses",
                module.path.display()
            ));
        }
        let file = state.ok();
        let usable = file.is_some();
        self.modules.insert(
            module.path.clone(),
            ModuleFile {
                file,
                variables: None,
            },
        );
        usable
    }
}

/// Returns the file at the module's path, if it is the one that was mapped. The path was chosen by the creator of the recording.
fn state_of(module: &Module, start_realtime_ns: u64) -> Result<File, &'static str> {
    let file = open_regular(&module.path).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput => "is not a file of code any more",
        _ => "is not here any more",
    })?;
    let on_disk = build_id(&file);
    if !module.build_id.is_empty() && !on_disk.is_empty() {
        // The recording may only have had room for the beginning of the build id.
        let same = on_disk.starts_with(&module.build_id);
        return if same { Ok(file) } else { Err(CHANGED) };
    }
    let started = UNIX_EPOCH + Duration::from_nanos(start_realtime_ns);
    match file.metadata().and_then(|found| found.modified()) {
        Ok(modified) if modified > started => Err(CHANGED),
        _ => Ok(file),
    }
}

const CHANGED: &str = "has changed since the recording";

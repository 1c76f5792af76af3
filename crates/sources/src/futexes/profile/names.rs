//! Functions at the addresses of stacks.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use blazesym::symbolize::Input;

use super::lines;
use super::lines::Wanted;
use super::perf_map::PerfMap;
use super::vdso::Vdso;
use crate::elf::Functions;
use crate::futexes::process::{Files, InFile, Observed, Processes, Spot, Subject};
use locktoll_results::profile::Frame;
use locktoll_terminal::escape::shown;
use locktoll_terminal::quantity::counted;

/// A return address, with the process to which it belongs.
pub type Address = (u32, u64);

/// Names for addresses.
#[derive(Debug, Default)]
pub struct Names {
    by_address: HashMap<Address, Rc<[Frame]>>,
    /// A number for each place. The same place in a file has the same number, whichever process maps it, and wherever.
    places: HashMap<Address, u64>,
    numbers: HashMap<Numbered, u64>,
    /// What the reader of the names should know.
    pub warnings: Vec<String>,
}

/// What distinguishes one place from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Numbered {
    InFile(InFile),
    Vdso(u64),
    Elsewhere(Address),
}

impl Names {
    /// Looks up these return addresses, the most expensive first: functions in any case, and the details from debug information
    /// until `deadline`. Known addresses stay as they are.
    pub fn look_up(&mut self, processes: &Processes, addresses: &[Address], deadline: Instant) {
        let names = self;
        let files = processes.files();
        let symbols = Functions::of_symbols();
        let vdso = Vdso::copy();
        let mut in_files: Vec<(Address, Wanted)> = Vec::new();
        let mut generated: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for &address in addresses {
            if names.by_address.contains_key(&address) {
                continue;
            }
            let process = address.0;
            // The byte before the return address belongs to the call.
            let call = address.1.wrapping_sub(1);
            let spot = processes.spot(process, call);
            names.number(address, &spot);
            let frames = match spot {
                Spot::File(place) => {
                    let bare = bare(files, place);
                    let mapped = &files.all()[place.file];
                    let found = mapped.file.as_ref().and_then(|file| {
                        let place = Input::VirtOffset(place.address);
                        symbols.frames(file, &mapped.path, place, &bare)
                    });
                    in_files.push((
                        address,
                        Wanted {
                            place,
                            bare: bare.clone(),
                        },
                    ));
                    found.unwrap_or_else(|| vec![bare])
                }
                Spot::Vdso(offset) => {
                    let bare = Frame {
                        module: Some("[vdso]".to_owned()),
                        offset: Some(offset),
                        ..Frame::default()
                    };
                    let found = vdso.as_ref().and_then(|vdso| {
                        let (file, path) = (vdso.file(), Path::new("[vdso]"));
                        symbols.frames(file, path, Input::VirtOffset(offset), &bare)
                    });
                    found.unwrap_or_else(|| vec![bare])
                }
                Spot::Anonymous => {
                    if processes.is_generated(process, call) {
                        generated.entry(process).or_default().push(call);
                    }
                    vec![nameless(call)]
                }
            };
            names.by_address.insert(address, frames.into());
        }
        for (process, calls) in generated {
            if let Some(observed) = processes.get(process) {
                names.add_generated(process, observed, files, calls);
            }
        }
        names.add_lines(files, in_files, deadline);
        names.say_what_is_missing(files);
    }

    fn number(&mut self, address: Address, spot: &Spot) {
        let numbered = match *spot {
            Spot::File(place) => Numbered::InFile(place),
            Spot::Vdso(offset) => Numbered::Vdso(offset),
            Spot::Anonymous => Numbered::Elsewhere(address),
        };
        let next = self.numbers.len() as u64;
        let number = *self.numbers.entry(numbered).or_insert(next);
        self.places.insert(address, number);
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Made-up names: a function for each address of these processes, in one file that they share.
    #[cfg(test)]
    pub fn made_up(processes: &[u32], functions: &[(u64, &str)]) -> Self {
        let frame = |&(address, name): &(u64, &str)| {
            let frame = Frame {
                function: Some(name.to_owned()),
                module: Some("/opt/app".to_owned()),
                offset: Some(address),
                ..Frame::default()
            };
            let frames: Rc<[Frame]> = Rc::new([frame]);
            (address, frames)
        };
        let mut names = Self::default();
        for &process in processes {
            for (address, frames) in functions.iter().map(frame) {
                names.by_address.insert((process, address), frames);
                names.places.insert((process, address), address);
            }
        }
        names
    }

    /// Returns the functions at a return address, innermost first.
    pub fn frames(&self, address: Address) -> Rc<[Frame]> {
        match self.by_address.get(&address) {
            Some(frames) => Rc::clone(frames),
            None => Rc::new([nameless(address.1.wrapping_sub(1))]),
        }
    }

    /// Returns the number of the place to which a call returns.
    pub fn place(&self, address: Address) -> u64 {
        self.places.get(&address).copied().unwrap_or(u64::MAX)
    }

    fn add_generated(&mut self, process: u32, of: &Observed, files: &Files, calls: Vec<u64>) {
        let subject = &of.subject;
        let found = match PerfMap::of(subject, calls.iter().copied()) {
            PerfMap::Names(names) => names,
            PerfMap::None => {
                self.warn(without_map(subject, files));
                return;
            }
            PerfMap::OfAnother(owner) => {
                self.warn(format!(
                    "/tmp/perf-{}.map belongs to user {owner}, neither to the process's user nor to root, and is not read",
                    subject.own_pid
                ));
                return;
            }
        };
        for (call, name) in found {
            let frame = Frame {
                function: Some(name),
                ..nameless(call)
            };
            self.by_address
                .insert((process, call.wrapping_add(1)), Rc::new([frame]));
        }
    }

    fn add_lines(&mut self, files: &Files, in_files: Vec<(Address, Wanted)>, deadline: Instant) {
        let mut addresses: HashMap<InFile, Vec<Address>> = HashMap::new();
        let mut wanted = Vec::new();
        for (address, place) in in_files {
            let same = addresses.entry(place.place).or_default();
            if same.is_empty() {
                wanted.push(place);
            }
            same.push(address);
        }
        let found = lines::look_up(files.all(), wanted, deadline);
        for (place, frames) in found.frames {
            let frames: Rc<[Frame]> = frames.into();
            for &address in addresses.get(&place).into_iter().flatten() {
                self.by_address.insert(address, Rc::clone(&frames));
            }
        }
        if found.late > 0 {
            self.warn(format!(
                "the debug information was not read to its end in time: {} without files, lines and inlined calls",
                counted(found.late as u64, "place is", "places are")
            ));
        }
        for path in found.too_large {
            let path = shown(path.as_os_str());
            self.warn(format!(
                "the debug information of {path} is too large to be read: its places are without files, lines and inlined calls"
            ));
        }
    }

    /// Warns about files that were mapped and can no longer be read.
    fn say_what_is_missing(&mut self, files: &Files) {
        let used: BTreeSet<&str> = self
            .by_address
            .values()
            .flat_map(|frames| frames.iter())
            .filter(|frame| frame.function.is_none())
            .filter_map(|frame| frame.module.as_deref())
            .collect();
        let gone = files.all().iter().filter(|it| it.file.is_none());
        let gone: Vec<String> = gone
            .map(|file| file.path.to_string_lossy().into_owned())
            .filter(|path| used.contains(path.as_str()))
            .collect();
        for path in gone {
            self.warn(format!(
                "{} is not the file any more that the process runs, so that places in it are shown as addresses; CAP_CHECKPOINT_RESTORE \
                 lets it be read all the same",
                shown(path.as_ref())
            ));
        }
    }
}

fn bare(files: &Files, place: InFile) -> Frame {
    let path = &files.all()[place.file].path;
    Frame {
        module: Some(path.to_string_lossy().into_owned()),
        offset: Some(place.address),
        ..Frame::default()
    }
}

fn nameless(address: u64) -> Frame {
    Frame {
        offset: Some(address),
        ..Frame::default()
    }
}

/// Describes generated code without names, and how to get them.
fn without_map(subject: &Subject, files: &Files) -> String {
    let runs = |file: &str| {
        files.all().iter().any(|it| {
            let name = it.path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(file)
        })
    };
    let pid = subject.pid;
    let how = if runs("libjvm.so") {
        format!(
            "start it with -XX:+PreserveFramePointer, and let `jcmd {pid} Compiler.perfmap` write it before the end of watching"
        )
    } else if runs("node") || runs("libnode") {
        "start it with --perf-basic-prof".to_owned()
    } else {
        "have its compiler write one, as for perf".to_owned()
    };
    format!(
        "generated code has no names without /tmp/perf-{}.map: {how}",
        subject.own_pid
    )
}

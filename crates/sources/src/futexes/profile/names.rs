//! Functions at the addresses of stacks.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Instant;

use blazesym::symbolize::Input;

use super::lines;
use super::lines::Wanted;
use super::perf_map::PerfMap;
use super::vdso::Vdso;
use crate::elf::Functions;
use crate::futexes::process::{InFile, Memory, Spot, Subject};
use locktoll_results::profile::Frame;
use locktoll_terminal::escape::shown;
use locktoll_terminal::quantity::counted;

/// Names for addresses.
#[derive(Debug, Default)]
pub struct Names {
    by_address: HashMap<u64, Rc<[Frame]>>,
    /// What the reader of the names should know.
    pub warnings: Vec<String>,
}

impl Names {
    /// Looks up these return addresses, the dearest first: functions always, what debug information adds until `deadline`.
    pub fn look_up(
        subject: &Subject,
        memory: &Memory,
        addresses: &[u64],
        deadline: Instant,
    ) -> Self {
        let mut names = Self::default();
        let symbols = Functions::of_symbols();
        let vdso = Vdso::copy();
        let mut in_files: Vec<(u64, Wanted)> = Vec::new();
        let mut generated = Vec::new();
        for &address in addresses {
            // The byte before the return address belongs to the call.
            let call = address.wrapping_sub(1);
            let frames = match memory.spot(call) {
                Spot::File(place) => {
                    let bare = bare(memory, place);
                    let path = memory.files()[place.file].readable_path();
                    let found = path.and_then(|path| {
                        symbols.frames(&path, Input::VirtOffset(place.address), &bare)
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
                    let path = vdso.as_ref().map(Vdso::path);
                    let found = path
                        .and_then(|path| symbols.frames(&path, Input::VirtOffset(offset), &bare));
                    found.unwrap_or_else(|| vec![bare])
                }
                Spot::Anonymous => {
                    if memory.is_generated(call) {
                        generated.push(call);
                    }
                    vec![nameless(call)]
                }
            };
            names.by_address.insert(address, frames.into());
        }
        names.add_generated(subject, memory, generated);
        names.add_lines(memory, in_files, deadline);
        names.say_what_is_missing(memory);
        names
    }

    /// Whether a return address was looked up.
    pub fn knows(&self, address: u64) -> bool {
        self.by_address.contains_key(&address)
    }

    /// Takes in what was looked up later.
    pub fn add(&mut self, later: Self) {
        self.by_address.extend(later.by_address);
        for warning in later.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// Made up: a function for each address.
    #[cfg(test)]
    pub fn made_up(functions: &[(u64, &str)]) -> Self {
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
        Self {
            by_address: functions.iter().map(frame).collect(),
            warnings: Vec::new(),
        }
    }

    /// The functions at a return address, innermost first.
    pub fn frames(&self, address: u64) -> Rc<[Frame]> {
        match self.by_address.get(&address) {
            Some(frames) => Rc::clone(frames),
            None => Rc::new([nameless(address.wrapping_sub(1))]),
        }
    }

    fn add_generated(&mut self, subject: &Subject, memory: &Memory, calls: Vec<u64>) {
        if calls.is_empty() {
            return;
        }
        let found = match PerfMap::of(subject, calls.iter().copied()) {
            PerfMap::Names(names) => names,
            PerfMap::None => {
                self.warnings.push(without_map(subject, memory));
                return;
            }
            PerfMap::OfAnother(owner) => {
                self.warnings.push(format!(
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
                .insert(call.wrapping_add(1), Rc::new([frame]));
        }
    }

    fn add_lines(&mut self, memory: &Memory, in_files: Vec<(u64, Wanted)>, deadline: Instant) {
        let mut addresses: HashMap<InFile, Vec<u64>> = HashMap::new();
        let mut wanted = Vec::new();
        for (address, place) in in_files {
            addresses.entry(place.place).or_default().push(address);
            wanted.push(place);
        }
        let found = lines::look_up(memory.files(), wanted, deadline);
        for (place, frames) in found.frames {
            let frames: Rc<[Frame]> = frames.into();
            for &address in addresses.get(&place).into_iter().flatten() {
                self.by_address.insert(address, Rc::clone(&frames));
            }
        }
        if found.late > 0 {
            self.warnings.push(format!(
                "the debug information was not read to its end in time: {} without files, lines and inlined calls",
                counted(found.late as u64, "place is", "places are")
            ));
        }
        for path in found.too_large {
            let path = shown(path.as_os_str());
            self.warnings.push(format!(
                "the debug information of {path} is too large to be read: its places are without files, lines and inlined calls"
            ));
        }
    }

    /// Files that were mapped, and cannot be read any more.
    fn say_what_is_missing(&mut self, memory: &Memory) {
        let used: BTreeSet<&str> = self
            .by_address
            .values()
            .flat_map(|frames| frames.iter())
            .filter(|frame| frame.function.is_none())
            .filter_map(|frame| frame.module.as_deref())
            .collect();
        let gone = memory.files().iter().filter(|it| it.file.is_none());
        let gone: Vec<String> = gone
            .map(|file| file.path.to_string_lossy().into_owned())
            .filter(|path| used.contains(path.as_str()))
            .collect();
        for path in gone {
            self.warnings.push(format!(
                "{} is not the file any more that the process runs, so that places in it are shown as addresses; CAP_CHECKPOINT_RESTORE \
                 lets it be read all the same",
                shown(path.as_ref())
            ));
        }
    }
}

fn bare(memory: &Memory, place: InFile) -> Frame {
    Frame {
        module: Some(
            memory.files()[place.file]
                .path
                .to_string_lossy()
                .into_owned(),
        ),
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

/// Generated code without names, and how to get them.
fn without_map(subject: &Subject, memory: &Memory) -> String {
    let runs = |file: &str| {
        memory.files().iter().any(|it| {
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

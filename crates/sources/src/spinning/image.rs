//! One program in one process.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::memory::{AtSample, Memory};
use super::places::{Files, Map, Place};
use super::verdicts::Verdicts;
use crate::mapped::Mapping;
use crate::perf::Sample;

/// The shortest time after which mappings are read again because an address is not in them.
const AGAIN: Duration = Duration::from_millis(50);

/// A program in a process.
pub struct Image {
    /// The process.
    pub pid: u32,
    /// Its mappings.
    pub map: Map,
    /// Its memory.
    pub memory: Memory,
    /// What is known of its instructions. Forked processes share it until one of them runs another program.
    pub verdicts: Rc<RefCell<Verdicts>>,
    read_at: Option<Instant>,
    /// Whether the files of code that are mapped now are open.
    is_backed: bool,
}

impl Image {
    /// Starts with the code of the program from which it was forked, if it was.
    pub fn begin(pid: u32, forked_from: Option<&Image>) -> Self {
        let map = forked_from.map_or_else(Map::default, |it| it.map.clone());
        Self {
            pid,
            memory: match forked_from {
                Some(it) => it.memory.forked(pid),
                None => Memory::of(pid, Vec::new()),
            },
            map,
            verdicts: forked_from.map_or_else(Rc::default, |it| Rc::clone(&it.verdicts)),
            read_at: None,
            is_backed: false,
        }
    }

    /// Starts with a process that runs already. If it has the same code as the one that started it, at the same addresses, it runs the
    /// same program and was forked. If it has ended, nobody can tell, and most children are forked.
    pub fn running(pid: u32, parent: Option<&Image>) -> Self {
        let mut own = Self::begin(pid, None);
        own.look_again();
        if own.map.executable().is_empty() {
            return Self::begin(pid, parent);
        }
        if let Some(parent) = parent.filter(|it| it.map.has_code_of(&own.map)) {
            own.memory = parent.memory.forked(pid);
            own.verdicts = Rc::clone(&parent.verdicts);
        }
        own
    }

    /// Takes in a mapping of code.
    pub fn mapped(&mut self, mapping: Mapping) {
        self.map.insert(mapping);
        self.memory.set_executable(self.map.executable());
        self.is_backed = false;
    }

    /// Opens the files of code, unless they are open.
    pub fn back(&mut self, files: &mut Files) {
        if !self.is_backed {
            self.is_backed = true;
            self.memory.set_backing(self.map.backing(self.pid, files));
        }
    }

    /// Whether `address` lies in code, after a look at the present mappings if it does not.
    pub fn has_code(&mut self, address: u64) -> bool {
        if !self.memory.is_code(address) {
            self.look_again();
        }
        self.memory.is_code(address)
    }

    /// Reads the mappings again, unless that was done a moment ago.
    pub fn look_again(&mut self) {
        if self.read_at.is_some_and(|at| at.elapsed() < AGAIN) {
            return;
        }
        self.read_at = Some(Instant::now());
        if self.map.read(self.pid) {
            self.memory.set_executable(self.map.executable());
            self.is_backed = false;
        }
    }

    /// Returns the place at an address, after a look at the present mappings if it is in none of them. A program may also give
    /// meaning to memory that it had only reserved, as the JVM does with its heap.
    pub fn place(&mut self, files: &mut Files, address: u64) -> Place {
        if self.map.around(address).is_none() {
            self.look_again();
        }
        self.map.place(self.pid, files, address)
    }

    /// Returns the memory at the time of a sample.
    pub fn at<'a>(&'a self, sample: &Sample<'a>) -> AtSample<'a> {
        AtSample {
            memory: &self.memory,
            stack_at: sample.registers.sp(),
            stack: sample.stack,
            vdso: self.map.vdso(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_process_shares_what_is_known_of_its_parents_code_if_it_has_the_same() {
        let own = std::process::id();
        let parent = Image::running(own, None);
        let shares = |parent: &Image| {
            let image = Image::running(own, Some(parent));
            Rc::ptr_eq(&image.verdicts, &parent.verdicts)
        };
        assert!(shares(&parent));
        // Nothing is known of a parent without code, and a parent that runs another program has other code.
        assert!(!shares(&Image::begin(own, None)));
        // A process that has ended before it was met has no mappings.
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        let waited =
            rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
        let id = rustix::process::WaitId::Pid(rustix::process::Pid::from_child(&ended));
        rustix::process::waitid(id, waited).unwrap();
        let image = Image::running(ended.id(), Some(&parent));
        assert!(Rc::ptr_eq(&image.verdicts, &parent.verdicts));
        assert_eq!(image.map.executable(), parent.map.executable());
        ended.wait().unwrap();
        let mut other = Image::begin(own, Some(&parent));
        let mut mapping = parent
            .map
            .around(parent.map.executable()[0].0)
            .unwrap()
            .clone();
        mapping.inode += 1;
        other.mapped(mapping);
        assert!(!shares(&other));
    }
}

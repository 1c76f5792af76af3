//! One program in one process.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::memory::{AtSample, Memory};
use super::places::{Files, Map, Place};
use super::verdicts::Verdicts;
use crate::futexes::Walker;
use crate::perf::Sample;

/// The shortest time after which mappings are read again because an address is not in them.
const AGAIN: Duration = Duration::from_millis(50);

/// The most rows of tables for walking stacks: more than the largest programs have.
const ROWS: u32 = 4 << 20;

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
    /// The tables for walking stacks, once they were needed.
    walker: Option<Walker>,
    read_at: Option<Instant>,
}

impl Image {
    /// Starts with the code of the program from which it was forked, if it was.
    pub fn begin(pid: u32, forked_from: Option<&Image>) -> Self {
        Self {
            pid,
            map: Map::default(),
            memory: Memory::of(pid, Vec::new()),
            verdicts: forked_from.map_or_else(Rc::default, |it| Rc::clone(&it.verdicts)),
            walker: None,
            read_at: None,
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
            self.walker = None;
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

    /// Reads the tables for walking its stacks, unless they are known.
    pub fn prepare_walker(&mut self) {
        if self.walker.is_none() {
            self.walker = Some(Walker::of(self.pid, ROWS));
        }
    }

    /// Returns the tables for walking its stacks, if they have been read.
    pub fn walker(&self) -> Option<&Walker> {
        self.walker.as_ref()
    }
}

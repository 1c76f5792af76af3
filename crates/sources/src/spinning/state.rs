//! What the samples change: processes, their code, and the counts.

use std::collections::HashMap;
use std::rc::Rc;

use super::budget::Budget;
use super::family::{Family, ImageNumber, Met};
use super::image::Image;
use super::places::{Files, Place};
use super::stacks;
use super::switching::Switching;
use super::tally::{STACKS, SpotKey, Tally};
use super::threads::Threads;
use super::verdicts::Known;
use super::walks::{Walked, Walks};
use crate::perf::{Record, Sample, Task};
use locktoll_loops::{Architecture, is_in_other_call};

/// What the samples change.
pub struct State {
    pub family: Family,
    pub images: Vec<Image>,
    pub files: Files,
    pub tally: Tally,
    pub threads: Threads,
    budget: Budget,
    walks: Walks,
    pub switching: Switching,
    pub lost: u64,
    /// How many CPUs each process with busy waiting may use.
    pub usable_cpus: HashMap<u32, f64>,
    /// Loops whose code changed.
    pub changed: usize,
    own: u32,
}

impl State {
    /// Starts with a family.
    pub fn new(family: Family) -> Self {
        Self {
            family,
            images: Vec::new(),
            files: Files::default(),
            tally: Tally::default(),
            threads: Threads::default(),
            budget: Budget::begin(),
            walks: Walks::default(),
            switching: Switching::begin(),
            lost: 0,
            usable_cpus: HashMap::new(),
            changed: 0,
            own: std::process::id(),
        }
    }

    /// Takes a record.
    pub fn take(&mut self, record: Record<'_>) {
        match record {
            Record::Sample(sample) => self.sample(&sample),
            Record::Began(task) => self.began(task),
            Record::Ended(task) if task.pid == task.tid => self.family.ended(task.pid),
            Record::Ended(_) => {}
            Record::NewProgram { pid } => {
                let met = self.family.new_program(pid);
                self.meet(pid, met);
            }
            Record::Mapped(mapped) => {
                if let Some(number) = self.family.image_of(mapped.pid) {
                    self.images[number].mapped(mapped.mapping);
                }
            }
            Record::Lost(lost) => self.lost += lost.records,
        }
    }

    fn began(&mut self, task: Task) {
        let met = self.family.began(task);
        self.meet(task.pid, met);
        if self.family.knows(task.pid) {
            self.threads
                .entry((task.pid, task.tid))
                .or_default()
                .is_new();
        }
    }

    /// Takes in a process that begins, or runs another program from now on.
    pub fn meet(&mut self, pid: u32, met: Option<Met>) {
        self.meet_as(pid, met, Image::begin);
    }

    /// Takes in a process that runs already.
    pub fn meet_running(&mut self, pid: u32, met: Option<Met>) {
        self.meet_as(pid, met, Image::running);
    }

    fn meet_as(
        &mut self,
        pid: u32,
        met: Option<Met>,
        image: impl Fn(u32, Option<&Image>) -> Image,
    ) {
        let Some(met) = met else { return };
        let before = met.forked_from.and_then(|it| self.images.get(it));
        debug_assert_eq!(met.image, self.images.len());
        self.images.push(image(pid, before));
    }

    fn sample(&mut self, sample: &Sample<'_>) {
        if sample.pid == self.own {
            return;
        }
        let Some((number, met)) = self.family.of_sample(sample.pid) else {
            return;
        };
        self.meet_running(sample.pid, met);
        self.tally.samples += 1;
        let key = (sample.pid, sample.tid);
        let spins = self.examined(number, sample);
        self.threads.entry(key).or_default().sampled(spins);
    }

    /// Examines a sample, and counts it if its thread waits busily.
    fn examined(&mut self, number: ImageNumber, sample: &Sample<'_>) -> bool {
        if !sample.is_native {
            self.tally.foreign += 1;
            return false;
        }
        let ip = sample.registers.ip();
        let image = &mut self.images[number];
        if !image.has_code(ip) {
            match std::fs::exists(format!("/proc/{}/maps", sample.pid)) {
                Ok(true) if !image.memory.is_empty() => self.tally.unreadable += 1,
                _ => self.tally.too_late += 1,
            }
            return false;
        }
        image.back(&mut self.files);
        let registers = registers(sample);
        let native = Architecture::native();
        if sample.in_kernel
            && native.is_some_and(|it| is_in_other_call(it, &image.memory, &registers))
        {
            return false;
        }
        let callers = stacks::callers(&image.memory, sample);
        let verdicts = Rc::clone(&image.verdicts);
        let known = verdicts.borrow().get(ip, &callers);
        let known = match known {
            Some(known) => known,
            None if !self.budget.is_left() => {
                self.tally.over_budget += 1;
                return false;
            }
            None => self.budget.spend(|| {
                let mut verdicts = verdicts.borrow_mut();
                verdicts.examine(&image.at(sample), &registers, &callers)
            }),
        };
        let waiting = match known {
            // A thread that sleeps in the kernel between its attempts does not wait busily there.
            Known::Waits(waiting) if !(sample.in_kernel && waiting.code.features.sleeps) => waiting,
            Known::Waits(_) | Known::Works => return false,
            Known::Unreadable => {
                self.tally.unreadable += 1;
                return false;
            }
            Known::TooLarge => {
                self.tally.too_large += 1;
                return false;
            }
        };
        let word = waiting.code.word(&registers, &image.at(sample));
        let key = SpotKey {
            image: number,
            begin: waiting.code.begin,
            word,
        };
        let (key, spot) = self.tally.count(key, &waiting, (sample.pid, sample.tid));
        if spot.places.is_none() {
            let begin = image.place(&mut self.files, waiting.code.begin);
            let word = word.map(|it| image.place(&mut self.files, it));
            spot.places = Some((begin, word));
        }
        if spot.asked < STACKS && self.walks.ask(key, sample) {
            spot.asked += 1;
        }
        true
    }

    /// Takes in the stacks that have been walked in the meantime; at the end, all of them.
    pub fn take_stacks(&mut self, is_last: bool) {
        let mut walked: Vec<Walked> = std::iter::from_fn(|| self.walks.done()).collect();
        if is_last {
            self.walks.finish(|it| walked.push(it));
        }
        for Walked { spot, addresses } in walked {
            let image = &mut self.images[spot.image];
            let Some(spot) = self.tally.spots.get_mut(&spot) else {
                continue;
            };
            // The loop's own function is known; its callers follow.
            let callers = addresses.iter().skip(spot.waiting.code.calls as usize + 1);
            let files = &mut self.files;
            let callers: Vec<Place> = callers
                .map(|it| image.place(files, it.wrapping_sub(1)))
                .collect();
            if !callers.is_empty() {
                spot.stacks.push(callers);
            }
        }
    }

    /// Compares the code of waiting loops with what it was.
    pub fn check_code(&mut self) {
        let Self {
            images,
            budget,
            changed,
            family,
            ..
        } = self;
        for image in images.iter().filter(|it| family.knows(it.pid)) {
            if budget.is_left() {
                *changed += budget.spend(|| image.verdicts.borrow_mut().check(&image.memory));
            }
        }
    }
}

/// Returns the registers as the classifier takes them.
fn registers(sample: &Sample<'_>) -> locktoll_loops::Registers {
    let mut general = [0; 32];
    general.copy_from_slice(&sample.registers.by_number[..32]);
    locktoll_loops::Registers {
        general,
        ip: sample.registers.ip(),
    }
}

//! All processes that are watched, by the numbers that the kernel's programs give them.

use std::collections::BTreeMap;
use std::fs::File;
use std::sync::Arc;

use super::{Beginning, Files, InFile, Lives, Memory, Spot, Subject};
use crate::futexes::gathered::{Gathered, Image};
use crate::mapped::Mapping;

/// A process that is or was watched, from its beginning or an execve(2) to its end or the next execve(2).
#[derive(Clone, Debug)]
pub struct Observed {
    /// Its name and ids.
    pub subject: Subject,
    /// Its threads.
    pub lives: Lives,
    /// When it began, in nanoseconds after the beginning of watching.
    pub start_ns: u64,
    /// When it ended, as `start_ns`; `None` as long as it runs.
    pub end_ns: Option<u64>,
    memory: Memory,
    /// The previous image in the same process.
    before: Option<u32>,
    /// When all of this had been read, as `start_ns`. If the image ended before that, the data may already belong to another
    /// program.
    read_ns: u64,
}

impl Observed {
    /// Whether its code could be read; otherwise places in it are shown as addresses.
    pub fn is_readable(&self) -> bool {
        !self.memory.is_empty()
    }
}

fn is_forked(image: &Image) -> bool {
    image.parent != 0 && !image.is_by_exec
}

/// All of them.
#[derive(Debug)]
pub struct Processes {
    beginning: Beginning,
    files: Files,
    all: BTreeMap<u32, Observed>,
}

impl Processes {
    /// Watches these processes from now on, each under the number next to it.
    pub fn begin(subjects: impl IntoIterator<Item = (u32, Subject)>) -> Self {
        let beginning = Beginning::now();
        let mut processes = Self {
            beginning,
            files: Files::default(),
            all: BTreeMap::new(),
        };
        for (number, subject) in subjects {
            let mut memory = Memory::default();
            memory.read(&subject, &mut processes.files);
            let observed = Observed {
                lives: Lives::begin(&subject, beginning, 0),
                subject,
                start_ns: 0,
                end_ns: None,
                memory,
                before: None,
                read_ns: 0,
            };
            processes.all.insert(number, observed);
        }
        processes
    }

    /// Describes a single process that does not run any more, by its mappings and their files.
    pub fn of_mappings(
        number: u32,
        subject: Subject,
        mappings: Vec<(Mapping, Option<Arc<File>>)>,
    ) -> Self {
        let beginning = Beginning::now();
        let mut files = Files::default();
        let memory = Memory::of_mappings(mappings, &mut files);
        let observed = Observed {
            lives: Lives::of_new(beginning),
            subject,
            start_ns: 0,
            end_ns: Some(0),
            memory,
            before: None,
            read_ns: 0,
        };
        Self {
            beginning,
            files,
            all: BTreeMap::from([(number, observed)]),
        }
    }

    /// Returns how long they have been watched, in nanoseconds.
    pub fn watched_ns(&self) -> u64 {
        self.beginning.elapsed_ns()
    }

    /// Takes in those of `images` that have come since the last call, and the ends of those that have ended.
    pub fn meet(&mut self, images: &[Image]) {
        for image in images {
            if !self.all.contains_key(&image.number) {
                let observed = self.come(image);
                self.all.insert(image.number, observed);
            }
            let end_ns = (image.ended_ns != 0).then(|| self.beginning.until_ns(image.ended_ns));
            if let Some(observed) = self.all.get_mut(&image.number) {
                observed.end_ns = end_ns;
            }
            self.take_back_what_came_later(image);
        }
    }

    /// Corrects a forked process that was read only after it had become another program: until then, it was the same program as
    /// its parent.
    fn take_back_what_came_later(&mut self, image: &Image) {
        let Some(parent) = self.all.get(&image.parent).filter(|_| is_forked(image)) else {
            return;
        };
        let (subject, memory) = (parent.subject.child(image.process), parent.memory.clone());
        let beginning = self.beginning;
        let read_too_late = |it: &&mut Observed| it.end_ns.is_some_and(|end| end < it.read_ns);
        if let Some(observed) = self.all.get_mut(&image.number).filter(read_too_late) {
            observed.subject = subject;
            observed.memory = memory;
            observed.lives = Lives::of_new(beginning);
            observed.read_ns = 0;
        }
    }

    fn come(&mut self, image: &Image) -> Observed {
        let parent = self.all.get(&image.parent);
        let start_ns = self.beginning.until_ns(image.began_ns);
        // A process that has gone, or has become another program since, can no longer be read.
        let runs = image.ended_ns == 0;
        let found = runs.then(|| Subject::of(image.process).ok()).flatten();
        let is_forked = is_forked(image);
        let subject = match (found, parent) {
            (Some(subject), _) => subject,
            (None, Some(parent)) if is_forked => parent.subject.child(image.process),
            (None, parent) => {
                Subject::gone(image.process, parent.map_or(0, |it| it.subject.parent_pid))
            }
        };
        let mut memory = Memory::default();
        if runs {
            memory.read(&subject, &mut self.files);
        }
        // A forked process has its parent's code.
        if let Some(parent) = self
            .all
            .get(&image.parent)
            .filter(|_| memory.is_empty() && is_forked)
        {
            memory = parent.memory.clone();
        }
        let mut lives = match image.parent {
            0 => Lives::begin(&subject, self.beginning, start_ns),
            _ => Lives::of_new(self.beginning),
        };
        if runs {
            lives.look(&subject);
        }
        Observed {
            subject,
            lives,
            start_ns,
            end_ns: None,
            memory,
            before: image.is_by_exec.then_some(image.parent),
            read_ns: self.beginning.elapsed_ns(),
        }
    }

    /// Looks at the running processes: reads code that they have mapped since, and their threads.
    pub fn look(&mut self) {
        let files = &mut self.files;
        for observed in self.all.values_mut().filter(|it| it.end_ns.is_none()) {
            observed.memory.read(&observed.subject, files);
            observed.lives.look(&observed.subject);
        }
    }

    /// Ends watching: reads the counts of all threads that are still there.
    pub fn end(&mut self) {
        let files = &mut self.files;
        for observed in self.all.values_mut().filter(|it| it.end_ns.is_none()) {
            observed.lives.end(&observed.subject);
            observed.memory.read(&observed.subject, files);
        }
    }

    /// Takes in the last figures of threads that have ended and can no longer be asked.
    pub fn take_ended(&mut self, gathered: &Gathered) {
        for (&number, observed) in &mut self.all {
            // If only one process is watched, there is no image that records its end.
            let has_ended = observed.end_ns.is_some()
                || gathered.lives.processes_ended > 0 && gathered.images.is_empty();
            observed.lives.take_ended(number, gathered, has_ended);
            if let Some(before) = observed.before {
                observed.lives.take_before(before, gathered);
            }
            // A process that nobody has looked at gets the name of its first thread.
            let first = observed
                .lives
                .threads()
                .find(|it| it.tid == observed.subject.pid);
            if let Some(first) = first
                && observed.subject.command.is_empty()
            {
                observed.subject.is_called(first.name);
            }
        }
    }

    /// Whether any of them still runs.
    pub fn any_runs(&self) -> bool {
        let mut running = self.all.values().filter(|it| it.end_ns.is_none());
        running.any(|it| it.subject.runs())
    }

    /// Returns all of them with their numbers, in the order in which they came.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Observed)> {
        let mut all: Vec<(u32, &Observed)> = self.all.iter().map(|(&at, it)| (at, it)).collect();
        all.sort_by_key(|(number, it)| (it.start_ns, *number));
        all.into_iter()
    }

    /// Returns the process with this number.
    pub fn get(&self, number: u32) -> Option<&Observed> {
        self.all.get(&number)
    }

    /// Returns the id of the process with this number; the number itself where it is not known.
    pub fn pid(&self, number: u32) -> u32 {
        self.get(number).map_or(number, |it| it.subject.pid)
    }

    /// Returns all files that their code was mapped from.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the place of an address in the code of process `number`.
    pub fn spot(&self, number: u32, address: u64) -> Spot {
        match self.get(number) {
            Some(observed) => observed.memory.spot(&self.files, address),
            None => Spot::Anonymous,
        }
    }

    /// Returns the file in whose data an address of process `number` lies.
    pub fn data(&self, number: u32, address: u64) -> Option<InFile> {
        self.get(number)?.memory.data(&self.files, address)
    }

    /// Whether an address of process `number` is code that does not come from a file.
    pub fn is_generated(&self, number: u32, address: u64) -> bool {
        self.get(number)
            .is_some_and(|it| it.memory.is_generated(address))
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::clock::now_ns;

    #[test]
    fn a_process_that_was_read_as_another_program_is_what_its_parent_was() {
        // It waits for the end of its input.
        let mut cat = Command::new("cat");
        let mut child = cat
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let own = Subject::of(std::process::id()).unwrap();
        let mut processes = Processes::begin([(1, own.clone())]);
        let forked = Image {
            number: 2,
            process: child.id(),
            parent: 1,
            began_ns: now_ns(),
            ..Image::default()
        };
        let before = now_ns();
        processes.meet(&[forked]);
        let command = |processes: &Processes| processes.get(2).map(|it| it.subject.command.clone());
        let of_cat = command(&processes).unwrap();
        assert!(of_cat[0].ends_with("cat"), "{of_cat:?}");
        // This process ended after it had been read, and is the program that was read.
        let later = Image {
            ended_ns: now_ns() + 1_000_000_000,
            ..forked
        };
        processes.meet(&[later]);
        assert_eq!(command(&processes), Some(of_cat));
        // This process's end became known afterwards: the program that came after it was read.
        let earlier = Image {
            ended_ns: before,
            ..forked
        };
        processes.meet(&[earlier]);
        assert_eq!(command(&processes), Some(own.command));
        let described = processes.get(2).unwrap();
        assert_eq!(described.subject.pid, child.id());
        assert_eq!(described.subject.parent_pid, own.pid);
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}

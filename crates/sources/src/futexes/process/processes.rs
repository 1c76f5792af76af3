//! All processes that are watched, by the numbers that the kernel's programs give them.

use std::collections::BTreeMap;

use super::{Beginning, Files, InFile, Lives, Memory, Spot, Subject};
use crate::futexes::gathered::{Gathered, Image};

/// A process that is watched, or was: from its beginning or execve(2) to its end or the next one.
#[derive(Clone, Debug)]
pub struct Observed {
    /// What it is called.
    pub subject: Subject,
    /// Its threads.
    pub lives: Lives,
    /// When it began, nanoseconds after watching did.
    pub start_ns: u64,
    /// When it ended, as `start_ns`; `None` as long as it runs.
    pub end_ns: Option<u64>,
    memory: Memory,
    /// The image before it in the same process.
    before: Option<u32>,
    /// When all of that had been read, as `start_ns`. What ended by then may have been another program already.
    read_ns: u64,
}

impl Observed {
    /// Whether its code could be read: else places in it are addresses.
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
    /// Watches these processes from now on, each under the number that comes with it.
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

    /// How long they have been watched, nanoseconds.
    pub fn watched_ns(&self) -> u64 {
        self.beginning.elapsed_ns()
    }

    /// Takes in those of `images` that have come since, and the ends of those that have ended.
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

    /// A process that was forked, and was read when it had become another program: until then, it was what its parent was.
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
        // One that has gone, or has become another program since, cannot be asked any more.
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
        // What has been forked has its parent's code.
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

    /// Looks at those that run: for code that they have mapped since, and for their threads.
    pub fn look(&mut self) {
        let files = &mut self.files;
        for observed in self.all.values_mut().filter(|it| it.end_ns.is_none()) {
            observed.memory.read(&observed.subject, files);
            observed.lives.look(&observed.subject);
        }
    }

    /// The end of watching: asks all threads that are still there.
    pub fn end(&mut self) {
        let files = &mut self.files;
        for observed in self.all.values_mut().filter(|it| it.end_ns.is_none()) {
            observed.lives.end(&observed.subject);
            observed.memory.read(&observed.subject, files);
        }
    }

    /// Takes in the last figures of threads that have ended, which nobody can be asked for any more.
    pub fn take_ended(&mut self, gathered: &Gathered) {
        for (&number, observed) in &mut self.all {
            // Of one process alone, nobody has said when it ended.
            let has_ended = observed.end_ns.is_some()
                || gathered.lives.processes_ended > 0 && gathered.images.is_empty();
            observed.lives.take_ended(number, gathered, has_ended);
            if let Some(before) = observed.before {
                observed.lives.take_before(before, gathered);
            }
            // Of one that nobody has looked at, its first thread has its name.
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

    /// All, by their numbers, in the order in which they came.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Observed)> {
        let mut all: Vec<(u32, &Observed)> = self.all.iter().map(|(&at, it)| (at, it)).collect();
        all.sort_by_key(|(number, it)| (it.start_ns, *number));
        all.into_iter()
    }

    /// The one that goes by this number.
    pub fn get(&self, number: u32) -> Option<&Observed> {
        self.all.get(&number)
    }

    /// The id of the one that goes by this number; that number where it is not known.
    pub fn pid(&self, number: u32) -> u32 {
        self.get(number).map_or(number, |it| it.subject.pid)
    }

    /// All files that code of theirs was mapped from.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Where an address of the code of process `number` lies.
    pub fn spot(&self, number: u32, address: u64) -> Spot {
        match self.get(number) {
            Some(observed) => observed.memory.spot(&self.files, address),
            None => Spot::Anonymous,
        }
    }

    /// The file whose data an address of process `number` lies in.
    pub fn data(&self, number: u32, address: u64) -> Option<InFile> {
        self.get(number)?.memory.data(&self.files, address)
    }

    /// Whether an address of process `number` is code of no file.
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
        // It ended after it had been read, as what it was.
        let later = Image {
            ended_ns: now_ns() + 1_000_000_000,
            ..forked
        };
        processes.meet(&[later]);
        assert_eq!(command(&processes), Some(of_cat));
        // Its end came to be known afterwards: what was read was what came after it.
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

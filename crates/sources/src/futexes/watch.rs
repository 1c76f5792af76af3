//! Owns the programs, and reads the data that they have collected.

use std::collections::HashMap;

use super::gathered::{Gathered, Image, Lives, WaitNow};
use super::returns::{Method, Returns};
use super::unwind::Code;
use super::{asleep, before_watching, limits, owner_field, raw, tables};
use crate::clock::now_ns;
use crate::ebpf::{Loaded, Object, refused};
use locktoll_terminal::failure::Failure;

/// The most data that the kernel keeps for us.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// The number of different places that wait or wake, of words, owners, stacks, concurrent threads, and processes: this many
    /// of each.
    pub entries: u32,
    /// The number of rules for walking stacks: each takes eight bytes of memory that is not swapped out.
    pub rules: u32,
}

/// Which processes are watched.
#[derive(Clone, Debug)]
pub enum Whom {
    /// All processes of the machine, without their stacks.
    All,
    /// This process, until it ends or becomes another program.
    One(u32),
    /// These processes, whatever programs they become, and the processes that they start if `children` is set.
    Some {
        /// Their ids.
        processes: Vec<u32>,
        /// Whether processes that they start are watched, too.
        children: bool,
    },
}

/// The maps whose size is given by [`Capacity`].
const SIZED: [&str; 11] = [
    "threads",
    "ended",
    "waits",
    "wakes",
    "owners",
    "holders",
    "preemptions",
    "words",
    "requeues",
    "moved",
    "stacks",
];

/// Further such maps, if some processes are watched.
const SIZED_FOR_SOME: [&str; 3] = ["images", "watched", "unwind_processes"];

/// Images that user space adds later are numbered from here, above every number that the kernel's program reaches.
const TAKEN_IN: u32 = 1 << 31;

/// The kernel's programs, running for one process, for some, or for all.
pub struct Watch {
    loaded: Loaded,
    whom: Whom,
    code: Option<Code>,
    returns: Returns,
    /// Whether the kernel has programs that go through all threads.
    looks: bool,
    /// Waits that had begun before, and count from our beginning.
    since_we_came: u64,
    taken_in: u32,
}

impl Watch {
    /// Begins watching.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(whom: Whom, capacity: Capacity) -> Result<Self, Failure> {
        let mut watch = Self::begin_with(whom, capacity, Method::Functions)?;
        // If the kernel refuses to go through threads, less is known, but the rest works as well.
        let asleep = asleep::find(&mut watch.loaded).unwrap_or(None);
        watch.looks = asleep.is_some();
        let asleep = asleep.unwrap_or_default();
        let since_we_came = asleep.iter().filter(|it| it.is_since_we_came).count();
        watch.since_we_came = since_we_came as u64;
        let settled = watch.returns.settle(&mut watch.loaded);
        settled.map_err(refused)?;
        Ok(watch)
    }

    /// Like `begin`, without a look at the threads that already wait, which the programs at functions cannot do without.
    #[cfg(test)]
    pub(super) fn begin_without_a_look(whom: Whom, capacity: Capacity) -> Result<Self, Failure> {
        Self::begin_with(whom, capacity, Method::Tracepoint)
    }

    fn begin_with(whom: Whom, capacity: Capacity, method: Method) -> Result<Self, Failure> {
        let processes = numbered(&whom);
        for &(_, process) in &processes {
            limits::check(process)?;
        }
        let is_some = matches!(whom, Whom::Some { .. });
        let mut sizes = SIZED.map(|map| (map, capacity.entries)).to_vec();
        if is_some {
            sizes.extend(SIZED_FOR_SOME.map(|map| (map, capacity.entries)));
        }
        let mut code = match whom {
            Whom::All => None,
            _ => Some(Code::survey(&processes, capacity.rules, is_some)),
        };
        sizes.extend(code.iter().flat_map(Code::sizes));
        let mut loaded = Loaded::load(&Object::FUTEX, &sizes, &constants(&whom))?;
        if let Some(code) = &mut code {
            code.install(&mut loaded)?;
        }
        if is_some {
            for &(number, process) in &processes {
                add_image(&mut loaded, number, process)?;
            }
        }
        let mut returns = Returns::prepare(&mut loaded, method).map_err(refused)?;
        loaded.attach(&Object::FUTEX)?;
        returns.complete(&mut loaded).map_err(refused)?;
        for (number, process) in processes {
            before_watching::note_threads(&mut loaded, number, process)?;
        }
        Ok(Self {
            loaded,
            whom,
            code,
            returns,
            looks: false,
            since_we_came: 0,
            taken_in: 0,
        })
    }

    /// Adds one more process, if it is not watched already. Only if some processes are watched.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn take_in(&mut self, process: u32) -> anyhow::Result<()> {
        let known = self.loaded.hash::<u32, u32>("watched")?;
        if known.get(&process, 0).is_ok() {
            return Ok(());
        }
        let number = TAKEN_IN | self.taken_in;
        self.taken_in += 1;
        add_image(&mut self.loaded, number, process)?;
        before_watching::note_threads(&mut self.loaded, number, process)
    }

    /// Returns the images of the watched processes so far, including those that have ended; empty unless some processes are
    /// watched.
    ///
    /// # Errors
    /// If the kernel does not let us read the maps.
    pub fn images(&self) -> anyhow::Result<Vec<Image>> {
        tables::read_images(&self.loaded)
    }

    /// Reads what the processes have mapped since they were last looked at. To be called about once a second, and when processes
    /// have come.
    ///
    /// # Errors
    /// If the kernel's maps cannot be written.
    pub fn refresh(&mut self) -> anyhow::Result<()> {
        self.returns.look_after_earlier(&mut self.loaded)?;
        let running = self.running()?;
        match &mut self.code {
            Some(code) => code.refresh(&running, &mut self.loaded),
            None => Ok(()),
        }
    }

    /// Returns the running processes, with their numbers.
    fn running(&self) -> anyhow::Result<Vec<(u32, u32)>> {
        if !matches!(self.whom, Whom::Some { .. }) {
            return Ok(numbered(&self.whom));
        }
        let images = self.images()?.into_iter().filter(|it| it.ended_ns == 0);
        Ok(images.map(|it| (it.number, it.process)).collect())
    }

    /// Returns the data so far. The programs continue meanwhile, so two figures of one entry may be a moment apart.
    ///
    /// # Errors
    /// If the kernel does not let us read the maps.
    pub fn gathered(&mut self) -> anyhow::Result<Gathered> {
        let asleep = match self.looks {
            true => asleep::find(&mut self.loaded).unwrap_or(None),
            false => None,
        };
        let mut gathered = tables::read(&self.loaded, now_ns())?;
        gathered.since_we_came = self.since_we_came;
        gathered.follows_children = matches!(self.whom, Whom::Some { children: true, .. });
        match (&asleep, &self.code) {
            (Some(asleep), Some(code)) => {
                let images = gathered.images.iter();
                let pids: HashMap<u32, u32> = images.map(|it| (it.number, it.process)).collect();
                let pid = |number| pids.get(&number).copied().unwrap_or(number);
                asleep::add_stacks(&mut gathered, asleep, pid, code);
                owner_field::add(&mut gathered, pid);
            }
            (None, Some(_)) => {
                let running = self.running()?;
                for &(number, process) in &running {
                    before_watching::add_waiting(&mut gathered, number, process);
                }
                let pids: HashMap<u32, u32> = running.into_iter().collect();
                owner_field::add(&mut gathered, |number| {
                    pids.get(&number).copied().unwrap_or(number)
                });
            }
            _ => {}
        }
        gathered.walks.extent = self.code.as_ref().map(Code::extent);
        Ok(gathered)
    }

    /// Returns the waits that go on. This reads one map, so it can be repeated many times per second.
    ///
    /// # Errors
    /// As [`gathered`](Self::gathered).
    pub fn waits_now(&self) -> anyhow::Result<Vec<WaitNow>> {
        tables::read_waits(&self.loaded)
    }

    /// Returns how the returns of calls are seen.
    #[cfg(test)]
    pub(super) const fn method(&self) -> Method {
        self.returns.method()
    }

    /// Whether the tracepoint of all system calls is in use for waits that began before.
    #[cfg(test)]
    pub(super) const fn sees_earlier(&self) -> bool {
        self.returns.sees_earlier()
    }

    /// Returns what has happened to the watched processes so far.
    ///
    /// # Errors
    /// As [`gathered`](Self::gathered).
    pub fn lives(&self) -> anyhow::Result<Lives> {
        tables::read_lives(&self.loaded)
    }
}

/// Returns the named processes, each with its number: its own id if it is alone, otherwise its position among them.
fn numbered(whom: &Whom) -> Vec<(u32, u32)> {
    match whom {
        Whom::All => Vec::new(),
        Whom::One(process) => vec![(*process, *process)],
        Whom::Some { processes, .. } => (1..).zip(processes.iter().copied()).collect(),
    }
}

fn constants(whom: &Whom) -> Vec<(&'static str, u32)> {
    match whom {
        Whom::All => Vec::new(),
        Whom::One(process) => vec![("target", *process)],
        Whom::Some {
            processes,
            children,
        } => vec![
            ("some", 1),
            ("first_images", processes.len() as u32),
            ("follow", u32::from(*children)),
        ],
    }
}

fn add_image(loaded: &mut Loaded, number: u32, process: u32) -> anyhow::Result<()> {
    let image = raw::Image {
        process,
        parent: 0,
        is_by_exec: 0,
        padding: 0,
        began_ns: now_ns(),
        ended_ns: 0,
    };
    loaded
        .hash_mut::<u32, raw::Image>("images")?
        .insert(number, image, 0)?;
    loaded
        .hash_mut::<u32, u32>("watched")?
        .insert(process, number, 0)?;
    Ok(())
}

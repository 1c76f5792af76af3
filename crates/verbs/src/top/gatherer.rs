//! All sources together: readings, one after the other, and the intervals between them.

use std::collections::BTreeSet;

use locktoll_lab::watch::Unwatchable;

use crate::diagnosis;
use crate::groups::Cgroup;
use locktoll_results::doctor::Verb;

use super::model::{ChosenReading, Reading, between};
use super::source::{BusyWaiting, Form, Futexes, Holders, Recorded, Source, SystemSource};
use crate::running::{Stuck, Switches};
use locktoll_results::top::Interval;
use locktoll_sources::clock::now_ns;
use locktoll_sources::ebpf::privileges::{Duty, keep_for};
use locktoll_terminal::escape::shown;
use locktoll_terminal::system::files::{of_process, text_of_process};

/// Why a program's locks are not seen, if no other reason is known.
const UNSEEN: &str = "its locks cannot be seen: it does not run under `locktoll record`, and only root may watch it from outside";

/// How much of a command line is kept.
const NAME_BYTES: usize = 4096;

/// Holds the sources and their last reading.
pub struct Gatherer {
    sources: Vec<Box<dyn Source>>,
    /// The control group of the programs that are shown; `None` for all programs.
    group: Option<Cgroup>,
    chosen: Option<(u32, String)>,
    before: Option<Reading>,
}

/// Why a program cannot be looked into.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// Nothing with that number can be watched.
    #[error(transparent)]
    Unwatchable(#[from] Unwatchable),
    /// The program exists, but nobody sees its locks.
    #[error(
        "the locks of process {pid} cannot be seen: start the program with `locktoll record -- CMD`, or run this as root ({why})"
    )]
    Unseen {
        /// The process.
        pid: u32,
        /// Why they cannot be seen from outside, and what would allow it.
        why: String,
    },
    /// It is the recorder's own process.
    #[error("process {0} is `locktoll record` itself; it records process {1}")]
    Recorder(u32, u32),
}

impl Gatherer {
    /// Opens the available sources, for one program, for those of a control group, or for all.
    ///
    /// # Errors
    /// [`Trouble`] for a program that does not exist or whose locks nobody sees.
    pub fn start(pid: Option<u32>, group: Option<Cgroup>) -> Result<Self, Trouble> {
        let system = SystemSource::start(pid)?;
        let (recorded, mut futexes) = (Recorded::new(), Futexes::new());
        if let Some(pid) = pid
            && !recorded.sees_locks_of(pid)
        {
            if let Some(program) = recorded_by(pid, &recorded) {
                return Err(Trouble::Recorder(pid, program));
            }
            if let Err(why) = futexes.begin_one(pid) {
                let why = doctors_word().unwrap_or(why);
                return Err(Trouble::Unseen { pid, why });
            }
        }
        let mut sources: Vec<Box<dyn Source>> = vec![Box::new(system)];
        // Without privileges, the estimates of the other sources must do.
        if let Ok(switches) = Switches::start() {
            sources.push(Box::new(switches));
        }
        // Last, since finding names may take long: everything read before then is from the same moment.
        sources.push(Box::new(recorded));
        sources.push(Box::new(futexes));
        sources.push(Box::new(Holders::new()));
        sources.push(Box::new(BusyWaiting::new()));
        Ok(Self {
            sources,
            group,
            chosen: pid.map(|pid| (pid, name_of(pid))),
            before: None,
        })
    }

    /// Gives up, in this thread, the privileges that the sources no longer need; another program can still be chosen.
    pub fn keep_what_is_needed(saving: Option<Duty>) {
        let mut duties = vec![Duty::ReadOthers, Duty::OpenMapped, Duty::Load];
        duties.extend(saving);
        keep_for(&duties);
    }

    /// Reads all sources. The interval is the time since the last call; the first one has no length and only says what is known
    /// already.
    pub fn next_interval(&mut self) -> Interval {
        let mut reading = Reading {
            at_ns: now_ns(),
            chosen: self.chosen.as_ref().map(|(pid, name)| ChosenReading {
                pid: *pid,
                name: name.clone(),
                ended: false,
                locks: Err(UNSEEN.to_owned()),
                stuck: Stuck::default(),
                spun: None,
            }),
            ..Reading::default()
        };
        for source in &mut self.sources {
            source.read(&mut reading);
        }
        self.keep_those_in_group(&mut reading);
        let interval = between(self.before.as_ref(), &reading);
        self.before = Some(reading);
        interval
    }

    /// Leaves out programs of other control groups. The machine's own figures stay those of the machine.
    fn keep_those_in_group(&self, reading: &mut Reading) {
        let Some(group) = &self.group else {
            return;
        };
        let members: BTreeSet<u32> = group.processes().into_iter().collect();
        reading.keep(&members);
        if members.is_empty() {
            let folder = shown(group.folder().as_os_str());
            reading.notes.push(match group.exists() {
                true => format!("{folder} has no process now"),
                false => format!("{folder} is gone"),
            });
        }
    }

    /// Lets the sources take a short look within the interval.
    pub fn look(&mut self) {
        self.sources.iter_mut().for_each(|source| source.look());
    }

    /// Looks into a program from now on, or at all of them.
    pub fn choose(&mut self, pid: Option<u32>) {
        self.chosen = pid.map(|pid| (pid, name_of(pid)));
        self.before = None;
        self.sources
            .iter_mut()
            .for_each(|source| source.choose(pid));
    }

    /// Returns the program that is looked into.
    pub fn chosen(&self) -> Option<u32> {
        self.chosen.as_ref().map(|(pid, _)| *pid)
    }

    /// Writes the data collected about the chosen program's locks.
    ///
    /// # Errors
    /// If nobody sees the locks, or the data cannot be written.
    pub fn write(&mut self, file: &mut dyn std::io::Write) -> anyhow::Result<Form> {
        let saved = self.sources.iter_mut().find_map(|source| source.save(file));
        saved.unwrap_or_else(|| Err(anyhow::anyhow!("{UNSEEN}")))
    }
}

/// Returns the program that a process records, if the process is the recorder: its child.
fn recorded_by(pid: u32, recorded: &Recorded) -> Option<u32> {
    let children = text_of_process(pid, &format!("task/{pid}/children")).ok()?;
    let mut children = children
        .split_ascii_whitespace()
        .filter_map(|it| it.parse().ok());
    let program = children.find(|&child| recorded.sees_locks_of(child));
    program.filter(|_| is_locktoll(pid))
}

/// Returns what prevents us from using the kernel, and what would allow it.
fn doctors_word() -> Option<String> {
    diagnosis::refusal(Verb::Top, &diagnosis::Reading::take())
}

fn is_locktoll(pid: u32) -> bool {
    let ours = std::env::current_exe().ok();
    let its = std::fs::read_link(format!("/proc/{pid}/exe")).ok();
    ours.zip(its)
        .is_some_and(|(ours, its)| ours.file_name() == its.file_name())
}

/// Returns the command line of a process, or its name if it has none.
fn name_of(pid: u32) -> String {
    let read = |file: &str| of_process(pid, file).unwrap_or_default();
    let mut command = read("cmdline");
    command.truncate(NAME_BYTES);
    let words: Vec<_> = command
        .split(|&byte| byte == 0)
        .map(String::from_utf8_lossy)
        .collect();
    match words.join(" ").trim() {
        "" => String::from_utf8_lossy(&read("comm")).trim_end().to_owned(),
        command => command.to_owned(),
    }
}

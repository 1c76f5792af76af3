//! All sources together: one reading after the other, and the interval in between.

use locktoll_lab::watch::Unwatchable;
use rustix::time::{ClockId, clock_gettime};

use super::model::{ChosenReading, Interval, Reading, between};
use super::source::{Form, Recorded, Source, Switches, SystemSource};

/// Why a program's locks are not seen, where nothing else is said.
const UNSEEN: &str = "its locks cannot be seen: it does not run under `locktoll record`, and to watch it from outside takes root";

/// As much of a command line is kept.
const NAME_BYTES: usize = 4096;

/// Holds the sources and what they said last.
pub struct Gatherer {
    sources: Vec<Box<dyn Source>>,
    chosen: Option<(u32, String)>,
    before: Option<Reading>,
}

/// Why a program cannot be looked into.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// There is nothing to be watched by that number.
    #[error(transparent)]
    Unwatchable(#[from] Unwatchable),
    /// It is there, and nobody sees its locks.
    #[error(
        "the locks of process {0} cannot be seen: start the program with `locktoll record -- CMD`, or run `locktoll top` as root"
    )]
    Unseen(u32),
    /// It is the recorder's own process.
    #[error("process {0} is `locktoll record` itself; the program it records is {1}")]
    Recorder(u32, u32),
}

impl Gatherer {
    /// Opens the sources there are, for one program or for all.
    ///
    /// # Errors
    /// [`Trouble`] for a program that is not there or whose locks nobody sees.
    pub fn start(pid: Option<u32>) -> Result<Self, Trouble> {
        let system = SystemSource::start(pid)?;
        let mut sources: Vec<Box<dyn Source>> = vec![Box::new(system)];
        // Without privileges, what others tell has to do.
        if let Ok(switches) = Switches::start() {
            sources.push(Box::new(switches));
        }
        // Last, since it may take long to find names: what is read before it is of one moment.
        sources.push(Box::new(Recorded::new()));
        let mut gatherer = Self {
            sources,
            chosen: pid.map(|pid| (pid, name_of(pid))),
            before: None,
        };
        if let Some(pid) = pid
            && !gatherer.sources.iter_mut().any(|it| it.sees_locks_of(pid))
        {
            return Err(recorded_by(pid, &mut gatherer.sources));
        }
        Ok(gatherer)
    }

    /// Reads all sources. The interval is that since the last call; the first has none, and says what is known already.
    pub fn next_interval(&mut self) -> Interval {
        let now = clock_gettime(ClockId::Monotonic);
        let mut reading = Reading {
            at_ns: now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64,
            chosen: self.chosen.as_ref().map(|(pid, name)| ChosenReading {
                pid: *pid,
                name: name.clone(),
                ended: false,
                locks: Err(UNSEEN.to_owned()),
            }),
            ..Reading::default()
        };
        for source in &mut self.sources {
            source.read(&mut reading);
        }
        let interval = between(self.before.as_ref(), &reading);
        self.before = Some(reading);
        interval
    }

    /// Has the sources look at what passes.
    pub fn look(&mut self) {
        self.sources.iter_mut().for_each(|source| source.look());
    }

    /// Looks into a program from now on, or over all of them.
    pub fn choose(&mut self, pid: Option<u32>) {
        self.chosen = pid.map(|pid| (pid, name_of(pid)));
        self.before = None;
        self.sources
            .iter_mut()
            .for_each(|source| source.choose(pid));
    }

    /// The program that is looked into.
    pub fn chosen(&self) -> Option<u32> {
        self.chosen.as_ref().map(|(pid, _)| *pid)
    }

    /// Writes what is known of the chosen program's locks.
    ///
    /// # Errors
    /// If they are not seen, or it cannot be written.
    pub fn write(&mut self, file: &mut dyn std::io::Write) -> anyhow::Result<Form> {
        let saved = self.sources.iter_mut().find_map(|source| source.save(file));
        saved.unwrap_or_else(|| Err(anyhow::anyhow!("{UNSEEN}")))
    }
}

/// Why nobody sees the locks of a process: it may be the recorder, of which its program is the child.
fn recorded_by(pid: u32, sources: &mut [Box<dyn Source>]) -> Trouble {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let children = children.unwrap_or_default();
    let mut children = children
        .split_ascii_whitespace()
        .filter_map(|it| it.parse().ok());
    let recorded = children.find(|&child| sources.iter_mut().any(|it| it.sees_locks_of(child)));
    match recorded {
        Some(child) if is_locktoll(pid) => Trouble::Recorder(pid, child),
        _ => Trouble::Unseen(pid),
    }
}

fn is_locktoll(pid: u32) -> bool {
    let ours = std::env::current_exe().ok();
    let its = std::fs::read_link(format!("/proc/{pid}/exe")).ok();
    ours.zip(its)
        .is_some_and(|(ours, its)| ours.file_name() == its.file_name())
}

/// The command line of a process, its name where it has none.
fn name_of(pid: u32) -> String {
    let read = |file: &str| std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
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

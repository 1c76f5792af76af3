//! From what was seen to the result.

use std::path::Path;
use std::time::{Duration, Instant};

use super::again;
use super::again::Unmoved;
use super::called;
use super::core::CoreFile;
use super::described::Described;
use super::facts::{Seen, WhyCut};
use super::look::{Looked as Look, look};
use super::recorded::Recorded;
use super::space::{Memory, ONLY, Space};
use super::whom::{NotLooked, Whom};
use crate::futexes::{Cut, Names, Processes, Processor, Subject};
use crate::mapped::mappings;
use locktoll_results::hang::{HangResult, Looked, Stops};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::quantity::counted;
use locktoll_terminal::system::files::open_of_process;

/// The time between the two notes of each second look.
const BETWEEN: [Duration; 6] = {
    let short = Duration::from_millis(2);
    [Duration::from_millis(30), short, short, short, short, short]
};

/// Longest time spent on debug information.
const NAMES: Duration = Duration::from_millis(1_300);

/// Looks at one process, as often as it is asked to. Names are kept from one look to the next.
pub struct Looker {
    whom: Whom,
    names: Names,
    space: Option<(Vec<crate::mapped::Mapping>, Space)>,
    /// The state of the threads after the last look, if looks are compared.
    unmoved: Option<Unmoved>,
    may_stop: bool,
}

impl Looker {
    /// Starts to look at a process.
    pub fn new(whom: Whom) -> Self {
        Self {
            whom,
            names: Names::default(),
            space: None,
            unmoved: None,
            may_stop: true,
        }
    }

    /// Never stops a thread. Threads that run are then without a stack, and other stacks may end early.
    pub fn from_afar(mut self) -> Self {
        self.may_stop = false;
        self
    }

    /// Compares each look with the one before: threads then show for how long they have not run.
    pub fn comparing(mut self) -> Self {
        self.unmoved = Some(Unmoved::default());
        self
    }

    /// Whether the process still runs.
    pub fn runs(&self) -> bool {
        self.whom.subject.runs()
    }

    /// Looks once.
    ///
    /// # Errors
    /// If the process has ended, or its threads may not be stopped.
    pub fn look(&mut self) -> Result<HangResult, NotLooked> {
        let subject = self.whom.subject.clone();
        let pid = subject.pid;
        self.read_space(&subject)?;
        let Some((_, space)) = &self.space else {
            return Err(NotLooked::Ended(pid));
        };
        let began = Instant::now();
        let unmoved = self.unmoved.as_ref().map(|it| it.until_now(pid));
        let recorded = Recorded::read(pid, space);
        let mut looked = look(space, pid, self.may_stop);
        if looked.threads.is_empty() {
            return Err(NotLooked::Ended(pid));
        }
        if let (Some(refusal), true) = (looked.refusal, looked.stops.is_empty()) {
            return Err(self.whom.not_stopped(&refusal.to_string()));
        }
        called::note(space, &mut looked.threads);
        self.names.look_up(
            &space.processes,
            &addresses(&looked.threads, recorded.as_ref()),
            began + NAMES,
        );
        let mut described = Described::of(space, &self.names, &looked.threads, recorded.as_ref());
        confirm(pid, space, &mut described);
        let mut result = described.result();
        result.pid = Some(pid);
        result.command = subject.command;
        result.looked = Some(Looked {
            duration_ns: began.elapsed().as_nanos() as u64,
            stops: stops(&looked),
        });
        if let Some(before) = unmoved {
            let threads: Vec<u32> = result.threads.iter().map(|it| it.tid).collect();
            self.unmoved = Some(Unmoved::after(pid, &threads, &before));
            for thread in &mut result.threads {
                let unmoved = before.get(&thread.tid);
                thread.unmoved_ns = unmoved.map(|it| it.as_nanos() as u64);
            }
        }
        result.notes.extend(self.names.warnings.iter().cloned());
        result.notes.extend(late(&looked));
        Ok(result)
    }

    /// Reads the mappings, and makes tables of them unless they are the same as before.
    fn read_space(&mut self, subject: &Subject) -> Result<(), NotLooked> {
        let pid = subject.pid;
        let now = mappings(pid).map_err(|error| self.whom.not_stopped(&error.to_string()))?;
        let code = |all: &[crate::mapped::Mapping]| {
            let code = all.iter().filter(|it| it.executable);
            code.cloned().collect::<Vec<_>>()
        };
        if self
            .space
            .as_ref()
            .is_some_and(|(known, _)| *known == code(&now))
        {
            return Ok(());
        }
        let memory = open_of_process(pid, "mem")
            .map_err(|error| self.whom.not_stopped(&error.to_string()))?;
        let processes = Processes::begin([(ONLY, subject.clone())]);
        let space = Space::of(processes, Memory::Live(memory), &now);
        self.space = Some((code(&now), space));
        Ok(())
    }
}

/// Confirms the waits by a second look. A thread that wakes from time to time by itself may do so between the two notes of that look,
/// which is then repeated with less time between them.
fn confirm(pid: u32, space: &Space, described: &mut Described<'_>) {
    let first = described.waits_of_edges();
    for between in BETWEEN {
        let (still, owners) = again::still(pid, &first, between, || {
            described.owners_now(Recorded::read(pid, space).as_ref())
        });
        if !described.confirm(&still, &owners) {
            break;
        }
    }
}

/// Returns all addresses that need names, each with its process.
fn addresses(threads: &[Seen], recorded: Option<&Recorded>) -> Vec<(u32, u64)> {
    let entered = |it: &Seen| it.entered.map(|it| it.address);
    let stacks = threads
        .iter()
        .flat_map(|it| it.addresses.iter().copied().chain(entered(it)));
    let sites = recorded.iter().flat_map(|it| it.holds.iter());
    let mut all: Vec<(u32, u64)> = stacks
        .chain(sites.filter_map(|it| it.site))
        .map(|address| (ONLY, address))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn stops(look: &Look) -> Stops {
    let mut all: Vec<u64> = look.stops.iter().map(|it| it.as_nanos() as u64).collect();
    all.sort_unstable();
    Stops {
        count: all.len() as u64,
        median_ns: all.get(all.len() / 2).copied(),
        max_ns: all.last().copied(),
    }
}

fn late(look: &Look) -> Option<String> {
    (look.late > 0).then(|| {
        format!(
            "{} did not stop in time: no CPU was free, or the kernel could not interrupt it",
            counted(look.late as u64, "thread", "threads")
        )
    })
}

/// Says how the stacks of a core file of another processor are walked.
fn of_other_processor(processor: Processor) -> Option<String> {
    (processor != Processor::OWN).then(|| {
        "this core file is of an aarch64 process and is read on x86-64: its stacks are walked by frame pointers, and its files are searched \
         for at the paths that the process used"
            .to_owned()
    })
}

/// Looks at a core file.
///
/// # Errors
/// [`Failure`] if it cannot be read, or is not a core file of an architecture that can be read here.
pub fn look_at_core(path: &Path) -> Result<HangResult, Failure> {
    let core = CoreFile::at(path)?;
    let subject = Subject {
        name: core.name.clone(),
        command: core.command.clone(),
        ..Subject::gone(core.pid.unwrap_or(0), 0)
    };
    let only_mappings: Vec<_> = core.mappings.iter().map(|(it, _)| it.clone()).collect();
    let processes = Processes::of_mappings(ONLY, subject, core.mappings);
    let space = Space::of(processes, Memory::Core(core.memory), &only_mappings)
        .with_code_of(core.processor);
    let mut threads: Vec<Seen> = core
        .threads
        .iter()
        .map(|thread| {
            let (addresses, cut) = space.walk(thread.registers);
            Seen {
                tid: thread.tid,
                own_tid: thread.tid,
                name: String::new(),
                call: super::call::interrupted(&space, thread.registers),
                file: None,
                registers: Some(thread.registers),
                addresses,
                entered: None,
                cut: cut.map(WhyCut::Walk),
            }
        })
        .collect();
    called::note(&space, &mut threads);
    let mut names = Names::default();
    let deadline = Instant::now() + Duration::from_secs(10);
    names.look_up(&space.processes, &addresses(&threads, None), deadline);
    let mut described = Described::of(&space, &names, &threads, None);
    described.confirm_all();
    let mut result = described.result();
    result.pid = core.pid;
    result.command = core.command;
    result.core = Some(shown(path.as_os_str()));
    result.notes = core.missing;
    result.notes.extend(of_other_processor(core.processor));
    result.notes.push(
        "a core file has neither the names of threads nor the files behind descriptors".to_owned(),
    );
    let cut = threads
        .iter()
        .filter(|it| matches!(it.cut, Some(WhyCut::Walk(Cut::Unreadable))));
    if cut.count() > 0 {
        result.notes.push(
            "stacks end early where memory was not written to the core file (core(5), /proc/PID/coredump_filter)"
                .to_owned(),
        );
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::super::stop::{NotStopped, Stopped};
    use super::*;
    use crate::stuck::threads::state;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_that_may_not_be_stopped_has_not_ended() {
        let mut command = Command::new("cat");
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let pid = child.id();
        let whom = Whom::of(pid).expect("a child of ours");
        // While this thread traces it, no other may.
        match Stopped::stop(pid) {
            Ok(_stopped) => {
                let refused = Looker::new(whom.clone()).look().unwrap_err();
                assert!(matches!(refused, NotLooked::Refused(_)), "{refused:?}");
                let said = Failure::from(refused).to_string();
                assert!(said.contains("is already traced by"), "{said}");
            }
            Err(NotStopped::Refused(_)) => locktoll_needs::refused("ptrace(2)"),
            Err(other) => panic!("{other:?}"),
        }
        // Nobody has waited for it yet: it is a zombie, which may not be stopped either.
        child.kill().unwrap();
        while state(pid, pid) != Some('Z') {
            std::thread::yield_now();
        }
        let ended = Looker::new(whom).look().unwrap_err();
        assert!(
            matches!(ended, NotLooked::Ended(it) if it == pid),
            "{ended:?}"
        );
        child.wait().unwrap();
    }
}

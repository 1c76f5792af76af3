//! From the parts of the processes to one recording.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use locktoll_recording::appendix::NewEvents;
use locktoll_recording::layout::StopReason;
use locktoll_recording::reader::{Modules, ReadError, Recording, append_compacted};

use super::correction::{Corrected, Corrections};
use super::parts::Parts;
use super::{Children, Ended};
use locktoll_lab::machine::Machine;
use locktoll_results::Made;
use locktoll_sources::flight_recorder::Copies;
use locktoll_sources::preemption::{Gathered, TimesByPart};
use locktoll_sources::recording::Choice;
use locktoll_sources::recording::Embedder;
use locktoll_sources::recording::PartFile;
use locktoll_sources::spun::Report;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::open_regular;

/// The facts about the run that are known from outside its processes.
pub struct Outside<'a> {
    /// How the program ended.
    pub ended: &'a Ended,
    /// The program as the user called it, and its arguments.
    pub command: &'a [OsString],
    /// Whether the processes that it starts are also recorded.
    pub children: Children,
    /// The cost that recording adds to an uncontended acquisition and release here, in picoseconds; `None` if not measured.
    pub added_ps_per_pair: Option<u64>,
    /// Alerts that were raised while it ran, each as JSON.
    pub alerts: &'a [String],
    /// Events around long waits, copied while it ran.
    pub copies: &'a Copies,
    /// Times without a CPU.
    pub times: &'a TimesByPart,
    /// Which events of the timeline were asked for; `None` if there is no timeline.
    pub timeline: Option<&'a Choice>,
    /// The preempted holders that the kernel saw; `None` if it did not watch for them.
    pub preemptions: Option<&'a Gathered>,
    /// Busy waiting; `None` if it was not looked for.
    pub spinning: Option<&'a Report>,
}

/// How many moments the recording has room for.
const COMPLETE: usize = 200;

/// What the recording says about itself.
#[derive(serde::Serialize)]
struct About {
    #[serde(flatten)]
    made: Made,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeline: Option<Choice>,
}

impl Outside<'_> {
    fn about(&self) -> About {
        let mut timeline = self.timeline.cloned();
        if let Some(when) = timeline.as_mut().and_then(|it| it.when.as_mut()) {
            when.missed = self.copies.missed;
            let complete = &self.copies.complete_ns;
            when.complete_ns = complete[complete.len().saturating_sub(COMPLETE)..].to_vec();
        }
        About {
            made: Made::now_on(&Machine::observe()),
            timeline,
        }
    }
}

/// A complete recording.
pub struct Merged {
    /// Where it is.
    pub output: PathBuf,
    /// Why recording stopped, for each process in which it stopped before the end.
    pub stops: Vec<Option<StopReason>>,
}

impl Parts {
    /// Joins all parts into one file and puts it in place of the output, all at once.
    ///
    /// Facts that the processes could not know or record are filled in from outside.
    ///
    /// # Errors
    /// [`Failure::Run`]; the parts, if there were any, are then still in their folder.
    pub fn merge(self, outside: &Outside<'_>) -> Result<Merged, Failure> {
        let files = self.files()?;
        if files.is_empty() {
            self.discard();
            return Err(Failure::Run(anyhow::anyhow!(
                "nothing was recorded: the recorder could not start in the program, which ended with {}; if it said why, that is above",
                outside.ended.status
            )));
        }
        match self.write_whole(&files, outside) {
            Ok(()) => {
                let output = self.output().to_owned();
                self.discard();
                let stops = files.iter().filter_map(|file| file.process.stopped);
                Ok(Merged {
                    output,
                    stops: stops.map(|stopped| stopped.reason).collect(),
                })
            }
            Err(error) => Err(Failure::Run(error.context(format!(
                "the recording could not be written to {}; its parts are in {}, and `locktoll report` reads that folder",
                shown(self.output().as_os_str()),
                shown(self.folder().as_os_str())
            )))),
        }
    }

    fn write_whole(&self, files: &[PartFile], outside: &Outside<'_>) -> anyhow::Result<()> {
        let of_program = |file: &PartFile| file.process.pid == outside.ended.pid;
        let first = files.iter().position(of_program);
        let last = files.iter().rposition(of_program);

        let mut whole = self.begin_whole()?;
        let mut writer = io::BufWriter::new(whole.file());
        let mut embedder = Embedder::default();
        for (position, file) in files.iter().enumerate() {
            let mut corrections = Corrections::default();
            if Some(position) == first {
                corrections.command(outside.command);
                if outside.children == Children::Included {
                    corrections.command_usage(outside.ended);
                }
            }
            if Some(position) == last {
                corrections.end(file, outside.ended);
            }
            if let Some(added_ps) = outside.added_ps_per_pair {
                corrections.added_ps_per_pair(added_ps);
            }
            let part = Corrected::new(open_regular(&file.path)?, corrections);
            // A part that cannot be read has no names to look up; appending it says what is wrong with it.
            let names = Recording::read(&part)
                .ok()
                .and_then(|read| Some(embedder.names(read.parts.first()?)));
            let mut appendix = names.unwrap_or_default();
            if let Some(gathered) = outside.preemptions {
                let (pid, sequence) = (file.process.pid, file.process.sequence);
                appendix =
                    appendix.with_preemptions(&gathered.of_part(pid, sequence, position == 0));
            }
            let copies = outside.copies.by_part.get(&file.path);
            let of_part = (file.process.pid, file.process.sequence);
            for run in copies
                .into_iter()
                .flatten()
                .chain(outside.times.get(&of_part))
            {
                appendix = appendix.with_events(NewEvents {
                    slot: run.slot,
                    first: run.first,
                    events: &run.events,
                });
            }
            if position == 0 {
                appendix = appendix.with_alerts(outside.alerts);
                appendix = appendix.with_about(&serde_json::to_string(&outside.about())?);
                if let Some(report) = outside.spinning {
                    appendix = appendix.with_spinning(&serde_json::to_string(report)?);
                }
            }
            let modules = match position {
                0 => Modules::All,
                _ => Modules::IfCalledFrom,
            };
            append_compacted(&mut writer, &part, &appendix, modules).map_err(
                |error| match error {
                    // Of reading or of writing: the system's message shows which.
                    ReadError::Io(error) => anyhow::Error::from(error),
                    other => other.into(),
                },
            )?;
        }
        writer.flush()?;
        drop(writer);
        whole.put()?;
        Ok(())
    }
}

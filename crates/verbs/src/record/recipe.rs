//! Running a program under the recorder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use locktoll_recording::layout::{Mode, StopReason};

use super::alerts;
use super::ended;
use super::meanwhile::meanwhile;
use super::notices;
use super::spinning::Spinning;
use super::timeline::{self, Asked, Keeper, KeptOutside};
use crate::alarm::Alarm;
use crate::arguments::Spin;
use crate::present;
use crate::run_program::embedded;
use crate::run_program::launch;
use crate::run_program::launch::{
    Children, Ended, Launch, Orders, Outside, Parts, ProgramStdout, Signals,
};
use crate::run_program::program;
use crate::run_program::program::{Purpose, Runtime};
use locktoll_results::profile::Profile;
use locktoll_sources::ebpf::privileges::{Duty, keep_for};
use locktoll_sources::preemption::{Capacity, Gathered, Watch, count_unkept};
use locktoll_sources::recording;
use locktoll_terminal::failure::Failure;

/// What to record, and how.
pub struct Recipe<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// Where the recording goes.
    pub output: &'a Path,
    /// The events that are timed.
    pub mode: Mode,
    /// Which processes are recorded.
    pub children: Children,
    /// Whether the kernel is to watch for preempted holders, and the size of the tables that it keeps for us.
    pub preemption: Option<Capacity>,
    /// Whether the order of locks is noted.
    pub order: bool,
    /// The events by time that are kept, if any.
    pub timeline: Option<Asked>,
    /// Whether the program runs for so long that the recording must not grow with its threads.
    pub live: bool,
    /// Whether busy waiting is looked for.
    pub spin: Spin,
    /// What alerts are raised for, and where they go.
    pub alarm: Option<Alarm<'a>>,
    /// Where the program's standard output goes.
    pub stdout: ProgramStdout,
}

/// A program that ran, and its recording.
pub struct Recorded {
    /// How it ended.
    pub ended: Ended,
    /// The recording.
    pub output: PathBuf,
    /// Why recording stopped, for each process in which it stopped before the end.
    pub stops: Vec<Option<StopReason>>,
    /// The kind of locks that it probably uses.
    pub runtime: Runtime,
}

/// Records a program and returns its profile, for verbs that work on from there.
///
/// # Errors
/// As [`record`], and if the recording cannot be read again.
pub fn record_to_profile(recipe: Recipe<'_>) -> Result<(Ended, Profile), Failure> {
    let recorded = record(recipe)?;
    let profile = recording::load(&recorded.output)?;
    Ok((recorded.ended, profile))
}

/// Runs a program under the recorder. Everything is checked before it is started.
///
/// # Errors
/// [`Failure::Usage`] and [`Failure::Unsupported`] before anything was started, [`Failure::Run`] after.
pub fn record(mut recipe: Recipe<'_>) -> Result<Recorded, Failure> {
    let program = program_of(&recipe)?;
    let library = embedded::extract(embedded::Library::Recorder)?;
    let parts = Parts::prepare(recipe.output)?;
    notices::leftovers(&parts.leftovers());
    program.warnings.iter().for_each(|it| notices::warn(it));

    let mut watch = watch_of(&recipe, &library);
    let keeper = Keeper::new(recipe.timeline.as_ref(), parts.folder(), watch.as_mut());
    let orders = Orders {
        library: &library,
        parts: parts.folder(),
        mode: recipe.mode,
        children: recipe.children,
        order: recipe.order,
        timeline: recipe.timeline.as_ref().map(|it| it.kept),
        preemption: watch.as_ref().map(Watch::run),
        live: recipe.live,
    };
    let mut duties = vec![Duty::ReadOthers, Duty::Signal];
    duties.extend(present::duty(Some(recipe.output)));
    let signals = Signals::hold()?;
    let spinning = Spinning::begin(recipe.spin, recipe.children);
    let give_up = || {
        // A run without eBPF programs in the kernel changes no privileges.
        if watch.is_some() {
            keep_for(&duties);
        }
    };
    let once_started = |pid| {
        give_up();
        spinning.follow(pid);
    };
    let launch = Launch {
        command: recipe.command,
        program: &program.path,
        orders: Some(orders),
        stdout: recipe.stdout,
        once_started: &once_started,
    };
    let adding_up = adds_up(&recipe, watch.as_ref()).then(|| parts.folder());
    let ((ended, alerts), mut kept) = timeline::watched(keeper, &give_up, || {
        watched(recipe.alarm.take(), parts.folder(), &give_up, || {
            ended::added_up(adding_up, || launch::run(&launch, &signals))
        })
    });
    let ended = match ended {
        Ok(ended) => ended,
        Err(failure) => {
            parts.discard();
            return Err(failure);
        }
    };
    let spun = spinning.end();
    let preemptions = watch.and_then(|watch| gathered(&watch, &mut kept));
    if recipe.children == Children::Included {
        notices::still_running(&launch::still_running(&parts, ended.pid));
    }
    let added_ps_per_pair = signals
        .while_it_can_be_cut_short(|cut_short| launch::added_ps_per_pair(&orders, cut_short));
    let merged = parts.merge(&Outside {
        ended: &ended,
        command: recipe.command,
        children: recipe.children,
        added_ps_per_pair,
        preemptions: preemptions.as_ref(),
        spinning: spun.as_ref(),
        alerts: &alerts,
        copies: &kept.copies,
        times: &kept.times,
        timeline: recipe.timeline.as_ref().map(|it| &it.choice),
    })?;
    Ok(Recorded {
        ended,
        output: merged.output,
        stops: merged.stops,
        runtime: program.runtime,
    })
}

/// Whether the parts of processes that have ended are added up. Events by time, and what the kernel saw of a process, belong to parts
/// that are still there in the end.
fn adds_up(recipe: &Recipe<'_>, watch: Option<&Watch>) -> bool {
    recipe.live && recipe.timeline.is_none() && watch.is_none()
}

/// Begins to watch for preempted holders, if that is asked for and the kernel allows it.
fn watch_of(recipe: &Recipe<'_>, library: &Path) -> Option<Watch> {
    let begun = Watch::begin(library, recipe.preemption?);
    begun.inspect_err(notices::preemption_is_estimated).ok()
}

/// Returns the kernel's data on preempted holders, and counts the times without a CPU that it could not keep.
fn gathered(watch: &Watch, kept: &mut KeptOutside) -> Option<Gathered> {
    let gathered = watch.gathered();
    let gathered = gathered.inspect_err(notices::preemption_is_lost).ok()?;
    let unkept = gathered.escaped.times_unkept;
    if unkept > 0 {
        count_unkept(&mut kept.times, unkept);
        notices::times_are_missing(unkept);
    }
    Some(gathered)
}

fn program_of(recipe: &Recipe<'_>) -> Result<program::Checked, Failure> {
    let name = recipe.command.first().ok_or_else(|| {
        Failure::Usage(
            "no program is given; give the program and its arguments after `--`".to_owned(),
        )
    })?;
    program::check(name, Purpose::Record)
}

/// Runs the program under the watch of the alarm, if there is one. Returns the alerts, each as JSON. Privileges belong to a
/// thread, so the watching thread calls `first`, which gives up what is not needed.
fn watched<T>(
    alarm: Option<Alarm<'_>>,
    parts: &Path,
    first: &(dyn Fn() + Sync),
    run: impl FnOnce() -> T,
) -> (T, Vec<String>) {
    let Some(alarm) = alarm else {
        return (run(), Vec::new());
    };
    let (ended, alerts) = meanwhile(
        |has_ended| {
            first();
            alerts::watch(alarm, parts, has_ended)
        },
        run,
    );
    let alerts = alerts.unwrap_or_default();
    let texts = alerts.into_iter().filter_map(alerts::kept_text);
    (ended, texts.collect())
}

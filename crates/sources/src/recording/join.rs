//! From the parts of a recording to the facts of one profile.

use std::collections::{HashMap, HashSet};

use locktoll_recording::layout::{DropReason, Mode};
use locktoll_recording::reader;
use locktoll_recording::reader::{Part, Recording};

use super::anchors::MadeIn;
use super::births::Ancestors;
use super::finish::Tables;
use super::instances::{Crowds, Instances};
use super::life;
use super::life::ThreadWaits;
use super::order::{Processes, RowsOf, order};
use super::part_names::PartSites;
use super::part_view::{PartView, slots_alone};
use super::rows::Rows;
use super::spinning::Spinning;
use super::symbols::Symbols;
use super::timeline::{self, EventFiles};
use super::times::Times;
use super::{parked, preempted, remarks, unlisted};
use crate::joiner;
use crate::joiner::{Program, Usage};
use locktoll_results::profile::{
    Alert, Dropped, Frame, Process, Profile, Recorder, RecorderMode, Source,
};
use locktoll_results::{Made, utc};

/// Returns the profile of a recording.
#[cfg(test)]
pub fn profile(recording: &Recording) -> Profile {
    profile_with(recording, &mut Symbols::default())
}

/// Returns the profile with the timeline, whose events are in `files`.
pub fn profile_with_events(recording: &Recording, files: &EventFiles) -> Profile {
    let spinning = Spinning::of(recording);
    let wanted = Wanted {
        spun_words: spinning.words(),
        events: Some(files),
        ..Wanted::default()
    };
    let mut profile = joined(recording, &mut Symbols::default(), wanted).profile;
    spinning.add_to(&mut profile);
    profile
}

/// Like `profile`, with names from earlier look-ups, for a recording that is read again and again while it grows.
#[cfg(any(test, target_os = "linux"))]
pub fn profile_with(recording: &Recording, symbols: &mut Symbols) -> Profile {
    let spinning = Spinning::of(recording);
    let wanted = Wanted {
        spun_words: spinning.words(),
        ..Wanted::default()
    };
    let mut profile = joined(recording, symbols, wanted).profile;
    spinning.add_to(&mut profile);
    profile
}

/// A profile, and how the numbers of its recording lead to its locks and places.
pub struct Joined {
    /// The profile.
    pub profile: Profile,
    /// The ids of the rows.
    pub ids: Vec<String>,
    /// The row of the lock at each address, of one process; empty unless asked for.
    pub rows: HashMap<u64, usize>,
    /// The functions at each site, by its number, of one process; empty unless asked for.
    pub sites: HashMap<u32, Vec<Frame>>,
}

/// What is wanted of a recording besides the profile.
#[derive(Default)]
pub struct Wanted<'f> {
    /// Words in which busy waiting was seen: the locks know those that are in them.
    pub spun_words: Vec<(u32, u64)>,
    /// How the recording's numbers lead to its locks and places.
    pub numbers: bool,
    /// The timeline, from these files.
    pub events: Option<&'f EventFiles>,
}

/// Returns the profile without busy waiting, and what else is wanted.
pub fn joined(recording: &Recording, symbols: &mut Symbols, wanted: Wanted<'_>) -> Joined {
    let mut parts: Vec<&Part> = recording.parts.iter().collect();
    parts.sort_by_key(|part| (part.process.start_monotonic_ns, part.process.sequence));
    let times = Times::of(&parts);

    let mut tables = Tables::default();
    let mut crowds = Crowds::default();
    let mut ancestors = Ancestors::default();
    // Which locks share a row depends on all parts, so their locks are found before any are summed up.
    let views = views(
        &parts,
        &times,
        symbols,
        &mut tables,
        &mut crowds,
        &mut ancestors,
    );
    let mut rows = Rows::with_words(wanted.spun_words);
    let made_in = MadeIn {
        parts: &parts,
        ancestors: &ancestors,
    };
    let views = with_rows(views, &mut rows, &crowds, &made_in);
    let ns_per_pair = ns_per_pair(&parts);
    let uses = tables.uses(&rows);
    let waits = ThreadWaits::of(&rows, &uses);
    let threads = life::threads(
        views.iter().map(|(view, _)| view),
        &times,
        &waits,
        &tables.sites,
    );
    let processes = Processes {
        views: &views,
        parts: &parts,
    };
    let order = order(&processes, &rows, &uses, &tables);
    let numbers = wanted.numbers.then(|| numbers_of(&views, &tables));
    let (by_address, sites) = numbers.unwrap_or_default();
    let timeline = wanted
        .events
        .and_then(|files| timeline::draft(recording, &views, &tables, &times, files));
    let facts = tables.into_facts(rows, &uses, ns_per_pair);

    let mut warnings = remarks::about(recording, &parts, &times);
    warnings.extend_from_slice(symbols.warnings());
    let files = parts.iter().flat_map(|part| &part.modules);
    let program = Program {
        source: Source::Record,
        made: parts.first().map(|part| made(part)),
        command: parts.first().map(|part| command(part)).unwrap_or_default(),
        duration_ns: times.duration_ns,
        usage: total_usage(&parts),
        threads,
        unlisted_ns: unlisted::all_ns(&parts),
        processes: parts.iter().map(|part| process(part, &times)).collect(),
        modules: joiner::modules(files.map(|it| (it.path.as_path(), &it.build_id[..]))),
        recorder: Recorder {
            mode: Some(mode(&parts)),
            ns_per_pair,
            share_of_cpu: share_of_cpu(&parts, ns_per_pair),
        },
        watched: preempted::watched(&parts),
        order,
        alerts: parts.iter().flat_map(|part| alerts(part)).collect(),
        dropped: dropped(recording),
        warnings,
    };
    let (mut profile, ids) = joiner::profile_with_ids(program, facts);
    profile.timeline = timeline.map(|draft| Box::new(draft.named(&ids, &profile.locks)));
    Joined {
        profile,
        ids,
        rows: by_address,
        sites,
    }
}

/// Adds the processes to the rows. Returns them with the rows of their locks.
fn with_rows<'p>(
    views: Vec<PartView<'p>>,
    rows: &mut Rows,
    crowds: &Crowds,
    made_in: &MadeIn<'_>,
) -> Vec<(PartView<'p>, RowsOf)> {
    let with_rows = views.into_iter().map(|view| {
        let row_of = rows.add(&view, crowds, made_in);
        let rows_of = RowsOf::new(&view, row_of);
        (view, rows_of)
    });
    with_rows.collect()
}

/// Returns the row of the lock at each address, and the functions at each site, by its number.
fn numbers_of(
    views: &[(PartView<'_>, RowsOf)],
    tables: &Tables,
) -> (HashMap<u64, usize>, HashMap<u32, Vec<Frame>>) {
    let (mut by_address, mut sites) = (HashMap::new(), HashMap::new());
    for (view, rows_of) in views {
        by_address.extend(rows_of.by_address(view));
        let of_part = view.part.sites.iter().zip(&view.sites.ids);
        sites.extend(of_part.map(|(site, &id)| (site.id, tables.sites.frames(id).to_vec())));
    }
    (by_address, sites)
}

/// Returns the alerts that were added to a part. Texts of a later version may be others.
fn alerts(part: &Part) -> Vec<Alert> {
    let texts = part.alerts.iter();
    let mut alerts: Vec<Alert> = texts
        .filter_map(|text| serde_json::from_str(text).ok())
        .collect();
    // The recording keeps them by their length.
    alerts.sort_by_key(|it| it.at_ns);
    alerts
}

/// Returns the parts in terms of `tables`, to which their places and locks are added.
fn views<'p>(
    parts: &[&'p Part],
    times: &Times,
    symbols: &mut Symbols,
    tables: &mut Tables,
    crowds: &mut Crowds,
    ancestors: &mut Ancestors,
) -> Vec<PartView<'p>> {
    let unknown = tables.sites.unknown();
    let mut views = Vec::new();
    for (position, part) in parts.iter().enumerate() {
        let sites = PartSites::new(part, symbols, &mut tables.sites);
        let births = tables
            .births
            .of_part(part, &sites.ids, &tables.sites, ancestors);
        ancestors.add(part, position, &births);
        let mut instances = Instances::of(part, &births, &mut tables.statics, symbols);
        parked::come_from_where_they_wait(
            part,
            &mut instances,
            &sites.ids,
            &tables.sites,
            &mut tables.births,
        );
        crowds.add(&instances);
        views.push(PartView {
            part,
            position,
            end_ns: recorded_until(part, times.part_end_ns[position]),
            stacks: tables.stacks.of_part(part, &sites.ids),
            sites,
            instances,
            unknown,
            slots_alone: slots_alone(part),
        });
    }
    views
}

/// Returns when, where and by which version of locktoll it was recorded. Every recording contains where it began; the rest was
/// added after the run.
fn made(part: &Part) -> Made {
    let about = part.about.as_deref();
    let made = about.and_then(|text| serde_json::from_str(text).ok());
    let began_ns = part.process.start_realtime_ns;
    Made {
        date: (began_ns > 0).then(|| utc(began_ns / 1_000_000_000)),
        ..made.unwrap_or_default()
    }
}

/// Returns when recording ended: at the end of the process, or when it stopped earlier.
fn recorded_until(part: &Part, end_ns: u64) -> u64 {
    let stopped = part.process.stopped;
    stopped.map_or(end_ns, |stopped| stopped.monotonic_ns.min(end_ns))
}

fn process(part: &Part, times: &Times) -> Process {
    let process = &part.process;
    let usage = process.usage;
    let unlisted_threads = part.dropped.count(DropReason::ThreadUnwritten);
    Process {
        pid: process.pid,
        parent_pid: process.parent_pid,
        command: command(part),
        added_up: process.added_up,
        threads: part.threads.len() as u64,
        unlisted_threads,
        unlisted_ns: unlisted::ns(part).filter(|_| unlisted_threads > 0),
        start_ns: process.start_monotonic_ns.saturating_sub(times.start_ns),
        duration_ns: process
            .end_monotonic_ns
            .map(|end| end.saturating_sub(process.start_monotonic_ns)),
        user_ns: usage.map(|usage| usage.user_ns),
        system_ns: usage.map(|usage| usage.system_ns),
        voluntary_switches: usage.map(|usage| usage.voluntary_switches),
        involuntary_switches: usage.map(|usage| usage.involuntary_switches),
    }
}

fn command(part: &Part) -> Vec<String> {
    let arguments = part.process.command.arguments.iter();
    arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}

/// Returns the resources that all processes used: the sum of their own accounts, or the kernel's account of the command and the
/// processes that it waited for, if that is more. `None` if a process left no account and the kernel's is missing.
fn total_usage(parts: &[&Part]) -> Usage {
    let told = || parts.iter().filter(|part| part.process.usage.is_some());
    let who_told: HashSet<u32> = told().map(|part| part.process.pid).collect();
    let have_all_told = parts
        .iter()
        .all(|part| who_told.contains(&part.process.pid));
    let command = parts.iter().find_map(|part| part.process.command_usage);
    let sum = |of: fn(&reader::Usage) -> u64| {
        let figures = told().filter_map(|part| part.process.usage);
        let sum = figures.map(|usage| of(&usage)).reduce(u64::saturating_add);
        match &command {
            Some(command) => Some(sum.unwrap_or(0).max(of(command))),
            None => sum.filter(|_| have_all_told),
        }
    };
    Usage {
        user_ns: sum(|usage| usage.user_ns),
        system_ns: sum(|usage| usage.system_ns),
        voluntary_switches: sum(|usage| usage.voluntary_switches),
        involuntary_switches: sum(|usage| usage.involuntary_switches),
    }
}

/// Returns the mode, which is exact only if every process was recorded exactly.
fn mode(parts: &[&Part]) -> RecorderMode {
    let exact = |part: &&Part| part.process.mode == Some(Mode::Exact);
    if !parts.is_empty() && parts.iter().all(exact) {
        RecorderMode::Exact
    } else {
        RecorderMode::Sampled
    }
}

/// Returns the cost of recording a pair. All parts of a recording were measured together, so the first figure is valid for all.
fn ns_per_pair(parts: &[&Part]) -> Option<f64> {
    let added = parts.iter().find_map(|part| part.process.added_ps_per_pair);
    added.map(|picoseconds| picoseconds as f64 / 1000.0)
}

/// Returns the share that recording added to the processor time of those processes that reported theirs.
fn share_of_cpu(parts: &[&Part], ns_per_pair: Option<f64>) -> Option<f64> {
    let ns_per_pair = ns_per_pair?;
    let (mut pairs, mut cpu_ns) = (0_u64, 0_u64);
    for part in parts {
        let Some(usage) = part.process.usage else {
            continue;
        };
        let cpu = usage.user_ns.saturating_add(usage.system_ns);
        cpu_ns = cpu_ns.saturating_add(cpu);
        let counts = part.counts.iter();
        pairs = counts.fold(pairs, |sum, count| sum.saturating_add(count.acquisitions));
    }
    (cpu_ns > 0).then(|| (pairs as f64 * ns_per_pair / cpu_ns as f64).min(1.0))
}

fn dropped(recording: &Recording) -> Dropped {
    let sum = |reason| {
        let parts = recording.parts.iter();
        parts.fold(0, |sum: u64, part| {
            sum.saturating_add(part.dropped.count(reason))
        })
    };
    Dropped {
        after_stop: sum(DropReason::Stopped),
        sites: sum(DropReason::SiteTableFull),
        threads: sum(DropReason::ThreadUnwritten),
        stacks: sum(DropReason::StackTableFull),
        modules: sum(DropReason::ModuleTableFull),
        damaged: recording.warnings.len() as u64,
        waits: 0,
        wakes: 0,
    }
}

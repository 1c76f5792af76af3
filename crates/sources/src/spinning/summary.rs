//! From what was counted to the report.

use std::collections::HashMap;
use std::time::Duration;

use super::frames::Names;
use super::limits::usable_cpus;
use super::notes;
use super::places::Place;
use super::state::State;
use super::tally::{Doings, Spot, SpotKey, ThreadKey};
use super::threads::ThreadAccount;
use super::words::Words;
use crate::perf::Refused;
use crate::spun::{Drawn, OTHER_WORDS, Report, Row, ThreadShare};
use locktoll_results::profile::{
    Frame, SpinSamples, Spinning, SpunWord, WriterState, caller, spinner,
};

/// Everything that was seen.
pub(super) struct Seen<'a> {
    /// What the samples left.
    pub state: &'a State,
    /// The CPU time between two samples of a thread.
    pub period_ns: u64,
    /// Whether the kernel's work was sampled.
    pub with_kernel: bool,
    /// Why no word could be watched.
    pub watch_refused: Option<Refused>,
    /// The CPU time of the whole program in user code, if only its beginning was sampled.
    pub whole: Option<Duration>,
}

impl Seen<'_> {
    /// Returns by how much the time that was sampled falls short of the whole, as a factor of at least 1. The rest of the program is
    /// assumed to be alike.
    fn factor(&self, sampled_ns: f64) -> f64 {
        match self.whole {
            Some(whole) if sampled_ns > 0.0 => (whole.as_nanos() as f64 / sampled_ns).max(1.0),
            _ => 1.0,
        }
    }
}

/// More rows are not reported.
const ROWS: usize = 50;
/// How many words of one loop have rows of their own.
const WORDS: usize = 4;
/// How many writers of each word are named.
const WRITERS: usize = 5;
/// How many calls of a stack are named.
const DEPTH: usize = 32;

/// Rows are spots of the same code and the same word, in whichever process.
#[derive(PartialEq, Eq, Hash)]
struct RowKey {
    code: Place,
    word: Option<SpunWord>,
}

/// Names that were looked up, which later reports need again.
pub(super) struct Naming {
    frames: Names,
    words: Words,
}

impl Naming {
    /// Starts without any.
    pub fn begin() -> Self {
        Self {
            frames: Names::new(),
            words: Words::default(),
        }
    }
}

/// Returns the report on everything up to now.
pub(super) fn report(seen: &Seen<'_>, naming: &mut Naming) -> Report {
    let Seen {
        state,
        period_ns,
        with_kernel,
        ..
    } = seen;
    let ns_per_sample = |account: &ThreadAccount| match seen.whole {
        // The account goes on after the last sample.
        Some(_) => *period_ns as f64,
        None => account.ns_per_sample(*period_ns, *with_kernel),
    };
    let sampled_ns = (state.tally.samples * period_ns) as f64;
    let factor = seen.factor(sampled_ns);
    let weights: HashMap<ThreadKey, f64> = state
        .threads
        .iter()
        .map(|(&key, account)| (key, ns_per_sample(account) * factor))
        .collect();
    let weight = |key: &ThreadKey| weights.get(key).copied().unwrap_or(*period_ns as f64);
    let tally = &state.tally;
    let threads = state.threads.iter();
    let cpu_ns = threads.fold(0.0, |sum, (key, account)| {
        sum + account.samples as f64 * weight(key)
    });
    let drawn = Drawn {
        all: tally.samples,
        unexamined: tally.unexamined(),
        lost: state.lost + ((factor - 1.0) * tally.samples as f64) as u64,
        cpu_ns,
    };
    let ns_of = |spot: &Spot| -> f64 {
        let shares = spot.threads.iter();
        shares.map(|(key, &n)| n as f64 * weight(key)).sum()
    };
    let (spinning, spin_ns) = tally.waits().fold((0, 0.0), |(samples, ns), (_, spot)| {
        let more: u64 = spot.threads.values().sum();
        (samples + more, ns + ns_of(spot))
    });

    let mut groups = grouped(state, &ns_of, &mut naming.words);
    naming.frames.prepare(code_places(state));
    let names = &naming.frames;
    groups.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    let rows = groups
        .iter()
        .take(ROWS)
        .map(|group| row(group, names, seen, &drawn, &weight));
    let rows: Vec<Row> = rows.collect();
    Report {
        samples: SpinSamples {
            rate_hz: 1e9 / *period_ns as f64,
            samples: tally.samples,
            lost: state.lost,
            unexamined: tally.unexamined(),
            with_kernel: *with_kernel,
        },
        cpu_ns,
        spin_ns: drawn.estimate(spinning, spin_ns),
        notes: notes::about(seen, !rows.is_empty()),
        rows,
    }
}

/// Returns all places of code that a report may name.
fn code_places(state: &State) -> impl Iterator<Item = &Place> {
    state.tally.waits().flat_map(|(_, spot)| {
        let code = spot.places.iter().map(|it| &it.0);
        let writers = spot.writes.by.keys().map(|it| &it.1);
        code.chain(spot.stacks.iter().flatten()).chain(writers)
    })
}

/// Spots that share a row.
struct Group<'a> {
    key: RowKey,
    spots: Vec<(&'a SpotKey, &'a Spot)>,
    ns: f64,
}

/// Puts together what shares a row: the same word at the same code, and all words beyond the first few of the same code.
fn grouped<'a>(
    state: &'a State,
    ns_of: &dyn Fn(&Spot) -> f64,
    words: &mut Words,
) -> Vec<Group<'a>> {
    let mut groups: HashMap<RowKey, Group<'a>> = HashMap::new();
    for (spot_key, spot) in state.tally.waits() {
        let Some((code, word)) = &spot.places else {
            continue;
        };
        let word = word.as_ref().map(|it| words.name(&state.files, it));
        let key = || RowKey {
            code: code.clone(),
            word: word.clone(),
        };
        let group = groups.entry(key()).or_insert_with(|| Group {
            key: key(),
            spots: Vec::new(),
            ns: 0.0,
        });
        group.spots.push((spot_key, spot));
        group.ns += ns_of(spot);
    }
    let mut of_code: HashMap<Place, Vec<Group<'a>>> = HashMap::new();
    for (key, group) in groups {
        of_code.entry(key.code).or_default().push(group);
    }
    let mut kept = Vec::new();
    for mut groups in of_code.into_values() {
        groups.sort_by(|a, b| b.ns.total_cmp(&a.ns));
        if groups.len() > WORDS + 1 {
            let rest = groups.split_off(WORDS);
            let name = format!("{}{OTHER_WORDS}", rest.len());
            let mut rest = rest.into_iter().reduce(|mut all, more| {
                all.spots.extend(more.spots);
                all.ns += more.ns;
                all
            });
            if let Some(rest) = &mut rest {
                rest.key.word = Some(SpunWord { name, id: None });
            }
            groups.extend(rest);
        }
        kept.extend(groups);
    }
    kept
}

fn row(
    group: &Group<'_>,
    names: &Names,
    seen: &Seen<'_>,
    drawn: &Drawn,
    weight: &dyn Fn(&ThreadKey) -> f64,
) -> Row {
    let state = seen.state;
    let mut threads: HashMap<ThreadKey, u64> = HashMap::new();
    for (_, spot) in &group.spots {
        for (&thread, &samples) in &spot.threads {
            *threads.entry(thread).or_default() += samples;
        }
    }
    let samples: u64 = threads.values().sum();
    let inner = names.frames(&state.files, &group.key.code);
    let site = caller(&inner).cloned().unwrap_or_default();
    let mut stack = inner;
    if let Some(outer) = group.spots.iter().find_map(|(_, it)| it.stacks.first()) {
        let outer = outer.iter().take(DEPTH);
        stack.extend(outer.flat_map(|it| names.frames(&state.files, it)));
    }
    let known_as = spinner(&stack).map(|it| it.name.to_owned());
    let (writers, writing) = writers(group, names, state);
    let switches = threads.keys().filter_map(|key| {
        let account = state.threads.get(key)?;
        account.involuntary_switches()
    });
    let pids = group
        .spots
        .iter()
        .map(|(key, _)| state.images[key.image].pid);
    let words = pids
        .clone()
        .zip(&group.spots)
        .filter_map(|(pid, (key, _))| Some((pid, key.word?)));
    let (around_ns, runnable_ns) = group.spots.iter().fold((0.0, 0.0), |(ns, runnable), it| {
        let around = &it.1.around;
        (ns + around.ns as f64, runnable + around.runnable_ns as f64)
    });
    let spinning = Spinning {
        site,
        stack,
        word: group.key.word.clone(),
        cpu_ns: drawn.estimate(samples, group.ns),
        threads: threads.len() as u64,
        writers,
        writer_state: writing,
        known_as,
        lock: None,
        runnable_threads: (around_ns > 0.0).then(|| runnable_ns / around_ns),
        usable_cpus: pids
            .clone()
            .find_map(|pid| state.usable_cpus.get(&pid).copied()),
        involuntary_switches: switches.fold(None, |sum, it| Some(sum.unwrap_or(0) + it)),
    };
    let shares = threads.iter().map(|(thread, &samples)| ThreadShare {
        pid: thread.0,
        tid: thread.1,
        ns: samples as f64 * weight(thread),
    });
    Row {
        spinning,
        words: words.collect(),
        threads: shares.collect(),
    }
}

/// Returns the code that writes the word, and what the writing threads did in the meantime.
fn writers(
    group: &Group<'_>,
    names: &Names,
    state: &State,
) -> (Option<Vec<Frame>>, Option<WriterState>) {
    let mut by_code: HashMap<&Place, u64> = HashMap::new();
    let mut doings = Doings::default();
    for (_, spot) in &group.spots {
        for ((_, place), count) in &spot.writes.by {
            *by_code.entry(place).or_default() += count;
        }
        let mut threads: Vec<ThreadKey> = spot.writes.by.keys().map(|it| it.0).collect();
        threads.sort_unstable();
        threads.dedup();
        for thread in threads {
            if let Some(more) = spot.around.threads.get(&thread) {
                doings.running_ns += more.running_ns;
                doings.runnable_ns += more.runnable_ns;
                doings.asleep_ns += more.asleep_ns;
            }
        }
    }
    if by_code.is_empty() {
        return (None, None);
    }
    let mut by_code: Vec<(&Place, u64)> = by_code.into_iter().collect();
    by_code.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut frames: Vec<Frame> = Vec::new();
    for (place, _) in by_code {
        let found = names.frames(&state.files, place);
        let Some(frame) = caller(&found) else {
            continue;
        };
        if !frames.contains(frame) && frames.len() < WRITERS {
            frames.push(frame.clone());
        }
    }
    let all_ns = doings.running_ns + doings.runnable_ns + doings.asleep_ns;
    let state = (all_ns > 0.0).then(|| WriterState {
        running: doings.running_ns / all_ns,
        runnable: doings.runnable_ns / all_ns,
        asleep: doings.asleep_ns / all_ns,
    });
    (Some(frames), state)
}

/// Keeps how many CPUs each process may use, while it runs.
pub(super) fn note_limits(state: &mut State, pid: u32) {
    if !state.usable_cpus.contains_key(&pid)
        && let Some(usable) = usable_cpus(pid)
    {
        state.usable_cpus.insert(pid, usable);
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

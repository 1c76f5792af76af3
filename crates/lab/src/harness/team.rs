//! The threads of a slice: making, starting, stopping, and cutting off those that do not leave.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crate::cell::{Cell, CutOff, LONGEST_ROUNDS, Length, Part, Slice, SwitchesAndCpu};
use crate::harness::CreateError;
use crate::platform::{self, Background, Stay, usable_cpus};
use crate::stats::Histogram;

use super::hog::hog;
use super::owner::Owner;
use super::placement::Placement;
use super::places::{Place, Places};
use super::resources;
use super::start::Start;
use super::worker::{Count, Loop, Setting, Tally};

/// Enough for a ladder of a thousand acquisitions, small enough for ten thousand threads.
const STACK_BYTES: usize = 256 * 1024;

/// How often slots of the gate change hands in a slice limited by time.
const TURN: Duration = Duration::from_millis(10);

/// Longer waits for threads to leave show nothing more.
const LONGEST_GRACE: Duration = Duration::from_secs(20);

/// Returns how long threads may take to leave: a FIFO spin lock passes through all of its waiters, each of which may first need a
/// processor.
fn grace(threads: u32) -> Duration {
    (Duration::from_secs(2) + Duration::from_millis(10) * threads).min(LONGEST_GRACE)
}

/// Data shared by the threads and their starter.
struct Team {
    site: Box<dyn Loop>,
    counts: Box<[Count]>,
    hog_counts: Box<[Count]>,
    /// CPU time of the hogs that have ended. Relaxed: read after all hogs have reported that they finished.
    hog_cpu_ns: AtomicU64,
    start: Start,
    /// When the first thread came through the start.
    began: OnceLock<Instant>,
    stints: Mutex<Vec<Stint>>,
    refused: Mutex<Option<io::Error>>,
}

/// A thread's results, and when it ended.
struct Stint {
    ended: Instant,
    tally: Tally,
}

impl Team {
    fn setting(&self) -> &Setting {
        self.site.setting()
    }

    /// Returns the end of the last thread that has ended.
    fn last_end(&self) -> Option<Instant> {
        lock(&self.stints).iter().map(|stint| stint.ended).max()
    }
}

/// Runs one slice of `cell` over `site`, whose threads begin where `placement` puts them.
// Long: it is one sequence. The order in which it reads the counts, the accounts and the clock defines what the slice
// measures.
pub(super) fn run(
    cell: &Cell,
    mut placement: Placement,
    site: Box<dyn Loop>,
) -> Result<Slice, CreateError> {
    let counts = |n: u32| (0..n).map(|_| Count::default()).collect();
    let team = Arc::new(Team {
        site,
        counts: counts(cell.threads),
        hog_counts: counts(cell.hogs),
        hog_cpu_ns: AtomicU64::new(0),
        start: Start::of(cell.threads + cell.hogs),
        began: OnceLock::new(),
        stints: Mutex::new(Vec::new()),
        refused: Mutex::new(None),
    });
    let _background = match cell.background {
        true => Some(Background::begin().map_err(|source| CreateError {
            what: "put this process into the background",
            source,
        })?),
        false => None,
    };
    let gate = team.start.shut();
    // If a thread cannot be made, the ones made before are released, and leave immediately.
    spawn_all(&team, cell, &mut placement).inspect_err(|_| team.setting().control.stop())?;

    gate.open(grace(cell.threads));
    // The first threads have long been at work when the last one begins.
    let (started, head_starts) = look(&team.counts);
    let (hogs_started, hogs_head_starts) = look(&team.hog_counts);
    let used_before = platform::of_this_process();
    let refused = lock(&team.refused).take();
    if refused.is_none() {
        let_them_run(&team, cell, started);
    }
    team.setting().control.stop();
    let (stopped, mut operations) = look(&team.counts);
    let used = resources::between(used_before, platform::of_this_process(), 0);
    let (hogs_stopped, hogs_done) = look(&team.hog_counts);
    let hog_rounds = hogs_done.iter().sum::<u64>() - hogs_head_starts.iter().sum::<u64>();
    let hogs_wall = hogs_stopped - hogs_started;
    if let Some(active) = &team.setting().active {
        active.close();
    }
    let everybody = cell.threads + cell.hogs;
    let waiting_since = Instant::now();
    let missing = team
        .setting()
        .control
        .await_finished(everybody, grace(cell.threads));
    let refusals = [
        ("set a thread's processor or priority", refused),
        (
            "raise a thread's priority while it holds the lock, or put it back",
            team.setting().pace.take_refused(),
        ),
    ];
    for (what, refused) in refusals {
        if let Some(source) = refused {
            return Err(CreateError { what, source });
        }
    }

    let began = *team.began.get().unwrap_or(&started);
    let wall = match cell.length {
        Length::Time { .. } if missing == 0 => {
            for (count, head_start) in operations.iter_mut().zip(&head_starts) {
                *count -= head_start;
            }
            stopped - started
        }
        Length::Rounds { .. } if missing == 0 => team.last_end().unwrap_or(stopped) - began,
        // Cut off: all operations so far count, even those done immediately.
        _ => stopped - began,
    };

    let mut slice = Slice {
        wall_ns: wall.as_nanos() as u64,
        operations,
        bystander_per_second: (cell.hogs > 0).then(|| hog_rounds as f64 / hogs_wall.as_secs_f64()),
        ..Slice::default()
    };
    if cell.part == Part::Waiting {
        add_waiting(&team, cell, &mut slice);
    }
    if missing > 0 {
        slice.cut_off = Some(CutOff {
            threads: missing,
            waited_ns: waiting_since.elapsed().as_nanos() as u64,
        });
    } else {
        conclude(&team, cell, &mut slice);
        slice.bystander_cpu_ns = (cell.hogs > 0).then(|| team.hog_cpu_ns.load(Relaxed));
    }
    if queued(cell) && slice.wall_ns >= LONG_FOR_PROCESS_NS {
        slice.resources = Some(SwitchesAndCpu {
            operations: slice.total(),
            ..used
        });
    }
    if !resources::fine_enough(slice.wall_ns, platform::account_grain_ns()) {
        resources::forget_cpu_time(&mut slice);
    }
    Ok(slice)
}

/// Adds the results of a waiting slice.
fn add_waiting(team: &Team, cell: &Cell, slice: &mut Slice) {
    let mut acquire = Histogram::new();
    for stint in lock(&team.stints).iter() {
        acquire.merge(&stint.tally.acquire);
    }
    slice.acquire = Some(acquire);
    let owners = &team.setting().owners;
    let longest = owners.iter().map(|owner| owner.longest()).max();
    slice.longest_run = longest.filter(|run| cell.threads > 1 && *run > 0);
}

/// From this length on, the process's account, which ends at the last tick, is precise enough.
const LONG_FOR_PROCESS_NS: u64 = 100_000_000;

/// Returns whether threads have to wait for a processor. Their operations before and after the timed stretch may then outnumber
/// those in it, so the process's account of the stretch says more than the threads' accounts of their lives. (It would include
/// the hogs.)
fn queued(cell: &Cell) -> bool {
    let timed = matches!(cell.length, Length::Time { .. });
    let cpus = usable_cpus().map_or(1, |cpus| cpus.len());
    timed && cell.hogs == 0 && cell.threads as usize > cpus
}

/// Makes all threads; they wait at the start.
fn spawn_all(team: &Arc<Team>, cell: &Cell, placement: &mut Placement) -> Result<(), CreateError> {
    let spawn = |body: Box<dyn FnOnce() + Send>| {
        Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(body)
            .map_err(|source| CreateError {
                what: "start a thread",
                source,
            })
    };
    let places = Places::of(cell, placement);
    for thread in 0..cell.threads {
        let team = Arc::clone(team);
        let place = places.of_thread(thread);
        let (nice, background, timed) = (cell.nice, cell.background, cell.part == Part::Waiting);
        spawn(Box::new(move || {
            let stay = settle(place, nice, background).unwrap_or_else(|error| {
                *lock(&team.refused) = Some(error);
                None
            });
            team.start.wait();
            if let Some(Err(error)) = stay.map(Stay::end) {
                *lock(&team.refused) = Some(error);
            }
            let count = &team.counts[thread as usize];
            team.began.get_or_init(Instant::now);
            let tally = team.site.work(thread, timed, count);
            let ended = Instant::now();
            lock(&team.stints).push(Stint { ended, tally });
            team.setting().control.finish();
        }))?;
    }
    for index in 0..cell.hogs {
        let team = Arc::clone(team);
        let background = cell.background;
        spawn(Box::new(move || {
            if background && let Err(error) = Background::stand_beside() {
                *lock(&team.refused) = Some(error);
            }
            team.start.wait();
            let before = platform::of_this_thread();
            hog(&team.setting().control, &team.hog_counts[index as usize]);
            let used = resources::between(before, platform::of_this_thread(), 0);
            team.hog_cpu_ns
                .fetch_add(used.cpu_ns().unwrap_or(0), Relaxed);
            team.setting().control.finish();
        }))?;
    }
    Ok(())
}

/// Returns all counts at one moment: those of the quickest of several looks, in case this thread is preempted during one.
fn look(counts: &[Count]) -> (Instant, Vec<u64>) {
    const LOOKS: u32 = 3;
    let one = || {
        let before = Instant::now();
        let seen = counts.iter().map(Count::get).collect();
        let took = before.elapsed();
        (took, before + took / 2, seen)
    };
    let looks = (0..LOOKS).map(|_| one());
    let quickest = looks.min_by_key(|(took, ..)| *took);
    let (_, moment, seen) = quickest.expect("LOOKS is not zero");
    (moment, seen)
}

/// Puts the calling thread in its place and sets its priority.
fn settle(place: Place, nice: i32, background: bool) -> io::Result<Option<Stay>> {
    let stay = place.enter()?;
    if background {
        Background::compete()?;
    }
    if nice != 0 {
        platform::set_nice(nice)?;
    }
    Ok(stay)
}

/// Waits until the slice is over.
fn let_them_run(team: &Team, cell: &Cell, started: Instant) {
    match cell.length {
        Length::Time { ns } => {
            team.setting().control.next_turn();
            let length = Duration::from_nanos(ns);
            while let Some(left) = length.checked_sub(started.elapsed()) {
                if team.setting().active.is_none() {
                    std::thread::sleep(left);
                } else {
                    std::thread::sleep(left.min(TURN));
                    team.setting().control.next_turn();
                }
            }
        }
        Length::Rounds { .. } => {
            team.setting()
                .control
                .await_finished(cell.threads, LONGEST_ROUNDS);
        }
    }
}

/// Sums up the results of all threads, and checks that the lock excluded.
fn conclude(team: &Team, cell: &Cell, slice: &mut Slice) {
    let stints = lock(&team.stints);
    let total = resources::sum(stints.iter().map(|stint| stint.tally.resources));
    let noted: u64 = stints.iter().map(|stint| stint.tally.noted).sum();
    if cell.depth > 0 {
        let owners = team.setting().owners.iter();
        let seen: u64 = owners.map(Owner::acquisitions).sum();
        let lost = (seen != noted)
            .then(|| format!("acquisitions noted: {seen} where {noted} were expected"));
        slice.exclusion_broken = lost.or_else(|| team.site.verify(total.operations).err());
    }
    slice.resources = Some(total);
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

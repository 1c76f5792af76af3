//! Puts the columns together.

use std::cmp::Reverse;
use std::collections::HashMap;

use locktoll_recording::layout::{DropReason, Keeps, LockKind};
use locktoll_recording::reader::{Part, Recording};
use locktoll_results::profile::timeline::{self, Kept, Timeline, TimelineLock};
use locktoll_results::profile::{self, Lock, Use};

use super::super::finish::Tables;
use super::super::order::RowsOf;
use super::super::part_view::PartView;
use super::super::times::Times;
use super::chosen::{Choice, Gap};
use super::decoded::{Decoded, PartDecoder};
use super::files::EventFiles;
use super::locks::{FoundLock, Locks};
use super::places::Places;
use super::threads::PartThreads;
use super::ticks::Ticks;
use super::{handed, open, units};

/// A timeline whose locks have no names yet.
pub struct Draft {
    timeline: Timeline,
    locks: Vec<FoundLock>,
    choice: Choice,
    gaps: Vec<Gap>,
    start_ns: u64,
}

/// Makes the timeline of a recording; `None` if it has no events because none were asked for.
pub fn draft(
    recording: &Recording,
    views: &[(PartView<'_>, RowsOf)],
    tables: &Tables,
    times: &Times,
    files: &EventFiles,
) -> Option<Draft> {
    let kept = kept(recording)?;
    let abouts = recording.parts.iter().filter_map(|it| it.about.as_deref());
    let choice = abouts.filter_map(Choice::of).next();
    let mut timeline = Timeline::default();
    let (mut locks, mut places) = (Locks::default(), Places::default());
    let mut decoded = Decoded::default();
    let mut end_of_thread: Vec<u64> = Vec::new();
    for (view, rows) in views {
        let position = recording
            .parts
            .iter()
            .position(|it| std::ptr::eq(it, view.part));
        let events = files.events(position?, view.part);
        let ticks = Ticks::of(events.runs().flat_map(|run| run.events));
        let threads = PartThreads::of(view.part, times.start_ns, &mut timeline.threads);
        let part_end_ns = view.end_ns.saturating_sub(times.start_ns);
        let new = &timeline.threads[end_of_thread.len()..];
        end_of_thread.extend(new.iter().map(|it| it.end_ns.unwrap_or(part_end_ns)));
        let mut with = PartDecoder {
            locks: locks.of_part(view, rows),
            places: places.of_part(view),
            threads: &threads,
            ticks: &ticks,
            start_ns: times.start_ns,
        };
        decoded.add(events.runs(), &mut with);
        open::add_waits(&mut decoded, view, &mut with);
    }
    let keeps_all = kept.events == timeline::Keeps::Everything;
    let kind = |lock: u32| locks.list.get(lock as usize).map(|it| it.kind);
    open::end_holds(
        &mut decoded,
        kind,
        |thread| end_of_thread[thread as usize],
        keeps_all,
    );
    handed::order(&mut decoded, &locks.list);
    handed::join(&mut decoded, &locks.list);
    timeline.kept = Kept {
        lost: timeline::EventLosses {
            without_room: kept.lost.without_room,
            ..decoded.lost
        },
        ..kept
    };
    let gaps = std::mem::take(&mut decoded.gaps);
    fill(&mut timeline, decoded);
    (timeline.frames, timeline.stacks) = places.tables(&tables.sites, &tables.stacks);
    Some(Draft {
        timeline,
        locks: locks.list,
        choice: choice.unwrap_or_default(),
        gaps,
        start_ns: times.start_ns,
    })
}

/// Returns which events the processes kept, all together.
fn kept(recording: &Recording) -> Option<Kept> {
    let parts = || recording.parts.iter();
    let keeps = parts().filter_map(|part| part.process.keeps);
    let room_bytes = keeps.clone().map(|(_, bytes)| bytes).max()?;
    let all = |(keeps, _): (Keeps, u64)| keeps == Keeps::Everything;
    let without = |part: &Part| part.dropped.count(DropReason::EventsWithoutRoom);
    Some(Kept {
        events: match keeps.clone().all(all) {
            true => timeline::Keeps::Everything,
            false => timeline::Keeps::Waits,
        },
        room_bytes,
        lost: timeline::EventLosses {
            without_room: parts().map(without).fold(0, u64::saturating_add),
            ..timeline::EventLosses::default()
        },
        ..Kept::default()
    })
}

/// Moves the events into the columns, in their order.
fn fill(timeline: &mut Timeline, mut decoded: Decoded) {
    decoded.waits.sort_by_key(|it| (it.begin_ns, it.thread));
    decoded.blocks.sort_by_key(|it| it.begin_ns);
    decoded.switches.sort_by_key(|it| it.out_ns);
    let begins = [
        decoded.waits.first().map(|it| it.begin_ns),
        decoded.holds.first().map(|it| it.begin_ns),
        decoded.signals.first().map(|it| it.at_ns),
    ];
    let ends = [
        decoded.waits.iter().map(|it| it.end_ns).max(),
        decoded.holds.iter().map(|it| it.end_ns).max(),
        decoded.signals.last().map(|it| it.at_ns),
    ];
    timeline.begin_ns = begins.into_iter().flatten().min().unwrap_or(0);
    timeline.end_ns = ends.into_iter().flatten().max().unwrap_or(0);
    for wait in std::mem::take(&mut decoded.waits) {
        timeline.waits.push(wait);
    }
    for hold in std::mem::take(&mut decoded.holds) {
        timeline.holds.push(hold);
    }
    for signal in decoded.signals {
        timeline.signals.push(signal);
    }
    for block in decoded.blocks {
        timeline.blocks.push(block);
    }
    for switch in decoded.switches {
        timeline.switches.push(switch);
    }
}

impl Draft {
    /// Names the locks, whose rows have these `ids`, and puts those that threads waited for longest first.
    pub fn named(self, ids: &[String], locks: &[Lock]) -> Timeline {
        let Self {
            mut timeline,
            locks: found,
            choice,
            gaps,
            start_ns,
        } = self;
        let by_id: HashMap<&str, &Lock> = locks.iter().map(|it| (it.id.as_str(), it)).collect();
        let mut waited_ns = vec![0_u64; found.len()];
        let waits = timeline.waits.lock.iter();
        let times = timeline.waits.begin_ns.iter().zip(&timeline.waits.end_ns);
        for (&lock, (begin_ns, end_ns)) in waits.zip(times) {
            let sum = &mut waited_ns[lock as usize];
            *sum = sum.saturating_add(end_ns - begin_ns);
        }
        let named: Vec<TimelineLock> = found
            .iter()
            .map(|lock| {
                let id = lock.row.and_then(|row| ids.get(row));
                named(lock, id.and_then(|id| by_id.get(id.as_str()).copied()))
            })
            .collect();
        let mut order: Vec<usize> = (0..found.len()).collect();
        let is_signal = |lock: usize| named[lock].used_as == Use::Signal;
        order.sort_by_key(|&lock| (is_signal(lock), Reverse(waited_ns[lock]), lock));
        let mut place = vec![0_u32; order.len()];
        for (new, &old) in (0..).zip(&order) {
            place[old] = new;
        }
        timeline.locks = order.iter().map(|&old| named[old].clone()).collect();
        let columns = [
            &mut timeline.waits.lock,
            &mut timeline.holds.lock,
            &mut timeline.signals.lock,
            &mut timeline.blocks.lock,
        ];
        for lock in columns.into_iter().flatten() {
            *lock = place[*lock as usize];
        }
        units::leave_out_events(&mut timeline);
        choice.apply(&mut timeline, &gaps, start_ns);
        timeline
    }
}

fn named(found: &FoundLock, row: Option<&Lock>) -> TimelineLock {
    let address = format!("{:#x}", found.address);
    TimelineLock {
        id: row.map_or_else(String::new, |row| row.id.clone()),
        name: match row {
            Some(row) if row.instances > 1 => format!("{} {address}", row.name),
            Some(row) => row.name.clone(),
            None => address,
        },
        kind: row.map_or_else(|| kind(found.kind), |row| row.kind),
        used_as: row.map_or(Use::Lock, |row| row.used_as),
        pid: found.pid,
        address: found.address,
    }
}

fn kind(kind: LockKind) -> profile::LockKind {
    match kind {
        LockKind::RwLock => profile::LockKind::RwLock,
        LockKind::Spin => profile::LockKind::Spin,
        LockKind::Semaphore => profile::LockKind::Semaphore,
        LockKind::Condvar => profile::LockKind::Condvar,
        LockKind::Barrier => profile::LockKind::Barrier,
        LockKind::Futex => profile::LockKind::Futex,
        _ => profile::LockKind::Mutex,
    }
}

//! The third part: the conclusions, in plain sentences.
//!
//! Every sentence is based on figures of this run, and is left out if they do not support it.

use std::fmt::Write;

use locktoll_lab::runner::CellSummary;

use locktoll_results::bench::BenchResult;
use locktoll_results::profile::{Lock, Profile, Use};
use locktoll_terminal::quantity::{count, counted, duration, price, share};

/// Returns the conclusions for a newcomer.
pub fn findings(alone: &BenchResult, contended: &BenchResult, profile: &Profile) -> Vec<String> {
    let mut said = Vec::new();
    said.extend(price_of_a_pair(alone));
    said.extend(price_of_contention(alone, contended));
    said.extend(price_of_speed(contended));
    said.extend(waiting_of_the_program(profile));
    said.extend(busy_but_fine(profile));
    said.extend(grain_of_salt(alone, contended));
    said
}

/// Returns a variable's name without its module path.
fn bare(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

fn ns(cell: &CellSummary) -> Option<f64> {
    Some(cell.ns_per_op?.median).filter(|ns| *ns > 0.0)
}

fn cell<'a>(result: &'a BenchResult, lock: &str) -> Option<&'a CellSummary> {
    result.cells.iter().find(|cell| cell.lock == lock)
}

fn price_of_a_pair(alone: &BenchResult) -> Option<String> {
    let pthread = ns(cell(alone, "pthread")?)?;
    let kernel = ns(cell(alone, "sysv-sem")?)?;
    Some(format!(
        "Acquiring and releasing an uncontended pthread mutex costs {} here. A lock that enters the kernel \
         every time (a System V semaphore) costs {}, {:.0} times as much.",
        price(pthread),
        price(kernel),
        kernel / pthread
    ))
}

fn price_of_contention(alone: &BenchResult, contended: &BenchResult) -> Option<String> {
    let free = ns(cell(alone, "pthread")?)?;
    let fought = cell(contended, "pthread")?;
    let fought_ns = ns(fought)?;
    let threads = fought.threads;
    let price = price(fought_ns);
    if fought_ns > free * 1.1 {
        let times = fought_ns / free;
        return Some(format!(
            "With {threads} threads competing for it, the same mutex costs {price} per operation, \
             {times:.1} times as much."
        ));
    }
    // A lock that one thread keeps is cheap on average, but the other threads suffer.
    let run = fought.fairness.as_ref()?.longest_run?;
    let longest = duration(fought.acquire_ns.as_ref()?.max as f64);
    Some(format!(
        "With {threads} threads competing for it, the same mutex still costs only {price} per operation on average, because \
         the thread that has it keeps it, for up to {} acquisitions in a row. During that time another thread waited up to {longest}.",
        count(run)
    ))
}

fn price_of_speed(contended: &BenchResult) -> Option<String> {
    let priced = || contended.cells.iter().filter(|cell| ns(cell).is_some());
    let cheapest = priced().min_by(|a, b| ns(a).partial_cmp(&ns(b)).expect("finite"))?;
    let most = priced().max_by(|a, b| ns(a).partial_cmp(&ns(b)).expect("finite"))?;
    // If the intervals of two locks overlap, no difference is reported.
    if cheapest.ns_per_op?.high >= most.ns_per_op?.low {
        return None;
    }
    let longest = |cell: &&CellSummary| cell.acquire_ns.as_ref().map(|waits| waits.max);
    let hardest = priced().max_by_key(longest)?;
    Some(format!(
        "With as many threads, {} is the cheapest of these locks ({} per operation) and {} the most expensive ({}).{} An average \
         hides the waits: the longest, {}, was for {}.",
        cheapest.lock,
        price(ns(cheapest)?),
        most.lock,
        price(ns(most)?),
        why_expensive(most),
        duration(longest(&hardest)? as f64),
        hardest.lock
    ))
}

/// Explains why a lock is expensive if each operation puts a thread to sleep.
fn why_expensive(cell: &CellSummary) -> String {
    let sleeps = cell.voluntary_switches_per_op.map_or(0.0, |it| it.median);
    match sleeps > 0.5 {
        true => format!(
            " {} hands the lock over in the order of arrival, so nearly every operation waits for a sleeping thread to wake up \
             ({sleeps:.1} sleeps per operation).",
            cell.lock
        ),
        false => String::new(),
    }
}

/// Describes the lock that cost most, and another lock with a different problem, in a few sentences each.
fn waiting_of_the_program(profile: &Profile) -> Vec<String> {
    let Some(first) = profile.locks.first().filter(|l| l.wait_ns.total > 0) else {
        return Vec::new();
    };
    let waited_ns = profile
        .wait_ns
        .saturating_add(profile.still_waiting(Use::Lock).1);
    let name = bare(&first.name);
    let mut said = vec![format!(
        "In the job server, threads spent {} of their time waiting for locks, {} of that for {name}. {}",
        share(waited_ns, profile.thread_time_ns),
        share(first.waited_ns(), waited_ns),
        why_it_is_held(first)
    )];
    let hot = profile.locks.iter().skip(1).find(|lock| {
        lock.acquisitions > first.acquisitions && lock.wait_ns.total > profile.wait_ns / 100
    });
    if let Some(hot) = hot {
        let mut text = format!(
            "{} was acquired {} times and waited for {} times",
            bare(&hot.name),
            count(hot.acquisitions.unwrap_or(0)),
            count(hot.contended),
        );
        if let Some(p50) = hot.wait_ns.p50 {
            let _ = write!(text, ", half of them for less than {}", duration(p50));
        }
        text.push_str(": its holds are short, but there are many.");
        let preempted = hot
            .while_held
            .as_ref()
            .map(|held| held.involuntary_switches);
        if let (Some(p99), Some(times @ 1..)) = (hot.wait_ns.p99, preempted) {
            let _ = write!(
                text,
                " One wait in a hundred took longer than {}; the holder was preempted {} while holding it.",
                duration(p99),
                counted(times, "time", "times")
            );
        }
        said.push(text);
    }
    said
}

/// Describes the hold times of a lock that other threads waited for.
fn why_it_is_held(lock: &Lock) -> String {
    let usual = lock.hold_ns.as_ref().map(|held| duration(held.p50));
    let blocked = lock
        .while_held
        .as_ref()
        .filter(|held| held.blocked > held.examined / 2);
    let usual = match usual {
        Some(usual) => format!("Threads hold it for {usual} at a time"),
        None => return "How long threads hold it was not measured.".to_owned(),
    };
    match blocked {
        Some(held) => format!(
            "{usual}, because they block while holding the lock: in {} of {} holds examined.",
            count(held.blocked),
            count(held.examined)
        ),
        None => format!("{usual}."),
    }
}

/// Names a lock that is acquired often but hardly waited for.
fn busy_but_fine(profile: &Profile) -> Option<String> {
    let little = |lock: &&Lock| lock.wait_ns.total < profile.wait_ns / 100;
    let fine = profile
        .locks
        .iter()
        .filter(little)
        .max_by_key(|lock| lock.acquisitions)
        .filter(|lock| lock.acquisitions >= Some(1000))?;
    Some(format!(
        "{} was acquired {} times and cost {} of the waiting, so leave it alone: a lock that no thread waits for is cheap.",
        bare(&fine.name),
        count(fine.acquisitions?),
        share(fine.wait_ns.total, profile.wait_ns)
    ))
}

/// Warns if other processes used so much of the machine that they affected the figures.
fn grain_of_salt(alone: &BenchResult, contended: &BenchResult) -> Option<String> {
    const MUCH: f64 = 0.2;
    let load = |result: &BenchResult| result.noise.seen.other_load_share.unwrap_or(0.0);
    let most = load(alone).max(load(contended));
    (most > MUCH).then(|| {
        format!(
            "During the tour, other processes used {:.0} % of the machine. Run it again on a quiet machine before you rely on its \
             figures.",
            most * 100.0
        )
    })
}

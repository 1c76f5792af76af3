//! The third part: what the figures say, in plain sentences.
//!
//! Every sentence is made from figures of this run, and left out where they do not bear it.

use locktoll_lab::runner::CellSummary;

use locktoll_results::bench::BenchResult;
use locktoll_results::profile::{Lock, Profile};
use locktoll_terminal::quantity::{count, duration, price, share};

/// What a newcomer should take home.
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

/// A variable's name without the modules around it.
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
        "Taking and releasing a free pthread mutex costs {} here. A lock that enters the kernel \
         every time (System V semaphore) costs {}: {:.0} times as much.",
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
            "With {threads} threads fighting for it, the same mutex costs {price} an operation, \
             {times:.1} times the free one."
        ));
    }
    // A lock that one thread keeps is cheap on average and hard on the others.
    let run = fought.fairness.as_ref()?.longest_run?;
    let longest = duration(fought.acquire_ns.as_ref()?.max as f64);
    Some(format!(
        "With {threads} threads fighting for it, the same mutex still costs only {price} an \
         operation, because whoever has it keeps it: up to {} acquisitions in a row, while \
         another waited up to {longest}.",
        count(run)
    ))
}

fn price_of_speed(contended: &BenchResult) -> Option<String> {
    let priced = || contended.cells.iter().filter(|cell| ns(cell).is_some());
    let cheapest = priced().min_by(|a, b| ns(a).partial_cmp(&ns(b)).expect("finite"))?;
    let dearest = priced().max_by(|a, b| ns(a).partial_cmp(&ns(b)).expect("finite"))?;
    // Locks whose intervals overlap are not told apart.
    if cheapest.ns_per_op?.high >= dearest.ns_per_op?.low {
        return None;
    }
    let longest = |cell: &&CellSummary| cell.acquire_ns.as_ref().map(|waits| waits.max);
    let hardest = priced().max_by_key(longest)?;
    Some(format!(
        "Between the locks, contention ranges from {} ({}) to {} ({}). An average hides the waits: \
         the longest, {}, was for {}.",
        price(ns(cheapest)?),
        cheapest.lock,
        price(ns(dearest)?),
        dearest.lock,
        duration(longest(&hardest)? as f64),
        hardest.lock
    ))
}

/// The lock that cost most, told from the next.
fn waiting_of_the_program(profile: &Profile) -> Option<String> {
    let first = profile.locks.first().filter(|l| l.wait_ns.total > 0)?;
    let mut text = format!(
        "In the job server, threads spent {} of their time waiting for locks, {} of that for {} \
         (half of its waits were over {}): {}.",
        share(profile.wait_ns, profile.thread_time_ns),
        share(first.wait_ns.total, profile.wait_ns),
        bare(&first.name),
        first.wait_ns.p50.map_or_else(|| "?".to_owned(), duration),
        why_it_is_held(first)
    );
    let hot = profile.locks.iter().skip(1).find(|lock| {
        lock.acquisitions > first.acquisitions && lock.wait_ns.total > profile.wait_ns / 100
    });
    if let Some(hot) = hot {
        let shown = |ns: Option<f64>| ns.map_or_else(|| "?".to_owned(), duration);
        text.push_str(&format!(
            " {} was taken {} times and waited for {} times, half of them under {}",
            bare(&hot.name),
            count(hot.acquisitions.unwrap_or(0)),
            count(hot.contended),
            shown(hot.wait_ns.p50)
        ));
        let preempted = hot
            .while_held
            .as_ref()
            .map(|held| held.involuntary_switches);
        text.push_str(&match (hot.wait_ns.p99, preempted) {
            (Some(p99), Some(times @ 1..)) => format!(
                ": short holds at a busy place. One in a hundred waited over {}: its holder lost its \
                 processor {} times while holding it.",
                duration(p99),
                count(times)
            ),
            _ => ": short holds, but too many at one place.".to_owned(),
        });
    }
    Some(text)
}

/// What is known of the holds that others waited for.
fn why_it_is_held(lock: &Lock) -> String {
    let usual = lock.hold_ns.as_ref().map(|held| duration(held.p50));
    let blocked = lock
        .while_held
        .as_ref()
        .filter(|held| held.blocked > held.examined / 2);
    match (usual, blocked) {
        (Some(usual), Some(held)) => format!(
            "it is held for {usual}, and the holder itself blocked in {} of {} such holds, with the \
             lock in its hand",
            count(held.blocked),
            count(held.examined)
        ),
        (Some(usual), None) => format!("it is held for {usual}"),
        (None, _) => "whatever is done while holding it takes long".to_owned(),
    }
}

/// A lock taken often and hardly waited for.
fn busy_but_fine(profile: &Profile) -> Option<String> {
    let little = |lock: &&Lock| lock.wait_ns.total < profile.wait_ns / 100;
    let fine = profile
        .locks
        .iter()
        .filter(little)
        .max_by_key(|lock| lock.acquisitions)
        .filter(|lock| lock.acquisitions >= Some(1000))?;
    Some(format!(
        "{} was taken {} times and cost {} of the waiting: leave it alone. Contention costs, not \
         acquisition.",
        bare(&fine.name),
        count(fine.acquisitions?),
        share(fine.wait_ns.total, profile.wait_ns)
    ))
}

/// Said when others used so much of the machine that the figures are theirs, too.
fn grain_of_salt(alone: &BenchResult, contended: &BenchResult) -> Option<String> {
    const MUCH: f64 = 0.2;
    let load = |result: &BenchResult| result.noise.seen.other_load_share.unwrap_or(0.0);
    let most = load(alone).max(load(contended));
    (most > MUCH).then(|| {
        format!(
            "Other processes used {:.0} % of the machine meanwhile: run the tour again when it is \
             quiet before you rely on its figures.",
            most * 100.0
        )
    })
}

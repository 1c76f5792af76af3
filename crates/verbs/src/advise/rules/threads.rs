//! More or fewer threads.

use locktoll_results::advice::{AdviceMethod, Remedy, RemedyKind};
use locktoll_results::profile::Lock;
use locktoll_terminal::quantity::{count, counted};

use crate::advise::lock_use::{LockUse, Situation};
use crate::advise::words::{self, for_program};

/// Proposes fewer threads if they wait for CPUs while others hold locks, or if a lock is busy all the time with fewer of them.
pub fn fewer(situation: &Situation<'_>, locks: &[LockUse<'_>]) -> Option<Remedy> {
    let profile = situation.profile;
    let cpu_wait = situation.cpu_wait_share();
    let preempted: u64 = profile
        .locks
        .iter()
        .filter_map(|it| Some(it.while_held.as_ref()?.involuntary_switches))
        .sum();
    let active = situation.active_threads(0.05);
    let crowded = active > situation.cpus + 0.5
        && cpu_wait >= 0.1
        && situation.wait_share() >= 0.05
        && preempted >= 10;
    if crowded {
        let evidence = format!(
            "{} that run at times share {:.0} CPUs: {:.1} % of the threads' time is waiting for a CPU, and {:.1} % waiting for locks. Holders were \
             preempted {} in the examined holds, and every waiter waits for that too.",
            counted(active as u64, "thread", "threads"),
            situation.cpus,
            100.0 * cpu_wait,
            100.0 * situation.wait_share(),
            counted(preempted, "time", "times"),
        );
        return Some(remedy(
            situation,
            RemedyKind::FewerThreads,
            "Use fewer threads.".to_owned(),
            evidence,
        ));
    }
    let busy = locks
        .iter()
        .find(|it| it.utilization() >= 0.9 && it.threads >= enough(it) + 1.5)?;
    let enough = enough(busy).ceil();
    let evidence = format!(
        "{} is held {:.0} % of the run, and {:.0} threads would keep it that busy: a thread holds it for {:.1} % of the time that it \
         needs for one round without waiting. More threads only wait.",
        busy.name(),
        100.0 * busy.utilization(),
        enough,
        100.0 / self::enough(busy).max(1.0),
    );
    let advice = format!(
        "Use fewer threads: {enough:.0} get as much through {}.",
        busy.name()
    );
    let mut remedy = remedy(situation, RemedyKind::FewerThreads, advice, evidence);
    remedy.lock = Some(busy.lock.id.clone());
    remedy.name = Some(busy.name().to_owned());
    Some(remedy)
}

/// Returns the number of threads that keep a lock busy all the time.
fn enough(lock: &LockUse<'_>) -> f64 {
    (lock.hold_ns + lock.elsewhere_ns) / lock.hold_ns.max(1.0)
}

/// Proposes more threads if they run most of the time, do not wait for locks, and leave CPUs idle.
pub fn more(situation: &Situation<'_>) -> Option<Remedy> {
    let profile = situation.profile;
    let working = situation.active_threads(0.5);
    let used = situation.cpu_used();
    let locks = profile
        .locks
        .iter()
        .filter(|it| it.acquisitions > Some(0))
        .count();
    let applies = working >= 1.0
        && working + 0.5 < situation.cpus
        && used < 0.8
        && situation.wait_share() < 0.02
        && profile.threads >= 2
        && locks > 0
        && !profile.locks.iter().any(is_saturated(situation));
    if !applies {
        return None;
    }
    let evidence = format!(
        "{} of {} run for at least half of the time, on {:.0} CPUs, of which {:.0} % of the time is used. {:.1} % of the threads' time \
         is waiting for locks, so locks do not stand in the way.",
        count(working as u64),
        counted(profile.threads, "thread", "threads"),
        situation.cpus,
        100.0 * used,
        100.0 * situation.wait_share(),
    );
    let mut remedy = remedy(
        situation,
        RemedyKind::MoreThreads,
        "Use more threads.".to_owned(),
        evidence,
    );
    remedy.gain = Some(words::bound(1.0 / used.max(0.01)));
    remedy.gain_of = Some("the program's speed".to_owned());
    remedy.method = Some(AdviceMethod::Bound);
    Some(remedy)
}

fn is_saturated(situation: &Situation<'_>) -> impl Fn(&Lock) -> bool {
    let duration_ns = situation.profile.duration_ns.max(1) as f64;
    move |lock| {
        lock.hold_ns
            .as_ref()
            .is_some_and(|it| it.total as f64 >= 0.7 * duration_ns)
    }
}

fn remedy(situation: &Situation<'_>, kind: RemedyKind, advice: String, evidence: String) -> Remedy {
    Remedy {
        evidence,
        cost: "A flag or a setting of the program.".to_owned(),
        command: Some(format!(
            "locktoll advise --threads-flag '-t {{}}' -- {}  (with the program's own flag)",
            words::program(situation.profile)
        )),
        ..for_program(kind, advice)
    }
}

//! The properties of every profile, made up or joined: sums that must be equal.

use locktoll_results::profile::{Lock, Profile, Use};

/// Returns one sentence for each sum that differs from the sum of its parts.
pub fn contradictions(profile: &Profile) -> Vec<String> {
    let mut found = Vec::new();
    let mut equal = |what: String, left: u64, right: u64| {
        if left != right {
            found.push(format!("{what}: {left} is not {right}"));
        }
    };
    let locks = || profile.locks.iter();
    let waits = locks().map(|lock| lock.wait_ns.total).sum();
    equal("wait_ns".to_owned(), profile.wait_ns, waits);
    let signals = locks().filter_map(|lock| lock.signal.as_ref());
    let signal_waits = signals.map(|signal| signal.wait_ns.total).sum();
    equal(
        "signal_wait_ns".to_owned(),
        profile.signal_wait_ns,
        signal_waits,
    );
    let time = &profile.time;
    let parts = [
        time.running_ns,
        time.lock_ns,
        time.signal_ns,
        time.cpu_wait_ns,
        time.other_ns,
    ];
    equal("time".to_owned(), time.total_ns, parts.iter().sum());
    let threads = || profile.per_thread.iter();
    equal(
        "locks still waited for".to_owned(),
        threads().map(|it| it.lock_still_waiting_ns).sum(),
        profile.still_waiting(Use::Lock).1,
    );
    equal(
        "signals still waited for".to_owned(),
        threads().map(|it| it.signal_still_waiting_ns).sum(),
        profile.still_waiting(Use::Signal).1,
    );
    for lock in locks() {
        of_a_lock(lock, &mut equal);
    }
    found
}

fn of_a_lock(lock: &Lock, equal: &mut impl FnMut(String, u64, u64)) {
    let name = &lock.name;
    let signal = lock.used_as == Use::Signal;
    equal(
        format!("{name}: whether signal is there"),
        u64::from(lock.signal.is_some()),
        u64::from(signal),
    );
    let (waited, calls) = match &lock.signal {
        Some(signal) => (&signal.wait_ns, signal.waits),
        None => (&lock.wait_ns, lock.acquisitions),
    };
    if signal {
        equal(
            format!("{name}: contended of a signal"),
            lock.contended + lock.wait_ns.total,
            0,
        );
    }
    let sum = |what: &str, parts: Vec<u64>, equal: &mut dyn FnMut(String, u64, u64), whole| {
        equal(format!("{name}: {what}"), parts.iter().sum(), whole);
    };
    if let Some(split) = &lock.wait_split {
        let parts = vec![
            split.spinning_ns.unwrap(),
            split.blocked_ns,
            split.runnable_ns,
        ];
        sum("wait_split", parts, equal, waited.total);
    }
    let sites = || lock.sites.iter();
    if !lock.sites.is_empty() {
        let waits = sites().map(|site| site.wait_ns).collect();
        sum("waits of sites", waits, equal, waited.total);
        let acquired = sites().filter_map(|site| site.acquisitions).collect();
        sum(
            "acquisitions of sites",
            acquired,
            equal,
            calls.unwrap_or_default(),
        );
    }
    if !signal {
        let blamed = lock.blame.iter().map(|blame| blame.wait_ns).collect();
        sum("blame", blamed, equal, lock.wait_ns.total);
    }
}

#[test]
fn the_made_up_profile_adds_up() {
    assert_eq!(
        contradictions(&locktoll_made_up::sample::job_server()),
        Vec::<String>::new()
    );
}

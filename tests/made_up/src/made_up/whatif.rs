//! Results of `whatif`.

use std::collections::BTreeMap;

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::LockKind;
use locktoll_results::trial::{Better, Metric, MetricSource};
use locktoll_results::whatif::{
    ByMethod, Experiment, Method, WhatIfLock, WhatIfResult, WhatIfVerdict,
};

use super::computer::{computer, made, noise};

const ROUNDS: usize = 12;

fn around(median: f64, spread: f64) -> Estimate {
    Estimate {
        median,
        low: median - spread,
        high: median + spread,
        n: ROUNDS,
    }
}

fn lock(name: &str, wait_share: f64, slope: Estimate, verdict: WhatIfVerdict) -> WhatIfLock {
    let gain = |percent: u32| {
        let of = |slope: f64| 1.0 / (1.0 - slope * f64::from(percent) / 100.0);
        let gain = Estimate {
            median: of(slope.median),
            low: of(slope.low),
            high: of(slope.high),
            n: slope.n,
        };
        (percent.to_string(), gain)
    };
    let gains: BTreeMap<String, Estimate> = [10, 25, 50].map(gain).into();
    let by = |method| ByMethod {
        method,
        gains: gains.clone(),
        verdict,
    };
    WhatIfLock {
        lock: format!("mutex:job_server:{name}"),
        name: name.to_owned(),
        kind: LockKind::Mutex,
        wait_share,
        is_longest_wait: false,
        by: Some(Method::Fast),
        by_method: [Method::Fast, Method::Slow].map(by).into(),
        agree: Some(true),
        gains,
        slope: Some(slope),
        bend: Some(around(0.02, 0.1)),
        is_bent: false,
        method: vec![Method::Fast, Method::Slow],
        verdict,
        detectable_percent: Some(3.0),
        reason: None,
    }
}

fn experiments(lock: &WhatIfLock, slope: f64) -> [Experiment; 6] {
    let changes = [
        (0, "-0%", 0.011),
        (-25, "-25%", 0.012),
        (-50, "-50%", 0.014),
        (0, "+0%", 0.01),
        (20, "+20%", 0.012),
        (50, "+50%", 0.015),
    ];
    changes.map(|(percent, change, spread)| Experiment {
        lock: lock.lock.clone(),
        change: change.to_owned(),
        ratio_to_bare: around(1.0 + slope * f64::from(percent) / 100.0, spread),
    })
}

/// The longest wait is a decoy, and another lock is the bottleneck.
pub fn decoy() -> WhatIfResult {
    let mut decoy = lock(
        "decoy_lock",
        0.41,
        around(0.004, 0.02),
        WhatIfVerdict::NoEffect,
    );
    decoy.is_longest_wait = true;
    let mut work = lock("work_lock", 0.12, around(0.81, 0.05), WhatIfVerdict::Gains);
    work.method.push(Method::Bound);
    let measured = [experiments(&decoy, 0.004), experiments(&work, 0.81)];
    WhatIfResult {
        schema: WhatIfResult::SCHEMA.to_owned(),
        version: "0.0.0".to_owned(),
        command: ["./job_server", "--threads", "8"].map(str::to_owned).to_vec(),
        load: None,
        metric: Metric {
            source: MetricSource::WallTime,
            pattern: None,
            better: Better::Lower,
        },
        made: Some(made()),
        machine: computer(),
        noise: noise(),
        partial: false,
        rounds: ROUNDS,
        announced_ns: 600_000_000_000,
        taken_ns: 121_000_000_000,
        conclusion: "With holds of work_lock half as long, the program would be 1.68 times as fast (95 %: 1.61 .. 1.75). Shorter \
                     holds of decoy_lock, which threads wait for longest, have no effect."
            .to_owned(),
        locks: vec![decoy, work],
        experiments: measured.concat(),
        remarks: Vec::new(),
    }
}

/// One lock is hidden by noise, one failed, and one is bent.
pub fn unclear() -> WhatIfResult {
    let mut result = decoy();
    let mut hidden = lock(
        "hidden_lock",
        0.2,
        around(0.1, 0.4),
        WhatIfVerdict::CannotTell,
    );
    hidden.detectable_percent = Some(25.0);
    hidden.bend = None;
    hidden.by = Some(Method::Slow);
    hidden.by_method.remove(0);
    hidden.agree = None;
    let mut bent = lock("bent_lock", 0.1, around(0.5, 0.2), WhatIfVerdict::Gains);
    bent.is_bent = true;
    bent.bend = Some(around(0.9, 0.2));
    bent.agree = Some(false);
    let mut failed = lock(
        "failed_lock",
        0.05,
        around(0.0, 0.0),
        WhatIfVerdict::CannotTell,
    );
    failed.gains.clear();
    failed.by = None;
    failed.by_method.clear();
    failed.agree = None;
    failed.slope = None;
    failed.bend = None;
    failed.detectable_percent = None;
    failed.reason = Some("with holds 50 % longer: the program exited with code 3".to_owned());
    result.experiments = [experiments(&hidden, 0.1), experiments(&bent, 0.5)].concat();
    result.locks = vec![hidden, bent, failed];
    result.partial = true;
    result.conclusion = "With holds of bent_lock half as long, the program would be 1.33 times as fast (95 %: 1.18 .. 1.54)."
        .to_owned();
    result
}

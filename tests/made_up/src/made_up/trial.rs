//! Made-up trials of a job server: one with a winner, and one for each other way that a trial can end.

use locktoll_lab::stats::Estimate;

use super::computer::{computer, made, noise};
use locktoll_results::trial::{
    Best, Better as TrialBetter, Coverage, Dropped, Metric, MetricSource, ObjectKind, Only,
    PassedThrough, Replaced, TrialResult, TrialRow, Verdict, WhyDropped,
};

/// Rounds that choose, and those of the final.
const ROUNDS: usize = 12;
const FINAL: usize = 15;

fn around(median: f64, spread: f64) -> Estimate {
    Estimate {
        median,
        low: median * (1.0 - spread),
        high: median * (1.0 + spread),
        n: ROUNDS,
    }
}

/// The same in the rounds of the final.
fn in_final(median: f64, spread: f64) -> Estimate {
    Estimate {
        n: FINAL,
        ..around(median, spread)
    }
}

fn covered() -> Coverage {
    Coverage {
        locks_replaced: 415,
        replaced: vec![
            Replaced {
                kind: ObjectKind::Mutex,
                count: 412,
            },
            Replaced {
                kind: ObjectKind::ConditionVariable,
                count: 3,
            },
        ],
        locks_passed_through: vec![PassedThrough {
            reason: "process-shared".to_owned(),
            count: 2,
        }],
        slice_extension: None,
        blocked_time_covered: Some(0.971),
    }
}

fn row(lock: &str, ratio: f64, verdict: Verdict) -> TrialRow {
    TrialRow {
        lock: lock.to_owned(),
        summary: format!("what {lock} is"),
        is_pure_spinner: false,
        metric: Some(around(812e6 * ratio, 0.03)),
        ratio_to_bare: Some(around(ratio, 0.04)),
        verdict: Some(verdict),
        rounds_needed: None,
        cpu_ns: Some(around(1.4e9 * (0.5 + ratio / 2.0), 0.02)),
        cpu_ratio: Some(around(0.5 + ratio / 2.0, 0.02)),
        is_finalist: false,
        coverage: Some(covered()),
        dropped: None,
        remarks: Vec::new(),
    }
}

fn dropped(lock: &str, round: usize, why: WhyDropped) -> TrialRow {
    TrialRow {
        metric: None,
        ratio_to_bare: None,
        verdict: None,
        cpu_ns: None,
        cpu_ratio: None,
        coverage: None,
        dropped: Some(Dropped { round, why }),
        ..row(lock, 1.0, Verdict::NoDifference)
    }
}

fn bare() -> TrialRow {
    TrialRow {
        summary: "the program as it is".to_owned(),
        ratio_to_bare: None,
        verdict: None,
        cpu_ratio: None,
        coverage: None,
        ..row("bare", 1.0, Verdict::NoDifference)
    }
}

fn pass_through() -> TrialRow {
    TrialRow {
        coverage: Some(Coverage {
            slice_extension: None,
            locks_replaced: 0,
            replaced: Vec::new(),
            locks_passed_through: Vec::new(),
            blocked_time_covered: Some(0.0),
        }),
        ..row("pass-through", 1.004, Verdict::NoDifference)
    }
}

/// A lock wins, one is no better, one slower, one far slower.
pub fn won() -> TrialResult {
    let mut spinner = row("ttas-backoff", 1.31, Verdict::Slower);
    spinner.is_pure_spinner = true;
    let best = Best {
        lock: "mcs-park".to_owned(),
        ratio_to_bare: in_final(0.621, 0.03),
        cpu_ratio: Some(in_final(0.81, 0.02)),
    };
    let mut queue = row(&best.lock, 0.621, Verdict::Faster);
    let polls = "a timed lock polls, since a place in the queue cannot be given up.";
    queue.remarks.push(polls.to_owned());
    // The finalist is judged by the rounds of the final alone.
    queue.is_finalist = true;
    queue.ratio_to_bare = Some(best.ratio_to_bare);
    queue.cpu_ratio = best.cpu_ratio;
    let mut far = row("ticket", 24.6, Verdict::Slower);
    far.is_pure_spinner = true;
    far.dropped = Some(Dropped {
        round: 3,
        why: WhyDropped::ClearlyWorse,
    });
    TrialResult {
        schema: TrialResult::SCHEMA.to_owned(),
        version: "0.0.0".to_owned(),
        command: ["./job_server", "--threads", "8"].map(str::to_owned).to_vec(),
        load: None,
        metric: Metric {
            source: MetricSource::WallTime,
            pattern: None,
            better: TrialBetter::Lower,
        },
        only: None,
        made: Some(made()),
        machine: computer(),
        noise: noise(),
        partial: false,
        rounds: ROUNDS,
        final_rounds: FINAL,
        announced_ns: 180_000_000_000,
        taken_ns: 121_000_000_000,
        same_against_same: Some(around(1.006, 0.015)),
        results: vec![
            bare(),
            pass_through(),
            queue,
            row("futex3:100", 0.871, Verdict::Faster),
            row("gate:2", 0.982, Verdict::NoDifference),
            spinner,
            far,
        ],
        best: Some(best),
        conclusion: "The program ran 1.61 times as fast with mcs-park as with its own locks (95 %: 1.56 .. 1.66, in the \
                     final) and used 19 % less CPU time."
            .to_owned(),
        remarks: vec!["left out because not all fit into 3 min (--time-limit): clh".to_owned()],
    }
}

/// No lock looked better than the program's own, so there was none to play a final.
fn without_a_final(result: &mut TrialResult) {
    result.best = None;
    result.final_rounds = 0;
}

/// Nothing is better, nothing is worse.
pub fn alike() -> TrialResult {
    let mut result = won();
    result.results = ["mcs-park", "futex3:100", "gate:2"]
        .map(|lock| row(lock, 0.99, Verdict::NoDifference))
        .to_vec();
    result.results.splice(0..0, [bare(), pass_through()]);
    without_a_final(&mut result);
    result.conclusion =
        "No detectable difference: on this machine no lock tried here is faster or slower than the program's own by more than \
         about 5.2 %."
            .to_owned();
    result
}

/// Every candidate is slower.
pub fn all_slower() -> TrialResult {
    let mut result = won();
    result.results = vec![
        bare(),
        pass_through(),
        row("futex3:100", 1.12, Verdict::Slower),
        row("mcs-park", 1.4, Verdict::Slower),
    ];
    without_a_final(&mut result);
    result.conclusion =
        "Every lock tried here is slower than the program's own. The nearest is futex3:100: it takes 1.12 times as long (95 %: \
         1.08 .. 1.16)."
            .to_owned();
    result
}

/// Every way of failing, with what programs say then.
pub fn broken() -> TrialResult {
    let mut result = won();
    let said = "job_server: starting\nline 2\nline 3\nline 4\nline 5\njob_server.cpp:81: void work(): Assertion \
                `held == 1' failed, with \u{1b}[31mcolours\u{1b}[0m and a line that is far longer than any terminal would show";
    let mut no_room = row("futex3:100", 0.99, Verdict::NoDifference);
    no_room.coverage = Some(Coverage {
        slice_extension: None,
        locks_replaced: 412,
        replaced: vec![Replaced {
            kind: ObjectKind::Mutex,
            count: 412,
        }],
        locks_passed_through: vec![
            PassedThrough {
                reason: "process-shared".to_owned(),
                count: 2,
            },
            PassedThrough {
                reason: "without room".to_owned(),
                count: 1,
            },
        ],
        blocked_time_covered: None,
    });
    result.results = vec![
        bare(),
        pass_through(),
        row("gate:2", 0.99, Verdict::NoDifference),
        no_room,
        dropped(
            "mcs-park",
            0,
            WhyDropped::Signal {
                number: 6,
                name: "SIGABRT".to_owned(),
                said: Some(said.to_owned()),
            },
        ),
        dropped(
            "ticket",
            2,
            WhyDropped::TimeLimit {
                limit_ns: 12_000_000_000,
            },
        ),
        dropped(
            "clh",
            4,
            WhyDropped::ExitCode {
                code: 3,
                said: Some(String::new()),
            },
        ),
        dropped(
            "ttas-backoff",
            1,
            WhyDropped::Load {
                reason: "it says nothing that /([0-9.]+) requests/ finds".to_owned(),
            },
        ),
        dropped(
            "one-spinner",
            1,
            WhyDropped::NotReplaced {
                reason: "a process of the program could not map its counters".to_owned(),
            },
        ),
    ];
    without_a_final(&mut result);
    result.partial = true;
    result.rounds = 4;
    result.same_against_same = Some(Estimate {
        n: 1,
        ..around(1.02, 0.0)
    });
    for row in &mut result.results {
        for figure in [&mut row.metric, &mut row.ratio_to_bare, &mut row.cpu_ratio] {
            *figure = figure.map(|it| Estimate { n: 4, ..it });
        }
    }
    result.conclusion = "No detectable difference: on this machine no lock tried here is faster or slower than the program's own by \
                         more than about 5.2 %. The program failed under mcs-park (SIGABRT), ticket (not done in time), clh (exit \
                         code 3), ttas-backoff (it says nothing that /([0-9.]+) requests/ finds), one-spinner (a process of the \
                         program could not map its counters). The trial was interrupted. 4 rounds show large differences only."
        .to_owned();
    result
}

/// A server with a load that says how many requests it made a second; one lock of it alone is replaced.
pub fn served() -> TrialResult {
    let mut result = won();
    result.command = ["redis-server", "--port", "7777", "--io-threads", "4"]
        .map(str::to_owned)
        .to_vec();
    result.load = Some(vec!["redis-benchmark -p 7777 -n 100000".to_owned()]);
    result.metric = Metric {
        source: MetricSource::Output,
        pattern: Some("([0-9.]+) requests per second".to_owned()),
        better: TrialBetter::Higher,
    };
    result.only = Some(Only {
        id: "mutex:redis-server:io_threads_mutex".to_owned(),
        name: "io_threads_mutex".to_owned(),
    });
    for row in &mut result.results {
        row.metric = row
            .ratio_to_bare
            .map_or(Some(around(97_400.0, 0.02)), |it| {
                Some(around(97_400.0 / it.median, 0.02))
            });
        row.ratio_to_bare = row.ratio_to_bare.map(|it| match row.is_finalist {
            true => in_final(1.61, 0.03),
            false => around(1.0 / it.median, 0.04),
        });
    }
    if let Some(best) = &mut result.best {
        best.ratio_to_bare = in_final(1.61, 0.03);
    }
    result.conclusion = "The metric was 1.61 times as high with mcs-park as with the program's own locks (95 %: 1.56 .. 1.66, \
                         in the final; higher is better) and the program used 19 % less CPU time."
        .to_owned();
    result
}

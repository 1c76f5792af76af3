//! Results of `advise`.

use locktoll_results::advice::{
    AdviceMethod, AdviceResult, Gain, Remedy, RemedyKind, SweptThreads,
};
use locktoll_results::profile::Frame;

use super::computer::made;

fn remedy(kind: RemedyKind, name: &str, advice: &str, evidence: &str) -> Remedy {
    Remedy {
        kind,
        lock: Some(format!("mutex:job-server:{name}")),
        name: Some(name.to_owned()),
        site: None,
        advice: advice.to_owned(),
        evidence: evidence.to_owned(),
        gain: None,
        gain_of: None,
        method: None,
        cost: "A few lines at one place.".to_owned(),
        command: None,
    }
}

fn gain(low: f64, median: f64, high: f64) -> Gain {
    Gain { median, low, high }
}

/// A remedy of each method, one without a figure, a sweep, and a lock to leave alone.
#[must_use]
pub fn advice() -> AdviceResult {
    let place = Frame {
        function: Some("write_log_line".to_owned()),
        file: Some("src/log.c".to_owned()),
        line: Some(88),
        ..Frame::default()
    };
    let mut moved = remedy(
        RemedyKind::MoveCall,
        "log_lock",
        "Move fdatasync out of the hold of log_lock.",
        "Threads spent 41.7 % of their time waiting for it: 2,400 of 2,850 acquisitions waited, for 3.80 ms on average. It is held for \
         1.02 ms at a time on average, 96 % of the run, by 8 threads in turn. It takes 990 us in fdatasync, 97 % of each hold (2,850 calls).",
    );
    moved.site = Some(place);
    moved.gain = Some(gain(1.04, 2.11, 4.4));
    moved.gain_of = Some("the rate at which threads get through log_lock".to_owned());
    moved.method = Some(AdviceMethod::Model);
    moved.command = Some(
        "locktoll whatif --slow mutex:job-server:log_lock -- ./job-server --port 80".to_owned(),
    );
    let mut other = remedy(
        RemedyKind::OtherLock,
        "job_queue_lock",
        "Use tollgate in place of job_queue_lock.",
        "`locktoll try` ran the program on it and on its own locks in 11 interleaved rounds, and judged it faster by ranks.",
    );
    other.gain = Some(gain(1.1, 1.25, 1.31));
    other.gain_of = Some("the program's metric".to_owned());
    other.method = Some(AdviceMethod::Experiment);
    let mut spin = remedy(
        RemedyKind::SpinLess,
        "queue_ready",
        "Let the loop at drain_queue (queue.c:61) sleep after a short while.",
        "8 threads used 1.80 s of CPU time only to wait there, 35 % of the program's CPU time.",
    );
    spin.gain = Some(gain(1.0, 1.24, 1.54));
    spin.gain_of = Some("the program's speed".to_owned());
    spin.method = Some(AdviceMethod::Bound);
    let unknown = remedy(
        RemedyKind::NoWaitForInput,
        "accept_lock",
        "Do not hold accept_lock while waiting for input in accept.",
        "It takes 2.10 ms in accept, 99 % of each hold.",
    );
    let mut alone = remedy(
        RemedyKind::LeaveAlone,
        "statistics_lock",
        "Leave statistics_lock alone.",
        "statistics_lock: 0.1 % of waiting, acquired 53,473 times; leave it.",
    );
    alone.cost = String::new();
    AdviceResult {
        schema: AdviceResult::SCHEMA.to_owned(),
        version: "0.0.0".to_owned(),
        command: ["./job-server", "--port", "80"].map(str::to_owned).into(),
        recording: Some("recording.locktoll".to_owned()),
        made: Some(made()),
        duration_ns: 3_020_000_000,
        wait_share: 0.46,
        partial: false,
        conclusion: "Move fdatasync out of the hold of log_lock. Expect 2.11x (1.04 .. 4.40) in the rate at which threads get through \
                     log_lock."
            .to_owned(),
        remedies: vec![moved, other, spin, unknown, alone],
        sweep: vec![swept(1, false, Some(gain(0.51, 0.52, 0.55))), swept(2, true, Some(gain(1.0, 1.0, 1.0))), swept(4, false, None)],
        remarks: vec!["One part of the recording could not be read.".to_owned()],
    }
}

fn swept(threads: u32, is_current: bool, ratio: Option<Gain>) -> SweptThreads {
    SweptThreads {
        threads,
        is_current,
        ratio,
        rounds: if ratio.is_some() { 11 } else { 0 },
        reason: ratio.is_none().then(|| "it exited with code 1".to_owned()),
    }
}

/// A program whose locks are fine.
#[must_use]
pub fn nothing() -> AdviceResult {
    let mut result = advice();
    result.remedies.drain(..4);
    result.sweep.clear();
    result.remarks.clear();
    result.wait_share = 0.001;
    result.conclusion =
        "Nothing here is worth your time: threads spent 0.1 % of their time waiting for locks."
            .to_owned();
    result
}

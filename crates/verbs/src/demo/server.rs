//! The server's threads.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use super::{log, queue, statistics};
use crate::inner::Flush;

/// Threads that take jobs: fewer than the connections, so that however the processors schedule them, at most as many threads wait
/// for the queue as for the log.
const WORKERS: usize = 3;
/// Threads that answer requests, and log each one.
const CONNECTIONS: usize = 5;

/// Runs the server for `duration`, then prints on standard output what it did.
pub fn serve(duration: Duration, flush: Flush) -> std::io::Result<()> {
    let end = Instant::now() + duration;
    let start = |name: String, work: fn()| {
        thread::Builder::new().name(name).spawn(move || {
            while Instant::now() < end {
                work();
            }
        })
    };
    let mut threads = Vec::new();
    for number in 0..WORKERS {
        threads.push(start(format!("worker-{number}"), work_one_job)?);
    }
    for number in 0..CONNECTIONS {
        let answer = match flush {
            Flush::InHold => answer_one_request,
            Flush::AfterHold => answer_one_request_and_flush_later,
        };
        threads.push(start(format!("connection-{number}"), answer)?);
    }
    // Joined one by one, not by a scope: a scope parks the thread in a function of the standard library whose name says nothing.
    for thread in threads {
        if thread.join().is_err() {
            return Err(std::io::Error::other(
                "a thread of the demonstration program panicked",
            ));
        }
    }
    let (jobs, checksum) = statistics::jobs_done();
    let lines = log::lines();
    writeln!(
        std::io::stdout(),
        "job server: {jobs} jobs done, {lines} lines logged, checksum {checksum:016x}"
    )
}

#[inline(never)]
fn answer_one_request() {
    log::read_request();
    log::write_log_line();
}

#[inline(never)]
fn answer_one_request_and_flush_later() {
    log::read_request();
    log::write_log_line_and_flush_later();
}

#[inline(never)]
fn work_one_job() {
    let job = queue::dispatch_job();
    let result = queue::run_job(job);
    statistics::update_statistics(result);
}

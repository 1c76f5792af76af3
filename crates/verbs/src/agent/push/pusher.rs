//! Intervals on their way into the queues.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::client::Client;
use super::otlp::Transport;
use super::plan::Plan;
use super::queue::{Counts, Queue};
use super::server::{Kind, Server};
use super::{otlp, pyroscope, sender, words};
use crate::agent::labels::ProcessLabels;
use locktoll_shown::pushed::Interval;

/// The queues of all servers.
pub struct Pusher {
    every: Duration,
    ways: Vec<Way>,
    _lock: std::fs::File,
}

/// The way to one server.
struct Way {
    server: Server,
    queue: Arc<Queue>,
    failures: Failures,
}

/// When requests could not be kept.
#[derive(Default)]
struct Failures {
    last: Option<Instant>,
}

impl Failures {
    /// How long no request may fail before a failure is reported again. A disk that is full still has room for a small request now and
    /// then.
    const FORGOTTEN: Duration = Duration::from_secs(600);

    /// Notes a failure, and returns whether it is to be reported.
    fn is_new(&mut self, now: Instant) -> bool {
        let last = self.last.replace(now);
        last.is_none_or(|last| now.duration_since(last) >= Self::FORGOTTEN)
    }
}

impl Pusher {
    /// Starts to send what earlier agents have left, and whatever comes.
    ///
    /// # Errors
    /// If there can be no more threads or files.
    pub fn start(plan: Plan) -> std::io::Result<Self> {
        let mut ways = Vec::new();
        for (server, queue) in plan.queues {
            words::pushing(&server, plan.token.is_some());
            let queue = Arc::new(queue);
            let client = Client::new(server.clone(), plan.roots.clone(), plan.token.clone())?;
            sender::start(Arc::clone(&queue), client)?;
            ways.push(Way {
                server,
                queue,
                failures: Failures::default(),
            });
        }
        Ok(Self {
            every: plan.every,
            ways,
            _lock: plan.lock,
        })
    }

    /// Returns the time between two profiles of a program.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Puts what a program did in an interval into the queues.
    pub fn push(&mut self, labels: &ProcessLabels, interval: &Interval) {
        for way in &mut self.ways {
            let items = match way.server.kind {
                Kind::Pyroscope => pyroscope::items(labels, interval),
                Kind::Otlp => otlp::items(labels, interval, Transport::Http),
                Kind::OtlpGrpc => otlp::items(labels, interval, Transport::Grpc),
            };
            let kept = items.and_then(|items| {
                // Each is tried: one that cannot be kept is counted.
                let kept: Vec<_> = items.iter().map(|item| way.queue.put(item)).collect();
                kept.into_iter().collect::<std::io::Result<()>>()
            });
            if let Err(why) = kept
                && way.failures.is_new(Instant::now())
            {
                words::not_kept(&way.server, &why);
            }
        }
    }

    /// Returns what has become of the requests to each server.
    pub fn counts(&self) -> Vec<(&'static str, Counts)> {
        let ways = self.ways.iter();
        ways.map(|way| (way.server.kind.word(), way.queue.counts()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_full_now_and_then_is_reported_once() {
        let mut failures = Failures::default();
        let mut now = Instant::now();
        assert!(failures.is_new(now));
        for _ in 0..100 {
            now += Duration::from_secs(30);
            assert!(!failures.is_new(now));
        }
        now += Failures::FORGOTTEN;
        assert!(failures.is_new(now));
    }
}

//! Figures in the formats of Prometheus.

use std::fmt::{Error, Result as Written};
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabelSet, MetricEncoder, NoLabelSet, prometheus_text, text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};

use super::figures::Figures;
use super::labels::ProcessLabels;
use super::ledger::{BOUNDS_NS, Buckets, Series};
use super::own_cost::OwnCost;
use locktoll_results::top::CauseKind;

/// The beginning of all names.
const PREFIX: &str = "locktoll";

/// The process and the lock of the series that adds up all locks without series of their own.
const OTHER: &str = "other";

/// A format of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// Prometheus's own text format, which node-exporter and old scrapers read.
    Prometheus,
}

impl Format {
    /// Returns its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => prometheus_text::CONTENT_TYPE,
        }
    }

    /// Returns the metrics of the watched programs.
    ///
    /// # Errors
    /// Never: text has room for everything.
    pub fn of_programs(self, figures: &Arc<Figures>) -> Result<String, Error> {
        self.encoded(Box::new(OfPrograms(Arc::clone(figures))))
    }

    /// Returns the metrics of the agent itself, which come last.
    ///
    /// # Errors
    /// As [`of_programs`](Self::of_programs).
    pub fn of_agent(self, figures: &Arc<Figures>, last_scrape: f64) -> Result<String, Error> {
        let own = OfAgent {
            figures: Arc::clone(figures),
            cost: OwnCost::now(),
            last_scrape,
        };
        let mut written = self.encoded(Box::new(own))?;
        if self == Self::OpenMetrics {
            text::encode_eof(&mut written)?;
        }
        Ok(written)
    }

    fn encoded(self, collector: Box<dyn Collector>) -> Result<String, Error> {
        let mut registry = Registry::with_prefix(PREFIX);
        registry.register_collector(collector);
        let mut written = String::new();
        match self {
            Self::OpenMetrics => text::encode_registry(&mut written, &registry)?,
            Self::Prometheus => prometheus_text::encode(&mut written, &registry)?,
        }
        Ok(written)
    }
}

/// The metrics of the watched programs.
#[derive(Debug)]
struct OfPrograms(Arc<Figures>);

type LockLabels<'a> = [(&'static str, &'a str); 4];

impl OfPrograms {
    /// Calls `each` with the labels of each lock, and of the sum of all others.
    fn locks(&self, mut each: impl FnMut(&LockLabels<'_>, &Series) -> Written) -> Written {
        for (key, series) in &self.0.locks {
            let [process, container, pod] = labels(&key.process);
            each(&[process, container, pod, ("lock", &key.lock)], series)?;
        }
        match &self.0.other {
            Some(other) => {
                let nowhere = [("container", ""), ("pod", "")];
                each(
                    &[("process", OTHER), nowhere[0], nowhere[1], ("lock", OTHER)],
                    other,
                )
            }
            None => Ok(()),
        }
    }
}

fn labels(process: &ProcessLabels) -> [(&'static str, &str); 3] {
    [
        ("process", &process.process),
        ("container", &process.container),
        ("pod", &process.pod),
    ]
}

impl Collector for OfPrograms {
    fn encode(&self, mut to: DescriptorEncoder<'_>) -> Written {
        self.counted(&mut to)?;
        self.timed(&mut to)?;
        self.now(&mut to)?;
        self.of_processes(&mut to)
    }
}

impl OfPrograms {
    /// Acquisitions, and those that waited.
    fn counted(&self, to: &mut DescriptorEncoder<'_>) -> Written {
        let help = "Times that locks were acquired, with or without a wait.";
        let mut metric =
            to.encode_descriptor("lock_acquisitions", help, None, MetricType::Counter)?;
        self.locks(|labels, it| match it.sees_acquisitions {
            true => counter(&mut metric, labels, it.counts.acquisitions),
            false => Ok(()),
        })?;
        let help = "Acquisitions that had to wait.";
        let mut metric = to.encode_descriptor("lock_contended", help, None, MetricType::Counter)?;
        self.locks(|labels, it| counter(&mut metric, labels, it.counts.contended))
    }

    /// Waits and holds by length.
    fn timed(&self, to: &mut DescriptorEncoder<'_>) -> Written {
        let (seconds, kind) = (Some(&Unit::Seconds), MetricType::Histogram);
        let help = "Length of waits for locks.";
        let mut metric = to.encode_descriptor("lock_wait", help, seconds, kind)?;
        self.locks(|labels, it| {
            histogram(&mut metric, labels, &it.counts.waits, it.counts.wait_ns)
        })?;
        let help = "Time for which locks were held, scaled up from the holds that were timed.";
        let mut metric = to.encode_descriptor("lock_hold", help, seconds, kind)?;
        self.locks(|labels, it| match it.sees_holds {
            true => histogram(&mut metric, labels, &it.counts.holds, it.counts.hold_ns),
            false => Ok(()),
        })
    }

    /// Who waits and who holds at this moment.
    fn now(&self, to: &mut DescriptorEncoder<'_>) -> Written {
        let gauge = MetricType::Gauge;
        let help = "Threads that wait for the lock now.";
        let mut metric = to.encode_descriptor("lock_waiting_threads", help, None, gauge)?;
        self.locks(|labels, it| metric.encode_family(labels)?.encode_gauge(&it.waiting))?;
        let help = "How long the lock has been seen in the same hold, while a thread waits for it.";
        let mut metric = to.encode_descriptor("lock_held", help, Some(&Unit::Seconds), gauge)?;
        self.locks(|labels, it| match it.held_ns {
            Some(ns) => metric.encode_family(labels)?.encode_gauge(&in_seconds(ns)),
            None => Ok(()),
        })?;
        let mut metric =
            to.encode_descriptor("deadlocks", "Deadlocks in the program now.", None, gauge)?;
        for (process, program) in &self.0.programs {
            let Some(deadlocks) = program.deadlocks.known() else {
                continue;
            };
            let labels = labels(process);
            let mut of = metric.encode_family(&labels)?;
            of.encode_gauge(&deadlocks)?;
        }
        Ok(())
    }

    /// What is known of programs, not of their locks.
    fn of_processes(&self, to: &mut DescriptorEncoder<'_>) -> Written {
        if let Some(spun) = &self.0.spun {
            let help =
                "CPU time of busy waiting: loops that wait for another thread to write a word.";
            let seconds = Some(&Unit::Seconds);
            let mut metric =
                to.encode_descriptor("spin_cpu", help, seconds, MetricType::Counter)?;
            for (process, &ns) in spun {
                let labels = labels(process);
                let mut of = metric.encode_family(&labels)?;
                of.encode_counter::<NoLabelSet, _, f64>(&(ns / 1e9), None)?;
            }
        }
        let Some(switches) = &self.0.switches else {
            return Ok(());
        };
        let help = "Context switches of the program's threads, by cause.";
        let mut metric =
            to.encode_descriptor("context_switches", help, None, MetricType::Counter)?;
        for (process, causes) in switches {
            for (&cause, &count) in causes {
                let [process, container, pod] = labels(process);
                let labels = [process, container, pod, ("cause", cause_word(cause))];
                counter(&mut metric, &labels, count)?;
            }
        }
        Ok(())
    }
}

/// The metrics of the agent itself.
#[derive(Debug)]
struct OfAgent {
    figures: Arc<Figures>,
    cost: OwnCost,
    /// How long the last answer took, seconds.
    last_scrape: f64,
}

impl Collector for OfAgent {
    fn encode(&self, mut to: DescriptorEncoder<'_>) -> Written {
        let (seconds, bytes) = (Some(&Unit::Seconds), Some(&Unit::Bytes));
        let figures = &self.figures;
        let watched = |of: fn(&super::figures::Program) -> u64| {
            figures.programs.values().map(of).sum::<u64>()
        };
        let mut metric = to.encode_descriptor(
            "agent_watched_processes",
            "Watched processes, by the source of their figures.",
            None,
            MetricType::Gauge,
        )?;
        let recorded = watched(|it| it.recorded);
        metric
            .encode_family(&[("source", "recorder")])?
            .encode_gauge(&recorded)?;
        let in_kernel = watched(|it| it.seen_in_kernel);
        metric
            .encode_family(&[("source", "kernel")])?
            .encode_gauge(&in_kernel)?;
        to.encode_descriptor(
            "agent_lock_series",
            "Locks with series of their own.",
            None,
            MetricType::Gauge,
        )?
        .encode_gauge(&(figures.locks.len() as u64))?;
        to.encode_descriptor(
            "agent_folded_locks",
            "Locks that have no series of their own, because of --max-series.",
            None,
            MetricType::Gauge,
        )?
        .encode_gauge(&figures.folded)?;
        to.encode_descriptor(
            "agent_readings",
            "Readings of the watched programs.",
            None,
            MetricType::Counter,
        )?
        .encode_counter::<NoLabelSet, _, f64>(&figures.readings, None)?;
        to.encode_descriptor(
            "agent_reading_duration",
            "How long the last reading took.",
            seconds,
            MetricType::Gauge,
        )?
        .encode_gauge(&figures.reading.as_secs_f64())?;
        to.encode_descriptor(
            "agent_scrape_duration",
            "How long the last answer to a request for metrics took.",
            seconds,
            MetricType::Gauge,
        )?
        .encode_gauge(&self.last_scrape)?;
        to.encode_descriptor(
            "agent_cpu",
            "CPU time that the agent has used.",
            seconds,
            MetricType::Counter,
        )?
        .encode_counter::<NoLabelSet, _, f64>(&self.cost.cpu_seconds, None)?;
        if let Some(resident) = self.cost.resident_bytes {
            to.encode_descriptor(
                "agent_resident_memory",
                "Resident memory of the agent.",
                bytes,
                MetricType::Gauge,
            )?
            .encode_gauge(&resident)?;
        }
        self.pushed(&mut to)
    }
}

impl OfAgent {
    /// What has become of pushed profiles.
    fn pushed(&self, to: &mut DescriptorEncoder<'_>) -> Written {
        let pushed = &self.figures.pushed;
        if pushed.is_empty() {
            return Ok(());
        }
        let help = "Profiles that the server has taken.";
        let mut metric =
            to.encode_descriptor("agent_push_sent", help, None, MetricType::Counter)?;
        for (server, counts) in pushed {
            counter(&mut metric, &[("to", *server)], counts.sent)?;
        }
        let help = "Profiles that were dropped: the queue had no room, they could not be written or read, or the server refused them.";
        let mut metric =
            to.encode_descriptor("agent_push_dropped", help, None, MetricType::Counter)?;
        for (server, counts) in pushed {
            counter(&mut metric, &[("to", *server)], counts.dropped)?;
        }
        let help = "Profiles that wait to be sent.";
        let bytes = Some(&Unit::Bytes);
        let mut metric =
            to.encode_descriptor("agent_push_queued", help, bytes, MetricType::Gauge)?;
        for (server, counts) in pushed {
            metric
                .encode_family(&[("to", *server)])?
                .encode_gauge(&counts.queued_bytes)?;
        }
        Ok(())
    }
}

fn counter(metric: &mut MetricEncoder<'_>, labels: &impl EncodeLabelSet, count: u64) -> Written {
    metric
        .encode_family(labels)?
        .encode_counter::<NoLabelSet, _, f64>(&count, None)
}

fn histogram(
    metric: &mut MetricEncoder<'_>,
    labels: &impl EncodeLabelSet,
    buckets: &Buckets,
    sum_ns: u64,
) -> Written {
    let bounds = BOUNDS_NS.iter().map(|&ns| in_seconds(ns));
    let bounds = bounds.chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(buckets.0).collect();
    let count = buckets.iter().map(|(_, count)| count).sum();
    metric
        .encode_family(labels)?
        .encode_histogram::<NoLabelSet>(in_seconds(sum_ns), count, &buckets, None)
}

/// Returns the words of `locktoll top --json`.
fn cause_word(cause: CauseKind) -> &'static str {
    match cause {
        CauseKind::SliceOver => "slice_over",
        CauseKind::Lock => "lock",
        CauseKind::InputOutput => "input_output",
        CauseKind::Yielded => "yielded",
        CauseKind::WokenOver => "woken_over",
        CauseKind::YieldedOrWokenOver => "yielded_or_woken_over",
        CauseKind::Sleep => "sleep",
        CauseKind::Other => "other",
        CauseKind::Unknown => "unknown",
    }
}

fn in_seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

#[cfg(test)]
#[path = "exposition_tests.rs"]
mod tests;

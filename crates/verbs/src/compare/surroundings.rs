//! The differences between the surroundings of two results.

use locktoll_lab::cell::Length;
use locktoll_lab::clock::ClockCard;
use locktoll_lab::machine::{Machine, format_cpu_list};
use serde::Serialize;
use serde_json::Value;

use locktoll_results::Made;
use locktoll_results::bench::BenchResult;
use locktoll_results::comparison::Difference;
use locktoll_results::machine::MachineResult;
use locktoll_results::profile::{Profile, RecorderMode};
use locktoll_results::trial::TrialResult;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::duration;

/// If two clock rates differ by more than this, they belong to different processors, or the clock of one processor was changed.
const SAME_RATE: f64 = 0.01;

/// Collects differences; equal values are not mentioned.
#[derive(Default)]
pub struct Differences(pub Vec<Difference>);

impl Differences {
    /// Adds both values as text, if they are not equal.
    pub fn add(&mut self, what: &str, a: impl Into<String>, b: impl Into<String>) {
        let (a, b) = (a.into(), b.into());
        if a != b {
            self.0.push(Difference {
                what: what.to_owned(),
                a: shown_text(&a),
                b: shown_text(&b),
            });
        }
    }

    /// Compares what is known of the machines. Names of control groups are ignored, since they change from login to login.
    pub fn machines(&mut self, a: &Machine, b: &Machine) {
        let known = |it: &Option<String>| it.clone().unwrap_or_else(|| "unknown".to_owned());
        let real = |it: &Machine| it.stand_in.clone().unwrap_or_else(|| "no".to_owned());
        self.add("stand-in", real(a), real(b));
        self.add("processor", known(&a.cpu_model), known(&b.cpu_model));
        self.add("architecture", &a.architecture, &b.architecture);
        let cpus = |it: &Machine| format_cpu_list(&it.usable_cpus);
        self.add("usable CPUs", cpus(a), cpus(b));
        for (what, of) in [
            (
                "cores",
                (|it| it.topology.cores) as fn(&Machine) -> Option<usize>,
            ),
            ("threads a core", |it| it.topology.threads_per_core),
            ("packages", |it| it.topology.packages),
            ("memory nodes", |it| it.topology.numa_nodes),
        ] {
            self.add(what, said(&of(a)), said(&of(b)));
        }
        self.add("caches", said(&a.topology.caches), said(&b.topology.caches));
        self.add("kernel", known(&a.kernel), known(&b.kernel));
        self.add("C library", known(&a.libc), known(&b.libc));
        self.add(
            "virtual machine",
            said(&a.virtual_machine),
            said(&b.virtual_machine),
        );
        self.add("container", known(&a.container), known(&b.container));
        self.add("CPU quota", said(&a.quota_cpus), said(&b.quota_cpus));
        self.add("governor", known(&a.governor), known(&b.governor));
        self.add("clock source", known(&a.clocksource), known(&b.clocksource));
    }

    /// Compares where two programs were recorded, if both say so.
    fn made(&mut self, a: &Made, b: &Made) {
        if let (Some(a), Some(b)) = (&a.locktoll, &b.locktoll) {
            self.add("locktoll", a, b);
        }
        let (Some(a), Some(b)) = (&a.machine, &b.machine) else {
            return;
        };
        let known = |it: &Option<String>| it.clone().unwrap_or_else(|| "unknown".to_owned());
        self.add("processor", known(&a.cpu_model), known(&b.cpu_model));
        self.add(
            "usable CPUs",
            a.usable_cpus.to_string(),
            b.usable_cpus.to_string(),
        );
        self.add("kernel", known(&a.kernel), known(&b.kernel));
        self.add("C library", known(&a.libc), known(&b.libc));
        self.add(
            "virtual machine",
            said(&a.virtual_machine),
            said(&b.virtual_machine),
        );
        self.add("CPU quota", said(&a.quota_cpus), said(&b.quota_cpus));
    }

    /// Compares the clocks.
    pub fn clocks(&mut self, a: &ClockCard, b: &ClockCard) {
        self.add("clock", said(&a.source), said(&b.source));
        let apart = (a.ticks_per_ns / b.ticks_per_ns - 1.0).abs();
        if a.source == b.source && (apart > SAME_RATE || apart.is_nan()) {
            let rate = |it: &ClockCard| format!("{:.3} ticks/ns", it.ticks_per_ns);
            self.add("clock rate", rate(a), rate(b));
        }
    }

    /// Compares how two benches were run.
    pub fn benches(&mut self, a: &BenchResult, b: &BenchResult) {
        self.add("locktoll", &a.version, &b.version);
        self.machines(&a.machine, &b.machine);
        self.clocks(&a.clock, &b.clock);
        self.add("rounds", a.repeat.to_string(), b.repeat.to_string());
        let length = |it: &BenchResult| match it.cells.first().map(|cell| cell.length) {
            Some(Length::Time { ns }) => duration(ns as f64),
            Some(Length::Rounds { each }) => format!("{each} operations a thread"),
            None => "none".to_owned(),
        };
        self.add("slices", length(a), length(b));
        let pinned = |it: &BenchResult| match it.cells.first().map(|cell| &cell.cpus[..]) {
            Some([]) | None => "chosen by the kernel".to_owned(),
            Some(cpus) => format_cpu_list(cpus),
        };
        self.add("CPUs of the threads", pinned(a), pinned(b));
    }

    /// Compares how two price lists were made.
    pub fn price_lists(&mut self, a: &MachineResult, b: &MachineResult) {
        self.add("locktoll", &a.version, &b.version);
        self.machines(&a.machine, &b.machine);
        self.clocks(&a.clock, &b.clock);
        self.add("short form (--quick)", said(&a.quick), said(&b.quick));
        let policy = |it: &MachineResult| it.prices.scheduling.policy.clone();
        self.add("scheduling", policy(a), policy(b));
    }

    /// Compares the programs and settings of two trials.
    pub fn trials(&mut self, a: &TrialResult, b: &TrialResult) {
        self.add("locktoll", &a.version, &b.version);
        self.machines(&a.machine, &b.machine);
        let command = |it: &TrialResult| it.command.join(" ");
        self.add("command", command(a), command(b));
        let none = || "none".to_owned();
        let load = |it: &TrialResult| it.load.as_ref().map_or_else(none, |it| it.join(" "));
        self.add("load", load(a), load(b));
        self.add("metric", said(&a.metric), said(&b.metric));
        let only = |it: &TrialResult| it.only.as_ref().map_or_else(none, |it| it.id.clone());
        self.add("only", only(a), only(b));
        self.add("rounds", a.rounds.to_string(), b.rounds.to_string());
    }

    /// Compares how and where two programs were recorded.
    pub fn profiles(&mut self, a: &Profile, b: &Profile) {
        if let (Some(a), Some(b)) = (&a.made, &b.made) {
            self.made(a, b);
        }
        let command = |it: &Profile| it.command.join(" ");
        self.add("command", command(a), command(b));
        let mode = |it: &Profile| match it.recorder.mode {
            Some(RecorderMode::Sampled) => "a sample",
            Some(RecorderMode::Exact) => "all (--exact)",
            None => "none",
        };
        self.add("observed by", said(&a.source), said(&b.source));
        self.add("holds timed", mode(a), mode(b));
        // Of a sum, those that it contains.
        let processes = |it: &Profile| {
            let each = it.processes.iter().map(|it| it.added_up.unwrap_or(1));
            each.fold(0, u64::saturating_add).to_string()
        };
        self.add("processes", processes(a), processes(b));
        self.add("threads", a.threads.to_string(), b.threads.to_string());
    }
}

/// Returns a value as in JSON, strings without their quotes.
fn said(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        Ok(Value::Null) | Err(_) => "unknown".to_owned(),
        Ok(Value::Object(fields)) => {
            let fields: Vec<String> = fields
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            fields.join(", ")
        }
        Ok(other) => other.to_string(),
    }
}

/// Whether two benches seem to have run on one machine.
pub fn same_machine(a: &Machine, b: &Machine) -> bool {
    a.cpu_model == b.cpu_model && a.architecture == b.architecture && a.usable_cpus == b.usable_cpus
}

#[cfg(test)]
mod tests {
    use locktoll_lab::clock::Source;

    use super::*;

    fn clock(source: Source, ticks_per_ns: f64) -> ClockCard {
        ClockCard {
            source,
            fallback_reason: None,
            trusted_because: None,
            ticks_per_ns,
            cost_ns: 20.0,
            precision_ns: 1.0,
        }
    }

    fn differences(a: &ClockCard, b: &ClockCard) -> Vec<String> {
        let mut found = Differences::default();
        found.clocks(a, b);
        found.0.into_iter().map(|it| it.what).collect()
    }

    #[test]
    fn a_machine_is_the_same_by_its_processor_and_its_cpus() {
        let one = locktoll_made_up::made_up::computer::computer();
        let with = |change: fn(&mut Machine)| {
            let mut other = one.clone();
            change(&mut other);
            same_machine(&one, &other)
        };
        assert!(with(|_| {}));
        assert!(with(|it| it.kernel = Some("another".to_owned())));
        assert!(!with(|it| it.cpu_model = Some("another".to_owned())));
        assert!(!with(|it| it.architecture = "another".to_owned()));
        assert!(!with(|it| it.usable_cpus = vec![99]));
    }

    #[test]
    fn values_are_said_as_in_json_without_what_is_not_known() {
        assert_eq!(said(&"word"), "word");
        assert_eq!(said(&None::<u32>), "unknown");
        assert_eq!(said(&3), "3");
        let fields = serde_json::json!({"a": 1, "b": null, "c": "x"});
        assert_eq!(said(&fields), "a 1, c \"x\"");
    }

    #[test]
    fn the_rates_of_one_kind_of_clock_are_compared() {
        let counter = |rate| clock(Source::Tsc, rate);
        assert_eq!(differences(&counter(2.0), &counter(2.01)), [""; 0]);
        assert_eq!(differences(&counter(2.0), &counter(2.4)), ["clock rate"]);
        assert_eq!(differences(&counter(2.4), &counter(2.0)), ["clock rate"]);
        assert_eq!(
            differences(&counter(f64::NAN), &counter(2.0)),
            ["clock rate"]
        );
        // Another clock has another rate anyway.
        let other = clock(Source::Monotonic, 1.0);
        assert_eq!(differences(&counter(2.0), &other), ["clock"]);
    }
}

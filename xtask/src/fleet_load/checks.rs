//! What is checked, with the figures.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::ensure;

use super::scrape::Scrape;

/// The bounds on the agent's answers and its memory.
const SLOWEST: Duration = Duration::from_millis(300);
const MOST_MEMORY_BYTES: f64 = 200.0 * 1024.0 * 1024.0;

/// Prints checks as they are made, and remembers whether one has failed.
#[derive(Default)]
pub struct Checks {
    failed: u32,
    /// The highest value of each counter of the present agent.
    highest: BTreeMap<String, f64>,
    /// The most acquisitions that any agent has shown.
    acquisitions: f64,
    scrapes: u64,
    slowest: Duration,
    /// Series and bytes of the largest answer.
    largest: (usize, usize),
    memory_bytes: f64,
    fallen: Vec<String>,
}

impl Checks {
    /// Prints a check.
    pub fn check(&mut self, holds: bool, what: &str, figure: &str) {
        self.failed += u32::from(!holds);
        let word = if holds { "ok    " } else { "FAILED" };
        println!("{word}  {what}: {figure}");
    }

    /// Prints what could not be checked here.
    pub fn skip(what: &str, why: &str) {
        println!("skipped {what}: {why}");
    }

    /// Takes in an answer of the agent: no counter may be lower than before.
    pub fn scraped(&mut self, scrape: &Scrape) {
        for (series, value) in scrape.counters() {
            let highest = self.highest.entry(series.to_owned()).or_insert(value);
            if value < *highest {
                self.fallen
                    .push(format!("{series} from {highest} to {value}"));
            }
            *highest = value;
        }
        self.scrapes += 1;
        self.slowest = self.slowest.max(scrape.took);
        self.largest = self.largest.max((scrape.series.len(), scrape.bytes));
        let memory_bytes = scrape.sum("agent_resident_memory_bytes");
        self.memory_bytes = self.memory_bytes.max(memory_bytes);
        self.acquisitions = self.acquisitions.max(scrape.sum("lock_acquisitions_total"));
    }

    /// Begins with another agent. Its own counters begin again; those of recorded programs must not.
    pub fn restarted(&mut self, first: &Scrape) {
        let now = first.sum("lock_acquisitions_total");
        self.check(
            now >= self.acquisitions,
            "a restarted agent continues with the recordings' figures",
            &format!("{now:.0} acquisitions, {:.0} before", self.acquisitions),
        );
        self.highest.clear();
    }

    /// Prints the sums of all answers.
    ///
    /// # Errors
    /// If a check has failed.
    pub fn end(mut self, cpu: f64) -> anyhow::Result<()> {
        let fallen = self.fallen.len();
        let example = self.fallen.first().cloned().unwrap_or_default();
        let scrapes = self.scrapes;
        self.check(
            fallen == 0,
            "counters never go back",
            &format!("{fallen} times in {scrapes} answers {example}"),
        );
        let (series, bytes) = self.largest;
        let slowest = self.slowest;
        self.check(
            slowest < SLOWEST,
            "the slowest answer, under 300 ms",
            &format!(
                "{:.1} ms; {series} series, {bytes} bytes",
                slowest.as_secs_f64() * 1e3
            ),
        );
        let memory_bytes = self.memory_bytes;
        self.check(
            memory_bytes < MOST_MEMORY_BYTES,
            "the agent's resident memory, under 200 MiB",
            &format!("{:.1} MiB", memory_bytes / f64::from(1 << 20)),
        );
        println!(
            "        the agent's CPU time: {:.2} % of one CPU",
            cpu * 100.0
        );
        ensure!(self.failed == 0, "{} checks failed", self.failed);
        Ok(())
    }
}

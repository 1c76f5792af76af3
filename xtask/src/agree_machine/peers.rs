//! The programs that the price list is compared with, each figure in nanoseconds for what the list calls it.

use std::path::Path;

use anyhow::{Context, ensure};

use super::command::ran;

/// How far the kernel's count may be off what a figure supposes.
const COUNT_TOLERANCE: f64 = 0.02;

/// Where everybody runs: the CPU that the list uses for one, and the other of a pair.
pub struct Place {
    /// The first usable CPU.
    pub home: String,
    /// Another, where there is one.
    pub far: Option<String>,
    /// SCHED_FIFO is permitted.
    pub real_time: bool,
}

impl Place {
    /// `perf bench sched pipe`, one way.
    ///
    /// What it calls an operation is a round trip: the kernel counts two switches in it, and the figure is refused if it
    /// does not.
    pub fn perf_pipe(&self) -> anyhow::Result<f64> {
        const LOOPS: f64 = 30_000.0;
        let loops = LOOPS.to_string();
        let words = [
            "perf",
            "bench",
            "--format=simple",
            "sched",
            "pipe",
            "-T",
            "-l",
            &loops,
        ];
        let ran = ran(&words, &self.home, self.real_time)?;
        expect_switches("perf bench sched pipe", ran.switches / LOOPS, 2.0)?;
        Ok(last_number(&ran.text)? * 1e9 / LOOPS / 2.0)
    }

    /// `perf bench syscall basic`: getppid(2).
    pub fn perf_syscall(&self) -> anyhow::Result<f64> {
        const LOOPS: f64 = 500_000.0;
        let loops = LOOPS.to_string();
        let words = [
            "perf",
            "bench",
            "--format=simple",
            "syscall",
            "basic",
            "-l",
            &loops,
        ];
        let ran = ran(&words, &self.home, self.real_time)?;
        Ok(last_number(&ran.text)? * 1e9 / LOOPS)
    }

    /// `perf bench futex hash` with one thread and one futex: waits that find another value and return at once.
    pub fn perf_futex_hash(&self) -> anyhow::Result<f64> {
        // It runs for whole seconds, in which SCHED_FIFO would be throttled; without it, others share the CPU. So its
        // processor time counts, of a second's operations.
        let words = [
            "perf", "bench", "futex", "hash", "-t", "1", "-f", "1", "-r", "1",
        ];
        let ran = ran(&words, &self.home, false)?;
        let words: Vec<&str> = ran.text.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "operations/sec");
        let rate = at.and_then(|at| words.get(at.checked_sub(1)?)?.parse::<f64>().ok());
        let rate =
            rate.with_context(|| format!("perf bench futex hash gave no rate: {}", ran.text))?;
        Ok(ran.cpu_ns / rate)
    }

    /// The C program, both threads on one CPU.
    pub fn c_one_cpu(&self, program: &Path) -> anyhow::Result<f64> {
        self.c(program, &self.home)
    }

    pub fn c_two_cpus(&self, program: &Path) -> anyhow::Result<f64> {
        self.c(
            program,
            self.far.as_ref().context("there is but one usable CPU")?,
        )
    }

    fn c(&self, program: &Path, other: &str) -> anyhow::Result<f64> {
        let program = program
            .to_str()
            .context("the temporary folder's name is not UTF-8")?;
        let ran = ran(&[program, &self.home, other, "10000"], "", self.real_time)?;
        let mut numbers = ran.text.split_whitespace().map(str::parse::<f64>);
        let (Some(Ok(ns)), Some(Ok(switches))) = (numbers.next(), numbers.next()) else {
            anyhow::bail!("the C program printed {}", ran.text.trim());
        };
        expect_switches("the C program", switches, 1.0)?;
        Ok(ns)
    }
}

fn expect_switches(who: &str, counted: f64, expected: f64) -> anyhow::Result<()> {
    ensure!(
        (counted / expected - 1.0).abs() <= COUNT_TOLERANCE,
        "{who}: the kernel counted {counted:.3} switches where {expected} belong to the figure"
    );
    Ok(())
}

/// perf's simple format is a number of seconds, after what it may have to say.
fn last_number(text: &str) -> anyhow::Result<f64> {
    let last = text.split_whitespace().last();
    last.and_then(|word| word.parse().ok())
        .with_context(|| format!("perf printed no number: {}", text.trim()))
}

//! The results so far: each interval as it ends, and everything at the end.

use std::time::{Duration, Instant};

use crate::diagnosis::explained;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise;
use locktoll_results::doctor::Verb;

use super::run::words;
use crate::arguments::OutputArgs;
use crate::kernel::flags::KernelArgs;
use crate::present::Target;
use locktoll_results::kernel::{KernelResult, KernelScope};
use locktoll_shown::{Content, Document, JSON, Shown, kernel_interval_text};
use locktoll_sources::kernel_locks::{Gathered, Summary, Symbols, Waiters, Wanted, Watch};
use locktoll_terminal::failure::{Failure, Outcome};
use locktoll_terminal::output;
use locktoll_terminal::width::line_width;

/// A watch in progress.
pub struct Live<'a> {
    setting: Setting<'a>,
    began: Instant,
    noise: noise::Watch,
    interval: Interval,
}

/// The part that stays the same.
struct Setting<'a> {
    args: &'a KernelArgs,
    watch: Watch,
    machine: Machine,
    symbols: Result<Symbols, String>,
    ticks_per_ns: Option<f64>,
    of: Waiters,
}

/// The interval in progress.
struct Interval {
    number: u64,
    began: Instant,
    noise: noise::Watch,
    /// The counts at its beginning.
    before: Gathered,
}

impl<'a> Live<'a> {
    /// Begins watching.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(args: &'a KernelArgs, wanted: Wanted) -> Result<Self, Failure> {
        let setting = Setting {
            args,
            machine: Machine::observe(),
            // Before anything is watched: reading the symbols takes a tenth of a second.
            symbols: Symbols::read(),
            ticks_per_ns: wanted.ticks_per_ns,
            of: wanted.of,
            watch: Watch::begin(wanted).map_err(explained(Verb::Kernel))?,
        };
        Ok(Self {
            setting,
            began: Instant::now(),
            noise: noise::Watch::start(),
            interval: Interval {
                number: 1,
                began: Instant::now(),
                noise: noise::Watch::start(),
                before: Gathered::default(),
            },
        })
    }

    /// Shows the interval if it has ended.
    ///
    /// # Errors
    /// If it cannot be read, or standard output is closed.
    pub fn pass(&mut self) -> Result<(), Failure> {
        let setting = &self.setting;
        let length = self.interval.began.elapsed();
        if !setting.args.live || length.as_nanos() < u128::from(setting.args.interval) {
            return Ok(());
        }
        let now = setting.watch.gathered()?;
        let next = Interval {
            number: self.interval.number + 1,
            began: Instant::now(),
            noise: noise::Watch::start(),
            before: now.clone(),
        };
        let ended = std::mem::replace(&mut self.interval, next);
        let between = now.since(&ended.before);
        let result = setting.result(&between, ended.noise.finish(), length);
        let text = match setting.args.output.format().name {
            JSON => line(&result)?,
            _ => kernel_interval_text(&result, ended.number, line_width()),
        };
        output::print(&text)?;
        Ok(())
    }

    /// Returns the result of the whole watch.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn finish(self) -> Result<KernelResult, Failure> {
        let duration = self.began.elapsed();
        let gathered = self.setting.watch.gathered()?;
        Ok(self
            .setting
            .result(&gathered, self.noise.finish(), duration))
    }
}

impl Setting<'_> {
    fn result(&self, gathered: &Gathered, noise: noise::Noise, duration: Duration) -> KernelResult {
        Summary {
            gathered,
            symbols: &self.symbols,
            machine: self.machine.clone(),
            noise,
            command: words(&self.args.command),
            scope: match self.of {
                Waiters::Started => KernelScope::Command,
                Waiters::InGroup { .. } => KernelScope::ControlGroup,
                Waiters::All => KernelScope::Machine,
            },
            duration_ns: duration.as_nanos() as u64,
            ticks_per_ns: self.ticks_per_ns,
            why_no_cost: self.watch.why_no_cost(),
        }
        .result()
    }
}

/// Returns the document in one line.
fn line(result: &KernelResult) -> Result<String, Failure> {
    Ok(format!("{}\n", result.json()?))
}

/// Writes the last of several documents, one line each.
pub fn put_line(output: &OutputArgs, result: &KernelResult) -> Outcome {
    let document = Document::only(Content::Plain(line(result)?));
    Target::of(output.output.as_deref()).put(document)
}

//! What is asked for on the command line.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};

/// The load.
pub struct Options {
    /// Recorded processes, each with 50 locks.
    pub processes: u64,
    /// How often the agent is restarted.
    pub restarts: u32,
    /// How long the fleet works between two events.
    pub work: Duration,
    /// How long the server is away.
    pub away: Duration,
    /// A locktoll that is already built.
    pub program: Option<PathBuf>,
}

impl Options {
    /// Reads words such as `--processes=20`.
    pub fn of(words: &[&str]) -> anyhow::Result<Self> {
        let mut options = Self {
            processes: 200,
            restarts: 3,
            work: Duration::from_secs(20),
            away: Duration::from_secs(60),
            program: None,
        };
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let number = || {
                let number: u64 = value
                    .parse()
                    .with_context(|| format!("{word}: a number is wanted"))?;
                anyhow::Ok(number)
            };
            match name {
                "--processes" => options.processes = number()?.clamp(1, 1_000),
                "--restarts" => options.restarts = u32::try_from(number()?)?,
                "--work" => options.work = Duration::from_secs(number()?),
                "--away" => options.away = Duration::from_secs(number()?),
                "--program" => options.program = Some(PathBuf::from(value)),
                _ => bail!(
                    "fleet-load takes --processes=N, --restarts=N, --work=SECONDS, --away=SECONDS and --program=PATH, not {word}"
                ),
            }
        }
        Ok(options)
    }
}

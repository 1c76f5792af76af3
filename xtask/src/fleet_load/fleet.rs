//! The programs: processes under one recorder, which do what they are asked to.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, ensure};

/// The locks of each process, and the threads that acquire them.
pub const LOCKS: u64 = 50;
const THREADS: u64 = 2;

/// The processes. They end with this value.
pub struct Fleet {
    recorder: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    processes: u64,
    /// How often each thread has acquired each lock.
    rounds: u64,
}

impl Fleet {
    /// Starts the processes under `locktoll record --live`, with the recording in this file.
    pub fn start(
        locktoll: &Path,
        program: &Path,
        recording: &Path,
        processes: u64,
    ) -> anyhow::Result<Self> {
        let mut recorder = Command::new(locktoll)
            .args(["record", "--live", "--quiet", "--spin", "off", "-o"])
            .arg(recording)
            .arg("--")
            .arg(program)
            .arg(processes.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start locktoll")?;
        let input = recorder.stdin.take();
        let output = BufReader::new(recorder.stdout.take().context("no pipe")?);
        let mut fleet = Self {
            recorder,
            input,
            output,
            processes,
            rounds: 0,
        };
        fleet.answer("ready")?;
        Ok(fleet)
    }

    /// Lets each thread acquire each lock `rounds` more times.
    pub fn work(&mut self, rounds: u64) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("it has ended")?;
        writeln!(input, "{rounds}")?;
        self.answer("done")?;
        self.rounds += rounds;
        Ok(())
    }

    /// The acquisitions that all processes have made.
    pub fn acquisitions(&self) -> u64 {
        self.rounds * THREADS * LOCKS * self.processes
    }

    /// Lets all processes end, and waits for the recording.
    pub fn end(&mut self) -> anyhow::Result<()> {
        self.input = None;
        let status = self.recorder.wait()?;
        ensure!(status.success(), "locktoll record ended with {status}");
        Ok(())
    }

    fn answer(&mut self, wanted: &str) -> anyhow::Result<()> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        ensure!(line.trim_end() == wanted, "the fleet says {line:?}");
        Ok(())
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.recorder.wait();
    }
}

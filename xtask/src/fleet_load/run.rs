//! The order of the events.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::agent::{Agent, Plan};
use super::checks::Checks;
use super::fleet::{Fleet, LOCKS};
use super::options::Options;
use super::receiver::Receiver;
use super::scrape::Scrape;
use crate::build;

/// How long something that must happen may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// The acquisitions of each lock by each thread in one step of the fleet.
const ROUNDS: u64 = 20;
/// The size of the disk that will be full.
const SMALL_DISK: &str = "64k";

/// Loads the agent and prints each check.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let options = Options::of(words)?;
    let folder = tempfile::tempdir()?;
    let program = build::c_program("tests/programs/fleet_members.c", folder.path())?;
    let locktoll = match &options.program {
        Some(path) => path.clone(),
        None => build::locktoll()?,
    };
    let recording = folder.path().join("fleet.locktoll");
    let fleet = Fleet::start(&locktoll, &program, &recording, options.processes)?;
    println!(
        "{} recorded processes, {} locks, one agent that reads them each second",
        options.processes,
        options.processes * LOCKS
    );
    let mut load = Load {
        options,
        locktoll,
        folder: folder.path().to_owned(),
        fleet,
        receiver: Receiver::start()?,
        checks: Checks::default(),
    };
    let agent = load.agent("queue", None)?;
    let agent = load.restarts(agent)?;
    load.server_away(&agent)?;
    let agent = load.full_disk(agent)?;
    println!(
        "        not tested: a clock that is set back. Intervals are measured by CLOCK_MONOTONIC, which cannot be set; the unit tests of \
         `running/increments` show what is pushed then"
    );
    let cpu = load.sums(&agent, &recording)?;
    agent.end()?;
    load.checks.end(cpu)
}

struct Load {
    options: Options,
    locktoll: PathBuf,
    folder: PathBuf,
    fleet: Fleet,
    receiver: Receiver,
    checks: Checks,
}

impl Load {
    /// Starts an agent with a queue of this name.
    fn agent(&self, queue: &str, small_disk: Option<&str>) -> anyhow::Result<Agent> {
        let queue = self.folder.join(queue);
        if !queue.exists() {
            DirBuilder::new().mode(0o700).create(&queue)?;
        }
        Agent::start(&Plan {
            locktoll: &self.locktoll,
            queue: &queue,
            server: self.receiver.url(),
            small_disk,
        })
    }

    /// Has the fleet work for as long as this, with an answer of the agent after each step.
    fn work(&mut self, agent: &Agent, time: Duration) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            self.fleet.work(ROUNDS)?;
            self.checks.scraped(&agent.scrape()?);
            if begun.elapsed() >= time {
                return Ok(());
            }
        }
    }

    /// Waits until an answer is as wanted.
    fn until(
        &mut self,
        agent: &Agent,
        what: &str,
        is: impl Fn(&Scrape) -> bool,
    ) -> anyhow::Result<Scrape> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let scrape = agent.scrape()?;
            self.checks.scraped(&scrape);
            if is(&scrape) {
                return Ok(scrape);
            }
            if Instant::now() > give_up {
                bail!("{what}: not within {} s", PATIENCE.as_secs());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Waits until the agent has read everything that the fleet has done.
    fn caught_up(&mut self, agent: &Agent) -> anyhow::Result<Scrape> {
        let all = self.fleet.acquisitions() as f64;
        let sum = |it: &Scrape| it.sum("lock_acquisitions_total");
        self.until(agent, "the acquisitions of the fleet", move |it| {
            sum(it) >= all
        })
    }

    fn restarts(&mut self, mut agent: Agent) -> anyhow::Result<Agent> {
        let work = self.options.work;
        for _ in 0..self.options.restarts {
            self.work(&agent, work)?;
            self.caught_up(&agent)?;
            agent.end()?;
            agent = self.agent("queue", None)?;
            let first = self.first_figures(&agent)?;
            self.checks.restarted(&first);
        }
        self.work(&agent, work)?;
        Ok(agent)
    }

    fn server_away(&mut self, agent: &Agent) -> anyhow::Result<()> {
        let taken = self.receiver.taken();
        self.receiver.set_away(true);
        self.work(agent, self.options.away)?;
        let waiting = |it: &Scrape| it.sum("agent_push_queued_bytes");
        let away = self.until(agent, "profiles in the queue", move |it| waiting(it) > 0.0)?;
        self.receiver.set_away(false);
        // The next attempt may be a minute away.
        let back = self.until(agent, "an empty queue", move |it| waiting(it) < 1.0)?;
        let dropped = back.sum("agent_push_dropped_total");
        let taken = self.receiver.taken() - taken;
        self.checks.check(
            dropped == 0.0 && taken > 0,
            "profiles wait while the server is away, and all are sent later",
            &format!(
                "{:.0} bytes waited after {} s; {taken} profiles sent, {dropped:.0} dropped",
                waiting(&away),
                self.options.away.as_secs()
            ),
        );
        Ok(())
    }

    /// Has an agent with a small disk fill it. Returns an agent with a large one.
    fn full_disk(&mut self, agent: Agent) -> anyhow::Result<Agent> {
        const WHAT: &str = "the agent goes on while its disk is full";
        if !may_mount() {
            Checks::skip(
                WHAT,
                "a file system of its own needs root (unshare(1), mount(8))",
            );
            return Ok(agent);
        }
        self.caught_up(&agent)?;
        agent.end()?;
        let small = self.agent("small", Some(SMALL_DISK))?;
        let first = self.first_figures(&small)?;
        self.checks.restarted(&first);
        self.receiver.set_away(true);
        let dropped = |it: &Scrape| it.sum("agent_push_dropped_total");
        let give_up = Instant::now() + PATIENCE;
        let full = loop {
            self.work(&small, Duration::from_secs(1))?;
            let scrape = small.scrape()?;
            if dropped(&scrape) > 0.0 {
                break scrape;
            }
            ensure!(Instant::now() < give_up, "the disk does not become full");
        };
        let sum = self.caught_up(&small)?.sum("lock_acquisitions_total");
        self.receiver.set_away(false);
        self.checks.check(
            sum == self.fleet.acquisitions() as f64,
            WHAT,
            &format!(
                "{:.0} profiles dropped and counted; {sum:.0} acquisitions, as many as the fleet made",
                dropped(&full)
            ),
        );
        small.end()?;
        let agent = self.agent("queue", None)?;
        let first = self.first_figures(&agent)?;
        self.checks.restarted(&first);
        Ok(agent)
    }

    /// Waits for the first reading of all processes by a new agent.
    fn first_figures(&self, agent: &Agent) -> anyhow::Result<Scrape> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let scrape = agent.scrape()?;
            let all = scrape.sum("agent_watched_processes") >= self.options.processes as f64;
            // A process is counted before its first figures are there.
            if all && scrape.sum("agent_readings_total") >= 2.0 {
                return Ok(scrape);
            }
            ensure!(
                Instant::now() < give_up,
                "the new agent does not find the fleet"
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Ends the fleet, and compares the sums. Returns the agent's share of a CPU.
    fn sums(&mut self, agent: &Agent, recording: &Path) -> anyhow::Result<f64> {
        self.work(agent, self.options.work)?;
        let last = self.caught_up(agent)?;
        let cpu = agent.cpu(&last);
        self.fleet.end()?;
        let gone = |it: &Scrape| it.sum("agent_watched_processes") < 1.0;
        let end = self.until(agent, "the end of the fleet", gone)?;
        let known = self.fleet.acquisitions();
        let recorded = acquisitions(&self.locktoll, recording)?;
        let counted = end.sum("lock_acquisitions_total");
        self.checks.check(
            recorded == known && counted == known as f64,
            "the sums of the fleet, of its recording and of the agent are equal",
            &format!("{known}, {recorded}, {counted:.0} acquisitions"),
        );
        let bytes = fs::metadata(recording)?.len();
        println!("        the recording: {:.1} MB", bytes as f64 / 1e6);
        Ok(cpu)
    }
}

/// Whether this process may have a file system of its own.
fn may_mount() -> bool {
    let tried = Command::new("unshare").args(["--mount", "true"]).output();
    tried.is_ok_and(|it| it.status.success())
}

/// The acquisitions of the fleet's locks in a recording.
fn acquisitions(locktoll: &Path, recording: &Path) -> anyhow::Result<u64> {
    let output = Command::new(locktoll)
        .args(["report", "--json"])
        .arg(recording)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "locktoll report: {said}");
    let profile: Value = serde_json::from_slice(&output.stdout)?;
    let locks = profile["locks"].as_array().context("a profile has locks")?;
    let figures = locks.iter().map(|lock| lock["acquisitions"].as_u64());
    Ok(figures.map(Option::unwrap_or_default).sum())
}

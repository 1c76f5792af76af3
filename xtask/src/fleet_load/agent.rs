//! The agent that watches the fleet.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};

use super::scrape::Scrape;

/// The bound on locks with series of their own: more than 10,000 series, of 38 for each lock.
const MOST_SERIES: &str = "300";

/// How the agent is started.
pub struct Plan<'p> {
    pub locktoll: &'p Path,
    /// The folder of the queue.
    pub queue: &'p Path,
    /// Where profiles are sent.
    pub server: String,
    /// The size of a file system of its own under the queue, which will be full; in a mount namespace of its own.
    pub small_disk: Option<&'p str>,
}

impl Plan<'_> {
    fn command(&self) -> Command {
        let mut command = match self.small_disk {
            None => Command::new(self.locktoll),
            Some(size) => {
                let mut command = Command::new("unshare");
                let script =
                    "mount -t tmpfs -o mode=700,size=\"$1\" none \"$2\" && shift 2 && exec \"$@\"";
                command
                    .args([
                        "--mount",
                        "--propagation",
                        "private",
                        "sh",
                        "-c",
                        script,
                        "sh",
                        size,
                    ])
                    .arg(self.queue)
                    .arg(self.locktoll);
                command
            }
        };
        command
            .args([
                "agent",
                "--name",
                "^member-",
                "--listen",
                "127.0.0.1:0",
                "--interval",
                "1s",
            ])
            .args([
                "--max-series",
                MOST_SERIES,
                "--push-every",
                "1s",
                "--push-pyroscope",
                &self.server,
            ])
            .arg("--push-queue")
            .arg(self.queue);
        command
    }
}

/// An agent, until this value goes.
pub struct Agent {
    child: Child,
    pub address: SocketAddr,
    begun: Instant,
}

impl Agent {
    /// Starts it, and waits until it serves.
    pub fn start(plan: &Plan<'_>) -> anyhow::Result<Self> {
        let mut command = plan.command();
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start the agent")?;
        let errors = child.stderr.take().context("no pipe")?;
        let mut agent = Self {
            child,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            begun: Instant::now(),
        };
        agent.address = address(errors)?;
        Ok(agent)
    }

    /// Asks it.
    pub fn scrape(&self) -> anyhow::Result<Scrape> {
        Scrape::take(self.address)
    }

    /// Its share of one CPU since it began.
    pub fn cpu(&self, scrape: &Scrape) -> f64 {
        scrape.sum("agent_cpu_seconds_total") / self.begun.elapsed().as_secs_f64()
    }

    /// Ends it as a service manager does, and waits for its end.
    pub fn end(mut self) -> anyhow::Result<()> {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status()?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the agent ended with {status}");
        Ok(())
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the address from what the agent says, and whatever else it says later.
fn address(errors: ChildStderr) -> anyhow::Result<SocketAddr> {
    let mut errors = BufReader::new(errors);
    let mut all = String::new();
    loop {
        let mut line = String::new();
        ensure!(errors.read_line(&mut line)? > 0, "the agent ended: {all}");
        all.push_str(&line);
        let Some((_, rest)) = line.split_once("metrics at http://") else {
            continue;
        };
        let (address, _) = rest.split_once("/metrics").context("no address")?;
        let address = address.parse()?;
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::stderr()));
        return Ok(address);
    }
}

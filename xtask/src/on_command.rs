//! A program that works when a line comes, and `locktoll attach` on it.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use anyhow::{Context, bail};

/// The program at work. It ends with this value.
pub struct OnCommand {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl OnCommand {
    pub fn start(program: &Path, words: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().context("no pipe")?;
        let output = BufReader::new(child.stdout.take().context("no pipe")?).lines();
        let mut subject = Self {
            child,
            input,
            output,
        };
        subject.until("ready")?;
        Ok(subject)
    }

    /// Its lines up to this one.
    fn until(&mut self, last: &str) -> anyhow::Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.next().context("the program has ended")??;
            if line == last {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// What it says of one batch.
    pub fn batch(&mut self) -> anyhow::Result<Vec<String>> {
        writeln!(self.input)?;
        self.until("done")
    }

    /// Has it watched from now on.
    pub fn watch(&self, locktoll: &Path) -> anyhow::Result<Watch> {
        let mut child = Command::new(locktoll)
            .args(["attach", &self.child.id().to_string(), "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut said = BufReader::new(child.stderr.take().context("a pipe")?);
        let mut document = child.stdout.take().context("a pipe")?;
        await_watching(&mut said).with_context(|| "locktoll attach does not watch")?;
        // Whatever else it says must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let document = std::thread::spawn(move || {
            let mut text = String::new();
            document.read_to_string(&mut text).map(|_| text)
        });
        Ok(Watch { child, document })
    }
}

impl Drop for OnCommand {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `locktoll attach` at work.
pub struct Watch {
    child: Child,
    document: JoinHandle<std::io::Result<String>>,
}

impl Watch {
    /// Ends it, and gives the document that it writes.
    pub fn end(mut self) -> anyhow::Result<String> {
        Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status()?;
        self.child.wait()?;
        let document = self.document.join();
        Ok(document.map_err(|_| anyhow::anyhow!("nobody read what it wrote"))??)
    }
}

/// Reads up to the line that says that all programs are in place.
fn await_watching(said: &mut impl BufRead) -> anyhow::Result<()> {
    let mut all = String::new();
    while said.read_line(&mut all)? > 0 {
        if all.contains("watching process") {
            return Ok(());
        }
    }
    bail!("{}", all.trim())
}

//! How a program is started, and what the kernel says it used.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use tempfile::TempDir;

/// With the library under it, or without; in a comparison of timelines, recorded in both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Without the library. In a comparison of timelines: recorded without one.
    Bare,
    /// With the library. In a comparison of timelines: recorded with one.
    Recorded,
}

/// The timeline of a recording, as `record --timeline` orders it.
const TIMELINE: &str = "waits:67108864";

/// Where programs are run: a folder that is theirs, and the library.
pub struct Place {
    folder: TempDir,
    library: PathBuf,
    exact: bool,
    compares_timelines: bool,
}

impl Place {
    /// A new folder for programs, and the library to put under them.
    pub fn new(library: PathBuf, exact: bool) -> anyhow::Result<Self> {
        Ok(Self {
            folder: tempfile::Builder::new().prefix("bench-").tempdir()?,
            library,
            exact,
            compares_timelines: false,
        })
    }

    /// Records in both ways, in the one with a timeline.
    pub fn comparing_timelines(self, compares_timelines: bool) -> Self {
        Self {
            compares_timelines,
            ..self
        }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program and its arguments, to be started in the folder the one way or the other.
    ///
    /// Recorded is what `locktoll record` makes of its environment. The launcher itself stays away: its start, the
    /// merging of parts and the price it measures come before and after the program.
    pub fn command<S: AsRef<OsStr>>(&self, way: Way, words: &[S]) -> anyhow::Result<Started> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        self.prepare(way, command)
    }

    /// As [`command`](Self::command), with `outer` (its last argument is followed by the program's words) around it,
    /// which is not recorded itself.
    pub fn command_within<S: AsRef<OsStr>>(
        &self,
        way: Way,
        outer: &[&str],
        words: &[S],
    ) -> anyhow::Result<Started> {
        let mut command = Command::new(outer[0]);
        command.args(&outer[1..]).arg("env");
        let parts = self.parts(way)?;
        if let Some(parts) = &parts {
            for (name, value) in self.environment(way, parts) {
                let mut word = name.to_owned();
                word.push(value);
                command.arg(word);
            }
        }
        command.args(words).current_dir(self.folder.path());
        Ok(Started {
            command,
            _parts: parts,
        })
    }

    fn prepare(&self, way: Way, mut command: Command) -> anyhow::Result<Started> {
        let parts = self.parts(way)?;
        if let Some(parts) = &parts {
            for (name, value) in self.environment(way, parts) {
                command.env(name.to_string_lossy().trim_end_matches('='), value);
            }
        }
        command.current_dir(self.folder.path());
        Ok(Started {
            command,
            _parts: parts,
        })
    }

    fn parts(&self, way: Way) -> anyhow::Result<Option<TempDir>> {
        Ok(match way {
            Way::Bare if !self.compares_timelines => None,
            _ => Some(
                tempfile::Builder::new()
                    .prefix("parts-")
                    .tempdir_in(self.folder.path())?,
            ),
        })
    }

    /// Names, each with its equals sign, and values.
    fn environment(
        &self,
        way: Way,
        parts: &TempDir,
    ) -> impl Iterator<Item = (std::ffi::OsString, std::ffi::OsString)> {
        let mode = if self.exact { "exact" } else { "sampled" };
        let has_timeline = self.compares_timelines && way == Way::Recorded;
        [
            ("LD_PRELOAD=", self.library.clone().into_os_string()),
            ("LOCKTOLL_PARTS=", parts.path().as_os_str().to_owned()),
            ("LOCKTOLL_MODE=", mode.into()),
        ]
        .into_iter()
        .chain(has_timeline.then(|| ("LOCKTOLL_TIMELINE=", TIMELINE.into())))
        .map(|(name, value)| (name.into(), value))
    }
}

/// A command that has all it needs, its folder for parts among it.
pub struct Started {
    pub command: Command,
    _parts: Option<TempDir>,
}

/// A program that has run to its end.
pub struct Finished {
    /// From its start to its end.
    pub wall_seconds: f64,
    /// User and kernel time, its children's included.
    pub cpu_seconds: f64,
    /// The most memory it had resident at once, KiB.
    pub peak_kib: i64,
    /// What it wrote on both outputs.
    pub output: String,
}

impl Started {
    /// Runs the program to its end. What it reads is empty.
    pub fn run(mut self) -> anyhow::Result<Finished> {
        let mut output = tempfile::tempfile()?;
        self.redirect(&output)?;
        let begin = Instant::now();
        let child = self.spawn()?;
        let (status, spent) = reap(&child)?;
        let wall_seconds = begin.elapsed().as_secs_f64();
        let mut text = Vec::new();
        output.rewind()?;
        output.read_to_end(&mut text)?;
        let finished = Finished {
            wall_seconds,
            cpu_seconds: cpu_seconds(&spent),
            peak_kib: spent.ru_maxrss,
            output: String::from_utf8_lossy(&text).into_owned(),
        };
        ensure!(
            status.success(),
            "{:?} ended with {status}: {}",
            self.command.get_program(),
            finished.output
        );
        Ok(finished)
    }

    /// Starts the program, for somebody else to end.
    pub fn server(mut self) -> anyhow::Result<Server> {
        let nowhere = File::options().write(true).open("/dev/null")?;
        self.redirect(&nowhere)?;
        let child = self.spawn()?;
        Ok(Server {
            child: Some(child),
            _started: self,
        })
    }

    fn redirect(&mut self, output: &File) -> anyhow::Result<()> {
        self.command
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output.try_clone()?);
        Ok(())
    }

    fn spawn(&mut self) -> anyhow::Result<Child> {
        let program = self.command.get_program().to_owned();
        self.command
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))
    }
}

/// A program that runs until it is told to end; told so at the latest when dropped.
pub struct Server {
    child: Option<Child>,
    _started: Started,
}

impl Server {
    /// Tells it to end and says what processor time it used, in seconds.
    #[expect(
        clippy::zombie_processes,
        reason = "wait4 waits for it, for what it used"
    )]
    pub fn stop(mut self) -> anyhow::Result<f64> {
        let child = self.child.take().expect("it is stopped once");
        terminate(&child);
        Ok(cpu_seconds(&reap(&child)?.1))
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        let child = self.child.as_mut().expect("it is stopped once");
        matches!(child.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &self.child {
            terminate(child);
            // Nothing depends on how it ended.
            let _ = reap(child);
        }
    }
}

fn terminate(child: &Child) {
    // SAFETY: no memory is involved; the child has not been waited for, so the number is its own.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
}

/// Waits for the child; how it ended, and what it used.
fn reap(child: &Child) -> anyhow::Result<(ExitStatus, libc::rusage)> {
    let mut status = 0;
    // SAFETY: zeros are a valid `rusage`.
    let mut spent: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live values.
    let reaped =
        unsafe { libc::wait4(child.id().cast_signed(), &raw mut status, 0, &raw mut spent) };
    ensure!(reaped >= 0, "wait4: {}", std::io::Error::last_os_error());
    Ok((ExitStatus::from_raw(status), spent))
}

fn cpu_seconds(spent: &libc::rusage) -> f64 {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(spent.ru_utime) + seconds(spent.ru_stime)
}

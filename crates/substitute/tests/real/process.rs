//! Programs that are started, awaited, stopped, and never left behind.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::pace::PATIENCE;

/// A pause between two looks.
const LOOK: Duration = Duration::from_millis(10);

/// A program in a process group of its own, ended with all of its children when it is dropped.
pub struct Running {
    child: Child,
    output: PathBuf,
    errors: PathBuf,
    is_over: bool,
}

impl Running {
    /// Starts a program whose output goes to files of this name.
    pub fn start(command: &mut Command, name: PathBuf) -> Result<Self, String> {
        let (output, errors) = (name.with_extension("out"), name.with_extension("err"));
        let file = |path| File::create(path).map_err(|error| error.to_string());
        command
            .stdin(Stdio::null())
            .stdout(file(&output)?)
            .stderr(file(&errors)?)
            .process_group(0);
        // SAFETY: prctl(2) is a system call and nothing else.
        unsafe {
            command.pre_exec(|| {
                // Should the test be killed, its programs end with it.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
        let child = command
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        Ok(Self {
            child,
            output,
            errors,
            is_over: false,
        })
    }

    /// Looks until `is_so`.
    pub fn until(&mut self, what: &str, mut is_so: impl FnMut() -> bool) -> Result<(), String> {
        let begun = Instant::now();
        while !is_so() {
            if let Some(status) = self.look()? {
                return Err(format!("ended ({status}) before {what}: {}", self.said()));
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("{what}: not after {PATIENCE:?}: {}", self.said()));
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Waits until it ends by itself, successfully, and gives what it wrote to standard output.
    pub fn finish(mut self) -> Result<String, String> {
        let status = self.wait("its end")?;
        match status.success() {
            true => Ok(text(&self.output)),
            false => Err(format!("{}: {}", ending(status), self.said())),
        }
    }

    /// Asks it to stop (`SIGTERM`), which it must do, successfully.
    pub fn stop(mut self) -> Result<(), String> {
        if let Some(status) = self.look()? {
            return Err(format!(
                "{} before it was to stop: {}",
                ending(status),
                self.said()
            ));
        }
        // SAFETY: kill(2) of a child that has not been waited for.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGTERM) };
        let status = self.wait("its end after SIGTERM")?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("{} after SIGTERM: {}", ending(status), self.said())),
        }
    }

    fn look(&mut self) -> Result<Option<ExitStatus>, String> {
        let status = self.child.try_wait().map_err(|error| error.to_string())?;
        self.is_over |= status.is_some();
        Ok(status)
    }

    fn wait(&mut self, what: &str) -> Result<ExitStatus, String> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.look()? {
                return Ok(status);
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("{what}: not after {PATIENCE:?}: {}", self.said()));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// The end of what it wrote, for a message.
    fn said(&self) -> String {
        let end = |path| {
            let text = text(path);
            let skipped = text.chars().count().saturating_sub(1500);
            text.chars().skip(skipped).collect::<String>()
        };
        end(&self.output) + &end(&self.errors)
    }
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: the group was made by `start` and is named by its first process, whose id is not free before `wait` below,
        // or before its children have gone.
        unsafe { libc::kill(-(self.child.id() as i32), libc::SIGKILL) };
        if !self.is_over {
            // Nothing else can be done about a child that cannot be waited for.
            let _ = self.child.wait();
        }
    }
}

fn ending(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => format!("ended by signal {signal}"),
        None => format!("ended with {status}"),
    }
}

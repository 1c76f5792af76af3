//! Programs that run while they are watched.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The built binary.
pub const LOCKTOLL: &str = env!("CARGO_BIN_EXE_locktoll");

/// A folder for what a test builds.
pub fn folder() -> tempfile::TempDir {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix("attach-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .unwrap()
}

/// A program's source.
pub fn source(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs")).join(name)
}

/// Runs a tool to its successful end; `None`, and the test is skipped, if it is not installed.
pub fn tool(command: &mut Command) -> Option<Output> {
    let name = command.get_program().to_str().expect("a name");
    if !locktoll_needs::programs(&[name]) {
        return None;
    }
    let output = command.output().unwrap();
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    Some(output)
}

/// Compiles a program into a test's folder; `None` without the compiler.
pub fn built(compiler: &Command, program: &Path) -> Option<PathBuf> {
    let name = compiler.get_program().to_str().expect("a name");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    locktoll_needs::programs(&[name]).then(|| locktoll_programs::copied(compiler, program, scratch))
}

/// A running program; it ends with this value.
pub struct Watched(Child);

impl Watched {
    /// Starts it, and waits until it says that it is ready.
    pub fn start(command: &mut Command) -> Self {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "{command:?}");
        Self(child)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Begins to watch it.
    pub fn attach(&self, duration: &str, more: &[&str]) -> Child {
        let mut command = attach_command(self.id(), duration);
        command.args(more).spawn().unwrap()
    }

    /// Watches it for a while; `None`, and the test is skipped, if that is not possible here.
    pub fn profile(&self, duration: &str, more: &[&str]) -> Option<Value> {
        profile_of(self.attach(duration, more))
    }
}

/// Begins to watch a process.
pub fn attach_to(process: u32, duration: &str) -> Child {
    attach_command(process, duration).spawn().unwrap()
}

fn attach_command(process: u32, duration: &str) -> Command {
    let mut command = Command::new(LOCKTOLL);
    command
        .args([
            "attach",
            &process.to_string(),
            "--duration",
            duration,
            "--json",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// What `attach` says in the end; `None`, and the test is skipped, if it is not possible here.
pub fn profile_of(attached: Child) -> Option<Value> {
    let output = attached.wait_with_output().unwrap();
    let errors = text(&output.stderr);
    if output.status.code() == Some(3) {
        locktoll_needs::refused(&errors);
        return None;
    }
    assert!(output.status.success(), "{errors}");
    assert!(
        errors.contains("Ctrl-C prints the results so far"),
        "{errors}"
    );
    let profile: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(profile["schema"], "locktoll.profile/1");
    assert_eq!(profile["source"], "attach");
    Some(profile)
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lock whose name ends like this.
pub fn lock<'a>(profile: &'a Value, name: &str) -> &'a Value {
    let locks = profile["locks"].as_array().unwrap();
    let found = locks
        .iter()
        .find(|lock| lock["name"].as_str().unwrap().ends_with(name));
    found.unwrap_or_else(|| panic!("no lock {name} in {profile:#}"))
}

/// Whether any of the entries at `list` has `function` among its frames at `field`.
pub fn has_function(lock: &Value, list: &str, field: &str, function: &str) -> bool {
    let entries = lock[list].as_array().into_iter().flatten();
    entries
        .flat_map(|entry| entry[field].as_array().into_iter().flatten())
        .filter_map(|frame| frame["function"].as_str())
        .any(|name| name.contains(function))
}

/// What was waited for a lock or a signal, nanoseconds.
pub fn waited_ns(lock: &Value) -> u64 {
    let signal = lock["signal"]["wait_ns"]["total"].as_u64();
    signal.or(lock["wait_ns"]["total"].as_u64()).unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

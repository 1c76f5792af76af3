//! The attacker's process, and the programs that examine it.

use std::fs::{File, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{Bench, text};

/// The user that owns nothing.
pub const NOBODY: u32 = 65534;

/// Longer than anything takes on a busy machine, and shorter than for ever.
pub const PATIENCE: Duration = Duration::from_secs(300);

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A folder that the attacker may write to.
pub fn shared(bench: &Bench, name: &str) -> std::path::PathBuf {
    let folder = bench.path(name);
    std::fs::create_dir(&folder).unwrap();
    let anybody = |path: &Path, mode| {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    anybody(&folder, 0o777);
    anybody(&bench.path(""), 0o755);
    folder
}

/// The attacker's process; it ends with this value.
pub struct Target {
    child: Child,
    said: String,
}

impl Target {
    /// Starts it as another user where that is possible, and waits for its first line.
    pub fn start(command: &mut Command) -> Self {
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        Self::start_as_we_are(command)
    }

    /// Starts it as the user that we are.
    pub fn start_as_we_are(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let mut said = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        lines.read_line(&mut said).unwrap();
        // What it says later has to go somewhere.
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        Self { child, said }
    }

    /// The same, of one that must be ready.
    pub fn ready(command: &mut Command) -> Self {
        let target = Self::start(command);
        assert_eq!(target.said, "ready\n", "{command:?}");
        target
    }

    pub fn said(&self) -> &str {
        &self.said
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn say(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a run of the binary ended.
pub struct Ended {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub errors: String,
    /// The most memory that it had at once, KiB.
    pub memory_kib: u64,
    /// User and kernel time.
    pub cpu: Duration,
}

/// Runs it to its end, which must come.
pub fn run(command: &mut Command, said: &Path) -> Ended {
    let child = begin(command, said);
    finish(child, said)
}

/// Starts it, with all that it says in files.
pub fn begin(command: &mut Command, said: &Path) -> Child {
    command
        .stdin(Stdio::null())
        .stdout(File::create(said).unwrap())
        .stderr(File::create(said.with_extension("errors")).unwrap());
    command.spawn().unwrap()
}

/// Waits for its end, which must come.
pub fn finish(mut child: Child, said: &Path) -> Ended {
    let began = Instant::now();
    let (mut memory_kib, mut cpu_ticks) = (0, 0);
    let status = loop {
        // Of the present program alone: what wait4(2) says begins with its parent's.
        memory_kib = memory_kib.max(most_memory_kib(child.id()).unwrap_or(0));
        cpu_ticks = cpu_ticks.max(ticks(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it never ends");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let errors = std::fs::read(said.with_extension("errors")).unwrap();
    let tick = Duration::from_secs(1) / rustix::param::clock_ticks_per_second() as u32;
    Ended {
        code: status.code(),
        signal: status.signal(),
        errors: text(&errors),
        memory_kib,
        cpu: tick * cpu_ticks,
    }
}

fn most_memory_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let most = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    most.trim().strip_suffix(" kB")?.trim().parse().ok()
}

fn ticks(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut field = || fields.next()?.parse::<u32>().ok();
    Some(field()? + field()?)
}

/// `attach` to the target, begun.
pub fn attach(bench: &Bench, target: u32, duration: &str) -> (Child, std::path::PathBuf) {
    let said = bench.path("attached.json");
    let mut command = bench.locktoll();
    command.args([
        "attach",
        &target.to_string(),
        "--duration",
        duration,
        "--json",
    ]);
    (begin(&mut command, &said), said)
}

/// Its end, and the profile; none, with the reason noted, where the kernel does not let it.
pub fn attached((child, said): (Child, std::path::PathBuf)) -> Option<(Ended, Value)> {
    let ended = finish(child, &said);
    if ended.code == Some(3) {
        locktoll_needs::refused(&ended.errors);
        return None;
    }
    assert_eq!(
        (ended.code, ended.signal),
        (Some(0), None),
        "{}",
        ended.errors
    );
    let text = std::fs::read(said).unwrap();
    Some((ended, serde_json::from_slice(&text).unwrap()))
}

/// All functions that a profile names.
pub fn functions(profile: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![profile];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(list) => left.extend(list),
            Value::Object(fields) => {
                let function = fields.get("function").and_then(Value::as_str);
                found.extend(function.map(str::to_owned));
                left.extend(fields.values());
            }
            _ => {}
        }
    }
    found
}

/// All of a file.
pub fn read(path: &Path) -> String {
    let mut bytes = Vec::new();
    File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
    text(&bytes)
}

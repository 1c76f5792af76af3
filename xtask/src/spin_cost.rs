//! What the detector of busy waiting costs: programs under `locktoll record` with it and without it, in turns.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use anyhow::{Context, bail, ensure};
use locktoll_lab::stats::{estimate, ratio_of_pairs};

use super::build;

/// Kinds of work of `tests/programs/spin_cost.c`: name, amount, and what it is.
const KINDS: [(&str, u64, &str); 3] = [
    ("computes", 900_000_000, "a thread that computes"),
    (
        "switches",
        800_000,
        "two threads on one CPU that wake each other by pipes",
    ),
    (
        "spins",
        100_000,
        "two threads that wait for each other in a loop",
    ),
];

/// A user without privileges.
const NOBODY: u32 = 65534;

/// Returns a figure of a run.
type Figure = fn(&Took) -> f64;

/// Figures of a run, and what they are called.
const FIGURES: [(&str, Figure); 3] = [
    ("program's CPU time", |it| it.program_ns),
    ("time by the clock", |it| it.wall_ns),
    ("CPU time of both", |it| it.both_ns),
];

/// Runs each kind of work `rounds` times with the detector, and twice as often without.
pub fn run(wishes: &[&str]) -> anyhow::Result<()> {
    let (mut rounds, mut locktoll, mut names, mut user) = (11, None, Vec::new(), None);
    let mut part = 1;
    for wish in wishes {
        if let Ok(number) = wish.parse::<usize>() {
            rounds = number;
        } else if let Some(number) = wish.strip_prefix("1/") {
            part = number.parse().context("the part is 1/NUMBER")?;
        } else if wish.contains('/') {
            locktoll = Some(PathBuf::from(wish));
        } else if *wish == "--as-nobody" {
            user = Some(NOBODY);
        } else if KINDS.iter().any(|kind| kind.0 == *wish) {
            names.push(*wish);
        } else {
            bail!(
                "no such work: {wish}; accepted: {}, a number of rounds, 1/N for a part of the work, a path of the program, --as-nobody",
                KINDS.map(|kind| kind.0).join(", ")
            );
        }
    }
    ensure!(rounds >= 6, "an interval of 95 % takes 6 rounds or more");
    // Where any user may go.
    let folder = tempfile::tempdir_in("/tmp")?;
    std::fs::set_permissions(
        folder.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o777),
    )?;
    let built = match locktoll {
        Some(path) => path.canonicalize()?,
        None => build::locktoll()?,
    };
    let locktoll = folder.path().join("locktoll");
    std::fs::copy(built, &locktoll)?;
    let subject = Subject {
        program: build::c_program("tests/programs/spin_cost.c", folder.path())?,
        locktoll,
        folder: folder.path(),
        user,
    };
    for kind in KINDS {
        if names.is_empty() || names.contains(&kind.0) {
            subject.measure(kind, rounds, part)?;
        }
    }
    Ok(())
}

/// The programs, and where they run.
struct Subject<'a> {
    program: PathBuf,
    locktoll: PathBuf,
    folder: &'a Path,
    user: Option<u32>,
}

/// What a run took.
#[derive(Clone, Copy)]
struct Took {
    /// CPU time of the program, by its own account.
    program_ns: f64,
    /// CPU time of the program and of locktoll together.
    both_ns: f64,
    /// Time of the work by the clock.
    wall_ns: f64,
}

impl Subject<'_> {
    fn measure(
        &self,
        (name, amount, what): (&str, u64, &str),
        rounds: usize,
        part: u64,
    ) -> anyhow::Result<()> {
        let amount = (amount / part.max(1)).max(1).to_string();
        // On, off, and off once more; each of them comes first in a third of the rounds.
        let mut took = Vec::new();
        for round in 0..rounds {
            let mut of_round = [None; 3];
            for place in 0..3 {
                let which = (round + place) % 3;
                let spin = if which == 0 { "on" } else { "off" };
                of_round[which] = Some(self.recorded(spin, name, &amount)?);
            }
            took.push(of_round.map(|it| it.expect("each was run")));
        }
        println!("{name} {amount}: {what}, {rounds} rounds");
        for (title, figure) in FIGURES {
            let ratio = |of: usize| {
                let pairs: Vec<(f64, f64)> = took
                    .iter()
                    .map(|it| (figure(&it[1]), figure(&it[of])))
                    .collect();
                ratio_of_pairs(&pairs).context("no round gave two figures")
            };
            let (on, again) = (ratio(0)?, ratio(2)?);
            println!(
                "  {title:<18}  on / off {:.4} ({:.4} .. {:.4})   off / off {:.4} ({:.4} .. {:.4})",
                on.median, on.low, on.high, again.median, again.low, again.high
            );
        }
        let each = |figure: &dyn Fn(&[Took; 3]) -> f64| -> anyhow::Result<f64> {
            let all: Vec<f64> = took.iter().map(figure).collect();
            Ok(estimate(&all).context("no round gave a figure")?.median / 1e6)
        };
        println!(
            "  program: {:.1} ms of CPU time; locktoll itself: {:.1} ms with the detector, {:.1} ms without",
            each(&|it| it[1].program_ns)?,
            each(&|it| it[0].both_ns - it[0].program_ns)?,
            each(&|it| it[1].both_ns - it[1].program_ns)?,
        );
        Ok(())
    }

    fn recorded(&self, spin: &str, name: &str, amount: &str) -> anyhow::Result<Took> {
        let mut command = Command::new(&self.locktoll);
        command
            .current_dir(self.folder)
            .env("XDG_CACHE_HOME", self.folder.join("cache"))
            .args([
                "record",
                "--quiet",
                "--spin",
                spin,
                "-o",
                "out.locktoll",
                "--",
            ])
            .arg(&self.program)
            .args([name, amount])
            .stdout(Stdio::piped());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        let mut child = command.spawn()?;
        let mut printed = String::new();
        let mut out = child.stdout.take().context("it is piped")?;
        out.read_to_string(&mut printed)?;
        let (status, both_ns) = waited(&child)?;
        ensure!(status.success(), "record ended with {status}");
        let said = |what: &str| -> anyhow::Result<f64> {
            let mut lines = printed.lines();
            lines
                .find_map(|line| line.strip_prefix(what)?.parse().ok())
                .with_context(|| format!("the program printed no {what}"))
        };
        Ok(Took {
            program_ns: said("cpu ns=")?,
            both_ns,
            wall_ns: said("took ns=")?,
        })
    }
}

/// Waits for a child, and returns the CPU time of it and of its own children.
fn waited(child: &Child) -> anyhow::Result<(ExitStatus, f64)> {
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers lead to values that the kernel may fill; zeros are valid for both.
    let (waited, usage) = unsafe {
        let waited = libc::wait4(child.id() as i32, &mut status, 0, usage.as_mut_ptr());
        (waited, usage.assume_init())
    };
    ensure!(waited > 0, "{}", std::io::Error::last_os_error());
    let ns = |it: libc::timeval| it.tv_sec as f64 * 1e9 + it.tv_usec as f64 * 1e3;
    let cpu_ns = ns(usage.ru_utime) + ns(usage.ru_stime);
    Ok((ExitStatus::from_raw(status), cpu_ns))
}

//! Runs, medians and intervals.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::support::{command, command_recorded};

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Without the library.
    Bare,
    /// With it, a sample of the holds timed.
    Sampled,
    /// With it, every hold timed.
    Exact,
    /// As `Sampled`, and the order of locks is not noted.
    WithoutOrder,
}

/// A program to run, and where its parts go.
pub struct Run {
    command: Command,
    parts: TempDir,
}

impl Run {
    /// `program` with `arguments`, to be run that way.
    pub fn new(way: Way, program: &Path, arguments: &[&str]) -> Self {
        // In memory where there is such a place: a disk's own time is not asked for.
        let parts = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .expect("a folder for parts");
        let mut command = match way {
            Way::Bare => command(program),
            Way::Sampled | Way::Exact | Way::WithoutOrder => {
                command_recorded(program, parts.path(), &[])
            }
        };
        if way == Way::WithoutOrder {
            command.env("LOCKTOLL_ORDER", "off");
        }
        if way == Way::Exact {
            command.env("LOCKTOLL_MODE", "exact");
        }
        command.args(arguments);
        Self { command, parts }
    }

    /// Runs it to its end, and reads the one number that it prints.
    pub fn number(mut self) -> f64 {
        let output = self.command.output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().expect("a number")
    }

    /// Runs it to its end, which must be a good one. The parts are there until the folder is dropped.
    #[expect(
        clippy::zombie_processes,
        reason = "wait4 waits for it, for what it used"
    )]
    pub fn spent(mut self) -> (Spent, TempDir) {
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = self.command.spawn().expect("it starts");
        (reap(&child), self.parts)
    }
}

/// What a program used.
pub struct Spent {
    /// Memory resident at most, bytes.
    pub peak_bytes: f64,
    /// User and kernel time, milliseconds.
    pub cpu_ms: f64,
}

/// Waits for the child, and says what it used.
fn reap(child: &Child) -> Spent {
    let mut status = 0;
    // SAFETY: zeros are a valid `rusage`.
    let mut spent: libc::rusage = unsafe { std::mem::zeroed() };
    let pid = child.id().cast_signed();
    // SAFETY: both pointers are to live values.
    let reaped = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut spent) };
    assert!(reaped == pid && status == 0, "{status}");
    let milliseconds = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    Spent {
        peak_bytes: spent.ru_maxrss as f64 * 1024.0,
        cpu_ms: milliseconds(spent.ru_utime) + milliseconds(spent.ru_stime),
    }
}

/// Figures of interleaved runs: bare, recorded the ways that were asked for, and bare again.
pub struct Rounds {
    ways: Vec<Way>,
    rounds: Vec<Vec<f64>>,
}

impl Rounds {
    /// Plays `count` rounds of `figure`, each in another order than the one before.
    pub fn play(count: usize, recorded: &[Way], figure: impl Fn(Way) -> f64) -> Self {
        let mut ways = vec![Way::Bare];
        ways.extend(recorded);
        ways.push(Way::Bare);
        let rounds = (0..count)
            .map(|round| {
                let mut figures = vec![0.0; ways.len()];
                for step in 0..ways.len() {
                    let place = (step + round) % ways.len();
                    figures[place] = figure(ways[place]);
                }
                figures
            })
            .collect();
        Self { ways, rounds }
    }

    /// Prints a line for each way: the figure, and `compared` with the bare figure of its round.
    pub fn print(&self, unit: &str, compared: impl Fn(f64, f64) -> f64) {
        for (place, way) in self.ways.iter().enumerate() {
            let figures = self.rounds.iter().map(|round| round[place]);
            let name = match (place, way) {
                (0, _) => "bare",
                (_, Way::Bare) => "bare again",
                (_, Way::Sampled) => "recorded",
                (_, Way::Exact) => "recorded, --exact",
                (_, Way::WithoutOrder) => "recorded, --order off",
            };
            print!("    {name:<20}{:>10.2} {unit}", median(figures).0);
            if place > 0 {
                let pairs = self.rounds.iter();
                let (middle, low, high) =
                    median(pairs.map(|round| compared(round[place], round[0])));
                print!("   {middle:+.3} ({low:+.3} .. {high:+.3})");
            }
            println!();
        }
    }
}

/// The median, and the interval that holds it with 95 % confidence or a little more: the narrowest pair of order
/// statistics that does, as many from below as from above (Thompson, 1936).
pub fn median(figures: impl Iterator<Item = f64>) -> (f64, f64, f64) {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let count = figures.len();
    let middle = f64::midpoint(figures[(count - 1) / 2], figures[count / 2]);
    // How probable it is that no more than `cut` of the figures lie below the true median.
    let mut cut = 0;
    let mut term = 0.5_f64.powi(count as i32);
    let mut below = term;
    while below + term * (count - cut) as f64 / (cut + 1) as f64 <= 0.025 {
        term *= (count - cut) as f64 / (cut + 1) as f64;
        below += term;
        cut += 1;
    }
    (middle, figures[cut], figures[count - 1 - cut])
}

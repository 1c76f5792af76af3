//! The cost that recording adds to an uncontended acquisition and release, on this machine at this time.

use std::fs::DirBuilder;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use locktoll_lab::platform::startable;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::environment;
use super::environment::Orders;
use super::signals::CutShort;
use crate::inner::PAIRS;

/// Runs of each kind. The median of so few is steady, since each run is itself a median of many stretches.
const ROUNDS: usize = 5;

/// How long each run measures, in milliseconds.
const RUN_MS: &str = "12";

/// The longest delay of the program's result, whatever happens.
const LIMIT: Duration = Duration::from_millis(500);

/// If fewer rounds than this fit into the limit, no cost is reported.
const LEAST_ROUNDS: usize = 3;

/// How often to check whether the user wants to go on.
const GLANCE: Duration = Duration::from_millis(10);

/// Measures bare and recorded runs of the same loop in turn. Returns picoseconds; `None` if that did not succeed in time.
///
/// The recorder gets about the same orders as it did for the program, except for the folder.
pub fn added_ps_per_pair(orders: &Orders<'_>, cut_short: &CutShort<'_>) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let folder = Folder::create(orders.parts)?;
    let orders = Orders {
        parts: &folder.0,
        ..*orders
    };
    let deadline = Instant::now() + LIMIT;
    let mut added_ns = Vec::new();
    for round in 0..ROUNDS {
        let run = |recorded: bool| {
            let orders = recorded.then_some(&orders);
            pair_ns(&program, orders, deadline, cut_short)
        };
        // The first run may find the machine in another state, so the two kinds take turns.
        let costs = if round % 2 == 0 {
            run(false).zip(run(true))
        } else {
            let recorded = run(true);
            run(false).zip(recorded)
        };
        match costs {
            Some((bare, recorded)) => added_ns.push(recorded - bare),
            None => break,
        }
    }
    (added_ns.len() >= LEAST_ROUNDS).then(|| picoseconds(&mut added_ns))
}

/// Returns the median, at least one, since zero means "not measured".
fn picoseconds(added_ns: &mut [f64]) -> u64 {
    added_ns.sort_by(f64::total_cmp);
    let middle = added_ns.len() / 2;
    let median = if added_ns.len().is_multiple_of(2) {
        f64::midpoint(added_ns[middle - 1], added_ns[middle])
    } else {
        added_ns[middle]
    };
    ((median * 1000.0).round() as u64).max(1)
}

/// Returns the cost of a pair in one run, in nanoseconds.
fn pair_ns(
    program: &Path,
    orders: Option<&Orders<'_>>,
    deadline: Instant,
    cut_short: &CutShort<'_>,
) -> Option<f64> {
    let mut command = Command::new(program);
    command.args([PAIRS, RUN_MS]);
    match orders {
        Some(orders) => environment::prepare(&mut command, orders),
        None => {
            command.env_remove(environment::PARTS);
        }
    }
    let mut command = startable(command, None);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // A terminal's Ctrl-C goes only to us; we end the child ourselves.
        .process_group(0);
    let mut child = command.spawn().ok()?;
    let answer = read_answer(&mut child, deadline, cut_short);
    if !matches!(answer, Ok(Some(_))) {
        // Nothing more can be done for a child that cannot be killed.
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    let cost: f64 = answer.ok()??.trim().parse().ok()?;
    (status.success() && cost.is_finite()).then_some(cost)
}

/// Reads until the child closes its standard output; `None` past the deadline or if the user cut it short.
fn read_answer(
    child: &mut Child,
    deadline: Instant,
    cut_short: &CutShort<'_>,
) -> io::Result<Option<String>> {
    let mut pipe = child.stdout.take().expect("asked for a pipe");
    let mut answer = Vec::new();
    let mut piece = [0; 64];
    loop {
        if cut_short.requested() || Instant::now() > deadline {
            return Ok(None);
        }
        let glance = Timespec::try_from(GLANCE).expect("milliseconds fit");
        match poll(
            &mut [PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)],
            Some(&glance),
        ) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => match pipe.read(&mut piece)? {
                0 => return Ok(Some(String::from_utf8_lossy(&answer).into_owned())),
                read => answer.extend_from_slice(&piece[..read]),
            },
            Err(error) => return Err(error.into()),
        }
    }
}

/// A folder inside the one for parts, so that the parts of these runs are on the same disk and mix with no others.
struct Folder(PathBuf);

impl Folder {
    fn create(parts: &Path) -> Option<Self> {
        let folder = parts.join("cost");
        DirBuilder::new().mode(0o700).create(&folder).ok()?;
        Some(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The folder around it is removed later, and any leftovers with it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_rounded_and_never_reads_as_not_measured() {
        assert_eq!(picoseconds(&mut [9.0, 1.0, 2.0004]), 2000);
        assert_eq!(picoseconds(&mut [1.0, 9.0, 2.0, 3.0]), 2500);
        assert_eq!(picoseconds(&mut [-0.5, -0.2, 0.1]), 1);
    }
}

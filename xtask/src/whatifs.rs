//! Is what `locktoll whatif` predicts true? Programs whose holds have a length that the command line says, on this machine: the
//! truth is measured by giving a smaller number.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::build;

/// The program's mode, the length of a hold in microseconds, the rounds, whether holds sleep, and the lock in question.
type Case = (&'static str, u32, u32, bool, &'static str);

const CASES: [Case; 14] = [
    ("one", 1000, 300, false, "work_lock"),
    ("one", 1000, 300, true, "work_lock"),
    ("one", 50, 6000, false, "work_lock"),
    ("shared", 1000, 200, false, "work_lock"),
    ("shared", 1000, 200, true, "work_lock"),
    ("decoy", 1000, 300, true, "work_lock"),
    ("two", 2000, 200, true, "work_lock"),
    ("readers", 1000, 300, true, "work_rwlock"),
    ("readers", 1000, 200, false, "work_rwlock"),
    ("pool", 1000, 300, true, "work_lock"),
    ("pool", 1000, 300, false, "work_lock"),
    ("pipeline", 1000, 300, true, "work_lock"),
    ("pipeline", 1000, 300, false, "work_lock"),
    (SERVER, 1000, 100, true, "work_lock"),
];

/// The mode with a load, whose rounds are the requests of each connection.
const SERVER: &str = "server";

/// The port of that server, at the loopback address.
const PORT: u16 = 17_071;

/// Decoys: they have the longest waits, and the truth is that nothing is gained.
const DECOYS: [Case; 2] = [
    ("decoy", 1000, 300, true, "decoy_lock"),
    ("decoy", 1000, 300, false, "decoy_lock"),
];

/// Runs of the truth: each of the three lengths this many times, interleaved.
const TRUTH: usize = 9;

/// The predictions by one experiment, or by what `whatif` prints.
#[derive(Default)]
struct Score {
    inside: usize,
    errors: Vec<f64>,
}

impl Score {
    /// Compares a gain with the truth, and prints both.
    fn add(&mut self, what: &str, gain: &Value, truth: f64) -> anyhow::Result<()> {
        let bound = |field: &str| gain[field].as_f64().context("no gain was predicted");
        let (low, median, high) = (bound("low")?, bound("median")?, bound("high")?);
        let is_inside = (low..=high).contains(&truth);
        let error = 100.0 * (median - truth).abs();
        println!(
            "{what}  {median:.2} ({low:.2} .. {high:.2})  {truth:>6.2}  {:<6}  {error:.1} points",
            if is_inside { "yes" } else { "NO" }
        );
        self.inside += usize::from(is_inside);
        self.errors.push(error);
        Ok(())
    }

    fn print(mut self, of: &str) {
        self.errors.sort_by(f64::total_cmp);
        if let Some(median) = self.errors.get(self.errors.len() / 2) {
            println!(
                "{of}: inside {} of {}; median error {median:.1} points",
                self.inside,
                self.errors.len()
            );
        }
    }
}

/// Predicts each case in `rounds` rounds, measures the truth, and prints both. Then does so for the decoys. If `modes` are given, only
/// the cases of these modes.
pub fn run(rounds: usize, modes: &[&str]) -> anyhow::Result<()> {
    let is_chosen = |case: &Case| modes.is_empty() || modes.contains(&case.0);
    let chosen: Vec<Case> = CASES.into_iter().filter(is_chosen).collect();
    for mode in modes {
        ensure!(
            CASES.iter().any(|case| case.0 == *mode),
            "{mode} is not a mode of tests/programs/whatif_holds.c that is examined"
        );
    }
    let folder = tempfile::tempdir()?;
    let locktoll = build::locktoll()?;
    let program = build::c_program("tests/programs/whatif_holds.c", folder.path())?;
    cases(&locktoll, &program, rounds, &chosen)?;
    match modes {
        [] => verdicts(&locktoll, &program, rounds, 1),
        _ => Ok(()),
    }
}

/// Examines each decoy `times` times, and prints how often the verdict is "no effect".
pub fn decoys(rounds: usize, times: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let locktoll = build::locktoll()?;
    let program = build::c_program("tests/programs/whatif_holds.c", folder.path())?;
    verdicts(&locktoll, &program, rounds, times)
}

fn verdicts(locktoll: &Path, program: &Path, rounds: usize, times: usize) -> anyhow::Result<()> {
    let mut found = [0; DECOYS.len()];
    for _ in 0..times {
        for (case, found) in DECOYS.into_iter().zip(&mut found) {
            let decoy = predicted(locktoll, program, case, rounds)?;
            println!(
                "{}: {}, at -50 % {}",
                described(case),
                decoy["verdict"],
                decoy["gains"]["50"]
            );
            *found += usize::from(decoy["verdict"] == "no_effect");
        }
    }
    for (case, found) in DECOYS.into_iter().zip(found) {
        println!("{}: no effect {found} of {times} times", described(case));
    }
    Ok(())
}

fn cases(locktoll: &Path, program: &Path, rounds: usize, chosen: &[Case]) -> anyhow::Result<()> {
    println!("case, holds, by: predicted (95 %), true, inside, error");
    let [mut printed, mut fast, mut slow] = [(); 3].map(|()| Score::default());
    for &case in chosen {
        let found = predicted(locktoll, program, case, rounds)?;
        let truth = truth(program, case)?;
        for (percent, truth) in [25, 50].into_iter().zip(truth) {
            let what = |by: &str| format!("{:<30} {:>4}%  {by:<5}", described(case), -percent);
            let percent = percent.to_string();
            match &found["gains"][&percent] {
                Value::Null => println!("{}  {}", what("table"), found["reason"]),
                gain => printed.add(&what("table"), gain, truth)?,
            }
            for by in found["by_method"].as_array().into_iter().flatten() {
                let score = if by["method"] == "fast" {
                    &mut fast
                } else {
                    &mut slow
                };
                let name = by["method"].as_str().unwrap_or_default();
                score.add(&what(name), &by["gains"][&percent], truth)?;
            }
        }
    }
    printed.print("table");
    fast.print("fast");
    slow.print("slow");
    Ok(())
}

fn described((mode, hold_us, _, sleeps, lock): Case) -> String {
    let how = if sleeps { "sleep" } else { "work" };
    format!("{mode} {hold_us} us {how} {lock}")
}

fn words((mode, _, rounds, sleeps, _): Case, hold_us: u32) -> Vec<String> {
    let last = if mode == SERVER { PORT.into() } else { rounds };
    let mut words = vec![mode.to_owned(), hold_us.to_string(), last.to_string()];
    words.extend(sleeps.then(|| "sleep".to_owned()));
    words
}

/// The row of the lock.
fn predicted(locktoll: &Path, program: &Path, case: Case, rounds: usize) -> anyhow::Result<Value> {
    let (mode, hold_us, requests, _, lock) = case;
    let mut command = Command::new(locktoll);
    command.args(["whatif", "--json", "--rounds", &rounds.to_string()]);
    command.args(["--fast", lock, "--slow", lock]);
    if mode == SERVER {
        let load = format!("{} load {PORT} {requests}", program.display());
        command.args(["--load", &load, "--ready", &PORT.to_string()]);
    }
    command.arg("--").arg(program).args(words(case, hold_us));
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    ensure!(output.status.success(), "`locktoll whatif` failed");
    let document: Value = serde_json::from_slice(&output.stdout)?;
    Ok(document["locks"][0].clone())
}

/// How many times as fast the program is with holds that are 25 and 50 per cent shorter.
fn truth(program: &Path, case: Case) -> anyhow::Result<[f64; 2]> {
    let (_, hold_us, ..) = case;
    let lengths = [hold_us, hold_us * 3 / 4, hold_us / 2];
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..TRUTH {
        let mut times = [0.0; 3];
        for (time, length) in times.iter_mut().zip(lengths) {
            *time = time_of(program, case, length)?;
        }
        for (ratios, time) in ratios.iter_mut().zip(&times[1..]) {
            ratios.push(times[0] / time);
        }
    }
    Ok(ratios.map(|mut ratios| {
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }))
}

/// The time that the program takes, or the load of the server, in seconds.
fn time_of(program: &Path, case: Case, hold_us: u32) -> anyhow::Result<f64> {
    let (mode, _, requests, ..) = case;
    let mut command = Command::new(program);
    let mut server = None;
    if mode == SERVER {
        let mut own = Command::new(program);
        server = Some(Server(own.args(words(case, hold_us)).spawn()?));
        while TcpStream::connect(("127.0.0.1", PORT)).is_err() {
            std::thread::sleep(Duration::from_millis(5));
        }
        command.args(["load", &PORT.to_string(), &requests.to_string()]);
    } else {
        command.args(words(case, hold_us));
    }
    let began = Instant::now();
    let status = command.stdout(Stdio::null()).status()?;
    ensure!(status.success(), "the program failed");
    let took = began.elapsed();
    drop(server);
    Ok(took.as_secs_f64())
}

/// A server process, which is ended when this value is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

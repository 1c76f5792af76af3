//! Is the advice of `locktoll advise` right? For each remedy, a program that it helps and one that it would not help, and the gain
//! measured after applying it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::ensure;
use serde_json::Value;

use super::build;

/// A case of `tests/programs/advice_cases.c`, the kind of the remedy in question, and whether the remedy is right there.
type Case = (&'static str, &'static str, bool);

const CASES: [Case; 26] = [
    ("move_call", "move_call", true),
    ("move_call_rare", "move_call", false),
    ("move_call_disk", "move_call", true),
    ("input", "no_wait_for_input", true),
    ("move_call", "no_wait_for_input", false),
    ("nested", "no_nested_wait", true),
    ("move_call", "no_nested_wait", false),
    ("shorten", "shorten_hold", true),
    ("shorten_idle", "shorten_hold", false),
    ("less_often", "take_less_often", true),
    ("less_often_seldom", "take_less_often", false),
    ("shard", "shard", true),
    ("shard_sleeps", "shard", false),
    ("readers", "reader_writer", true),
    ("readers_write", "reader_writer", false),
    ("spin_more", "other_lock", true),
    ("spin_more_long", "other_lock", false),
    ("spin_more", "spin_more", true),
    ("spin_more_long", "spin_more", false),
    ("fewer_threads", "fewer_threads", true),
    ("fewer_threads_sleep", "fewer_threads", false),
    ("more_threads", "more_threads", true),
    ("more_threads_bound", "more_threads", false),
    ("spin_less", "spin_less", true),
    ("wake_fewer", "wake_fewer", true),
    ("wake_fewer_round", "wake_fewer", false),
];

/// Prints every case, or those of the kinds or programs that `words` name, with the gain of interleaved rounds.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let (built, words) = match words {
        ["--locktoll", path, rest @ ..] => (Some(PathBuf::from(path)), rest),
        _ => (None, words),
    };
    let (rounds, chosen) = match words {
        [first, rest @ ..] if first.parse::<usize>().is_ok() => (first.parse()?, rest),
        _ => (7, words),
    };
    let folder = tempfile::tempdir()?;
    let locktoll = match built {
        Some(path) => path,
        None => build::locktoll()?,
    };
    let program = build::c_program("tests/programs/advice_cases.c", folder.path())?;
    println!(
        "{:<20} {:<18} {:<10} {:<8} {:<26} {:>8}  inside",
        "program", "remedy", "should be", "advised", "predicted", "measured"
    );
    let (mut right, mut all, mut inside, mut predictions) = (0, 0, 0, 0);
    for (case, kind, is_right) in CASES {
        if !chosen.is_empty() && !chosen.contains(&case) && !chosen.contains(&kind) {
            continue;
        }
        let advice = advice(&locktoll, &program, case)?;
        let remedies = advice["remedies"].as_array().map_or(&[][..], Vec::as_slice);
        let found = remedies.iter().find(|it| it["kind"] == kind);
        let measured = measured(&program, case, rounds)?;
        let gain = found.map(|it| &it["gain"]).filter(|it| it.is_object());
        let bound = |field: &str| gain.and_then(|it| it[field].as_f64());
        let (predicted, is_inside) = match (bound("low"), bound("median"), bound("high")) {
            (Some(low), Some(median), Some(high)) => {
                let is_bound = found.is_some_and(|it| it["method"] == "bound");
                let words = match is_bound {
                    true => format!("at most {high:.2}"),
                    false => format!("{median:.2} ({low:.2} .. {high:.2})"),
                };
                (words, Some((low..=high).contains(&measured)))
            }
            _ => ("-".to_owned(), None),
        };
        all += 1;
        right += usize::from(found.is_some() == is_right);
        if is_right && let Some(is_inside) = is_inside {
            predictions += 1;
            inside += usize::from(is_inside);
        }
        println!(
            "{case:<20} {kind:<18} {:<10} {:<8} {predicted:<26} {measured:>7.2}x  {}",
            if is_right { "advised" } else { "not" },
            if found.is_some() { "yes" } else { "no" },
            match (is_right, is_inside) {
                (true, Some(true)) => "yes",
                (true, Some(false)) => "NO",
                _ => "-",
            }
        );
    }
    println!(
        "advised as it should be: {right} of {all}; gain inside the predicted interval or bound: {inside} of {predictions}"
    );
    Ok(())
}

/// The advice on the case before the remedy. All holds are timed where the remedy needs it.
fn advice(locktoll: &Path, program: &Path, case: &str) -> anyhow::Result<Value> {
    let mut command = Command::new(locktoll);
    command.args(["advise", "--json"]);
    if case.starts_with("readers") {
        command.arg("--exact");
    }
    let output = command
        .arg("--")
        .arg(program)
        .args([case, "before"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    ensure!(
        output.status.success(),
        "`locktoll advise` failed on {case}"
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// How many times as fast the program is with the remedy: the median over rounds, each of which runs it once before and once after.
fn measured(program: &Path, case: &str, rounds: usize) -> anyhow::Result<f64> {
    let mut ratios = Vec::new();
    for round in 0..rounds.max(1) {
        let mut times = [0.0; 2];
        // Every other round in the other order.
        for index in [round % 2, 1 - round % 2] {
            let began = Instant::now();
            let status = Command::new(program)
                .args([case, ["before", "after"][index]])
                .stdout(Stdio::null())
                .status()?;
            ensure!(status.success(), "{case} failed");
            times[index] = began.elapsed().as_secs_f64();
        }
        ratios.push(times[0] / times[1]);
    }
    ratios.sort_by(f64::total_cmp);
    Ok(ratios[ratios.len() / 2])
}

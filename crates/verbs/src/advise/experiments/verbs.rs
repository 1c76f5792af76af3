//! Runs `whatif` and `try` as a user would, and reads what they saved.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context;
use locktoll_results::saved::Saved;
use locktoll_terminal::output;

use crate::advise::flags::AdviseArgs;
use crate::arguments::InputArgs;
use crate::saved;
use crate::trial::flags::BetterArg;

/// Runs `locktoll VERB OPTIONS -- CMD` for at most `limit`, and returns its result; `None` if it has none, whose reason the verb has
/// printed.
///
/// # Errors
/// If the program itself cannot be started.
pub fn run(
    verb: &str,
    options: &[String],
    args: &AdviseArgs,
    limit: Duration,
    folder: &Path,
) -> anyhow::Result<Option<Saved>> {
    let file = folder.join(format!("{verb}.json"));
    let program = std::env::current_exe().context("cannot find the program itself")?;
    output::say(&format!(
        "locktoll: running `locktoll {verb} {}`",
        options.join(" ")
    ));
    let mut command = Command::new(program);
    command.arg(verb).args(options).args(metric(args));
    command
        .arg("--time-limit")
        .arg(format!("{}ms", limit.as_millis().max(1)));
    command.arg("-o").arg(&file).arg("--").args(&args.command);
    // Its exit code is that of the program, so the file decides whether there is a result.
    command
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("cannot run `locktoll {verb}`"))?;
    match saved::open(&file, InputArgs::default()) {
        Ok(saved) => Ok(Some(saved)),
        Err(_) => Ok(None),
    }
}

/// Passes on the flags about the metric and the load.
fn metric(args: &AdviseArgs) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    let mut add = |flag: &str, value: Option<&str>| {
        if let Some(value) = value {
            words.extend([flag.into(), value.into()]);
        }
    };
    add("--metric", args.metric.as_deref());
    let better = args.better.map(|it| match it {
        BetterArg::Higher => "higher",
        BetterArg::Lower => "lower",
    });
    add("--better", better);
    add("--load", args.load.as_deref());
    add("--ready", args.ready.as_deref());
    words
}

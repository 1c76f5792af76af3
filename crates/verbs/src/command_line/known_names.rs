//! Names that completions offer: locks, workloads, claims. The parser does not use this list, since it accepts more spellings and
//! suggests the nearest name for a wrong one.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};

use super::command::command;
use locktoll_lab::contender::registry;
use locktoll_lab::workload::Kind;

/// Returns the program with the names that its flags accept.
pub fn command_with_names() -> Command {
    command().mut_subcommands(|verb| match verb.get_name() {
        "bench" => verb.mut_args(|flag| match flag.get_id().as_str() {
            "lock" => one_of(flag, bench_locks()),
            "workload" => one_of(flag, Kind::ALL.iter().map(|kind| kind.name()).collect()),
            "pin" => one_of(flag, vec!["none", "compact", "spread"]),
            _ => flag,
        }),
        #[cfg(target_os = "linux")]
        "try" => verb.mut_args(|flag| match flag.get_id().as_str() {
            "lock" => one_of(flag, trial_locks()),
            _ => flag,
        }),
        "reproduce" => verb.mut_args(|flag| match flag.get_id().as_str() {
            "claims" => one_of(flag, claims()),
            _ => flag,
        }),
        "man" => {
            let verbs: Vec<&'static str> = command()
                .get_subcommands()
                .map(|it| &*it.get_name().to_owned().leak())
                .collect();
            verb.mut_args(|flag| match flag.get_id().as_str() {
                "verb" => one_of(flag, verbs.clone()),
                _ => flag,
            })
        }
        _ => verb,
    })
}

fn one_of(flag: Arg, names: Vec<&'static str>) -> Arg {
    flag.value_parser(PossibleValuesParser::new(names))
        .default_values(Vec::<&str>::new())
}

fn bench_locks() -> Vec<&'static str> {
    let names = registry().iter().map(|entry| entry.name);
    names.chain(["all"]).collect()
}

#[cfg(target_os = "linux")]
fn trial_locks() -> Vec<&'static str> {
    let names = locktoll_substitute::candidate::ALL.iter().map(|it| it.name);
    names.chain(["all"]).collect()
}

/// Returns the ids of the claims. They are leaked, which does no harm: the script is printed, and then the process ends.
fn claims() -> Vec<&'static str> {
    let ids = crate::reproduce::claim_ids().into_iter();
    ids.map(|id| &*id.leak()).collect()
}

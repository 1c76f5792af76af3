//! `locktoll completions SHELL`: generated from the command-line definitions and the names that flags accept.

use std::io::Write;

use super::known_names::command_with_names;
use locktoll_terminal::failure::{Ending, Outcome};

/// Prints the completion script for `shell` on standard output.
pub fn run(shell: clap_complete::Shell) -> Outcome {
    std::io::stdout().write_all(&script(shell))?;
    Ok(Ending::Done)
}

fn script(shell: clap_complete::Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command_with_names(), "locktoll", &mut script);
    script
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap_complete::Shell;

    #[test]
    fn locks_workloads_claims_and_verbs_are_completed() {
        for shell in [
            Shell::Bash,
            Shell::Zsh,
            Shell::Fish,
            Shell::Elvish,
            Shell::PowerShell,
        ] {
            let script = String::from_utf8(script(shell)).unwrap();
            let mut names = vec!["bench", "machine"];
            // The scripts of these two shells complete only flags, and fish's completes no arguments without a flag.
            if !matches!(shell, Shell::Elvish | Shell::PowerShell) {
                names.extend(["parking_lot", "ticket", "hash-table"]);
            }
            if matches!(shell, Shell::Bash | Shell::Zsh) {
                names.extend(["A1", "D2"]);
            }
            for name in names {
                let is_there = script
                    .split(|it: char| !(it.is_ascii_alphanumeric() || "-_".contains(it)))
                    .any(|word| word == name);
                assert!(is_there, "{shell}: {name}");
            }
        }
    }
}

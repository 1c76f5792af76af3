//! Libraries under a program, which `record`, `try`, `whatif` and `advise` need.

use crate::diagnosis::Reading;
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};

/// Verbs that put a library under a program.
const VERBS: [Verb; 5] = [
    Verb::Record,
    Verb::RecordPreemption,
    Verb::Try,
    Verb::WhatIf,
    Verb::Advise,
];

/// Checks for a place for the library, a loader that accepts it, and an environment that reaches the program.
pub fn findings(reading: &Reading) -> Vec<Finding> {
    vec![folder(reading), loader(reading), environment(reading)]
}

fn folder(reading: &Reading) -> Finding {
    const ID: &str = "preload-folder";
    let preload = &reading.preload;
    match &preload.folder {
        Some(folder) => {
            let finding = Finding::new(ID, State::Works, folder.clone());
            match preload.passed_over.as_slice() {
                [] => finding,
                passed => finding.note(format!("passed over: {}", passed.join("; "))),
            }
        }
        None => {
            Finding::new(ID, State::Missing, preload.passed_over.join("; "))
                .concerns_all(&VERBS, Effect::Blocks, "the preloaded library")
                .remedy(Remedy::here("export XDG_CACHE_HOME=FOLDER").note(
                    "a folder of your own, closed to others, on a file system without noexec",
                ))
        }
    }
}

/// Reports the loader. The kinds of programs that a preload library cannot see are the same everywhere; whether most programs
/// here are of such a kind is not.
fn loader(reading: &Reading) -> Finding {
    const ID: &str = "loader";
    const NOTE: &str = "a preload library cannot reach programs that are static, set-user-id or pure Go; `attach` can";
    let preload = &reading.preload;
    match (preload.glibc, preload.musl) {
        (true, false) => Finding::new(ID, State::Works, "glibc's".to_owned()).note(NOTE),
        (true, true) => Finding::new(ID, State::Works, "glibc's and musl's".to_owned())
            .note(format!("also of musl programs: {NOTE}")),
        (false, true) => Finding::new(ID, State::Missing, "musl's".to_owned())
            .concerns_all(
                &VERBS,
                Effect::Limits,
                "programs that are linked against musl",
            )
            .remedy(Remedy::words(
                Where::Nowhere,
                "the libraries need glibc; `attach` sees every program",
            )),
        (false, false) => Finding::new(ID, State::Unknown, None).note(NOTE),
    }
}

/// Reports whether the environment is passed on. If this program runs with raised privileges (capabilities(7) of its file), the
/// loader has removed variables from the environment before we saw it (ld.so(8), secure-execution mode), and the programs that we
/// start do not get them.
fn environment(reading: &Reading) -> Finding {
    const ID: &str = "environment";
    match reading.preload.secure_execution {
        false => {
            let finding = Finding::new(ID, State::Works, "passed on".to_owned());
            match &reading.preload.users {
                Some(users) => finding.note(format!("LD_PRELOAD={users} stays behind ours")),
                None => finding,
            }
        }
        true => Finding::new(
            ID,
            State::Limited,
            "the loader took out LD_PRELOAD, LD_LIBRARY_PATH, TMPDIR and others".to_owned(),
        )
        .note("since this file has capabilities")
        .concerns_all(
            &VERBS,
            Effect::Limits,
            "those variables in the program's environment",
        )
        .remedy(
            Remedy::here("locktoll record -- env LD_LIBRARY_PATH=FOLDERS CMD")
                .note("or a copy of locktoll without capabilities"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn folders_that_were_passed_over_are_named() {
        let mut reading = made_up::server();
        reading.preload.passed_over = vec!["/home/x: it is mounted noexec".to_owned()];
        let found = folder(&reading);
        assert_eq!(found.state, State::Works);
        assert!(found.note.unwrap().contains("noexec"));
        reading.preload.folder = None;
        let none = folder(&reading);
        assert!(none.concerns.iter().all(|it| it.effect == Effect::Blocks));
        assert_eq!(none.concerns.len(), VERBS.len());
    }

    #[test]
    fn what_the_system_is_linked_against_decides() {
        let mut reading = made_up::server();
        let mut of = |glibc, musl| {
            (reading.preload.glibc, reading.preload.musl) = (glibc, musl);
            loader(&reading).state
        };
        assert_eq!(of(true, false), State::Works);
        assert_eq!(of(true, true), State::Works);
        assert_eq!(of(false, true), State::Missing);
        assert_eq!(of(false, false), State::Unknown);
    }

    #[test]
    fn capabilities_of_the_file_cost_the_environment() {
        let mut reading = made_up::server();
        reading.preload.users = Some("/x/libjemalloc.so".to_owned());
        assert!(environment(&reading).note.unwrap().contains("jemalloc"));
        reading.preload.secure_execution = true;
        assert_eq!(environment(&reading).state, State::Limited);
    }
}

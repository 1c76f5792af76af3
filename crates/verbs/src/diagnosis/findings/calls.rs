//! System calls without which verbs lose something. Every current Linux has them, so a call is a finding only if it is refused:
//! by a filter, or by an emulator.

use crate::diagnosis::Reading;
use crate::diagnosis::remedy::call;
use locktoll_results::doctor::{Effect, Finding, State, Verb};

/// Verbs that put the recorder under a program.
const RECORDING: [Verb; 2] = [Verb::Record, Verb::RecordPreemption];

/// Returns the calls that are refused.
pub fn findings(reading: &Reading) -> Vec<Finding> {
    let all = [
        tracing(reading),
        left_behind(reading),
        own_memory(reading),
        forked_children(reading),
    ];
    all.into_iter().flatten().collect()
}

/// Reports whether a child can be traced: `machine` counts the system calls of a lock that way. Where Yama's setting forbids it,
/// the setting has its own finding.
fn tracing(reading: &Reading) -> Option<Finding> {
    let error = reading.calls.tracing_error?;
    if reading.kernel.ptrace_scope.is_some_and(|scope| scope >= 2) {
        return None;
    }
    let finding = Finding::new("ptrace", State::Missing, refused("ptrace(2)", error));
    let finding = finding
        .concerns(Verb::Machine, Effect::Limits, "system calls of a lock")
        .concerns(
            Verb::Hang,
            Effect::Limits,
            "running processes (core files can be read)",
        );
    Some(finding.remedy(call(reading, "ptrace(2)")))
}

/// Reports whether orphaned processes can be taken over: if processes of one run are left behind, the next does not find the
/// machine as it was.
fn left_behind(reading: &Reading) -> Option<Finding> {
    let error = reading.calls.subreaper_error?;
    let value = refused("PR_SET_CHILD_SUBREAPER", error);
    let finding = Finding::new("subreaper", State::Missing, value);
    let what = "every figure: what a run leaves behind could not be ended";
    let finding = finding.concerns(Verb::Try, Effect::Blocks, what).concerns(
        Verb::WhatIf,
        Effect::Blocks,
        what,
    );
    Some(finding.remedy(call(reading, "prctl(2)")))
}

/// Reports whether the recorder can read the tables of mapped files.
fn own_memory(reading: &Reading) -> Option<Finding> {
    let error = reading.calls.own_memory_error?;
    let value = refused("process_vm_readv(2)", error);
    let finding = Finding::new("own-memory", State::Missing, value);
    let what = "names of locks in static data, and stacks of code without frame pointers";
    let finding = finding.concerns_all(&RECORDING, Effect::Limits, what);
    Some(finding.remedy(call(reading, "process_vm_readv(2)")))
}

/// Reports that the libraries cannot distinguish a forked child from its parent.
fn forked_children(reading: &Reading) -> Option<Finding> {
    if reading.calls.is_wiped_on_fork != Some(false) {
        return None;
    }
    let value = "MADV_WIPEONFORK has no effect".to_owned();
    let finding = Finding::new("wipe-on-fork", State::Missing, value);
    let what = "forked children apart from their parents";
    let finding = finding
        .concerns_all(&RECORDING, Effect::Limits, what)
        .concerns(Verb::Try, Effect::Limits, what);
    Some(finding.remedy(call(reading, "madvise(2) (Linux 4.14)")))
}

fn refused(call: &str, error: i32) -> String {
    format!("{call}: {}", std::io::Error::from_raw_os_error(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::{made_up, refusal};
    use locktoll_results::doctor::{Where, Word, verdicts};

    #[test]
    fn what_every_linux_has_is_no_finding() {
        assert_eq!(findings(&made_up::server()), []);
    }

    #[test]
    fn each_call_takes_its_own_from_the_verbs() {
        let mut reading = made_up::server();
        reading.calls.subreaper_error = Some(libc::EPERM);
        let line = refusal(Verb::Try, &reading).expect("it cannot work");
        assert!(
            line.contains("PR_SET_CHILD_SUBREAPER") && line.contains("seccomp"),
            "{line}"
        );
        assert_eq!(refusal(Verb::Record, &reading), None);
        reading.calls.own_memory_error = Some(libc::EPERM);
        reading.calls.is_wiped_on_fork = Some(false);
        let found = findings(&reading);
        let ids: Vec<_> = found.iter().map(|finding| finding.id).collect();
        assert_eq!(ids, ["subreaper", "own-memory", "wipe-on-fork"]);
        assert!(
            found[1..]
                .iter()
                .all(|it| it.concerns.iter().all(|it| it.effect == Effect::Limits))
        );
    }

    #[test]
    fn a_setting_that_forbids_tracing_is_told_once() {
        let mut reading = made_up::laptop();
        reading.calls.tracing_error = Some(libc::EPERM);
        assert_eq!(findings(&reading)[0].id, "ptrace");
        reading.kernel.ptrace_scope = Some(2);
        assert_eq!(findings(&reading), []);
    }

    #[test]
    fn what_plays_the_machine_is_told_for_what_it_lacks() {
        let reading = made_up::emulated();
        let findings = crate::diagnosis::examine(&reading, None);
        let word = |verb: Verb| {
            let all = verdicts(&findings);
            all.into_iter().find(|it| it.verb == verb).unwrap().works
        };
        for verb in [Verb::Try, Verb::Attach, Verb::Kernel] {
            assert_eq!(word(verb), Word::Not, "{verb:?}");
            let line = refusal(verb, &reading).unwrap();
            assert!(
                line.contains("on the machine itself: this is qemu-aarch64"),
                "{line}"
            );
        }
        for verb in [Verb::Machine, Verb::Record, Verb::Top] {
            assert_eq!(word(verb), Word::Limited, "{verb:?}");
        }
        assert_eq!(word(Verb::Bench), Word::Full);
        let remedies = findings.iter().filter_map(|it| it.remedy.as_ref());
        assert!(remedies.into_iter().all(|it| it.place == Where::Nowhere));
    }
}

//! Everything at once.

use crate::each::under_each;
use crate::support::{candidates, program, run_under};

#[test]
fn adds_up_under_signals_and_cancellations() {
    let program = program("mixed_use.c");
    under_each(candidates(), |candidate| {
        // With more threads than processors a pure spinner takes a slice of the scheduler for each hand-over.
        let jobs = if candidate.is_pure_spinner {
            "100"
        } else {
            "2000"
        };
        let threads = candidate.threads(64).to_string();
        let output = run_under(&candidate.name, &program, &[&threads, jobs]).output;
        assert!(output.status.success(), "{candidate:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said, "adds up\n", "{candidate:?}");
    });
}

#[test]
fn goes_on_in_children_that_are_forked_off_in_the_middle_of_it() {
    let program = program("fork_storm.c");
    under_each(candidates(), |candidate| {
        let forks = if candidate.is_pure_spinner { "5" } else { "40" };
        let threads = candidate.threads(8).to_string();
        // Where the C library's own locks are left, the child begins with new ones.
        let anew = !candidate.replaces || candidate.leaves_others;
        let arguments = [&threads, forks, "anew"];
        let given = if anew { 3 } else { 2 };
        let output = run_under(&candidate.name, &program, &arguments[..given]).output;
        assert!(output.status.success(), "{candidate:?}: {output:?}");
    });
}

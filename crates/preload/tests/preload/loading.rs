//! Libraries that are loaded and unloaded.

use crate::support::{command_recorded, compare, program, program_with};

#[test]
fn code_that_comes_to_the_addresses_of_other_code_is_told_from_it() {
    let first = program_with("plugin.c", &["-shared", "-fPIC"]);
    // The same code under another name has the same addresses within the file.
    let folder = tempfile::tempdir().unwrap();
    let second = folder.path().join("second.so");
    std::fs::copy(&first, &second).unwrap();
    let arguments = [first.to_str().unwrap(), second.to_str().unwrap()];
    let recorded = compare(&program("plugin_turns.c"), &arguments);
    let part = recorded.only_part();
    let acquisitions = |name: &str| -> u64 {
        let of_library = |site: Option<usize>| {
            let module = site.and_then(|site| part.sites[site].module);
            module.is_some_and(|module| part.modules[module].path.ends_with(name))
        };
        let counts = part.counts.iter().filter(|count| of_library(count.site));
        counts.map(|count| count.acquisitions).sum()
    };
    // Each constructor acquires once a turn.
    assert_eq!(acquisitions("plugin_c"), 3 * (10 + 1));
    assert_eq!(acquisitions("second.so"), 3 * (20 + 1));
}

#[test]
fn a_library_may_come_and_go_thousands_of_times() {
    let plugin = program_with("plugin.c", &["-shared", "-fPIC"]);
    let folder = tempfile::tempdir().unwrap();
    let turns = vec![plugin; 1_000];
    let mut command = command_recorded(&program("plugin_turns.c"), folder.path(), &[]);
    let output = command.args(turns).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}

//! Verbs that only Linux has.

use crate::program::{is_refused, printed};

#[test]
fn each_says_in_one_line_what_it_would_need() {
    for (words, why) in [
        (&["record", "--", "notepad"][..], "LD_PRELOAD"),
        (&["try", "--lock", "futex3", "--", "notepad"], "LD_PRELOAD"),
        (&["attach", "1234"], "eBPF"),
        (&["kernel"], "eBPF"),
        (&["top"], "/proc"),
        (&["agent", "--all"], "eBPF"),
        (&["tour"], "LD_PRELOAD"),
        (&["help", "record"], "LD_PRELOAD"),
        (&["record", "--help"], "LD_PRELOAD"),
        (&["machine", "--watch"], "/proc"),
        (&["machine", "--watch=12"], "/proc"),
    ] {
        is_refused(words, 3, why);
        is_refused(words, 3, "needs Linux");
    }
}

#[test]
fn help_lists_what_is_there_and_names_the_rest_in_a_line() {
    let help = printed(&["--help"]);
    let listed: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        listed,
        [
            "machine",
            "bench",
            "reproduce",
            "report",
            "compare",
            "doctor",
            "completions",
            "man",
            "licences",
            "help"
        ]
    );
    assert!(help.contains("On Linux there are more verbs"), "{help}");
}

//! Windows'.

use crate::command_line::verb::absent::Absent;

/// What the program is for.
pub const ABOUT: &str = "How much locks and context switches cost on this machine; why; and what would make them cheaper";

/// What stands below the verbs.
pub const AFTER_HELP: &str =
    "Start with `locktoll machine`. Every verb has examples: `locktoll bench --help`.
On Linux there are more verbs, which look into programs: tour, record, try, attach, top, kernel.
Exit codes: 0 done, 1 the run failed, 2 wrong use, 3 unsupported here.";

/// Examples of `completions`.
pub const COMPLETIONS: &str = "EXAMPLES
  locktoll completions powershell | Out-String | Invoke-Expression
  locktoll completions bash > locktoll.bash";

/// Examples of `man`.
pub const MAN: &str = "EXAMPLES
  locktoll man > locktoll.1                   keep it; man(1) reads it";

/// What is not there.
pub const ABSENT: &[Absent] = &[
    Absent {
        words: &["record"],
        why: "it puts a library under the program by the loader's LD_PRELOAD",
    },
    Absent {
        words: &["try"],
        why: "it puts other locks under the program by the loader's LD_PRELOAD",
    },
    Absent {
        words: &["attach"],
        why: "it sees the waits of a running program by programs in the kernel (eBPF)",
    },
    Absent {
        words: &["kernel"],
        why: "it sees the kernel's locks by programs in the kernel (eBPF)",
    },
    Absent {
        words: &["top"],
        why: "it reads the switches of threads and their causes in /proc and by programs in the kernel (eBPF)",
    },
    Absent {
        words: &["tour"],
        why: "it records a small program, by the loader's LD_PRELOAD",
    },
    Absent {
        words: &["machine", "--watch"],
        why: "it reads the switches of threads in /proc",
    },
];

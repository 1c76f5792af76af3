//! The words on Windows.

use crate::command_line::verb::absent::Absent;

/// The purpose of the program.
pub const ABOUT: &str = "Measures what locks and context switches cost on this machine, and what would make them cheaper";

/// The text below the verbs.
pub const AFTER_HELP: &str = "EXAMPLES
  locktoll machine                            what locks and context switches cost here
  locktoll bench --lock srwlock,std           two locks, uncontended and contended

`locktoll VERB -h` shows a verb's flags, and `locktoll VERB --help` explains it.

On Linux there are more verbs, which look into programs: tour, record, snapshot, try, whatif, advise, attach, hang, top, agent, kernel.

Exit codes: 0 done, 1 the run failed, 2 wrong use, 3 unsupported here.";

/// Examples of `completions`.
pub const COMPLETIONS: &str = "EXAMPLES
  locktoll completions powershell | Out-String | Invoke-Expression
  locktoll completions bash > locktoll.bash";

/// Examples of `man`.
pub const MAN: &str = "EXAMPLES
  locktoll man bench > locktoll-bench.1       keep a page; man(1) reads it";

/// Examples of `licences`.
pub const LICENCES: &str = "EXAMPLES
  locktoll licences                           list the parts and their licences
  locktoll licences inferno                   print the texts of one package
  locktoll licences --texts > NOTICES.txt     print all texts";

/// Verbs and flags that do not exist here.
pub const ABSENT: &[Absent] = &[
    Absent {
        words: &["record"],
        why: "it loads a library into the program through LD_PRELOAD",
    },
    Absent {
        words: &["snapshot"],
        why: "it reads the recording of a running program, and record does not exist here",
    },
    Absent {
        words: &["try"],
        why: "it puts other locks into the program through LD_PRELOAD",
    },
    Absent {
        words: &["whatif"],
        why: "it lengthens the holds of locks through LD_PRELOAD",
    },
    Absent {
        words: &["advise"],
        why: "it needs a recording, and makes one through LD_PRELOAD",
    },
    Absent {
        words: &["attach"],
        why: "it sees the waits of a running program through eBPF",
    },
    Absent {
        words: &["hang"],
        why: "it stops threads and reads their stacks through ptrace and /proc",
    },
    Absent {
        words: &["kernel"],
        why: "it sees the kernel's locks through eBPF",
    },
    Absent {
        words: &["agent"],
        why: "it reads recordings that are made through LD_PRELOAD, and sees other programs through eBPF",
    },
    Absent {
        words: &["top"],
        why: "it reads context switches in /proc and their causes through eBPF",
    },
    Absent {
        words: &["tour"],
        why: "it records a small program through LD_PRELOAD",
    },
    Absent {
        words: &["machine", "--watch"],
        why: "it reads context switches in /proc",
    },
];
